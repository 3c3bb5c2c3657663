"""`refined` against dictionaries of marks."""

import itertools
from collections import Counter

import pytest
import torch

from gpulingo.games.catalogue import hangman
from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import refined
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList

BACKENDS = pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])


def by_dictionary(words, guesses, sets, worth):
    """For each guess the sizes of its classes and what they are worth, by pattern; worth[s][k] of k words."""
    rows = []
    for guess in guesses:
        parts = Counter(
            (pattern(feedback(words[guess], words[word])), s)
            for s, members in enumerate(sets)
            for word in members
            if word != guess
        )
        classes = sorted({code for code, _ in parts})
        rows.append(
            [
                (
                    sum(n for (of, _), n in parts.items() if of == code),
                    sum(worth[s][n] for (of, s), n in parts.items() if of == code),
                )
                for code in classes
            ]
        )
    return rows


def rows_of(made):
    cut = made.counts.tolist()
    columns = zip(made.sizes.split(cut), made.worth.split(cut), strict=True)
    return [list(zip(sizes.tolist(), worth.tolist(), strict=True)) for sizes, worth in columns]


def drawn_sets(count, draw):
    """Disjoint sets that leave some words out, one of them a single word."""
    order = torch.randperm(count, generator=draw).tolist()
    cuts = [0, 1, count // 4, count // 2, count - 3]
    return [sorted(order[lo:hi]) for lo, hi in itertools.pairwise(cuts)]


@BACKENDS
@pytest.mark.parametrize("length", [1, 2, 5, 9, 13, 19, 27])
def test_classes_are_worth_what_their_parts_are(random_words, backend, length):
    words = random_words(length, 39 if length == 1 else 150, length)
    draw = torch.Generator().manual_seed(length)
    sets = drawn_sets(len(words), draw)
    worth = [[0, *torch.randint(-5, 50, (len(members),), generator=draw).tolist()] for members in sets]
    steps = torch.tensor([b - a for one in worth for a, b in itertools.pairwise(one)])
    guesses = torch.randperm(len(words), generator=draw)[:30]
    told = []
    front = frontier([torch.tensor(members, dtype=torch.int32) for members in sets])
    made = refined(encode(words), guesses.to(torch.int32), front, steps, told.append, backend=backend)
    assert rows_of(made) == by_dictionary(words, guesses.tolist(), sets, worth)
    assert sum(told) == 30 * sum(map(len, sets))


@BACKENDS
def test_no_guesses_have_no_classes(random_words, backend):
    table = encode(random_words(1, 20, 5))
    none = torch.empty(0, dtype=torch.int32)
    front, steps = frontier([torch.arange(20, dtype=torch.int32)]), torch.ones(20, dtype=torch.int64)
    made = refined(table, none, front, steps, backend=backend)
    assert made.counts.shape == made.sizes.shape == made.worth.shape == (0,)


def test_words_beside_letters_as_guesses_show_nothing_but_themselves(random_words):
    table = table_of(WordList("a list", random_words(1, 20, 5)), hangman())
    front, steps = frontier([torch.arange(8), torch.arange(8, 20)]), torch.arange(20)
    guesses = torch.tensor([0, 9, 20, 25], dtype=torch.int32)
    made, plain = (refined(table, guesses, front, steps, backend=backend) for backend in (cpu, reference))
    assert rows_of(made)[:2] == [
        [(19, sum(range(7)) + sum(range(8, 20)))],
        [(19, sum(range(8)) + sum(range(8, 19)))],
    ]
    assert rows_of(made) == rows_of(plain)

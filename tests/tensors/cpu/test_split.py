"""`split` against a dictionary of lists; classes that `refined` has of odd guesses."""

from collections import defaultdict

import pytest
import torch

from gpulingo.games.catalogue import hangman
from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.operations import refined, split
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.wordlist import WordList

BACKENDS = pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])


def ints(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def by_dictionary(words, sets, guesses):
    """Rows of parent, pattern and members; and which guesses hit."""
    rows = []
    for parent, (members, guess) in enumerate(zip(sets, guesses, strict=True)):
        classes = defaultdict(list)
        for word in members:
            if word != guess:
                classes[pattern(feedback(words[guess], words[word]))].append(word)
        rows += [(parent, code, classes[code]) for code in sorted(classes)]
    return rows, [guess in members for members, guess in zip(sets, guesses, strict=True)]


def rows_of(parted):
    children = [parted.frontier.candidates(s).tolist() for s in range(parted.frontier.sets)]
    return list(zip(parted.parents.tolist(), parted.patterns.tolist(), children, strict=True))


@BACKENDS
@pytest.mark.parametrize("length", [1, 5, 13, 19, 20, 39])
def test_sets_are_parted_as_a_dictionary_parts_them(random_words, random_sets, backend, length):
    words = random_words(length, 39 if length == 1 else 120, length)
    table = encode(words)
    front = random_sets(length, len(words), (1, 1, 2, 3, 20, 65, 110, 5, 30))
    generator = torch.Generator().manual_seed(length)
    outside = torch.randint(len(words), (front.sets,), generator=generator).to(torch.int32)
    inside = front.members[front.offsets[1:] - 1]
    for guesses in (outside, inside, torch.where(torch.arange(front.sets) % 2 == 0, outside, inside)):
        sets = [front.candidates(s).tolist() for s in range(front.sets)]
        rows, hits = by_dictionary(words, sets, guesses.tolist())
        parted = split(table, front, guesses, backend=backend)
        assert rows_of(parted) == rows
        assert parted.hits.tolist() == hits
        assert parted.frontier.members.dtype == torch.int32
        assert (parted.frontier.offsets.dtype, parted.parents.dtype) == (torch.int64, torch.int64)
        assert parted.patterns.dtype == (torch.int32 if length <= 19 else torch.int64)
        assert parted.hits.dtype == torch.bool


def test_the_whole_list_is_parted_by_one_guess_as_often_as_asked(random_words):
    # The second time the features of the list are kept.
    words = random_words(3, 90, 5)
    table = encode(words)
    for guess in (4, 88, 4):
        rows, _ = by_dictionary(words, [range(90)], [guess])
        assert rows_of(split(table, whole(table), ints(guess), backend=cpu)) == rows


@BACKENDS
def test_the_classes_of_one_guess_are_those_worked_out_by_hand(backend):
    table = encode("able bale cart zone pale gale".split())
    parted = split(table, frontier([ints(1, 3, 4, 5), ints(0, 2)]), ints(0, 2), backend=backend)
    # able: zone XXXO, pale and gale ?XOO, bale ??OO; cart finds itself and leaves able X?XX.
    assert rows_of(parted) == [(0, 2, [3]), (0, 35, [4, 5]), (0, 44, [1]), (1, 9, [0])]
    assert parted.hits.tolist() == [False, True]


@BACKENDS
def test_a_set_that_the_guess_empties_leaves_nothing(backend):
    table = encode(["able", "bale"])
    for sets in ([ints(1)], [ints(0), ints(1)]):
        front = frontier(sets)
        parted = split(table, front, front.firsts, backend=backend)
        assert (parted.frontier.sets, rows_of(parted), parted.hits.tolist()) == (0, [], [True] * front.sets)
        assert parted.frontier.offsets.tolist() == [0]
        # And nothing is parted into nothing.
        again = split(table, parted.frontier, ints(), backend=backend)
        assert (again.frontier.sets, rows_of(again), again.hits.tolist()) == (0, [], [])


def values_of(made):
    cut = made.counts.tolist()
    columns = zip(made.sizes.split(cut), made.worth.split(cut), strict=True)
    return [list(zip(sizes.tolist(), worth.tolist(), strict=True)) for sizes, worth in columns]


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
    assert values_of(made)[:2] == [
        [(19, sum(range(7)) + sum(range(8, 20)))],
        [(19, sum(range(8)) + sum(range(8, 19)))],
    ]
    assert values_of(made) == values_of(plain)

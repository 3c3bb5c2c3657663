"""Legal guesses: narrowed sets are those of the plain rule; pools that do not fit the sets are refused."""

import random

import pytest
import torch

from gpulingo.games.catalogue import find_game, legal_after
from gpulingo.games.marks import marks
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier, places_in, whole
from gpulingo.tensors.operations import narrowed, split
from gpulingo.tensors.wordtable import encode

RULES = pytest.mark.parametrize("rule", ["hard", "consistent"])


def row(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def drawn_words(length, letters="abcd", count=90):
    draw = random.Random(length)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})


def plain(rule, words, legal, guess, code):
    """The legal guesses that the plain rule still allows after a guess and a pattern."""
    text = marks(code, len(words[0]))
    game = find_game(f"wordle-{rule}")
    return [word for word in legal if legal_after(game, words[guess], text, words[word])]


@RULES
@pytest.mark.parametrize(("length", "backend", "block"), [(2, reference, 50), (9, cpu, 1), (39, cpu, 1)])
def test_narrowed_sets_are_those_of_the_plain_rule(rule, length, backend, block, monkeypatch):
    monkeypatch.setattr(reference, "HINT_BLOCK", block)
    words, draw = drawn_words(length), random.Random(length)
    table = encode(words).with_sets(torch.arange(0, len(words), 2, dtype=torch.int32))
    front, legal = whole(table), frontier([table.pool])
    expected = [list(range(len(words)))]
    for _ in range(3):
        guesses = row(*(draw.choice(allowed) for allowed in expected))
        made = split(table, front, guesses)
        classes = {"parents": made.parents, "patterns": made.patterns}
        sets = table, legal, guesses
        legal = backend.using_hints(*sets, **classes) if rule == "hard" else narrowed(rule, *sets, **classes)
        expected = [
            plain(rule, words, expected[parent], int(guesses[parent]), code)
            for parent, code in zip(made.parents.tolist(), made.patterns.tolist(), strict=True)
        ]
        front = made.frontier
        assert [legal.candidates(number).tolist() for number in range(legal.sets)] == expected
        assert bool((places_in(legal, front) >= 0).all())  # candidates are legal
        if not front.sets:
            break

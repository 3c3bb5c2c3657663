"""Expanding guesses: what one yields by hand, and that stopping early hides nothing better than its bound."""

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.search import expand
from gpulingo.search.expand import Expander, Tried, Values
from gpulingo.strategies.values import perfect_split
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.wordtable import encode

WORDS = ["bats", "cats", "rats", "brag", "crab"]


def hopeful(front, left):
    """Every set could be told apart in full."""
    best = perfect_split(front.sizes, left)
    return Values(best - 1, best, front.firsts)


def test_a_guess_yields_itself_and_its_classes():
    table = encode(WORDS)
    lower, upper = Expander(table, lingo(), hopeful).guess_values(
        whole(table), torch.tensor([0], dtype=torch.int32), 4
    )
    # bats tells cats and rats apart from brag and crab, which differ too: itself 4, a pair 3 + 2, two alone.
    assert (int(upper), int(lower)) == (4 + 5 + 3 + 3, 4 + 4 + 2 + 2)


def test_a_guess_that_is_no_member_is_not_found():
    table = encode(WORDS)
    front = frontier([torch.tensor([1, 2], dtype=torch.int32)])
    inside, outside = (
        Expander(table, lingo(), hopeful).guess_values(front, torch.tensor([guess], dtype=torch.int32), 3)
        for guess in (1, 4)
    )
    assert (int(inside[1]), int(outside[1])) == (3 + 2, 2 + 2)


@pytest.mark.parametrize("together", [1, 2, 16])
def test_what_is_not_expanded_is_bounded(monkeypatch, together):
    monkeypatch.setattr(expand, "MOST_TOGETHER", together)
    table = encode(WORDS)
    guesses = torch.tensor([[0, 4, 3, -1]], dtype=torch.int32)
    expander = Expander(table, lingo(), hopeful)
    best = max(
        int(expander.guess_values(whole(table), guesses[0, place : place + 1], 4)[0]) for place in range(3)
    )
    for bound in (best - 1, best, best + 1):
        bounds = torch.tensor([[20, bound, bound, bound]])
        values = expander.best_of_expanded(whole(table), 4, Tried(guesses, bounds, torch.tensor([bound - 2])))
        assert int(values.upper) >= max(int(values.lower), bound - 2)
        if bound > int(values.lower):
            assert int(values.lower) == best  # all were expanded


def test_of_equal_guesses_the_first_is_taken_and_blocks_change_nothing(monkeypatch):
    table = encode(["abc", "abd", "abe", "abf"])
    front = frontier([torch.arange(4, dtype=torch.int32), torch.arange(1, 4, dtype=torch.int32)])
    guesses = torch.tensor([[3, 0, 1], [2, 3, 1]], dtype=torch.int32)
    tried = Tried(guesses, torch.full((2, 3), 99), torch.zeros(2, dtype=torch.int64))
    whole_block = Expander(table, lingo(), hopeful).best_of_expanded(front, 4, tried)
    monkeypatch.setattr(expand, "EXPANDED", 1)
    single = Expander(table, lingo(), hopeful).best_of_expanded(front, 4, tried)
    assert whole_block.guesses.tolist() == single.guesses.tolist() == [3, 2]
    assert torch.equal(whole_block.lower, single.lower)

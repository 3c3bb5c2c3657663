"""Expanding guesses: what one yields by hand, and that it stops only where no guess left can be better."""

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.optimise import lookahead
from gpulingo.optimise.lookahead import KnownValues, Lookahead
from gpulingo.strategies.objectives import perfect_split
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.wordtable import encode

WORDS = ["bats", "cats", "rats", "brag", "crab"]


class Hopeful(Lookahead):
    """Every set is told apart but for a word."""

    def values(self, front, left):
        return KnownValues(perfect_split(front.sizes, left) - 1, front.firsts)


def test_a_guess_yields_itself_and_its_classes():
    table = encode(WORDS)
    value = Hopeful(table, lingo(), {}).guess_values(whole(table), torch.tensor([0], dtype=torch.int32), 4)
    # bats tells cats and rats apart from brag and crab, which differ too: itself 4, a pair 3 + 2, two alone.
    assert int(value) == 4 + 4 + 2 + 2


def test_a_guess_that_is_no_member_is_not_found():
    table = encode(WORDS)
    front = frontier([torch.tensor([1, 2], dtype=torch.int32)])
    inside, outside = (
        Hopeful(table, lingo(), {}).guess_values(front, torch.tensor([guess], dtype=torch.int32), 3)
        for guess in (1, 4)
    )
    assert (int(inside), int(outside)) == (3 + 1, 1 + 1)


@pytest.mark.parametrize("together", [1, 2, 16])
def test_what_its_bound_allows_to_be_better_is_expanded(monkeypatch, together):
    monkeypatch.setattr(lookahead, "MOST_TOGETHER", together)
    table = encode(WORDS)
    guesses = torch.tensor([[0, 4, 3, -1]], dtype=torch.int32)
    expander = Hopeful(table, lingo(), {})
    best = max(
        int(expander.guess_values(whole(table), guesses[0, place : place + 1], 4)) for place in range(3)
    )
    for bound in (best - 1, best, best + 1):
        bounds = torch.tensor([[20, bound, bound, bound]])
        value = int(expander.best_of(whole(table), 4, guesses, bounds).lower)
        assert value == best or bound <= value < best


def test_of_equal_guesses_the_first_is_taken_and_blocks_change_nothing(monkeypatch):
    table = encode(["abc", "abd", "abe", "abf"])
    front = frontier([torch.arange(4, dtype=torch.int32), torch.arange(1, 4, dtype=torch.int32)])
    guesses = torch.tensor([[3, 0, 1], [2, 3, 1]], dtype=torch.int32)
    bounds = torch.full((2, 3), 99)
    whole_block = Hopeful(table, lingo(), {}).best_of(front, 4, guesses, bounds)
    monkeypatch.setattr(lookahead, "EXPANDED", 1)
    single = Hopeful(table, lingo(), {}).best_of(front, 4, guesses, bounds)
    assert whole_block.guesses.tolist() == single.guesses.tolist() == [3, 2]
    assert torch.equal(whole_block.lower, single.lower)

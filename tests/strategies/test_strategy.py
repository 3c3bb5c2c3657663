"""Positions: what the first one is, which parts of one can be taken, which pools are refused."""

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.strategies.strategy import History, Position, first_position
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode

WORDS = ["bats", "cats", "rats", "brag", "crag"]


def indices(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def test_the_first_position_holds_all_targets_and_every_legal_guess():
    table = encode(WORDS).with_sets(indices(0, 2, 3), indices(0, 1, 2, 3))
    first = first_position(table, lingo(4))
    assert first.frontier.members.tolist() == [0, 2, 3] and first.pool is table.pool
    assert (first.turns_left, first.turn, first.payoff) == (4, 1, (0, 1, 2, 3, 4))
    assert first.history.guesses.shape == first.history.patterns.shape == (1, 0)
    assert first_position(table, Game("own", 4, range(5), legal="candidates")).pool is None


def test_some_sets_of_a_position_keep_their_history_and_their_legal_guesses():
    table, game = encode(WORDS), lingo()
    front, legal = (
        frontier([indices(0, 1), indices(2), indices(3, 4)]),
        frontier([indices(0, 1, 4), indices(2), indices(3, 4)]),
    )
    past = History(indices(4, 4, 4)[:, None], torch.tensor([[1], [2], [3]]))
    some = Position(table, front, 4, 2, game, legal, past).take(torch.tensor([2, 0]))
    assert some.frontier.members.tolist() == [3, 4, 0, 1]
    assert some.pool.members.tolist() == [3, 4, 0, 1, 4]
    assert some.history.patterns.tolist() == [[3], [1]]
    with pytest.raises(
        ValueError, match="game lingo5 has other legal guesses after each hint: name another strategy"
    ):
        some.shared_pool()


def test_a_pool_that_lacks_a_target_or_a_set_is_refused():
    table, game, front = encode(WORDS), lingo(), frontier([indices(0, 1)])
    assert Position(table, front, 4, 2, game, indices(0, 1, 2, 3, 4)).shared_pool().shape == (5,)
    with pytest.raises(ValueError, match="the pool lacks targets"):
        Position(table, front, 4, 2, game, indices(0, 1))
    with pytest.raises(ValueError, match="a pool of 2 sets for 1 candidate sets"):
        Position(table, front, 4, 2, game, frontier([indices(0), indices(1)]))


@pytest.mark.parametrize("left", [1, 2, 3, 4])
@pytest.mark.parametrize("legal", ["any", "candidates"])
def test_classes_decide_with_two_turns_left_where_targets_are_as_likely(left, legal):
    table, front = encode(WORDS), frontier([indices(0, 1)])
    game = Game("own", 5, range(6), legal=legal)
    assert Position(table, front, left, 6 - left, game, table.pool).decided_by_classes == (left == 2)
    heavy = table.with_sets(weights=indices(1, 2, 1, 1, 1))
    weighed = Position(heavy, front, left, 6 - left, game, heavy.pool)
    assert not weighed.decided_by_classes and weighed.decided_by_heaviest == (left == 2)


def test_the_likeliest_candidate_is_the_heaviest_and_the_largest_set_the_one_that_weighs_most():
    table, front = encode(WORDS), frontier([indices(0, 1, 2), indices(3, 4), indices(1)])
    plain = Position(table, front, 1, 5, lingo(), table.pool)
    assert (plain.likeliest().tolist(), plain.largest) == ([0, 3, 1], 3)
    heavy = table.with_sets(weights=indices(1, 2, 2, 4, 6))
    weighed = Position(heavy, front, 1, 5, lingo(), heavy.pool)
    assert (weighed.likeliest().tolist(), weighed.largest) == ([1, 4, 1], 10)

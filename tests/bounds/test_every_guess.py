"""Openings bounded by a search of every guess: to their best value, or only to the goal."""

import exhaustive
import pytest

from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import lingo
from gpulingo.solvers.words.value import NO_LIMIT
from gpulingo.tensors.threads import threads
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 22


def test_what_is_asked_for_in_vain_gives_the_best_value(any_game):
    wordlist, table, game, best = any_game
    state, told = BoundState(table, game), []
    openings = list(range(0, len(wordlist), 5))
    found = Searches(table, game, MEMORY).of(state, openings, 0, NO_LIMIT, told.append)
    assert [each.opening for each in found] == openings
    assert [each.bound for each in found] == best[openings].tolist()
    assert all(each.closed for each in found) and sum(told) == sum(each.pairs for each in found)
    for each in found:
        state.apply(each.evidence)
    assert state.evidence.bounds[openings].tolist() == best[openings].tolist()
    exhaustive.check(wordlist, state, best)


def test_an_opening_is_searched_until_its_bound_is_low_enough(any_game):
    wordlist, table, game, best = any_game
    state, goal = BoundState(table, game), int(best.max())
    openings = list(range(0, len(wordlist), 5))
    state.apply(evaluate(state, openings[::2]))
    for each in Searches(table, game, MEMORY).of(state, openings, goal, NO_LIMIT, None):
        assert each.closed and best[each.opening] <= each.bound
        assert each.bound <= goal
        state.apply(each.evidence)
    exhaustive.check(wordlist, state, best)


def test_a_limit_leaves_an_opening_open_with_a_bound_that_holds():
    wordlist = exhaustive.families()
    table, game = encode(wordlist.words), lingo(5)
    state, searches = BoundState(table, game), Searches(table, game, MEMORY)
    before = state.bound
    (found,) = searches.of(state, [0], 0, 1, None)
    assert not found.closed and int(found.evidence.bounds[0]) <= before
    (closed,) = searches.of(state, [0], 0, NO_LIMIT, None)
    assert closed.closed and closed.bound <= found.bound
    assert closed.bound == exhaustive.best_value(wordlist.words, 5, 0)


def test_an_interrupt_is_not_held_up_by_what_runs():
    table, game = encode(exhaustive.families().words), lingo(5)

    def stop(pairs):
        raise KeyboardInterrupt

    searches = Searches(table, game, MEMORY)
    with pytest.raises(KeyboardInterrupt):
        searches.of(BoundState(table, game), list(range(table.words)), 0, NO_LIMIT, stop)
    assert searches.free.qsize() == threads()

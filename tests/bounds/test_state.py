"""The state of bounds: evidence joined in any order, read from a file, or found by a copy elsewhere."""

import pickle

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.counting import bounded_by, count_until, evaluate
from gpulingo.bounds.state import BoundState


def same(state, other):
    """Whether two states have the same bounds and neighbours."""
    near = [
        {one: sorted(others) for one, others in each.evidence.neighbours.items()} for each in (state, other)
    ]
    return np.array_equal(state.evidence.bounds, other.evidence.bounds) and near[0] == near[1]


def test_a_copy_finds_what_its_original_finds(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, [0, 1, 2, 3]))
    everything = np.arange(len(wordlist))
    state.apply(bounded_by(state, everything[everything != 0], 0))
    exhaustive.counted(state, [5, 6], int(state.evidence.bounds[5]) - 1)
    state.apply(bounded_by(state, everything[everything != 1], 1))
    again = exhaustive.copied(state)
    for one in (state, again):
        one.apply(bounded_by(one, everything[everything != 2], 2))
        one.apply(evaluate(one, [8]))
        one.apply(bounded_by(one, everything[everything != 3], 3))
    assert same(again, state)
    exhaustive.check(wordlist, again, best)
    again = exhaustive.copied(state)
    for one in (state, again):
        one.apply(evaluate(one, [9]))
        one.apply(bounded_by(one, np.array([9]), 3))
    assert same(again, state)
    exhaustive.check(wordlist, again, best)
    again = exhaustive.copied(state)
    for one in (state, again):
        exhaustive.counted(one, sorted(one.evidence.neighbours), int(best.min()))
    assert np.array_equal(again.evidence.bounds, state.evidence.bounds)
    exhaustive.check(wordlist, again, best)


def sent(evidence):
    """Evidence as returned by a copy of a state on another machine."""
    return pickle.loads(pickle.dumps(evidence))


@pytest.mark.slow
def test_openings_may_be_bounded_by_copies_and_what_they_return_be_applied_in_any_order(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, [0, 1, 2, 3]))
    others = np.arange(4, len(wordlist))
    for step in range(3):
        results = []
        for center in (step, step + 1):  # each copy lacks the other's evidence
            copy = exhaustive.copied(state)
            results.append(sent(bounded_by(copy, others, center)))
            copy.apply(results[-1])
            goal = int(copy.evidence.bounds[others].min())
            for lowered in count_until(copy, others[center::3].tolist(), goal):
                copy.apply(lowered)
                results.append(sent(lowered))
            results.append(sent(evaluate(copy, [3 + step + center])))
        for evidence in results[::-1]:
            state.apply(evidence)
        exhaustive.check(wordlist, state, best)
        exhaustive.counted(state, others[step::2].tolist(), int(best.min()))
        state.apply(bounded_by(state, others[others != 3 + 2 * step], 3 + 2 * step))
        exhaustive.check(wordlist, state, best)


def test_evidence_that_is_applied_twice_changes_nothing_more(game):
    _, table, game, _ = game
    state = BoundState(table, game)
    state.apply(evaluate(state, [0]))
    lowered = bounded_by(state, np.arange(1, table.words), 0)
    state.apply(lowered)
    before = exhaustive.copied(state)
    state.apply(lowered)
    assert same(state, before)


def test_the_given_bounds_count_where_they_are_lower(game):
    _, table, game, _ = game
    state = BoundState(table, game)
    given = state.evidence.bounds.copy()
    given[3], given[4] = 1, 10**6
    state.given = given
    assert int(state.lowest[3]) == 1 and int(state.lowest[4]) == int(state.evidence.bounds[4])

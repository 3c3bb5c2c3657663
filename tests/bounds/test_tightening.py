"""Bounds at the end of a search: those written are those that the checker derives, class by class."""

import random

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.counting import bounded_by, evaluate, tighten
from gpulingo.bounds.state import BoundState

pytestmark = pytest.mark.usefixtures("every_opening")


def count_supersets(state, share):
    """Count a share of the supersets, as a search does for other sets."""
    for key, two in list(exhaustive.two_of_supersets(state.table).items())[share::8]:
        state.supersets.two[key] = two


def worked(state, seed):
    """Bounds lowered in every way, in random order; supersets are counted during and after it."""
    draw, everything = random.Random(seed), list(range(state.table.words))
    state.apply(evaluate(state, draw.sample(everything, 3)))
    for step in range(8):
        some = draw.sample(everything, 6)
        if step % 2:
            goal = exhaustive.middle(state.evidence.bounds[some]) - draw.randint(0, 3)
            exhaustive.counted(state, some, goal)
        else:
            center = draw.choice(list(state.evidence.evaluated))
            others = [opening for opening in some if opening != center]
            state.apply(bounded_by(state, np.array(others), center))
        if step == 4:
            state.apply(evaluate(state, some[:1]))
            count_supersets(state, 0)
    count_supersets(state, 1)


@pytest.mark.slow
def test_tightened_bounds_are_what_the_checker_derives(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    worked(state, 0)
    again, before = exhaustive.copied(state), state.evidence.bounds.copy()
    tighten(state, 0, lambda: True)
    assert np.array_equal(state.evidence.bounds, exhaustive.derived(wordlist, state))
    assert bool((state.evidence.bounds <= before).all())
    exhaustive.check(wordlist, state, best)
    tighten(again, 0, lambda: True)
    assert np.array_equal(again.evidence.bounds, state.evidence.bounds)


@pytest.mark.slow
def test_bounds_are_the_same_without_memory_for_counts(game):
    _, table, rules, _ = game
    states = [BoundState(table, rules), BoundState(table, rules, memory=1)]
    for state in states:
        worked(state, 5)
        tighten(state, 0, lambda: True)
    assert np.array_equal(states[0].evidence.bounds, states[1].evidence.bounds)

"""Bounds that a search writes are those that the checker derives, class by class."""

import random

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.counting import bounded_by, evaluate
from gpulingo.bounds.state import BoundState

pytestmark = pytest.mark.usefixtures("every_opening")


def worked(state, seed):
    """Bounds lowered in every way, in random order."""
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


@pytest.mark.slow
def test_bounds_are_what_the_checker_derives(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    worked(state, 0)
    assert np.array_equal(state.evidence.bounds, exhaustive.derived(wordlist, state))
    exhaustive.check(wordlist, state, best)

"""Bounds of a search: they hold for every opening while they are lowered, given ones until taken back."""

import pytest

from gpulingo.bounds.certificate import certificate_of
from gpulingo.optimise.stages import Stages
from gpulingo.optimise.state import Problem, SolverState
from gpulingo.optimise.upper_bounds import UpperBounds
from gpulingo.strategies.objectives import perfect_split, points


@pytest.fixture
def upper(game):
    """Bounds of a list of which nothing is known, and the best value after each opening."""
    wordlist, table, rules, best = game
    problem = Problem(wordlist, rules, table, points)
    return UpperBounds(problem, SolverState(Stages([])), lambda pairs: None), best


def test_no_opening_is_ever_bounded_below_its_best(upper):
    bounds, best = upper
    words, turns = best.shape[0], bounds.problem.game.turns
    assert bounds.greatest == perfect_split(words, turns) and bounds.above(0) == words
    greatest = [bounds.greatest]
    while bounds.evaluate_first() or bounds.lower(int(best.max()), straight=False):
        assert bool((bounds.lowest >= best).all())
        greatest.append(bounds.greatest)
    assert greatest == sorted(greatest, reverse=True)
    assert bounds.above(int(best.max())) == int((bounds.lowest > best.max()).sum())


def test_a_search_of_every_guess_closes_an_opening(upper):
    bounds, best = upper
    bounds.evaluate_first()
    opening = bounds.greatest_evaluated()
    assert bounds.closes(opening, 1 << 40)
    (closed,) = bounds.close([opening], 0, 1 << 40)
    assert closed.closed and closed.bound == int(bounds.lowest[opening]) == int(best[opening])


def test_bounds_that_are_given_count_until_they_are_taken_back(upper):
    bounds, _ = upper
    before = bounds.found().lowest.clone()
    given = certificate_of(bounds.problem.wordlist, bounds.problem.game, bounds.found().evidence)
    given.bounds.sub_(1)
    bounds.begin_with(given)
    assert bool((bounds.lowest == before - 1).all())
    bounds.begin_with(None)
    assert bool((bounds.lowest == before).all())

"""Which bounds are lowered next, by which method, and whether they reach their goal by it."""

import threading

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import lingo
from gpulingo.optimise import lowering, units
from gpulingo.optimise.lowering import TOGETHER, Lowering
from gpulingo.optimise.openings import openings
from gpulingo.optimise.state import Problem, Stage, Stages, State
from gpulingo.optimise.units import Count, Evaluate, EvaluateNear, SearchThreeTurns, UnitWorkspace
from gpulingo.strategies.objectives import points
from gpulingo.tensors import clock as module
from gpulingo.tensors.clock import Deadline, OutOfTime
from gpulingo.tensors.wordtable import encode


def workspace(wordlist, game):
    problem = Problem(wordlist, game, encode(wordlist.words), points, memory=1 << 26)
    return UnitWorkspace(problem, State(Stages([])), lambda pairs: None)


@pytest.fixture
def own(game):
    """A workspace without evidence, and the best value after each opening."""
    wordlist, _, rules, best = game
    return workspace(wordlist, rules), best


def counts_alone(at, **options):
    """A lowering of each bound only by counts, down to the goal."""
    lowers = Lowering(at, **options)
    lowers.further = lowers.two_guesses = lowers.three = False
    lowers.closing = True
    return lowers


def lowered(lowers, goal, most=2000):
    """The units that lower bounds to a goal, or as far as possible."""
    worked = []
    while (unit := lowers.next_unit(goal)) is not None:
        unit.run(lowers.at)
        lowers.note(unit)
        worked.append(unit)
        assert len(worked) < most, "never ends"
    return worked


def test_counts_reach_the_goal_or_all_classes_are_counted(own):
    at, best = own
    goal = int(best.max())
    lowered(counts_alone(at), goal)
    above = np.flatnonzero(at.bounds.lowest > goal)
    assert set(above.tolist()) <= set(at.bounds.evidence.evaluated)
    exhaustive.check(at.problem.wordlist, at.bounds, best)


def test_two_more_guesses_lower_openings_like_those_that_they_evaluated(own):
    at, best = own
    at.evaluate(list(range(len(best))))
    lowers = Lowering(at)
    assert lowers.two_guesses and at.complete(True).tolist() == []
    lowers.three, lowers.closing = False, True
    goal = int(best.max())
    kinds = {type(unit) for unit in lowered(lowers, goal)}
    assert Evaluate in kinds <= {Evaluate, EvaluateNear}  # never counted one by one
    above = np.flatnonzero(at.bounds.lowest > goal)
    assert bool(at.bounds.evidence.two_guesses[above].all())
    exhaustive.check(at.problem.wordlist, at.bounds, best)


def fresh(**options):
    wordlist, _ = exhaustive.random_list(10)
    return counts_alone(workspace(wordlist, lingo(5)), **options)


def test_the_same_goal_is_reached_by_the_same_steps():
    bounds = []
    for _ in range(2):
        lowers = fresh()
        lowered(lowers, exhaustive.middle(lowers.at.bounds.evidence.bounds))
        bounds.append(lowers.at.bounds.evidence.bounds)
    assert np.array_equal(*bounds)


def test_both_ways_lower_bounds_that_hold(own, monkeypatch):
    monkeypatch.setattr(units, "WORTH", 8)
    monkeypatch.setattr(lowering, "BATCH", TOGETHER)
    at, best = own
    assert {EvaluateNear, Count} <= {type(unit) for unit in lowered(counts_alone(at), 0)}
    exhaustive.check(at.problem.wordlist, at.bounds, best)


@pytest.mark.slow
def test_three_turns_are_searched_of_what_nothing_else_brings_down():
    wordlist, game = exhaustive.words_alike(), lingo(5)
    counted = workspace(wordlist, game)
    lowered(counts_alone(counted), 0)
    counted.evaluate(list(range(len(wordlist))))
    goal = int(np.sort(counted.bounds.lowest)[-5]) - 1
    lowers = Lowering(workspace(wordlist, game))
    lowers.further = False
    worked = lowered(lowers, goal)
    asked = [opening for unit in worked if isinstance(unit, SearchThreeTurns) for opening in unit.openings]
    assert asked and bool((counted.bounds.lowest[asked] > goal).all())
    assert isinstance(worked[-1], SearchThreeTurns)  # they come last
    bounds = lowers.at.bounds
    assert bounds.bound < counted.bounds.bound
    assert list(prove(bounds.table, certificate_of(wordlist, game, bounds.evidence)))[-1] == len(wordlist)


def test_each_stage_takes_the_best_of_the_one_before():
    plan = Stages([Stage(3, {4: 1}), Stage(2, {4: 2}), Stage(1, {4: 9})])
    values = {7: 10, 8: 30, 9: 30, 6: 99}
    # 8 and 9 are equal, so the first in the list comes first; 6 is beyond the first stage.
    for most, expected in (
        # In the end 8 and 9 were rolled out at all widths, whatever else happened while it was the best.
        (1, [(0, [7]), (1, [7]), (2, [7]), (0, [9]), (1, [9]), (0, [8]), (1, [8]), (2, [8])]),
        (2, [(0, [7, 9]), (1, [9]), (2, [9]), (1, [7]), (0, [8]), (1, [8]), (2, [8])]),
    ):
        order, plan.values = [], [{}, {}, {}]
        while (following := plan.next(lambda: [7, 9, 8, 6], lambda opening: True, most)) is not None:
            order.append(following)
            plan.values[following[0]] |= {opening: values[opening] for opening in following[1]}
        assert order == expected


def played(wordlist, table, rules, **options):
    problem = Problem(wordlist, rules, table, points)
    return list(openings(problem, 9, dict.fromkeys(range(3, rules.turns), 2), **options))


def test_the_best_of_an_opening_lies_between_its_value_and_its_bound(game):
    wordlist, table, rules, best = game
    for opening in played(wordlist, table, rules):
        assert opening.value <= int(best[opening.words[0]]) <= opening.bound
        assert max(opening.sizes) <= len(wordlist) - len(opening.sizes) + 1


@pytest.fixture
def now(monkeypatch):
    """A clock that stops until it is set."""
    times = [100.0]
    monkeypatch.setattr(module, "clock", lambda: times[0])
    return times


def test_it_is_over_when_the_time_is(now):
    deadline = Deadline(2)
    assert (deadline.over(), deadline.left) == (False, 2.0)
    deadline.check()
    now[0] = 102.0
    assert (deadline.over(), deadline.left) == (True, 0.0)
    with pytest.raises(OutOfTime):
        deadline.check()


def test_another_thread_ends_it_its_parts_and_a_patient_one_too(now):
    stop = threading.Event()
    deadline = Deadline(10, stop)
    part, patient = deadline.part(0.5), deadline.patient()
    now[0] = 1e9
    assert part.over() and not patient.over()
    stop.set()
    assert patient.over() and deadline.left == 0.0

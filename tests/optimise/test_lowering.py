"""Which bounds are lowered next, by what, and whether they reach their goal by it."""

import exhaustive
import pytest
import torch

from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import evaluate
from gpulingo.games.catalogue import lingo
from gpulingo.optimise import lowering, units
from gpulingo.optimise.lowering import BATCH, TOGETHER, Lowering
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import Count, Evaluate, EvaluateNear, SearchThreeTurns, UnitWorkspace
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import encode
from gpulingo.words.wordlist import WordList


def workspace(wordlist, game):
    problem = Problem(wordlist, game, encode(wordlist.words), points, memory=1 << 26)
    return UnitWorkspace(problem, State(Stages([])), lambda pairs: None)


@pytest.fixture
def own(game):
    """A workspace that knows nothing, and the best value after each opening."""
    wordlist, _, rules, best = game
    return workspace(wordlist, rules), best


def counts_alone(at, **options):
    """A lowering of each bound by counts alone, as far down as the goal."""
    lowers = Lowering(at, **options)
    lowers.further = lowers.two_guesses = lowers.three = False
    lowers.closing = True
    return lowers


def lowered(lowers, goal, most=2000):
    """The units that bring bounds to a goal, or as far down as they go."""
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
    above = (at.bounds.lowest > goal).nonzero().squeeze(1)
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
    above = (at.bounds.lowest > goal).nonzero().squeeze(1)
    assert bool(at.bounds.evidence.two_guesses[above].all())
    exhaustive.check(at.problem.wordlist, at.bounds, best)


def fresh(**options):
    wordlist, _ = exhaustive.random_list(10)
    return counts_alone(workspace(wordlist, lingo(5)), **options)


def test_half_of_the_openings_that_are_counted_are_the_greatest():
    lowers = fresh()
    bounds = lowers.at.bounds.evidence.bounds
    left = torch.arange(len(bounds))
    first, second = lowers._taken(left), lowers._taken(left)
    half = TOGETHER // 2
    assert len(set(first)) == len(first) == TOGETHER < len(bounds)
    assert min(bounds[first[:half]]) >= max(bounds[list(set(left.tolist()) - set(first[:half]))])
    assert first[:half] == second[:half] and first[half:] != second[half:]


@pytest.mark.parametrize("options", [{}, {"at_once": True}, {"many": True}])
def test_openings_are_taken_once_and_straight_to_the_goal_those_of_like_letters_side_by_side(options):
    lowers = fresh(**options)
    letters = lowers.at.bounds.table.letters.sort(dim=1).values.tolist()
    left = torch.arange(len(letters))
    some = lowers._taken(left)
    assert len(set(some)) == len(some) and (len(some) == TOGETHER or lowers.many)
    assert not options or [letters[each] for each in some] == sorted(letters)[: len(some)]
    for count in (1, 2, 3, TOGETHER):
        assert sorted(lowers._taken(left[:count])) == left[:count].tolist()


@pytest.mark.parametrize("at_once", [False, True])
def test_bounds_go_a_part_of_the_way_or_all_at_once(at_once):
    lowers = fresh(at_once=at_once)
    lowers.closing = False
    bounds = lowers.at.bounds
    bounds.apply(evaluate(bounds, [int(bounds.evidence.bounds.argmin())]))
    before, floor = bounds.bound, int(bounds.evidence.bounds.min()) + 1
    unit = lowers.next_unit(floor)
    assert isinstance(unit, EvaluateNear) and (unit.goal == floor) == at_once and floor <= unit.goal < before


@pytest.mark.parametrize("few", [1, 200])
def test_two_more_guesses_come_where_many_openings_stay_above_the_goal(few, monkeypatch):
    monkeypatch.setattr(lowering, "FEW", few)
    wordlist, game = exhaustive.words_alike(), lingo(5)
    counted = workspace(wordlist, game)
    counted.evaluate(list(range(len(wordlist))))
    goal = int(counted.bounds.lowest.unique()[-2])
    assert 0 < int((counted.bounds.lowest > goal).sum()) < len(wordlist) < 200
    lowers = Lowering(workspace(wordlist, game), at_once=True)
    lowered(lowers, goal)
    assert bool(lowers.at.bounds.evidence.two_guesses.any()) == (few == 200)


@pytest.mark.parametrize(
    ("worth", "expected"), [(0, [EvaluateNear, Count, Count, EvaluateNear]), (10**6, [EvaluateNear] * 4)]
)
def test_openings_are_counted_after_one_that_was_not_worth_it_to_those_like_it(worth, expected, monkeypatch):
    monkeypatch.setattr(units, "WORTH", worth)
    monkeypatch.setattr(lowering, "BATCH", 2 * TOGETHER)
    lowers = fresh()
    lowers.at.evaluate([0])
    if worth:  # each brings some down
        monkeypatch.setattr(UnitWorkspace, "is_worth", lambda at, lowered: True)
    assert [type(unit) for unit in lowered(lowers, 0)][:4] == expected


@pytest.mark.parametrize(("worth", "batches"), [(0, 1), (1000, 3)])
def test_neighbours_are_bounded_in_batches_while_enough_come_down(random_words, monkeypatch, worth, batches):
    monkeypatch.setattr(units, "WORTH", worth)
    words = random_words(4, 2 * BATCH + 20, 3, letters="abcdefgh")
    at, sizes = workspace(WordList("drawn", words), lingo(4)), []
    everything = torch.arange(len(words))
    monkeypatch.setattr(UnitWorkspace, "left", lambda at, goal, two_guesses: everything)

    def bounded_by(bounds, openings, *others, progress):
        sizes.append(len(openings))
        return evaluate(bounds, [0])

    monkeypatch.setattr(units, "bounded_by", bounded_by)
    EvaluateNear((0,), at.bounds.bound).run(at)  # all are at their goal
    assert sizes == [BATCH, BATCH, 19][:batches]


def test_the_same_goal_is_reached_by_the_same_steps():
    bounds = []
    for _ in range(2):
        lowers = fresh()
        lowered(lowers, int(lowers.at.bounds.evidence.bounds.median()))
        bounds.append(lowers.at.bounds.evidence.bounds)
    assert torch.equal(*bounds)


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
    goal = int(counted.bounds.lowest.sort().values[-5]) - 1
    lowers = Lowering(workspace(wordlist, game))
    lowers.further = False
    worked = lowered(lowers, goal)
    asked = [opening for unit in worked if isinstance(unit, SearchThreeTurns) for opening in unit.openings]
    assert asked and bool((counted.bounds.lowest[asked] > goal).all())
    assert isinstance(worked[-1], SearchThreeTurns)  # they come last
    bounds = lowers.at.bounds
    assert bounds.bound < counted.bounds.bound
    assert list(prove(bounds.table, certificate_of(wordlist, game, bounds.evidence)))[-1] == len(wordlist)

"""Which method lowers bounds next, and whether bounds reach their goal by it."""

import exhaustive
import pytest
import torch

from gpulingo.bounds import schedule
from gpulingo.bounds.counting import TwoGuesses, evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.schedule import BATCH, TOGETHER, BoundSearch, Scheduler
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


def evaluated(state, openings):
    """Count all classes of openings."""
    state.apply(evaluate(state, openings))


def left_above(goal, scheduler):
    """The openings whose bounds are above the goal when a scheduler has nothing left to do."""
    bounds = scheduler.state.evidence.bounds
    for _ in range(10 * len(bounds)):
        if not scheduler.step(goal):
            return (bounds > goal).nonzero().squeeze(1)
    pytest.fail("never ends")


def test_the_scheduler_reaches_its_goal_or_says_that_nothing_is_left(game):
    wordlist, table, game, best = game
    state = bound_state(table, game)
    goal = int(best.max())
    scheduler = Scheduler(state)
    above = left_above(goal, scheduler)
    assert set(above.tolist()) <= set(state.evidence.evaluated)
    exhaustive.check(wordlist, state, best)


def test_two_more_guesses_lower_openings_like_those_that_they_evaluated(game):
    wordlist, table, game, best = game
    state = bound_state(table, game)
    evaluated(state, list(range(len(wordlist))))
    scheduler = Scheduler(state, TwoGuesses(state))
    assert scheduler.complete.tolist() == []
    scheduler.evaluate([3])
    assert scheduler.complete.tolist() == [3]
    goal = int(best.max())
    above = left_above(goal, scheduler)
    assert bool(state.evidence.two_guesses[above].all())
    exhaustive.check(wordlist, state, best)


def fresh_scheduler(scattered=False):
    wordlist, _ = exhaustive.random_list(10)
    return Scheduler(bound_state(encode(wordlist.words), lingo(5)), scattered=scattered)


def test_half_of_the_openings_lowered_direct_are_the_greatest():
    scheduler = fresh_scheduler()
    bounds = scheduler.state.evidence.bounds
    left = torch.arange(len(bounds))
    first, second = scheduler._taken(left), scheduler._taken(left)
    half = TOGETHER // 2
    assert len(set(first)) == len(first) == TOGETHER < len(bounds)
    assert min(bounds[first[:half]]) >= max(bounds[list(set(left.tolist()) - set(first[:half]))])
    assert first[:half] == second[:half] and first[half:] != second[half:]
    for count in (1, 2, 3, half, TOGETHER):
        assert sorted(scheduler._taken(left[:count])) == left[:count].tolist()


def test_openings_lowered_direct_at_once_are_of_letters_side_by_side():
    scheduler = fresh_scheduler(scattered=True)
    letters = scheduler.state.table.letters.sort(dim=1).values.tolist()
    left = torch.arange(len(letters))
    some = scheduler._taken(left)
    assert [letters[each] for each in some] == sorted(letters)[:TOGETHER] and len(set(some)) == TOGETHER
    for count in (1, 2, 3, TOGETHER):
        assert sorted(scheduler._taken(left[:count])) == left[:count].tolist()


@pytest.mark.parametrize("at_once", [False, True])
def test_bounds_go_a_part_of_the_way_or_all_at_once(at_once):
    wordlist, turns = exhaustive.random_list(10)
    state = bound_state(encode(wordlist.words), lingo(turns))
    state.apply(evaluate(state, [int(state.evidence.bounds.argmin())]))
    before, floor = state.bound, int(state.evidence.bounds.min()) + 1
    search = BoundSearch(state, False, at_once=at_once)
    assert search.work(floor)
    assert (search._goal == floor) == search._scheduler.scattered == at_once
    assert floor <= search._goal < before


@pytest.mark.parametrize("few", [1, 200])
def test_two_more_guesses_come_where_many_openings_stay_above_the_goal(few, monkeypatch):
    monkeypatch.setattr(schedule, "FEW", few)
    wordlist, game = exhaustive.words_alike(), lingo(5)
    table = encode(wordlist.words)
    counted = bound_state(table, game)
    counted.apply(evaluate(counted, list(range(len(wordlist)))))
    goal = int(counted.lowest.unique()[-2])
    assert 0 < int((counted.lowest > goal).sum()) < len(wordlist) < 200
    state = bound_state(table, game)
    search = BoundSearch(state, True, searches=Searches(table, game, 1 << 22), at_once=True)
    while search.work(goal):
        pass
    assert bool(state.evidence.two_guesses.any()) == (few == 200)


def steps_taken(monkeypatch, scheduler, goal):
    """The number of openings lowered DIRECT at each step, 0 for SPREAD_FROM, until nothing is left."""
    steps = []
    direct, spread_from = scheduler._direct, scheduler._spread_from

    def count_direct(openings, *others):
        steps.append(len(openings))
        direct(openings, *others)

    def count_spread(*others):
        steps.append(0)
        spread_from(*others)

    monkeypatch.setattr(scheduler, "_direct", count_direct)
    monkeypatch.setattr(scheduler, "_spread_from", count_spread)
    left_above(goal, scheduler)
    return steps


def test_an_opening_bounds_its_neighbours_as_long_as_enough_come_down(monkeypatch):
    scheduler = fresh_scheduler()
    bounds, goal = scheduler.state.evidence.bounds, int(scheduler.state.evidence.bounds.min()) - 1
    monkeypatch.setattr(schedule, "WORTH", len(bounds) // 3)
    counts, steps = [5, 4, 3, 2], []

    def spread_from(*others):
        above = (bounds > goal).nonzero().squeeze(1)
        bounds[above[: counts[len(steps)]]] = goal
        steps.append(len(above))

    monkeypatch.setattr(scheduler, "_spread_from", spread_from)
    while not scheduler._direct_left:
        assert scheduler.step(goal)
    assert [len(bounds) - left for left in steps] == [0, 5, 9, 12] and scheduler._direct_left == BATCH


def test_a_batch_is_lowered_direct_after_a_spread_that_was_not_worth_it(monkeypatch):
    monkeypatch.setattr(schedule, "WORTH", 0)
    monkeypatch.setattr(schedule, "BATCH", 2 * TOGETHER)
    scheduler = fresh_scheduler()
    words = len(scheduler.state.evidence.bounds)
    steps = steps_taken(monkeypatch, scheduler, 0)
    assert steps[:4] == [0, TOGETHER, TOGETHER, 0] and sum(steps) + steps.count(0) == words


def test_two_more_guesses_are_never_lowered_direct(game, monkeypatch):
    wordlist, table, game, best = game
    monkeypatch.setattr(schedule, "WORTH", 0)
    state = bound_state(table, game)
    evaluated(state, list(range(len(wordlist))))
    assert set(steps_taken(monkeypatch, Scheduler(state, TwoGuesses(state)), int(best.max()) - 1)) == {0}


@pytest.mark.parametrize(("worth", "batches"), [(0, 1), (1000, 3)])
def test_neighbours_are_bounded_in_batches_while_enough_come_down(random_words, monkeypatch, worth, batches):
    monkeypatch.setattr(schedule, "WORTH", worth)
    words = random_words(4, 2 * BATCH + 20, 3, letters="abcdefgh")
    state = bound_state(encode(words), lingo(4))
    scheduler = Scheduler(state)
    sizes = []

    def bounded_by(state, openings, *others, progress):
        sizes.append(len(openings))
        return evaluate(state, [0])

    monkeypatch.setattr(schedule, "bounded_by", bounded_by)
    scheduler._spread_from(0, torch.arange(len(words)), state.bound, None)  # all are at their goal
    assert sizes == [BATCH, BATCH, 19][:batches]


def test_the_same_goal_is_reached_by_the_same_steps():
    bounds = []
    for _ in range(2):
        scheduler = fresh_scheduler()
        left_above(int(scheduler.state.evidence.bounds.median()), scheduler)
        bounds.append(scheduler.state.evidence.bounds)
    assert torch.equal(*bounds)


def test_both_methods_lower_bounds_that_hold(game, monkeypatch):
    wordlist, table, game, best = game
    monkeypatch.setattr(schedule, "WORTH", 8)  # both are taken
    monkeypatch.setattr(schedule, "BATCH", TOGETHER)
    state = bound_state(table, game)
    left_above(int(best.max()), Scheduler(state))
    exhaustive.check(wordlist, state, best)

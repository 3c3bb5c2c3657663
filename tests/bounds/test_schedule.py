"""Which method is run, and whether bounds reach their goal by it."""

import exhaustive
import pytest
import torch

from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.neighbours import bounded_by
from gpulingo.bounds.schedule import NEARER, SAMPLE, TOGETHER, BoundSearch, Method, Scheduler
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.two_guesses import TwoGuesses
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode

DIRECT, SPREAD_FROM, COLLECT_FROM = Method


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


def test_half_of_the_openings_lowered_alone_are_the_greatest():
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


def test_all_of_the_openings_lowered_alone_are_drawn_where_they_are_scattered():
    scheduler = fresh_scheduler(scattered=True)
    left = torch.arange(scheduler.state.table.words)
    draws = [scheduler._taken(left) for _ in range(200)]
    assert all(len(set(some)) == len(some) == TOGETHER for some in draws)
    times = torch.tensor(draws).flatten().bincount(minlength=len(left)).double()
    assert float(times.min()) > 0.6 * float(times.mean()) and float(times.max()) < 1.5 * float(times.mean())
    for count in (1, 2, 3, TOGETHER):
        assert sorted(scheduler._taken(left[:count])) == left[:count].tolist()


@pytest.mark.parametrize("at_once", [False, True])
def test_bounds_go_a_part_of_the_way_or_all_at_once(at_once):
    wordlist, turns = exhaustive.random_list(10)
    state = bound_state(encode(wordlist.words), lingo(turns))
    state.apply(evaluate(state, [int(state.evidence.bounds.argmin())]))
    before, floor = state.bound, int(state.evidence.bounds.min()) + 1
    search = BoundSearch(state, False, at_once)
    assert search.work(floor)
    assert (search._goal == floor) == search._scheduler.scattered == at_once
    assert floor <= search._goal < before


def test_counts_pay_as_long_as_they_bring_more_openings_down_than_could_be_evaluated():
    scheduler = fresh_scheduler()
    assert scheduler.pays  # until both methods were tried
    for rate in scheduler._rates.values():
        for _ in range(20):
            rate.add(1.0, 2)
    scheduler._evaluations.add(1.0, 1)
    assert scheduler.pays
    scheduler._evaluations.add(0.01, 9)
    scheduler._evaluations.times = 10  # ten a second
    assert not scheduler.pays


def test_each_method_is_tried_a_few_times_or_for_a_while():
    rate = fresh_scheduler()._rates[COLLECT_FROM]
    assert not rate.tried
    rate.add(9.0, 1)
    assert not rate.tried
    rate.add(9.0, 1)
    assert rate.tried and rate.times < SAMPLE
    quick = fresh_scheduler()._rates[DIRECT]
    for _ in range(SAMPLE):
        assert not quick.tried
        quick.add(0.1, 1)
    assert quick.tried


@pytest.mark.parametrize("fast", [DIRECT, SPREAD_FROM, COLLECT_FROM])
def test_the_fastest_method_is_kept_to(fast):
    """The method is run most that brings most openings down in a second."""
    scheduler = fresh_scheduler()
    taken = []
    for _ in range(1000):
        method = scheduler._choice(True, 0)
        taken.append(method)
        scheduler._measured(method, 0.5 if method == fast else 2.0, 1, 0.0)
    counts = {method: taken.count(method) for method in Method}
    assert counts[fast] > 900 and min(counts.values()) > 10


def test_one_that_was_evaluated_counts_for_more_than_one_brought_down_alone():
    for faster, taken in ((1.2, SPREAD_FROM), (3, DIRECT)):
        scheduler = fresh_scheduler()
        for _ in range(10):
            scheduler._measured(DIRECT, 1.0, int(10 * faster), 0.0)
            scheduler._measured(SPREAD_FROM, 1.0, 10, 0.0)
        assert scheduler._choice(False, 0) == taken


@pytest.mark.parametrize(
    ("learning", "least", "most"), [(0.0, 0.02, 0.1), (0.3, 0.15, 0.25), (1.0, 0.15, 0.25)]
)
def test_a_method_that_still_learns_is_run_longer(learning, least, most):
    scheduler = fresh_scheduler()
    spent = dict.fromkeys((DIRECT, SPREAD_FROM), 0.0)
    for _ in range(400):
        method = scheduler._choice(False, 0)
        direct = method == DIRECT
        scheduler._measured(method, 0.5, 1 if direct else 100, 0.5 * learning if direct else 0.0)
        spent[method] += 0.5
    assert least < spent[DIRECT] / sum(spent.values()) < most


@pytest.mark.parametrize(("left", "alone"), [(100, 0), (4_000, 7), (40_000, 97), (400_000, 100)])
def test_a_method_that_still_learns_is_run_first_for_its_share_of_the_time_the_rest_would_take(left, alone):
    scheduler = fresh_scheduler()
    for _ in range(SAMPLE):
        scheduler._measured(DIRECT, 1.0, 1, 1.0)
        scheduler._measured(SPREAD_FROM, 1.0, 100, 0.0)
    taken = []
    for _ in range(100):
        method = scheduler._choice(False, left)
        taken.append(method)
        direct = method == DIRECT
        scheduler._measured(method, 1.0, 1 if direct else 100, float(direct))
    first = taken.index(SPREAD_FROM) if SPREAD_FROM in taken else 100
    assert abs(first - alone) <= 1


def test_what_a_method_spends_on_learning_does_not_make_it_slow():
    scheduler = fresh_scheduler()
    for _ in range(10):
        scheduler._measured(DIRECT, 1.0, 16, 0.5)
        scheduler._measured(SPREAD_FROM, 1.0, 20, 0.0)
    assert scheduler._choice(False, 0) == DIRECT


def test_a_new_goal_measures_all_methods_anew():
    scheduler = fresh_scheduler()
    scheduler.evaluate([0])
    goal = scheduler.state.bound - 2
    scheduler.step(goal)
    scheduler._rates[COLLECT_FROM].add(100.0, 1)
    scheduler.step(goal)
    assert scheduler._rates[COLLECT_FROM].seconds >= 100
    scheduler.step(goal - 1)
    assert scheduler._rates[COLLECT_FROM].seconds < 100


def test_the_scheduler_soon_forgets_how_fast_a_method_was():
    scheduler = fresh_scheduler()
    for method in Method:
        for _ in range(10):
            scheduler._rates[method].add(1.0, 100 if method == COLLECT_FROM else 10)
    assert scheduler._choice(True, 0) == COLLECT_FROM and scheduler._choice(False, 0) != COLLECT_FROM
    for _ in range(6):
        scheduler._rates[COLLECT_FROM].add(8.0, 1)
    assert scheduler._choice(True, 0) != COLLECT_FROM


def test_openings_are_bounded_by_those_that_were_evaluated_the_nearest_first(game, monkeypatch):
    wordlist, table, game, _best = game
    state = bound_state(table, game)
    evaluated(state, list(range(0, len(wordlist), 2)))
    scheduler = Scheduler(state)
    asked = {opening: [] for opening in range(1, len(wordlist), 2)}

    def asked_now(state, openings, center, goal, progress):
        for opening in openings.tolist():
            asked[opening].append(center)
        return bounded_by(state, openings[:0], center)

    monkeypatch.setattr("gpulingo.bounds.schedule.bounded_by", asked_now)
    left = torch.tensor(list(asked))
    while (some := scheduler._unasked(left)).shape[0]:
        scheduler._collect(some, 0, None)
    for opening, centers in asked.items():
        assert sorted(centers) == sorted(state.evidence.evaluated)
        alone = torch.tensor([opening])
        bits = [float(scheduler.nearness.conditional_bits(center, alone)) for center in centers]
        for at in range(0, len(bits), NEARER):
            assert max(bits[:at], default=0) <= min(bits[at : at + NEARER])


def test_openings_are_asked_again_when_much_more_was_evaluated(monkeypatch):
    monkeypatch.setattr("gpulingo.bounds.schedule.FARTHEST", 4)
    scheduler = fresh_scheduler()
    words = scheduler.state.table.words
    evaluated(scheduler.state, [0, 1, 2, 3])
    left = torch.arange(10, words)
    while (some := scheduler._unasked(left)).shape[0]:
        scheduler._collect(some, 0)
    evaluated(scheduler.state, [4, 5])
    assert scheduler._unasked(left).shape[0] == 0
    evaluated(scheduler.state, [6])
    assert sorted(scheduler._unasked(left).tolist()) == left.tolist()


def test_a_check_is_reached_between_all_that_was_evaluated(game):
    _, table, game, _ = game
    scheduler = Scheduler(bound_state(table, game))
    evaluated(scheduler.state, list(range(10)))
    left = torch.arange(10, table.words)

    def check(pairs):
        raise TimeoutError

    asked = scheduler._asked.clone()
    with pytest.raises(TimeoutError):
        scheduler._collect(left, 0, check)
    assert torch.equal(scheduler._asked, asked)  # nothing was done that would not be done again


def test_all_three_methods_lower_bounds_that_hold(game):
    wordlist, table, game, best = game
    state = bound_state(table, game)
    scheduler = Scheduler(state)
    scheduler.evaluate([0, 1])
    goal = int(best.max())
    while (some := scheduler._unasked((state.evidence.bounds > goal).nonzero().squeeze(1))).shape[0]:
        scheduler._collect(some, goal, None)
    exhaustive.check(wordlist, state, best)
    left_above(goal, scheduler)
    exhaustive.check(wordlist, state, best)

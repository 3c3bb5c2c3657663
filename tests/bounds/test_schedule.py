"""Which way down is taken, whether bounds reach their goal by it, and which openings are alike."""

import exhaustive
import pytest
import torch

from gpulingo.bounds.descent import Descent
from gpulingo.bounds.evidence import opening_bounds
from gpulingo.bounds.neighbours import Nearness
from gpulingo.bounds.schedule import ALONE, GATHER, NEARER, SAMPLE, SPREAD, TOGETHER, Lowering
from gpulingo.bounds.two_guesses import Twofold
from gpulingo.tensors.wordtable import encode


def left_above(goal, lowering):
    """The openings whose bounds are above the goal when lowering has nothing left to do."""
    bounds = lowering.held.bounds
    for _ in range(10 * len(bounds)):
        if not lowering.step(goal):
            return (bounds > goal).nonzero().squeeze(1)
    pytest.fail("never ends")


def test_lowering_reaches_its_goal_or_says_that_nothing_is_left(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    goal = int(best.max())
    lowering = Lowering(held)
    above = left_above(goal, lowering)
    assert set(above.tolist()) <= set(held.seen)
    exhaustive.check(wordlist, held, best)


def test_two_more_guesses_lower_openings_like_those_they_were_made_for(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    held.look(list(range(len(wordlist))))
    lowering = Lowering(held, Twofold(held))
    assert lowering.complete.tolist() == []
    lowering.see([3])
    assert lowering.complete.tolist() == [3]
    goal = int(best.max())
    above = left_above(goal, lowering)
    assert bool(held.twofold[above].all())
    exhaustive.check(wordlist, held, best)


def fresh_lowering(scattered=False):
    wordlist, _ = exhaustive.random_list(10)
    return Lowering(opening_bounds(encode(wordlist.words), 5), scattered=scattered)


def test_half_of_the_openings_lowered_alone_are_the_greatest():
    lowering = fresh_lowering()
    bounds = lowering.held.bounds
    left = torch.arange(len(bounds))
    first, second = lowering._taken(left), lowering._taken(left)
    half = TOGETHER // 2
    assert len(set(first)) == len(first) == TOGETHER < len(bounds)
    assert min(bounds[first[:half]]) >= max(bounds[list(set(left.tolist()) - set(first[:half]))])
    assert first[:half] == second[:half] and first[half:] != second[half:]
    for count in (1, 2, 3, half, TOGETHER):
        assert sorted(lowering._taken(left[:count])) == left[:count].tolist()


def test_all_of_the_openings_lowered_alone_are_drawn_where_they_are_scattered():
    lowering = fresh_lowering(scattered=True)
    left = torch.arange(len(lowering.held.bounds))
    draws = [lowering._taken(left) for _ in range(200)]
    assert all(len(set(some)) == len(some) == TOGETHER for some in draws)
    times = torch.tensor(draws).flatten().bincount(minlength=len(left)).double()
    assert float(times.min()) > 0.6 * float(times.mean()) and float(times.max()) < 1.5 * float(times.mean())
    for count in (1, 2, 3, TOGETHER):
        assert sorted(lowering._taken(left[:count])) == left[:count].tolist()


@pytest.mark.parametrize("at_once", [False, True])
def test_bounds_go_a_part_of_the_way_or_all_at_once(at_once):
    wordlist, turns = exhaustive.random_list(10)
    held = opening_bounds(encode(wordlist.words), turns)
    held.look([int(held.bounds.argmin())])
    before, floor = held.bound, int(held.bounds.min()) + 1
    descent = Descent(held, False, at_once)
    assert descent.work(floor)
    assert (descent._goal == floor) == descent._lowering.scattered == at_once
    assert floor <= descent._goal < before


def test_looks_pay_as_long_as_they_bring_more_openings_down_than_could_be_seen():
    lowering = fresh_lowering()
    assert lowering.pays  # until both ways were tried
    for way in lowering._ways.values():
        for _ in range(20):
            way.add(1.0, 2)
    lowering._seen.add(1.0, 1)
    assert lowering.pays
    lowering._seen.add(0.01, 9)
    lowering._seen.times = 10  # ten a second
    assert not lowering.pays


def test_each_way_is_tried_a_few_times_or_for_a_while():
    way = fresh_lowering()._ways[GATHER]
    assert not way.tried
    way.add(9.0, 1)
    assert not way.tried
    way.add(9.0, 1)
    assert way.tried and way.times < SAMPLE
    quick = fresh_lowering()._ways[ALONE]
    for _ in range(SAMPLE):
        assert not quick.tried
        quick.add(0.1, 1)
    assert quick.tried


@pytest.mark.parametrize("fast", [ALONE, SPREAD, GATHER])
def test_lowering_keeps_to_the_fastest_way(fast):
    """Of the ways that is taken most that brings most openings down in a second."""
    lowering = fresh_lowering()
    taken = []
    for _ in range(1000):
        way = lowering._choice(True, 0)
        taken.append(way)
        lowering._took(way, 0.5 if way == fast else 2.0, 1, 0.0)
    counts = {way: taken.count(way) for way in (ALONE, SPREAD, GATHER)}
    assert counts[fast] > 900 and min(counts.values()) > 10


def test_one_seen_in_whole_counts_for_more_than_one_brought_down_alone():
    for faster, taken in ((1.2, SPREAD), (3, ALONE)):
        lowering = fresh_lowering()
        for _ in range(10):
            lowering._took(ALONE, 1.0, int(10 * faster), 0.0)
            lowering._took(SPREAD, 1.0, 10, 0.0)
        assert lowering._choice(False, 0) == taken


@pytest.mark.parametrize(
    ("learning", "least", "most"), [(0.0, 0.02, 0.1), (0.3, 0.15, 0.25), (1.0, 0.15, 0.25)]
)
def test_a_way_that_still_learns_is_taken_longer(learning, least, most):
    lowering = fresh_lowering()
    spent = dict.fromkeys((ALONE, SPREAD), 0.0)
    for _ in range(400):
        way = lowering._choice(False, 0)
        lowering._took(way, 0.5, 1 if way == ALONE else 100, 0.5 * learning if way == ALONE else 0.0)
        spent[way] += 0.5
    assert least < spent[ALONE] / sum(spent.values()) < most


@pytest.mark.parametrize(("left", "alone"), [(100, 0), (4_000, 7), (40_000, 97), (400_000, 100)])
def test_a_way_that_still_learns_is_taken_first_for_its_share_of_the_time_the_rest_would_take(left, alone):
    lowering = fresh_lowering()
    for _ in range(SAMPLE):
        lowering._took(ALONE, 1.0, 1, 1.0)
        lowering._took(SPREAD, 1.0, 100, 0.0)
    taken = []
    for _ in range(100):
        way = lowering._choice(False, left)
        taken.append(way)
        lowering._took(way, 1.0, 1 if way == ALONE else 100, 1.0 if way == ALONE else 0.0)
    first = taken.index(SPREAD) if SPREAD in taken else 100
    assert abs(first - alone) <= 1


def test_what_a_way_spends_on_learning_does_not_make_it_slow():
    lowering = fresh_lowering()
    for _ in range(10):
        lowering._took(ALONE, 1.0, 16, 0.5)
        lowering._took(SPREAD, 1.0, 20, 0.0)
    assert lowering._choice(False, 0) == ALONE


def test_a_new_goal_measures_all_ways_anew():
    lowering = fresh_lowering()
    lowering.see([0])
    goal = lowering.held.bound - 2
    lowering.step(goal)
    lowering._ways[GATHER].add(100.0, 1)
    lowering.step(goal)
    assert lowering._ways[GATHER].seconds >= 100
    lowering.step(goal - 1)
    assert lowering._ways[GATHER].seconds < 100


def test_lowering_soon_forgets_how_fast_a_way_was():
    lowering = fresh_lowering()
    for way in (ALONE, SPREAD, GATHER):
        for _ in range(10):
            lowering._ways[way].add(1.0, 100 if way == GATHER else 10)
    assert lowering._choice(True, 0) == GATHER and lowering._choice(False, 0) != GATHER
    for _ in range(6):
        lowering._ways[GATHER].add(8.0, 1)
    assert lowering._choice(True, 0) != GATHER


def test_openings_are_bounded_by_those_that_were_seen_the_nearest_first(game, monkeypatch):
    wordlist, table, turns, _best = game
    held = opening_bounds(table, turns)
    held.look(list(range(0, len(wordlist), 2)))
    lowering = Lowering(held)
    asked = {opening: [] for opening in range(1, len(wordlist), 2)}

    def look_near(openings, center, goal, progress):
        for opening in openings.tolist():
            asked[opening].append(center)

    monkeypatch.setattr(held, "look_near", look_near)
    left = torch.tensor(list(asked))
    while (some := lowering._unasked(left)).shape[0]:
        lowering._gather(some, 0, None)
    for opening, centers in asked.items():
        assert sorted(centers) == sorted(held.seen)
        added = [float(lowering.nearness.added(center, torch.tensor([opening]))) for center in centers]
        for at in range(0, len(added), NEARER):
            assert max(added[:at], default=0) <= min(added[at : at + NEARER])


def test_openings_are_asked_again_when_much_more_was_seen(monkeypatch):
    monkeypatch.setattr("gpulingo.bounds.schedule.FARTHEST", 4)
    lowering = fresh_lowering()
    words = len(lowering.held.bounds)
    lowering.held.look([0, 1, 2, 3])
    left = torch.arange(10, words)
    while (some := lowering._unasked(left)).shape[0]:
        lowering._gather(some, 0)
    lowering.held.look([4, 5])
    assert lowering._unasked(left).shape[0] == 0
    lowering.held.look([6])
    assert sorted(lowering._unasked(left).tolist()) == left.tolist()


def test_a_check_is_reached_between_all_that_was_seen(game):
    _, table, turns, _ = game
    lowering = Lowering(opening_bounds(table, turns))
    lowering.held.look(list(range(10)))
    left = torch.arange(10, table.words)

    def check(pairs):
        raise TimeoutError

    asked = lowering._asked.clone()
    with pytest.raises(TimeoutError):
        lowering._gather(left, 0, check)
    assert torch.equal(lowering._asked, asked)  # nothing was done that would not be done again


def test_all_three_ways_lower_bounds_that_hold(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    lowering = Lowering(held)
    lowering.see([0, 1])
    goal = int(best.max())
    while (some := lowering._unasked((held.bounds > goal).nonzero().squeeze(1))).shape[0]:
        lowering._gather(some, goal, None)
    exhaustive.check(wordlist, held, best)
    left_above(goal, lowering)
    exhaustive.check(wordlist, held, best)


def test_words_that_share_letters_in_their_places_are_near():
    words = ["crane", "crate", "crone", "zzyzx", "brick", "enarc"]
    nearness = Nearness(encode(words))
    order = nearness.nearest(0, torch.arange(1, 6)).tolist()
    assert set(order[:2]) == {1, 2} and order[2] == 5


def test_a_crowded_word_has_many_others_near():
    crowd = [a + b + "ate" for a in "bcdfghklmn" for b in "rlt"]
    alone = ["".join(chr(97 + (5 * i + 7 * k * k) % 26) for k in range(5)) for i in range(600)]
    words = list(dict.fromkeys(crowd + alone))
    nearness = Nearness(encode(words))
    draw = torch.Generator().manual_seed(1)
    chosen = {nearness.crowded(torch.arange(len(words)), draw) for _ in range(20)}
    assert chosen <= set(range(len(crowd)))
    assert nearness.crowded(torch.tensor([3, 1, 2]), draw) == 3

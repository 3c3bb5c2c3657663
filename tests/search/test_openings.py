"""Bounds of openings, however they came about, against the best strategy that begins with each."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from gpulingo.search.bounds import capped, of_part, of_parts
from gpulingo.search.certificate import CertificateError, certificate_arrays, parsed_certificate
from gpulingo.search.lowering import ALONE, GATHER, NEARER, SPREAD, Lowering
from gpulingo.search.nearness import Nearness
from gpulingo.search.openings import PART, OpeningBounds, opening_bounds
from gpulingo.search.prove import prove
from gpulingo.search.twofold import Twofold
from gpulingo.words.encode import encode
from gpulingo.words.lists import parse

_spec = importlib.util.spec_from_file_location("exhaustive", Path(__file__).with_name("exhaustive.py"))
exhaustive = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(exhaustive)

SEEDS = [10, 18, 21, 23, 28, 29]  # 20 to 60 words, 3 to 5 turns


@pytest.fixture(params=SEEDS, scope="module")
def game(request):
    """A list, its table, the number of turns, and the best value after each opening."""
    wordlist, turns = exhaustive.random_list(request.param)
    best = [exhaustive.best_value(wordlist.words, turns, opening) for opening in range(len(wordlist))]
    return wordlist, encode(wordlist.words), turns, torch.tensor(best)


def certificate_of(wordlist, held):
    return parsed_certificate(certificate_arrays(wordlist, held))


def check(wordlist, held, best):
    """No bound is too small, and the certificate is a proof."""
    assert bool((held.bounds >= best).all())
    assert list(prove(held.table, certificate_of(wordlist, held)))[-1] == len(wordlist)


def test_every_opening_is_worth_what_the_best_strategy_is():
    wordlist, turns = exhaustive.random_list(10)
    values = [exhaustive.best_value(wordlist.words, turns, opening) for opening in range(len(wordlist))]
    assert max(values) == exhaustive.best_value(wordlist.words, turns)


def test_a_look_at_some_classes_or_at_all_bounds_an_opening(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    by_size = held.bounds.clone()
    everything = list(range(len(wordlist)))
    held.look_until(everything[::2], int(by_size.max()) - 3)
    check(wordlist, held, best)
    held.look(everything)
    check(wordlist, held, best)
    assert sorted(held.seen) == everything
    again = opening_bounds(table, turns)
    again.look_until(everything, 0)
    assert torch.equal(again.bounds, held.bounds)
    assert bool((held.bounds <= by_size).all())


def test_openings_are_bounded_by_others(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    centers = list(range(0, len(wordlist), 3))
    held.look(centers)
    for opening in range(len(wordlist)):
        for center in centers:
            if center != opening:
                before, named = int(held.bounds[opening]), len(held.near.get(opening, []))
                held.look_near(torch.tensor([opening]), center)
                assert (len(held.near.get(opening, [])) > named) == (int(held.bounds[opening]) < before)
    check(wordlist, held, best)


def test_others_bound_what_was_looked_at_before_and_after(game):
    """Each class counts once, whichever way it came down."""
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    held.look([0, 1, 2])
    for opening in range(3, len(wordlist)):
        held.look_until([opening], int(held.bounds[opening]) - 1)
        for center in (0, 1, 2):
            held.look_near(torch.tensor([opening]), center)
        held.look_until([opening], int(held.bounds[opening]) - 1)
    check(wordlist, held, best)


def forgetful(held):
    """The same bounds as they are after they were read from a file."""
    known = (held.bounds.clone(), held.looked.clone(), held.twofold.clone())
    near = {opening: list(others) for opening, others in held.near.items()}
    return OpeningBounds(held.table, held.turns, held.classes, *known, near, dict(held.seen))


def test_what_was_forgotten_is_found_out_again(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    held.look([0, 1, 2, 3])
    everything = torch.arange(len(wordlist))
    held.look_near(everything[everything != 0], 0)
    held.look_until([5, 6], int(held.bounds[5]) - 1)
    held.look_near(everything[everything != 1], 1)
    again = forgetful(held)
    for one in (held, again):
        one.look_near(everything[everything != 2], 2)
        one.look([8])
        one.look_near(everything[everything != 3], 3)
    assert torch.equal(again.bounds, held.bounds) and again.near == held.near
    check(wordlist, again, best)
    again = forgetful(held)
    for one in (held, again):
        one.look([9])
        one.look_near(torch.tensor([9]), 3)
    assert torch.equal(again.bounds, held.bounds) and again.near == held.near
    check(wordlist, again, best)
    again = forgetful(held)
    for one in (held, again):
        one.look_until(sorted(one.near), int(best.min()))
    assert torch.equal(again.bounds, held.bounds)
    check(wordlist, again, best)


def test_a_bound_that_a_search_found_is_not_lowered_by_others_once_more():
    lowest = []
    for bound in (1000, 0):
        held = opening_bounds(encode(words_alike().words), 5)
        held.look([0, 1])
        seen = held.seen[0]
        held.seen[0] = replace(seen, found=seen.parted.sizes + 1)  # so that others help
        held.bounds[0] = bound if bound else lowest[0] - 1
        held.look_near(torch.tensor([0]), 1)
        lowest.append(int(held.bounds[0]))
    assert lowest[0] < 1000 and lowest[1] == lowest[0] - 1


def test_what_brings_bounds_no_good_part_of_the_way_is_forgotten(game):
    _, table, turns, _ = game
    free, held = (opening_bounds(table, turns) for _ in range(2))
    others = torch.arange(1, table.words)
    for one in (free, held):
        one.look([0])
    free.look_near(others, 0)
    before = held.bounds.clone()
    goal = int(free.bounds[1:].median())
    held.look_near(others, 0, goal)
    there, gain = free.bounds <= goal, before - free.bounds
    kept = (gain > 0) & (there | (PART * gain >= before - goal))
    assert torch.equal(held.bounds, torch.where(kept, free.bounds, before))
    assert sorted(held.near) == kept.nonzero().squeeze(1).tolist()


def test_two_more_guesses_bound_an_opening(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    held.look(list(range(len(wordlist))))
    seen = held.bounds.clone()
    twofold = Twofold(held)
    for opening in range(len(wordlist)):
        twofold.lower(opening)
    check(wordlist, held, best)
    assert bool((held.bounds <= seen).all())


@pytest.mark.parametrize("left", [2, 3, 4])
def test_a_single_part_is_bounded_like_the_set_it_is(left):
    sizes, found = torch.cartesian_prod(torch.arange(1, 9), torch.arange(2, 12)).T
    whole = capped(sizes, found.minimum(sizes + 1), found.minimum(sizes), left)
    assert torch.equal(of_parts(of_part(sizes, found, None, left)), whole)


def words_alike():
    return parse("\n".join(a + b + c for a in "abcdef" for b in "abcdef" for c in "abc")).of_length(3)


def test_each_way_says_more_than_the_one_before_where_words_are_alike():
    wordlist = words_alike()
    held = opening_bounds(encode(wordlist.words), 5)
    bounds = [int(held.bounds[0])]
    held.look([1])  # aab, where the first is aaa
    held.look_near(torch.tensor([0]), 1)
    assert held.near == {0: [1]}
    bounds.append(int(held.bounds[0]))
    held.look(list(range(len(wordlist))))
    bounds.append(int(held.bounds[0]))
    Twofold(held).lower(0)
    bounds.append(int(held.bounds[0]))
    assert bounds == sorted(set(bounds), reverse=True)


def test_a_certificate_that_claims_less_than_follows_is_refused(game):
    wordlist, table, turns, _ = game
    held = opening_bounds(table, turns)
    held.look(list(range(0, len(wordlist), 3)))
    for opening in range(len(wordlist)):
        held.look_near(torch.tensor([opening]), 0 if opening else 3)
    held.look(list(range(len(wordlist))))
    Twofold(held).lower(1)
    for opening in (0, 1, 2):
        claim = certificate_of(wordlist, held)
        claim.bounds[opening] -= 1
        with pytest.raises(CertificateError, match=f"place {opening} "):
            list(prove(table, claim))


def test_a_certificate_that_claims_less_than_others_say_is_refused():
    wordlist = words_alike()
    held = opening_bounds(encode(wordlist.words), 5)
    held.look([1, 40])
    for center in (1, 40):
        others = [opening for opening in range(len(wordlist)) if opening not in (1, 40)]
        held.look_near(torch.tensor(others), center)
    assert len(held.near) > 20 and max(map(len, held.near.values())) == 2
    list(prove(held.table, certificate_of(wordlist, held)))
    for opening in held.near:
        claim = certificate_of(wordlist, held)
        claim.bounds[opening] -= 1
        with pytest.raises(CertificateError, match=f"place {opening} "):
            list(prove(held.table, claim))


def left_above(goal, lowering):
    """The openings whose bounds are above the goal when lowering has nothing left to do."""
    bounds = lowering.held.bounds
    for _ in range(10 * len(bounds)):
        if not lowering.step(goal):
            return (bounds > goal).nonzero().squeeze(1)
    pytest.fail("never ends")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": [1, 5, 24]}, "has the format"),
        ({"near": [0], "near_sizes": [1], "near_values": [99]}, "beyond"),
        ({"near": [0], "near_sizes": [2], "near_values": [1]}, "do not fit"),
        ({"searched": [-1], "searched_sizes": [0]}, "do not fit"),
        ({"twofold": [True]}, "do not fit"),
    ],
)
def test_a_certificate_of_another_shape_is_refused(change, told):
    wordlist, turns = exhaustive.random_list(18)
    held = opening_bounds(encode(wordlist.words), turns)
    arrays = certificate_arrays(wordlist, held)
    parsed_certificate(arrays)
    with pytest.raises(ValueError, match=told):
        parsed_certificate(arrays | {name: np.array(values) for name, values in change.items()})


def test_lowering_reaches_its_goal_or_says_that_nothing_is_left(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    goal = int(best.max())
    lowering = Lowering(held)
    above = left_above(goal, lowering)
    assert set(above.tolist()) <= set(held.seen)
    check(wordlist, held, best)


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
    check(wordlist, held, best)


def fresh_lowering():
    wordlist, _ = exhaustive.random_list(10)
    return Lowering(opening_bounds(encode(wordlist.words), 5))


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


@pytest.mark.parametrize("fast", [ALONE, SPREAD, GATHER])
def test_lowering_keeps_to_the_fastest_way(fast):
    """Of the ways that is taken most that brings most openings down in a second."""
    lowering = fresh_lowering()
    taken = []
    for _ in range(1000):
        way = lowering._choice(True)
        taken.append(way)
        lowering._took(way, 0.5 if way == fast else 2.0, 1)
    counts = {way: taken.count(way) for way in (ALONE, SPREAD, GATHER)}
    assert counts[fast] > 900 and min(counts.values()) > 10


def test_one_seen_in_whole_counts_for_more_than_one_brought_down_alone():
    for faster, taken in ((1.5, SPREAD), (3, ALONE)):
        lowering = fresh_lowering()
        for _ in range(10):
            lowering._took(ALONE, 1.0, int(10 * faster))
            lowering._took(SPREAD, 1.0, 10)
        assert lowering._choice(False) == taken


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
    assert lowering._choice(True) == GATHER and lowering._choice(False) != GATHER
    for _ in range(6):
        lowering._ways[GATHER].add(8.0, 1)
    assert lowering._choice(True) != GATHER


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
    monkeypatch.setattr("gpulingo.search.lowering.FARTHEST", 4)
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


def test_all_three_ways_lower_bounds_that_hold(game):
    wordlist, table, turns, best = game
    held = opening_bounds(table, turns)
    lowering = Lowering(held)
    lowering.see([0, 1])
    goal = int(best.max())
    while (some := lowering._unasked((held.bounds > goal).nonzero().squeeze(1))).shape[0]:
        lowering._gather(some, goal, None)
    check(wordlist, held, best)
    left_above(goal, lowering)
    check(wordlist, held, best)


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

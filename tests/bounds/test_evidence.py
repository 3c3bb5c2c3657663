"""Bounds of openings, however they came about, against the best strategy that begins with each."""

from dataclasses import replace
from itertools import combinations

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.bounds.certificate import CertificateError, certificate_arrays, parsed_certificate
from gpulingo.bounds.checker import prove
from gpulingo.bounds.constraints import Facts
from gpulingo.bounds.evidence import PART, OpeningBounds, opening_bounds
from gpulingo.bounds.formulas import capped, of_part, of_parts
from gpulingo.bounds.two_guesses import Twofold
from gpulingo.tensors import reference
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import parse


def certificate_of(wordlist, held):
    return parsed_certificate(certificate_arrays(wordlist, held))


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
    exhaustive.check(wordlist, held, best)
    held.look(everything)
    exhaustive.check(wordlist, held, best)
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
    exhaustive.check(wordlist, held, best)


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
    exhaustive.check(wordlist, held, best)


def forgetful(held):
    """The same bounds as they are after they were read from a file."""
    known = (held.bounds.clone(), held.looked.clone(), held.twofold.clone())
    near = {opening: list(others) for opening, others in held.near.items()}
    more = {"known": dict(held.larger)}
    return OpeningBounds(held.table, held.turns, held.classes, *known, near, dict(held.seen), **more)


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
    exhaustive.check(wordlist, again, best)
    again = forgetful(held)
    for one in (held, again):
        one.look([9])
        one.look_near(torch.tensor([9]), 3)
    assert torch.equal(again.bounds, held.bounds) and again.near == held.near
    exhaustive.check(wordlist, again, best)
    again = forgetful(held)
    for one in (held, again):
        one.look_until(sorted(one.near), int(best.min()))
    assert torch.equal(again.bounds, held.bounds)
    exhaustive.check(wordlist, again, best)


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
    exhaustive.check(wordlist, held, best)
    assert bool((held.bounds <= seen).all())


def found_of_larger(table):
    """What two turns find of sets given by one or two facts."""
    facts = Facts(table)
    keys = [key for count in (1, 2) for key in combinations(range(facts.count), count)]
    keys = [key for key in keys if facts.size(key) > 2]
    found = reference.most_classes(table, frontier([facts.members(key) for key in keys]))[0].tolist()
    return dict(zip(keys, found, strict=True))


def with_larger(table, turns):
    """Bounds of openings, where that is known."""
    held = opening_bounds(table, turns)
    known = (held.bounds, held.looked, held.twofold)
    return OpeningBounds(table, turns, held.classes, *known, known=found_of_larger(table))


@pytest.mark.slow
def test_larger_sets_bound_the_classes_inside_them(games):
    lowered = 0
    for wordlist, table, turns, best in games.values():
        held = with_larger(table, turns)
        by_size = held.bounds.clone()
        held.look_until(list(range(len(wordlist))), int(by_size.median()))
        exhaustive.check(wordlist, held, best)
        free = ((held.looked == 0) & (held.bounds < by_size)).nonzero().squeeze(1).tolist()
        lowered += len(free)
        if free:
            claim = certificate_of(wordlist, held)
            claim.bounds[free[0]] -= 1
            with pytest.raises(CertificateError, match=f"place {free[0]} "):
                list(prove(held.table, claim))
            claim = replace(certificate_of(wordlist, held), larger=())
            with pytest.raises(CertificateError, match="search again"):
                list(prove(held.table, claim))
    assert lowered > 10


def test_what_larger_sets_said_counts_once(game):
    """Whatever was looked at before and after, and however much was forgotten in between."""
    wordlist, table, turns, best = game
    held = with_larger(table, turns)
    everything = torch.arange(len(wordlist))
    held.look([0, 1, 2])
    held.look_until(list(range(3, len(wordlist), 2)), int(held.bounds.median()))
    again = forgetful(held)
    assert len(again.larger) == len(held.larger) > 20
    for one in (held, again):
        one.look_near(everything[everything != 1], 1)
        one.look_until(list(range(3, len(wordlist))), int(one.bounds.min()))
        one.look_near(everything[everything != 2], 2)
    assert torch.equal(again.bounds, held.bounds)
    exhaustive.check(wordlist, again, best)


@pytest.mark.slow
def test_what_is_found_of_larger_sets_later_lowers_bounds_then(games):
    lowered = 0
    for wordlist, table, turns, best in games.values():
        held = opening_bounds(table, turns)
        for opening in range(len(wordlist)):
            held.look_until([opening], int(held.bounds[opening]) - 1)
        before, looked = held.bounds.clone(), held.looked.clone()
        for key, found in found_of_larger(held.table).items():
            held._larger.add(key, found)
        held.look_until(list(range(len(wordlist))), int(before.max()) - 3)
        exhaustive.check(wordlist, held, best)
        lowered += int(((held.bounds < before) & (held.looked == looked)).sum())
    assert lowered > 10


def test_a_certificate_that_names_facts_of_no_word_is_refused(game):
    wordlist, table, turns, _ = game
    held = opening_bounds(table, turns)
    held.look_until(list(range(len(wordlist))), 0)
    facts = Facts(table)
    contrary = (0, len(table.alphabet))  # holds a letter, and lacks it
    for key in (contrary, (facts.count,)):
        claim = replace(certificate_of(wordlist, held), larger=[key])
        with pytest.raises(CertificateError, match="true of no word"):
            list(prove(table, claim))


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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": [1, 5, 24]}, "has the format"),
        ({"near": [0], "near_sizes": [1], "near_values": [99]}, "beyond"),
        ({"near": [0], "near_sizes": [2], "near_values": [1]}, "do not fit"),
        ({"searched": [-1], "searched_sizes": [0]}, "do not fit"),
        ({"twofold": [True]}, "twofold as bool .1., expected one row of"),
        ({"bounds": [[0]]}, "bounds as int64 .1, 1., expected one row of"),
        ({"looked": 3}, "looked as int64 .., expected one row of"),
        ({"format": [np.inf, 5, 24]}, "format as float64"),
        ({"fingerprint": [[1]]}, "has a fingerprint that is no text"),
        ({"near": [0], "near_sizes": [1.0], "near_values": [1]}, "near_sizes as float64"),
        ({"near": [0], "near_sizes": [1], "near_values": 1}, "near_values as int64"),
        ({"searched": [0], "searched_sizes": [24], "searched_values": np.empty((24, 0, 1), int)}, "24, 0, 1"),
        ({"larger": [3, 4]}, "larger sets"),
        ({"larger": [[-1, 3]]}, "larger sets"),
        ({"larger": [[0.5]]}, "larger sets"),
    ],
)
def test_a_certificate_of_another_shape_is_refused(change, told):
    wordlist, turns = exhaustive.random_list(18)
    held = opening_bounds(encode(wordlist.words), turns)
    arrays = certificate_arrays(wordlist, held)
    parsed_certificate(arrays)
    with pytest.raises(ValueError, match=told):
        parsed_certificate(arrays | {name: np.array(values) for name, values in change.items()})


def test_only_a_certificate_of_the_format_before_may_lack_larger_sets():
    wordlist, turns = exhaustive.random_list(18)
    arrays = certificate_arrays(wordlist, opening_bounds(encode(wordlist.words), turns))
    del arrays["larger"]
    with pytest.raises(ValueError, match="larger"):
        parsed_certificate(arrays)
    arrays["format"][0] -= 1
    assert parsed_certificate(arrays).larger == ()

"""Openings bounded by others that are nearly like them, by the parts of their classes."""

from dataclasses import replace

import exhaustive
import pytest
import torch

from gpulingo.bounds.counting import PART, Nearness, bounded_by, evaluate
from gpulingo.bounds.formulas import part_sum, part_term
from gpulingo.bounds.partitions import (
    Pending,
    bounds_by_parts,
    largest_first,
    opening_classes,
    partition_of,
)
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


@pytest.mark.slow
def test_openings_are_bounded_by_others(any_game):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    centers = list(range(0, len(wordlist), 7))
    state.apply(evaluate(state, centers))
    near = state.evidence.neighbours
    for opening in range(len(wordlist)):
        for center in centers:
            if center != opening:
                before, named = int(state.evidence.bounds[opening]), len(near.get(opening, []))
                state.apply(bounded_by(state, torch.tensor([opening]), center))
                assert (len(near.get(opening, [])) > named) == (int(state.evidence.bounds[opening]) < before)
    exhaustive.check(wordlist, state, best)


def test_others_bound_what_was_counted_before_and_after(any_game):
    """Each class counts once, whichever way it came down."""
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    state.apply(evaluate(state, [0, 1, 2]))
    for opening in range(3, len(wordlist)):
        exhaustive.counted(state, [opening], int(state.evidence.bounds[opening]) - 1)
        for center in (0, 1, 2):
            state.apply(bounded_by(state, torch.tensor([opening]), center))
        exhaustive.counted(state, [opening], int(state.evidence.bounds[opening]) - 1)
    exhaustive.check(wordlist, state, best)


def test_a_bound_that_a_search_has_is_not_lowered_by_others_once_more():
    lowest = []
    for bound in (1000, 0):
        state = bound_state(encode(exhaustive.words_alike().words), lingo(5))
        state.apply(evaluate(state, [0, 1]))
        counts = state.evidence.evaluated[0]
        loose = replace(counts, two=counts.partition.sizes + 1)  # so that others help
        state.apply(replace(state.evidence.rows(torch.tensor([0])), evaluated={0: loose}))
        state.evidence.bounds[0] = bound if bound else lowest[0] - 1
        state.apply(bounded_by(state, torch.tensor([0]), 1))
        lowest.append(int(state.evidence.bounds[0]))
    assert lowest[0] < 1000 and lowest[1] == lowest[0] - 1


def test_what_brings_bounds_no_good_part_of_the_way_is_left_out(game):
    _, table, game, _ = game
    free, state = (bound_state(table, game) for _ in range(2))
    others = torch.arange(1, table.words)
    for one in (free, state):
        one.apply(evaluate(one, [0]))
    free.apply(bounded_by(free, others, 0))
    before = state.evidence.bounds.clone()
    goal = int(free.evidence.bounds[1:].median())
    state.apply(bounded_by(state, others, 0, goal))
    there, gain = free.evidence.bounds <= goal, before - free.evidence.bounds
    kept = (gain > 0) & (there | (PART * gain >= before - goal))
    assert torch.equal(state.evidence.bounds, torch.where(kept, free.evidence.bounds, before))
    assert sorted(state.evidence.neighbours) == kept.nonzero().squeeze(1).tolist()


def test_words_that_share_letters_in_their_places_are_near():
    words = ["crane", "crate", "crone", "zzyzx", "brick", "enarc"]
    nearness = Nearness(encode(words))
    order = nearness.nearest(0, torch.arange(1, 6)).tolist()
    assert set(order[:2]) == {1, 2} and order[2] == 5


@pytest.mark.parametrize("seed", [1, 2])
def test_the_densest_word_has_many_others_near(seed):
    crowd = [a + b + "ate" for a in "bcdfghklmn" for b in "rlt"]
    alone = ["".join(chr(97 + (5 * i + 7 * k * k) % 26) for k in range(5)) for i in range(600)]
    words = list(dict.fromkeys(crowd + alone))
    nearness = Nearness(encode(words))
    draw = torch.Generator().manual_seed(seed)
    chosen = {nearness.densest(torch.arange(len(words)), draw) for _ in range(20)}
    assert chosen <= set(range(len(crowd)))
    assert nearness.densest(torch.tensor([3, 1, 2]), draw) == 3


def test_a_partition_has_the_class_of_every_target():
    words = ["aab", "aac", "bcd", "bce", "aad"]
    table = encode(words).with_sets(targets=torch.tensor([0, 1, 3, 4], dtype=torch.int32))
    for opening in range(5):
        classes = opening_classes(table, opening)
        partition = partition_of(table, classes)
        assert torch.equal(partition.sizes, classes.sizes)
        for target, place in zip(table.targets.tolist(), partition.ids.tolist(), strict=True):
            if target == opening:
                assert place == classes.sets  # the opening itself is found
            else:
                assert target in classes.candidates(place).tolist()


def test_classes_of_an_opening_are_bounded_by_their_parts_in_those_of_another(any_game):
    _, table, game, _ = any_game
    state, left = bound_state(table, game), game.turns - 1
    other = 1
    counts = evaluate(state, [other]).evaluated[other]
    sets = opening_classes(table, other)
    whole_of = {word: at for at in range(sets.sets) for word in sets.candidates(at).tolist()}
    for opening in (0, 5):
        numbers, sizes, bounds = bounds_by_parts(table, torch.tensor([opening]), counts, left)
        classes = opening_classes(table, opening)
        assert numbers == [classes.sets] and torch.equal(sizes, classes.sizes)
        for at, bound in enumerate(bounds.tolist()):
            parts = {}
            for word in classes.candidates(at).tolist():
                parts.setdefault(whole_of.get(word, sets.sets), []).append(word)
            two = {place: int(counts.two[place]) if place < sets.sets else 2 for place in parts}
            terms = [
                part_term(torch.tensor([len(words)]), torch.tensor([two[place]]), None, left)
                for place, words in parts.items()
            ]
            assert bound == int(part_sum(torch.stack(terms).sum()))


def test_the_largest_classes_come_next_for_about_so_many_words():
    table = encode(["aab", "aac", "bcd"])
    sizes = torch.tensor([3, 9, 3, 5, 1])
    order = largest_first(sizes)
    assert order.tolist() == [1, 3, 0, 2, 4]
    classes = opening_classes(table, 0)
    object.__setattr__(classes, "offsets", torch.cat([sizes.new_zeros(1), sizes.cumsum(0)]))
    pending = Pending(0, classes, order, sizes, sizes[:0], large=4, bound=0)
    assert pending.next(5).tolist() == [1] and pending.next(10).tolist() == [1, 3]
    pending.counted = sizes[:1]
    assert pending.next(8).tolist() == [3, 0]

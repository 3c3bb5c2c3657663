"""What a state knows: evidence joined in any order, read again from a file, or found by a copy elsewhere."""

import pickle
from dataclasses import replace

import exhaustive
import pytest
import torch

from gpulingo.bounds.certificate import of_sizes
from gpulingo.bounds.counting import bounded_by, count_until, evaluate
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


def same(state, other):
    """Whether two states have the same bounds and neighbours."""
    near = [
        {one: sorted(others) for one, others in each.evidence.neighbours.items()} for each in (state, other)
    ]
    return torch.equal(state.evidence.bounds, other.evidence.bounds) and near[0] == near[1]


def test_what_was_forgotten_is_computed_again(any_game):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    state.apply(evaluate(state, [0, 1, 2, 3]))
    everything = torch.arange(len(wordlist))
    state.apply(bounded_by(state, everything[everything != 0], 0))
    exhaustive.counted(state, [5, 6], int(state.evidence.bounds[5]) - 1)
    state.apply(bounded_by(state, everything[everything != 1], 1))
    again = exhaustive.forgetful(state)
    for one in (state, again):
        one.apply(bounded_by(one, everything[everything != 2], 2))
        one.apply(evaluate(one, [8]))
        one.apply(bounded_by(one, everything[everything != 3], 3))
    assert same(again, state)
    exhaustive.check(wordlist, again, best)
    again = exhaustive.forgetful(state)
    for one in (state, again):
        one.apply(evaluate(one, [9]))
        one.apply(bounded_by(one, torch.tensor([9]), 3))
    assert same(again, state)
    exhaustive.check(wordlist, again, best)
    again = exhaustive.forgetful(state)
    for one in (state, again):
        exhaustive.counted(one, sorted(one.evidence.neighbours), int(best.min()))
    assert torch.equal(again.evidence.bounds, state.evidence.bounds)
    exhaustive.check(wordlist, again, best)


@pytest.mark.slow
def test_what_supersets_said_counts_once(game):
    """Whatever was counted before and after, and however much was forgotten in between."""
    wordlist, table, game, best = game
    state = exhaustive.with_supersets(table, game)
    everything = torch.arange(len(wordlist))
    state.apply(evaluate(state, [0, 1, 2]))
    exhaustive.counted(state, list(range(3, len(wordlist), 2)), int(state.evidence.bounds.median()))
    again = exhaustive.forgetful(state)
    assert len(again.supersets.two) == len(state.supersets.two) > 20
    for one in (state, again):
        one.apply(bounded_by(one, everything[everything != 1], 1))
        exhaustive.counted(one, list(range(3, len(wordlist))), int(one.evidence.bounds.min()))
        one.apply(bounded_by(one, everything[everything != 2], 2))
    assert torch.equal(again.evidence.bounds, state.evidence.bounds)
    exhaustive.check(wordlist, again, best)


def sent(evidence, state):
    """Evidence as it comes back from a copy of a state on another machine."""
    return pickle.loads(pickle.dumps(replace(evidence, supersets=set(state.supersets.two))))


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, -1])
def test_openings_may_be_bounded_by_copies_and_what_they_return_be_applied_in_any_order(any_game, order):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    state.apply(evaluate(state, [0, 1, 2, 3]))
    others = torch.arange(4, len(wordlist))
    for step in range(3):
        results = []
        for center in (step, step + 1):  # each copy knows what the other does not
            copy = exhaustive.forgetful(state)
            results.append(sent(bounded_by(copy, others, center), copy))
            copy.apply(results[-1])
            goal = int(copy.evidence.bounds[others].min())
            for lowered in count_until(copy, others[center::3].tolist(), goal):
                copy.apply(lowered)
                results.append(sent(lowered, copy))
            results.append(sent(evaluate(copy, [3 + step + center]), copy))
        for evidence in results[::order]:
            state.apply(evidence)
        exhaustive.check(wordlist, state, best)
        exhaustive.counted(state, others[step::2].tolist(), int(best.min()))
        state.apply(bounded_by(state, others[others != 3 + 2 * step], 3 + 2 * step))
        exhaustive.check(wordlist, state, best)


def test_evidence_that_is_applied_twice_changes_nothing_more(game):
    _, table, game, _ = game
    state = bound_state(table, game)
    state.apply(evaluate(state, [0]))
    lowered = bounded_by(state, torch.arange(1, table.words), 0)
    state.apply(lowered)
    before = exhaustive.forgetful(state)
    state.apply(lowered)
    assert same(state, before)


def test_the_given_bounds_count_where_they_are_lower(game):
    _, table, game, _ = game
    state = bound_state(table, game)
    given = state.evidence.bounds.clone()
    given[3], given[4] = 1, 10**6
    state.given = given
    assert int(state.lowest[3]) == 1 and int(state.lowest[4]) == int(state.evidence.bounds[4])


def test_what_is_kept_of_classes_is_what_size_neighbours_and_counts_say_of_them(any_game):
    _, table, game, _ = any_game
    state = bound_state(table, game)
    state.apply(evaluate(state, [0, 1, 2]))
    state.apply(bounded_by(state, torch.arange(3, table.words), 0))
    known, fresh = state.class_bounds, bound_state(table, game).class_bounds
    for opening in range(table.words):
        classes = opening_classes(table, opening)
        bounds = known.of(opening, classes.sizes)
        by_size = fresh.of(opening, classes.sizes)
        assert bool((bounds <= by_size).all())
        if opening in state.evidence.evaluated:
            counts = state.evidence.evaluated[opening]
            assert torch.equal(bounds, by_size.minimum(known.by_counts(counts)))
        elif opening in state.evidence.neighbours:
            assert opening in known._cached and bool((bounds < by_size).any())
        else:
            assert opening not in known._cached and torch.equal(bounds, by_size)


def test_neighbours_from_a_file_are_asked_again_only_for_the_openings_that_are_bounded(monkeypatch):
    table = encode(exhaustive.words_alike().words)
    state = bound_state(table, lingo(5))
    state.apply(evaluate(state, [0, 1, 2]))
    for center in (0, 1):
        state.apply(bounded_by(state, torch.arange(3, table.words), center))
    near = sorted(state.evidence.neighbours)
    assert len(near) > 2
    again = exhaustive.forgetful(state)
    above = torch.zeros(table.words, dtype=torch.bool)
    above[near[0]] = True
    again.class_bounds.recall(above)
    assert list(again.class_bounds._cached) == near[:1]
    again.class_bounds.recall(torch.ones_like(above))
    assert sorted(again.class_bounds._cached) == near
    monkeypatch.setattr("gpulingo.bounds.state.bounds_by_parts", None)  # not asked any more
    for opening in near:
        sizes = opening_classes(table, opening).sizes
        assert torch.equal(again.class_bounds.of(opening, sizes), state.class_bounds.of(opening, sizes))


def test_rows_are_a_copy_of_the_columns_at_some_places():
    evidence = of_sizes(torch.tensor([7, 8, 9]))
    rows = evidence.rows(torch.tensor([2, 0]))
    assert rows.openings.tolist() == [2, 0] and rows.bounds.tolist() == [9, 7]
    rows.bounds[0] = 1
    rows.looked[0] = 5
    assert evidence.bounds.tolist() == [7, 8, 9] and evidence.looked.tolist() == [0, 0, 0]
    assert rows.bound == 7 and evidence.bound == 9

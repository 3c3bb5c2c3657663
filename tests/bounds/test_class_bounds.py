"""Bounds of classes: what is in the cache is what would be computed."""

import exhaustive
import torch

from gpulingo.bounds.counting import bounded_by, evaluate
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


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

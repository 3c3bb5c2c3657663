"""Classes of openings, and bounds of classes by the parts that others hold."""

import torch

from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.formulas import part_sum, part_term
from gpulingo.bounds.partitions import (
    Pending,
    bounds_by_parts,
    largest_first,
    opening_classes,
    partition_of,
)
from gpulingo.bounds.state import bound_state
from gpulingo.tensors.wordtable import encode


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

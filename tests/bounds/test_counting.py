"""Bounds of openings by counts of their classes and by two more guesses, against the best strategy."""

import exhaustive
import numpy as np

from gpulingo.bounds.counting import (
    TwoGuesses,
    bounded_by,
    count_until,
    evaluate,
    fitting,
    open_counts,
    recalled,
)
from gpulingo.bounds.partitions import opening_classes, partition_of
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import find_game
from gpulingo.tensors.reference import most_classes
from gpulingo.tensors.wordtable import encode


def test_counts_of_some_classes_or_of_all_bound_an_opening(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    by_size = state.evidence.bounds.copy()
    everything = list(range(len(wordlist)))
    exhaustive.counted(state, everything[::2], int(by_size.max()) - 3)
    exhaustive.check(wordlist, state, best)
    state.apply(evaluate(state, everything))
    exhaustive.check(wordlist, state, best)
    assert sorted(state.evidence.evaluated) == everything
    again = BoundState(table, game)
    exhaustive.counted(again, everything, 0)
    assert np.array_equal(again.evidence.bounds, state.evidence.bounds)
    assert bool((state.evidence.bounds <= by_size).all())


def test_what_is_evaluated_is_what_two_turns_find_of_each_class(any_game):
    _, table, game, _ = any_game
    state = BoundState(table, game)
    evidence = evaluate(state, [0, 4])
    assert evidence.openings.tolist() == [0, 4] and evidence.looked.tolist() == [
        len(evidence.evaluated[opening].two) for opening in (0, 4)
    ]
    for counts in evidence.evaluated.values():
        targets = state.table.targets
        sets = [targets[counts.partition.ids == place] for place in range(len(counts.two))]
        assert [len(some) for some in sets] == counts.partition.sizes.tolist()
        for some, two in zip(sets, counts.two.tolist(), strict=True):
            assert two == int(most_classes(table, exhaustive.set_of(some)))


def test_counting_changes_nothing_until_its_evidence_is_applied(game):
    wordlist, table, game, best = game
    state = BoundState(table, game)
    before = [state.evidence.bounds.copy(), state.evidence.looked.copy()]
    evidence = [evaluate(state, [1, 2]), *count_until(state, [3, 4, 5], 0)]
    assert np.array_equal(before, [state.evidence.bounds, state.evidence.looked])
    assert state.evidence.evaluated == {}
    for lowered in evidence:
        state.apply(lowered)
    assert bool((state.evidence.looked[1:6] > 0).any()) and sorted(state.evidence.evaluated) == [1, 2]
    exhaustive.check(wordlist, state, best)


def test_two_more_guesses_bound_an_opening(any_game):
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, list(range(len(wordlist)))))
    before = state.evidence.bounds.copy()
    two_guesses = TwoGuesses(state)
    for opening in range(len(wordlist)):
        state.apply(two_guesses.evaluate(opening))
    exhaustive.check(wordlist, state, best)
    assert bool((state.evidence.bounds <= before).all()) and bool(state.evidence.two_guesses.all())


def test_others_bound_what_was_counted_before_and_after(any_game):
    """Each class counts once, whichever evidence lowered it."""
    wordlist, table, game, best = any_game
    state = BoundState(table, game)
    state.apply(evaluate(state, [0, 1, 2]))
    for opening in range(3, len(wordlist)):
        exhaustive.counted(state, [opening], int(state.evidence.bounds[opening]) - 1)
        for center in (0, 1, 2):
            state.apply(bounded_by(state, np.array([opening]), center))
        exhaustive.counted(state, [opening], int(state.evidence.bounds[opening]) - 1)
    exhaustive.check(wordlist, state, best)


def test_a_partition_has_the_class_of_every_target():
    words = ["aab", "aac", "bcd", "bce", "aad"]
    table = encode(words).here.with_sets(targets=np.array([0, 1, 3, 4], np.int32))
    for opening in range(5):
        classes = opening_classes(table, opening)
        partition = partition_of(table, classes)
        assert np.array_equal(partition.sizes, classes.sizes)
        for target, place in zip(table.targets.tolist(), partition.ids.tolist(), strict=True):
            if target == opening:
                assert place == classes.sets  # the opening itself is found
            else:
                assert target in classes.candidates(place).tolist()


def test_classes_of_two_words_are_not_counted_and_stored_counts_are_recalled(random_words):
    words = random_words(4, 400, 5, "abcdefgh")
    game, openings = find_game("lingo", 4), list(range(40))
    state = BoundState(encode(words), game)
    for evidence in count_until(state, openings, 0):
        state.apply(evidence)
    counted = open_counts(state, 0)
    for opening in openings:
        sizes = opening_classes(state.table, opening).sizes
        assert len(counted[opening]) <= int((sizes > 2).sum())
    assert fitting(state.table, counted)
    older = {opening: np.append(two, 3).astype(np.int32) for opening, two in counted.items()}
    for stored in (counted, older):  # searches stored the count of one class of two words more
        again = BoundState(encode(words), game)
        again.apply(recalled(again, stored))
        assert fitting(again.table, stored) and sorted(again.evidence.evaluated) == openings
        assert again.evidence.bounds[openings].tolist() == state.evidence.bounds[openings].tolist()

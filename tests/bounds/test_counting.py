"""Bounds of openings by counts of their classes and by two more guesses, against the best strategy."""

import exhaustive
import pytest
import torch

from gpulingo.bounds.counting import TwoGuesses, bounded_by, count_until, evaluate, table_bytes
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.reference import most_classes
from gpulingo.tensors.wordtable import encode


def test_counts_of_some_classes_or_of_all_bound_an_opening(any_game):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    by_size = state.evidence.bounds.clone()
    everything = list(range(len(wordlist)))
    exhaustive.counted(state, everything[::2], int(by_size.max()) - 3)
    exhaustive.check(wordlist, state, best)
    state.apply(evaluate(state, everything))
    exhaustive.check(wordlist, state, best)
    assert sorted(state.evidence.evaluated) == everything
    again = bound_state(table, game)
    exhaustive.counted(again, everything, 0)
    assert torch.equal(again.evidence.bounds, state.evidence.bounds)
    assert bool((state.evidence.bounds <= by_size).all())


def test_what_is_evaluated_is_what_two_turns_find_of_each_class(any_game):
    _, table, game, _ = any_game
    state = bound_state(table, game)
    evidence = evaluate(state, [0, 4])
    assert evidence.openings.tolist() == [0, 4] and evidence.looked.tolist() == [
        len(evidence.evaluated[opening].two) for opening in (0, 4)
    ]
    for counts in evidence.evaluated.values():
        targets = table.targets.long()
        sets = [targets[counts.partition.ids == place] for place in range(len(counts.two))]
        assert [len(some) for some in sets] == counts.partition.sizes.tolist()
        for some, two in zip(sets, counts.two.tolist(), strict=True):
            assert two == int(most_classes(table, exhaustive.set_of(some), None, [])[0])


def test_counting_changes_nothing_until_its_evidence_is_applied(game):
    wordlist, table, game, best = game
    state = bound_state(table, game)
    before = state.evidence.bounds.clone(), state.evidence.looked.clone()
    evidence = [evaluate(state, [1, 2]), *count_until(state, [3, 4, 5], 0)]
    assert torch.equal(before[0], state.evidence.bounds) and torch.equal(before[1], state.evidence.looked)
    assert state.evidence.evaluated == {}
    for lowered in evidence:
        state.apply(lowered)
    assert bool((state.evidence.looked[1:6] > 0).any()) and sorted(state.evidence.evaluated) == [1, 2]
    exhaustive.check(wordlist, state, best)


def test_an_opening_that_was_searched_is_not_counted(game):
    _, table, game, _ = game
    state = bound_state(table, game)
    state.apply(exhaustive.searched(state, 3))
    assert exhaustive.counted(state, [3], 0) == 0


@pytest.mark.slow
def test_what_is_counted_of_supersets_later_lowers_bounds_then(games):
    fell = 0
    for wordlist, table, game, best in games.values():
        state = bound_state(table, game)
        for opening in range(len(wordlist)):
            exhaustive.counted(state, [opening], int(state.evidence.bounds[opening]) - 1)
        before, looked = state.evidence.bounds.clone(), state.evidence.looked.clone()
        for key, two in exhaustive.two_of_supersets(table).items():
            state.supersets.add(key, two)
        exhaustive.counted(state, list(range(len(wordlist))), int(before.max()) - 3)
        exhaustive.check(wordlist, state, best)
        fell += int(((state.evidence.bounds < before) & (state.evidence.looked == looked)).sum())
    assert fell > 10


@pytest.mark.slow
def test_supersets_bound_the_classes_inside_them(games):
    fell = 0
    for wordlist, table, game, best in games.values():
        state = exhaustive.with_supersets(table, game)
        by_size = state.evidence.bounds.clone()
        exhaustive.counted(state, list(range(len(wordlist))), int(by_size.median()))
        exhaustive.check(wordlist, state, best)
        fell += int(((state.evidence.looked == 0) & (state.evidence.bounds < by_size)).sum())
    assert fell > 10


def test_two_more_guesses_bound_an_opening(any_game):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    state.apply(evaluate(state, list(range(len(wordlist)))))
    before = state.evidence.bounds.clone()
    two_guesses = TwoGuesses(state)
    for opening in range(len(wordlist)):
        state.apply(two_guesses.evaluate(opening))
    exhaustive.check(wordlist, state, best)
    assert bool((state.evidence.bounds <= before).all()) and bool(state.evidence.two_guesses.all())


def test_each_method_says_more_than_the_one_before_where_words_are_alike():
    wordlist = exhaustive.words_alike()
    state = bound_state(encode(wordlist.words), lingo(5))
    bounds = [int(state.evidence.bounds[0])]
    state.apply(evaluate(state, [1]))  # aab, where the first is aaa
    state.apply(bounded_by(state, torch.tensor([0]), 1))
    assert state.evidence.neighbours == {0: [1]}
    bounds.append(int(state.evidence.bounds[0]))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    bounds.append(int(state.evidence.bounds[0]))
    state.apply(TwoGuesses(state).evaluate(0))
    bounds.append(int(state.evidence.bounds[0]))
    assert bounds == sorted(set(bounds), reverse=True)


def test_the_tables_take_what_is_said(game):
    _, table, game, _ = game
    state = bound_state(table, game)
    state.apply(evaluate(state, list(range(table.words))))
    taken = TwoGuesses(state)._capped.classes.nbytes
    taken += sum(counts.partition.ids.nbytes for counts in state.evidence.evaluated.values())
    assert taken <= table_bytes(table.words)

"""Values of sets that are claimed, against those of the best strategy."""

import exhaustive
import torch

from gpulingo.bounds.evidence import Searched
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.supersets import Constraints, SupersetCounts, Supersets
from gpulingo.bounds.value_checker import ValueChecker
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import encode

NONE = torch.empty(0, 4, dtype=torch.int64)


def checker_of(table):
    return ValueChecker(table, SupersetCounts(table, Supersets(Constraints(table), {})), None)


def test_the_best_values_hold_and_no_smaller_ones(any_game):
    _, table, game, _ = any_game
    checker, left = checker_of(table), game.turns - 1
    for opening in range(0, table.words, 7):
        sets = opening_classes(table, opening)
        best = exhaustive.values_of(table, game)(sets, left)[1]
        assert checker.holds(sets, left, Searched(best, NONE))
        assert checker.holds(sets, left, Searched(best + 1, NONE))
        for at in (int(sets.sizes.argmax()), int(sets.sizes.argmin())):
            less = best.clone()
            less[at] -= 1
            assert not checker.holds(sets, left, Searched(less, NONE))


def open_guess(checker, sets, left, value):
    """A guess that the growth bound does not rule out, and the largest set after it."""
    guesses, bounds = checker._ranked(sets, left, 1)
    assert int(bounds[0, 0]) > value
    after = split(checker.table, sets, guesses[:, 0]).frontier
    place = int(after.sizes.argmax())
    return int(guesses[0, 0]), place, after.take(torch.tensor([place]))


def test_a_claim_is_checked_and_so_is_one_for_a_set_after_it():
    table, game = encode(exhaustive.families().words), lingo(6)
    checker, sets = checker_of(table), opening_classes(table, 0)
    searched = exhaustive.searched(bound_state(table, game), 0).searched[0]
    claims = searched.claims.tolist()

    def holds():
        return checker.holds(sets, 5, Searched(searched.values, torch.tensor(claims)))

    assert holds()
    parent, guess, place, value = claims[0]
    for wrong in ([parent, guess, place, value - 1], [parent, guess, 10**5, value]):
        claims[0] = wrong
        assert not holds()
    claims[0] = [parent, guess, place, value]
    after = split(table, sets.take(torch.tensor([parent])), torch.tensor([guess], dtype=torch.int32)).frontier
    after = after.take(torch.tensor([place]))
    guess, place, last = open_guess(checker, after, 4, value)
    best = int(exhaustive.values_of(table, game)(last, 3)[1])
    claims.append([sets.sets, guess, place, best])
    assert holds()
    claims[-1][3] = best - 1
    assert not holds()

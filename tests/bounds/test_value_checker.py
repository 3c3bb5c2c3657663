"""Values of sets that are claimed, against those of the best strategy."""

import exhaustive
import torch

from gpulingo.bounds.evidence import Searched
from gpulingo.bounds.partitions import opening_classes
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


def test_a_search_without_claims_has_the_best_values(game):
    _, table, game, _ = game
    checker = checker_of(table)
    sets = opening_classes(table, 0)
    large = sets.take((sets.sizes > 2).nonzero().squeeze(1))
    for left in range(2, game.turns):
        best = exhaustive.values_of(table, game)(large, left)[1]
        assert torch.equal(checker.best(large, left), best)


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
    values_of = exhaustive.values_of(table, game)
    best = values_of(sets, 5)[1]
    parent = int(sets.sizes.argmax())
    guess, place, after = open_guess(checker, sets.take(torch.tensor([parent])), 5, int(best[parent]))
    value = int(values_of(after, 4)[1])
    claims = [[parent, guess, place, value]]

    def holds():
        return checker.holds(sets, 5, Searched(best, torch.tensor(claims)))

    assert holds()
    claims[0][3] = value - 1
    assert not holds()
    claims[0][2:] = [10**5, value]  # no such set
    assert not holds()
    claims[0][2] = place
    guess, place, last = open_guess(checker, after, 4, value)
    claims.append([sets.sets, guess, place, int(values_of(last, 3)[1])])
    assert holds()
    claims[1][3] -= 1
    assert not holds()

"""Openings bounded by the values of all their classes, and claims that make these easy to check."""

from dataclasses import replace

import exhaustive
import pytest
import torch

from gpulingo.bounds.certificate import CertificateError, certificate_of
from gpulingo.bounds.checker import prove
from gpulingo.bounds.claims import by_values
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import encode


def test_values_of_all_classes_bound_an_opening_exactly(any_game):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    for opening in range(0, len(wordlist), 4):
        value, most, evidence = by_values(state, opening, exhaustive.values_of(table, game))
        assert value == most == int(best[opening])
        state.apply(evidence)
        assert int(state.evidence.bounds[opening]) == int(best[opening])
    exhaustive.check(wordlist, state, best)


def test_a_search_that_leaves_something_open_is_no_evidence(game):
    _, table, game, _ = game

    def open_values(sets, left):
        lower, upper = exhaustive.values_of(table, game)(sets, left)
        return lower, upper + (sets.sizes == sets.sizes.max())

    state = bound_state(table, game)
    value, most, evidence = by_values(state, 0, open_values)
    assert value < most and evidence is None


@pytest.fixture(scope="module")
def claimed():
    """A list, and evidence of one of its openings that needs claims."""
    wordlist = exhaustive.families()
    state = bound_state(encode(wordlist.words), lingo(5))
    state.apply(exhaustive.searched(state, 0))
    assert len(state.evidence.searched[0].claims) > 10
    return wordlist, state


def test_all_claims_that_a_check_needs_are_there_and_no_other(claimed):
    wordlist, state = claimed
    certificate = certificate_of(wordlist, state.game, state.evidence)
    assert list(prove(state.table, certificate))[-1] == len(wordlist)
    searched = certificate.evidence.searched[0]
    for row in (0, len(searched.claims) - 1):
        fewer = torch.cat([searched.claims[:row], searched.claims[row + 1 :]])
        certificate.evidence.searched[0] = replace(searched, claims=fewer)
        with pytest.raises(CertificateError, match="or a claim is missing"):
            list(prove(state.table, certificate))


def test_a_search_whose_values_leave_a_guess_open_is_no_evidence(claimed):
    _, state = claimed
    best = exhaustive.values_of(state.table, state.game)

    def forgetful(sets, left):
        lower, upper = best(sets, left)
        return lower, upper + (left < state.game.turns - 1)

    value, most, evidence = by_values(state, 0, forgetful)
    assert value == most and evidence is None


def test_claims_name_sets_that_are_there_and_their_best_values(claimed):
    _, state = claimed
    table, left = state.table, state.game.turns - 1
    values_of, searched = exhaustive.values_of(table, state.game), state.evidence.searched[0]
    sets = opening_classes(table, 0)
    levels = [(sets.take(torch.tensor([at])), left) for at in range(sets.sets)]
    for parent, guess, place, value in searched.claims.tolist():
        front, left = levels[parent]
        after = split(table, front, torch.tensor([guess], dtype=torch.int32)).frontier
        front = after.take(torch.tensor([place]))
        assert values_of(front, left - 1)[1].tolist() == [value]
        levels.append((front, left - 1))


def test_a_claim_that_is_too_small_is_refused(claimed):
    wordlist, state = claimed
    certificate = certificate_of(wordlist, state.game, state.evidence)
    for row in (0, -1):
        certificate.evidence.searched[0].claims[row, 3] -= 1
        with pytest.raises(CertificateError, match="opening at place 0 is worth more than its bound"):
            list(prove(state.table, certificate))
        certificate.evidence.searched[0].claims[row, 3] += 1

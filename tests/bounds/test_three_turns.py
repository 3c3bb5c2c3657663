"""Openings bounded by three-turn values of their classes: never below the best, and down to the goal."""

from dataclasses import replace

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.certificate import CertificateError, certificate_of, merged
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.every_guess import Searches, bounded_in_three_turns
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode

pytestmark = pytest.mark.usefixtures("every_opening")

MEMORY = 1 << 22


@pytest.fixture(params=[(18, False), pytest.param((23, True), marks=pytest.mark.slow)])
def three_turn_game(request):
    """A list, a game with three turns after the opening, and the best value after each opening."""
    wordlist, table, game, best = exhaustive.made(*request.param)
    if game.turns > 3:
        return wordlist, table, game, best
    targets = table.targets.tolist()
    openings = range(len(wordlist))
    values = [exhaustive.best_value(wordlist.words, 4, opening, targets) for opening in openings]
    return wordlist, table, lingo(4), np.array(values)


@pytest.mark.slow
def test_what_is_asked_for_in_vain_gives_the_value_of_every_class(three_turn_game):
    wordlist, table, game, best = three_turn_game
    state, told, plain = BoundState(table, game), [], exhaustive.Plain(table)
    openings = list(range(0, len(wordlist), 7))
    evidence = bounded_in_three_turns(Searches(table, game, MEMORY), state, openings, 0, told.append)
    for opening, bound in zip(openings, evidence.bounds.tolist(), strict=True):
        sets = opening_classes(table, opening)
        values = [plain.value(sets.candidates(number), 3) for number in range(sets.sets)]
        assert evidence.three_turns[opening].tolist() == values
        assert bound >= int(best[opening])
        if game.turns == 4:
            assert bound == int(best[opening])
    state.apply(evidence)
    exhaustive.check(wordlist, state, best)
    assert told


def test_an_opening_is_searched_until_its_bound_is_low_enough(three_turn_game):
    wordlist, table, game, best = three_turn_game
    searches, exact = Searches(table, game, MEMORY), BoundState(table, game)
    openings = list(range(0, len(wordlist), 5))
    exact.apply(bounded_in_three_turns(searches, exact, openings, 0, None))
    for spare in (0, 2, 5):
        state = BoundState(table, game)
        state.apply(evaluate(state, openings[::2]))
        goal = int(exact.evidence.bounds[openings].max()) + spare
        state.apply(bounded_in_three_turns(Searches(table, game, MEMORY), state, openings, goal, None))
        assert int(state.evidence.bounds[openings].max()) <= goal
        exhaustive.check(wordlist, state, best)


@pytest.fixture
def searched():
    """A list, its state, and a certificate in which one opening is bounded by three turns."""
    wordlist, game = exhaustive.words_alike(), lingo(5)
    state = BoundState(encode(wordlist.words), game)
    state.apply(bounded_in_three_turns(Searches(state.table, game, MEMORY), state, [40], 0, None))
    return wordlist, state, certificate_of(wordlist, game, state.evidence)


def test_a_forged_value_is_refused(searched):
    _, state, certificate = searched
    values = certificate.evidence.three_turns[40]
    large = int(opening_classes(state.table, 40).sizes.argmax())
    values[large] -= 1
    certificate.bounds[40] -= 1
    with pytest.raises(CertificateError, match="a class of the opening at place 40 has more"):
        list(prove(state.table, certificate))
    short = replace(certificate.evidence, three_turns={40: values[1:]})
    with pytest.raises(CertificateError, match="at place 40 has"):
        list(prove(state.table, replace(certificate, evidence=short)))


def test_without_its_values_a_bound_does_not_follow(searched):
    _, state, certificate = searched
    bare = replace(certificate, evidence=replace(certificate.evidence, three_turns={}))
    with pytest.raises(CertificateError, match="what is named for it gives"):
        list(prove(state.table, bare))


def test_merged_certificates_keep_what_their_bounds_rest_on(searched):
    wordlist, state, certificate = searched
    other = BoundState(state.table, state.game)
    other.apply(bounded_in_three_turns(Searches(state.table, state.game, MEMORY), other, [7], 0, None))
    second = certificate_of(wordlist, state.game, other.evidence)
    for both in (merged([certificate, second]), merged([second, certificate, second])):
        assert sorted(both.evidence.three_turns) == [7, 40]
        assert list(prove(state.table, both))[-1] == len(wordlist)

"""Openings bounded by what three turns have of their classes: never below the best, as low as asked for."""

from dataclasses import replace

import exhaustive
import pytest
import torch

from gpulingo.bounds import three_turns
from gpulingo.bounds.certificate import CertificateError, certificate_of, merged
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import TwoGuesses, evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.three_turns import Weighed, bounded_in_three_turns, shares, to_search
from gpulingo.games.catalogue import lingo
from gpulingo.solvers import value
from gpulingo.solvers.value import ValueSearch
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import embedded

pytestmark = pytest.mark.usefixtures("every_opening")

MEMORY = 1 << 22


@pytest.fixture(params=[(18, False), pytest.param((23, True), marks=pytest.mark.slow)])
def three_turn_game(request):
    """A list and a game with three turns after the opening, and the best value after each opening in it."""
    wordlist, table, game, best = exhaustive.made(*request.param)
    if game.turns > 3:
        return wordlist, table, game, best
    targets = table.targets.tolist()
    openings = range(len(wordlist))
    values = [exhaustive.best_value(wordlist.words, 4, opening, targets) for opening in openings]
    return wordlist, table, lingo(4), torch.tensor(values)


@pytest.mark.slow
def test_what_is_asked_for_in_vain_gives_the_value_of_every_class(three_turn_game, monkeypatch):
    monkeypatch.setattr(three_turns, "SMALL", 4)
    wordlist, table, game, best = three_turn_game
    state, told, plain = bound_state(table, game), [], exhaustive.Plain(table)
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


def test_an_opening_is_searched_until_its_bound_is_low_enough(three_turn_game, monkeypatch):
    monkeypatch.setattr(three_turns, "SMALL", 4)
    wordlist, table, game, best = three_turn_game
    searches, exact = Searches(table, game, MEMORY), bound_state(table, game)
    openings = list(range(0, len(wordlist), 5))
    exact.apply(bounded_in_three_turns(searches, exact, openings, 0, None))
    for spare in (0, 2, 5):
        state = bound_state(table, game)
        state.apply(evaluate(state, openings[::2]))
        goal = int(exact.evidence.bounds[openings].max()) + spare
        state.apply(bounded_in_three_turns(Searches(table, game, MEMORY), state, openings, goal, None))
        assert int(state.evidence.bounds[openings].max()) <= goal
        exhaustive.check(wordlist, state, best)


def test_classes_that_the_goal_does_not_need_are_not_searched():
    small, large = Weighed(100, 80, 110, 120), Weighed(900, 300, 600, 1000)
    known = Weighed(3000, 700, 720, 3100)
    assert to_search(-1, [small, large, known]) == [0, 1, 2]  # it is not enough to search them all
    assert to_search(0, [small, large]) == [0, 1]
    assert to_search(20, [small, large, known]) == [0, 1]  # the largest, of which little is unknown
    assert to_search(350, [small, large, known]) == []


@pytest.mark.parametrize("spare", [-5, 0, 1, 40, 10_000])
def test_what_may_be_spared_is_shared_out_to_classes_that_can_use_it(spare):
    sizes = [(100, 80, 110, 120), (900, 300, 600, 1000), (3000, 700, 720, 3100), (60, 50, 50, 80)]
    classes = [Weighed(*each) for each in sizes]
    shared = shares(spare, classes)
    assert all(0 <= share <= one.most - one.least for share, one in zip(shared, classes, strict=True))
    assert sum(shared) <= max(0, spare)
    if spare > 0:
        assert sum(shared) == pytest.approx(min(spare, 30 + 300 + 20), rel=0.01)
    assert shares(spare, []) == []


def test_an_opening_is_searched_no_further_than_two_guesses_leave_open(monkeypatch):
    monkeypatch.setattr(three_turns, "SMALL", 4)
    words, game = embedded().of_length(4).words[::8], lingo(5)
    table = encode(words)
    state = bound_state(table, game)
    state.apply(evaluate(state, list(range(len(words)))))
    two, opening = TwoGuesses(state), int(state.lowest.argmax())
    state.apply(two.evaluate(opening))
    most, asked, plain = int(state.lowest[opening]), [], ValueSearch.value

    def value(self, members, left, floor=-1, *others):
        asked.append(len(members))
        return plain(self, members, left, floor, *others)

    monkeypatch.setattr(ValueSearch, "value", value)
    searches = Searches(table, game, MEMORY)
    exact = int(bounded_in_three_turns(searches, state, [opening], 0, None).bounds)
    every = len(asked)
    asked.clear()
    found = bounded_in_three_turns(searches, state, [opening], most - 1, None)
    assert not any(search._kept for search in searches._every)
    assert exact < most - 10 and int(found.bounds) <= most - 1
    assert len(asked) < every


@pytest.fixture
def searched():
    """A list, its state, and a certificate in which one opening rests on three turns."""
    wordlist, game = exhaustive.words_alike(), lingo(5)
    state = bound_state(encode(wordlist.words), game)
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
    other = bound_state(state.table, state.game)
    other.apply(bounded_in_three_turns(Searches(state.table, state.game, MEMORY), other, [7], 0, None))
    second = certificate_of(wordlist, state.game, other.evidence)
    for both in (merged([certificate, second]), merged([second, certificate, second])):
        assert sorted(both.evidence.three_turns) == [7, 40]
        assert list(prove(state.table, both))[-1] == len(wordlist)


def test_more_that_is_learnt_of_a_class_is_joined(searched):
    _, state, _ = searched
    values = state.evidence.three_turns[40]
    rows = state.evidence.rows(torch.tensor([40]))
    looser = replace(rows, three_turns={40: values + 1})
    state.apply(looser)
    assert state.evidence.three_turns[40].tolist() == values.tolist()


def test_a_class_too_large_to_be_searched_stays_as_it_is(monkeypatch):
    monkeypatch.setattr(three_turns, "SMALL", 4)
    monkeypatch.setattr(value, "MOST_LABELS", 1)
    wordlist, game = exhaustive.words_alike(), lingo(5)
    state = bound_state(encode(wordlist.words), game)
    before = int(state.evidence.bounds[40])
    evidence = bounded_in_three_turns(Searches(state.table, game, MEMORY), state, [40], before - 1, None)
    assert evidence.bounds.tolist() == [before]

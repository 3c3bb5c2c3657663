"""Automorphisms: of which lists, that openings of an orbit have equal values, what is refused."""

import itertools
import random

import numpy as np
import pytest
from recurrence import Recurrence

from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.automorphisms import automorphisms, orbits
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import proof_of
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import find_game
from gpulingo.optimise.solve import solve
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList


def codes(signs: str, pegs: int) -> WordList:
    return WordList("codes", ["".join(code) for code in itertools.product(signs, repeat=pegs)])


def test_all_codes_have_those_that_swap_places_and_colours():
    table = table_of(codes("1234", 3), find_game("mastermind"))
    assert len(automorphisms(table)) == 2 + 3
    first = orbits(table, automorphisms(table))
    words = codes("1234", 3).words
    assert [words[place] for place in np.unique(first).tolist()] == ["111", "112", "123"]


@pytest.mark.parametrize("change", ["targets", "weights"])
def test_targets_and_weights_are_kept(change):
    words = codes("12", 2)
    words = (
        words.with_targets(["11", "12"])
        if change == "targets"
        else words.with_weights({"11": 1, "12": 5, "21": 1, "22": 1})
    )
    table = table_of(words, find_game("mastermind"))
    first = orbits(table, automorphisms(table)).tolist()
    assert first == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("seed", "name"), list(enumerate(["lingo3", "mastermind3", "wordle-hard3", "black-pegs3", "jotto3"]))
)
def test_openings_of_an_orbit_are_worth_the_same(name, seed):
    draw, game = random.Random(seed), find_game(name)
    words = codes("123"[: draw.randint(2, 3)], draw.randint(2, 3))
    table, law = table_of(words, game), Recurrence(words, game)
    first = orbits(table, automorphisms(table)).tolist()
    assert len(set(first)) < len(words)
    values = [law.value_after(guess, None, 3) for guess in range(len(words))]
    assert values == [values[place] for place in first]
    found = solve(words, game)
    assert found.tree.value == max(values) and found.reached
    assert list(prove(table, found.certificate))[-1] == len(words)


LISTS = {
    "mastermind": codes("12345", 3),
    "bulls-and-cows": WordList("codes", ["".join(code) for code in itertools.permutations("1234567", 3)]),
    "black-pegs": WordList("codes", [a + b + c for a in "12" for b in "1234" for c in "1234"]),
    "jotto": codes("12345", 3),
}


@pytest.mark.parametrize(("seed", "name"), list(enumerate(LISTS)))
def test_a_set_is_worth_the_same_where_one_guess_of_each_orbit_is_searched(name, seed):
    words, game, draw = LISTS[name], find_game(name), random.Random(seed)
    table = table_of(words, game)
    plain, fewer = (
        ValueSearch(table, game.payoff, 1 << 24, swaps=swaps) for swaps in (None, automorphisms(table))
    )
    past, sets, pairs = [], whole(table), [0, 0]
    for left in range(game.turns, game.turns - 3, -1):
        for number in range(sets.sets):
            members = sets.candidates(number)
            found = [plain.value(members, left), fewer.value(members, left, past=past)]
            assert found[0].value == found[1].value
            pairs = [total + one.pairs for total, one in zip(pairs, found, strict=True)]
        past.append(draw.randrange(len(words)))
        guesses = np.full(sets.sets, past[-1], np.int32)
        sets = split(table, sets, guesses).frontier
    assert pairs[1] < pairs[0]


def test_a_certificate_of_every_opening_and_one_of_orbits_are_one(every_opening, monkeypatch):
    words, game = codes("123", 3), find_game("mastermind")
    given = solve(words, game).certificate
    assert len(given.evidence.automorphisms) == 0
    tight = given.bound
    monkeypatch.undo()
    table = table_of(words, game)
    loose = BoundState(table, game)
    given.bounds[loose.first != np.arange(len(words))] = loose.bound + 9  # weaker, but valid
    both = proof_of(words, loose, given, 1 << 62)
    assert len(both.evidence.automorphisms) > 0 and both.bound == tight < loose.bound
    assert list(prove(table, both))[-1] == len(words)


def test_a_bound_that_is_less_than_that_of_its_orbit_has_to_follow_by_itself():
    words, game = codes("12", 3), find_game("mastermind3")
    certificate = solve(words, game).certificate
    table = table_of(words, game)
    first = orbits(table, automorphisms(table))
    other = int(np.flatnonzero(first != np.arange(len(words)))[0])
    certificate.bounds[other] -= 1
    with pytest.raises(CertificateError, match="said to have at most"):
        list(prove(table, certificate))

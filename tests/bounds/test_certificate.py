"""Certificates are read back as written, merged, and searches begin with them; refusals are in calls.tsv."""

from dataclasses import replace

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.certificate import (
    Certificate,
    certificate_arrays,
    certificate_of,
    merged,
    parsed_certificate,
)
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import bounded_by, evaluate, proof_of
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import lingo
from gpulingo.optimise.solver import Solver, TimeIsUp
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.verify import verify


@pytest.fixture
def certified():
    """A list, its table and a certificate with evidence of every kind."""
    wordlist, turns = exhaustive.random_list(18)
    table = encode(wordlist.words)
    state = BoundState(table, lingo(turns))
    state.apply(evaluate(state, [0, 1]))
    state.apply(bounded_by(state, np.arange(2, len(wordlist)), 0))
    state.apply(exhaustive.searched(state, 3))
    return wordlist, table, certificate_of(wordlist, state.game, state.evidence)


def test_a_certificate_is_read_back_as_it_was_written(certified):
    wordlist, _, certificate = certified
    three = {4: np.array([7, 5]), 9: np.array([3])}
    certificate = replace(certificate, evidence=replace(certificate.evidence, three_turns=three))
    arrays = certificate_arrays(certificate)
    assert arrays["format"].tolist() == [8, certificate.turns, len(wordlist)]
    assert arrays["game"].tobytes() == b"lingo"
    again = certificate_arrays(parsed_certificate(arrays))
    assert arrays.keys() == again.keys()
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
    evidence = certificate.evidence
    assert evidence.neighbours and evidence.searched and evidence.three_turns


def cut_short(wordlist, turns, calls, *, tree=None, given=None, **options):
    """A search that is stopped after so many calls of its check."""
    left = [calls]

    def check():
        left[0] -= 1
        if left[0] < 0:
            raise TimeIsUp

    solver = Solver(wordlist, lingo(turns), **options)
    solver.begin_with(tree, given)
    solver.run(check)
    return solver


def certified_by(wordlist, state):
    return certificate_of(wordlist, state.game, state.evidence)


def partial(wordlist, turns):
    """Certificates of searches that stopped at different bounds by different methods."""
    exact, loose = (cut_short(wordlist, turns, calls) for calls in (60, 25))
    found = [certified_by(wordlist, loose.state.bounds), certified_by(wordlist, exact.state.bounds)]
    looked = cut_short(wordlist, turns, 25)
    state = looked.state.bounds
    state.apply(evaluate(state, list(range(0, len(wordlist), 2))))
    state.apply(bounded_by(state, np.arange(1, len(wordlist), 2), 0))
    exhaustive.counted(state, list(range(5, len(wordlist), 5)), 0)
    return [*found, certified_by(wordlist, state)]


def test_the_merged_bounds_are_the_smallest_and_follow_from_what_is_named(game):
    wordlist, table, rules, best = game
    turns = rules.turns
    some = partial(wordlist, turns)
    for order in (some, some[::-1], some[1:]):
        one = merged(order)
        assert np.array_equal(one.bounds, np.min([each.bounds for each in order], axis=0))
        assert bool((one.bounds >= best).all())
        again = parsed_certificate(certificate_arrays(one))
        assert list(prove(table, again))[-1] == len(wordlist)
    assert merged([some[0], some[0]]).bounds is some[0].bounds


def test_a_search_that_begins_with_what_is_known_ends_with_no_less_wherever_it_ends(game):
    wordlist, _, rules, best = game
    turns = rules.turns
    optimum = int(best.max())
    before = cut_short(wordlist, turns, 40)
    given = certified_by(wordlist, before.state.bounds)
    for calls in (0, 3, 30, 10_000):
        solver = cut_short(wordlist, turns, calls, tree=before.tree, given=given)
        assert before.value <= solver.value <= optimum <= solver.bound <= given.bound
        verify(solver.tree, wordlist)
        proof = proof_of(wordlist, solver.state.bounds, solver.state.given, 1 << 62)
        assert proof.bound <= given.bound and max(proof.bound, solver.value) == solver.bound
        assert list(prove(encode(wordlist.words), proof))[-1] == len(wordlist)
    assert solver.value == solver.bound == optimum


def test_a_certificate_below_what_a_tree_has_is_dropped(game):
    wordlist, _, rules, best = game
    turns = rules.turns
    given = certified_by(wordlist, cut_short(wordlist, turns, 40).state.bounds)
    given.bounds[:] = 1
    solver = cut_short(wordlist, turns, 10**9, given=given)
    assert solver.state.given is None and solver.state.bounds.given is None
    assert solver.value == solver.bound == int(best.max())


def test_an_opening_that_others_rest_on_stays_what_it_was():
    """A neighbour that is bounded by two guesses stays so if its own bound later has another source."""
    wordlist, table, rules, _ = exhaustive.made(10)
    nothing = BoundState(table, rules).evidence
    twofold, lower = nothing.two_guesses.copy(), nothing.bounds.copy()
    twofold[3] = True
    lower[3] -= 1
    first = replace(nothing, two_guesses=twofold, neighbours={5: [3]})
    both = [
        Certificate(wordlist.fingerprint, rules, each) for each in (first, replace(nothing, bounds=lower))
    ]
    evidence = merged(both).evidence
    assert bool(evidence.two_guesses[3]) and evidence.neighbours == {5: [3]}

"""Several certificates of one list as one: the smallest bound of every opening, and still a proof."""

from dataclasses import replace

import exhaustive
import torch

from gpulingo.bounds.certificate import Certificate, certificate_arrays, merged, parsed_certificate
from gpulingo.bounds.certificate import certificate_of as certificate_of_evidence
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import bounded_by, evaluate, proof_of
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.optimise.solver import Solver, TimeIsUp
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.verify import verify


def cut_short(wordlist, turns, calls, *, tree=None, given=None, **options):
    """A search that is ended after so many calls of its check."""
    left = [calls]

    def check():
        left[0] -= 1
        if left[0] < 0:
            raise TimeIsUp

    solver = Solver(wordlist, lingo(turns), **options)
    solver.begin_with(tree, given)
    solver.run(check)
    return solver


def certificate_of(wordlist, state):
    return certificate_of_evidence(wordlist, state.game, state.evidence)


def partial(wordlist, turns):
    """Certificates of searches that came to different bounds in different ways."""
    exact, loose = (cut_short(wordlist, turns, calls) for calls in (60, 25))
    found = [certificate_of(wordlist, loose.state.bounds), certificate_of(wordlist, exact.state.bounds)]
    looked = cut_short(wordlist, turns, 25)
    state = looked.state.bounds
    state.apply(evaluate(state, list(range(0, len(wordlist), 2))))
    state.apply(bounded_by(state, torch.arange(1, len(wordlist), 2), 0))
    exhaustive.counted(state, list(range(5, len(wordlist), 5)), 0)
    return [*found, certificate_of(wordlist, state)]


def test_the_merged_bounds_are_the_smallest_and_follow_from_what_is_named(game):
    wordlist, table, rules, best = game
    turns = rules.turns
    some = partial(wordlist, turns)
    for order in (some, some[::-1], some[1:]):
        one = merged(order)
        assert torch.equal(one.bounds, torch.stack([each.bounds for each in order]).amin(0))
        assert bool((one.bounds >= best).all())
        again = parsed_certificate(certificate_arrays(one))
        assert list(prove(table, again))[-1] == len(wordlist)
    assert merged([some[0], some[0]]) is some[0]


def test_a_search_that_begins_with_what_is_known_ends_with_no_less_wherever_it_ends(game):
    wordlist, _, rules, best = game
    turns = rules.turns
    optimum = int(best.max())
    before = cut_short(wordlist, turns, 40)
    given = certificate_of(wordlist, before.state.bounds)
    for calls in (0, 3, 30, 10_000):
        solver = cut_short(wordlist, turns, calls, tree=before.tree, given=given)
        assert before.value <= solver.value <= optimum <= solver.bound <= given.bound
        verify(solver.tree, wordlist)
        proof = proof_of(wordlist, solver.state.bounds, solver.state.given)
        assert proof.bound <= given.bound and max(proof.bound, solver.value) == solver.bound
        assert list(prove(encode(wordlist.words), proof))[-1] == len(wordlist)
    assert solver.value == solver.bound == optimum


def test_a_proven_best_is_taken_over_without_a_search(game):
    wordlist, _, rules, _ = game
    turns = rules.turns
    whole = cut_short(wordlist, turns, 10**9)
    given = certificate_of(wordlist, whole.state.bounds)
    again = Solver(wordlist, lingo(turns))
    again.begin_with(whole.tree, given)
    assert again.above(whole.value) == 0
    assert again.run(lambda: None) and again.state.bounds is None
    assert (again.value, again.tree, again.bound) == (whole.value, whole.tree, whole.bound)


def test_a_certificate_below_what_a_tree_has_is_dropped(game):
    wordlist, _, rules, best = game
    turns = rules.turns
    given = certificate_of(wordlist, cut_short(wordlist, turns, 40).state.bounds)
    given.bounds[:] = 1
    solver = cut_short(wordlist, turns, 10**9, given=given)
    assert solver.state.given is None and solver.state.bounds.given is None
    assert solver.value == solver.bound == int(best.max())


def test_an_opening_that_others_rest_on_stays_what_it_was():
    """A neighbour that is bounded by two guesses goes on to be, where its own bound comes from elsewhere."""
    wordlist, table, rules, _ = exhaustive.made(10)
    nothing = bound_state(table, rules).evidence
    twofold, lower = nothing.two_guesses.clone(), nothing.bounds.clone()
    twofold[3] = True
    lower[3] -= 1
    first = replace(nothing, two_guesses=twofold, neighbours={5: [3]})
    both = [
        Certificate(wordlist.fingerprint, rules, each) for each in (first, replace(nothing, bounds=lower))
    ]
    evidence = merged(both).evidence
    assert bool(evidence.two_guesses[3]) and evidence.neighbours == {5: [3]}

"""Searches for the best strategy against plain recursion over every guess; certificates."""

import random
from contextlib import suppress

import exhaustive
import pytest
import torch

from gpulingo.bounds import supersets
from gpulingo.bounds.certificate import (
    certificate_arrays,
    certificate_of,
    parsed_certificate,
    unfinished,
)
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import count_until, evaluate, proof_of
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise import solver as search
from gpulingo.optimise import units
from gpulingo.optimise.solver import Solver, TimeIsUp
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import Ranking, parts
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse


def solved(wordlist, turns=5, **options):
    """A search that has been run to its end."""
    solver = Solver(wordlist, lingo(turns), **options)
    solver.proven = solver.run(lambda: None)
    return solver


def certificate_from(solver):
    return certificate_of(solver.problem.wordlist, solver.problem.game, solver.state.bounds.evidence)


def proven_bound(solver, certificate):
    """The bound of a certificate, after it was checked to the last opening."""
    assert list(prove(encode(solver.problem.wordlist.words), certificate))[-1] == len(solver.problem.wordlist)
    return certificate.bound


@pytest.mark.parametrize("seed", range(6))
def test_the_proven_optimum_is_that_of_brute_force(seed):
    wordlist, turns = exhaustive.random_list(seed)
    best = exhaustive.best_value(wordlist.words, turns)
    solver = solved(wordlist, turns)
    assert solver.proven and (solver.value, solver.bound) == (best, best)
    verify(solver.tree, wordlist)
    assert solver.tree.mean_points == 100 * best / len(wordlist)
    assert proven_bound(solver, certificate_from(solver)) == best


@pytest.mark.parametrize("name", ["lingo3", "wordle-lost3", "wordle-hard3", "wordle-from3-hard4"])
def test_the_proven_optimum_of_weighted_words_of_which_some_are_lost_is_that_of_recursion(name):
    draw, game = random.Random(1), find_game(name)
    words = sorted(
        {*(letter + "xx" for letter in "abcdefgh"), *("".join(draw.choices("abx", k=3)) for _ in "0123")}
    )
    weights = {word: draw.randint(1, 9) for word in words}
    wordlist = parse("\n".join(words)).of_length(3).with_weights(weights)
    solver = Solver(wordlist, game)
    assert solver.run(lambda: None) and solver.tree.lost > 0
    best = exhaustive.best_of(words, game, range(len(words)), [weights[word] for word in words])
    assert solver.value == solver.bound == best


def test_the_best_of_a_tiny_list_is_what_anyone_can_count():
    """No guess tells all four apart: two are told apart by x, and one is found a turn later."""
    solver = solved(parse("aab\naac\naad\naae").of_length(3), 3)
    # A candidate leaves three words that only one more guess each can part: 3 + (2 + 1 + 1).
    assert solver.value == solver.bound == 3 + 2 + 1
    assert solver.tree.turn_counts() == [1, 1, 1]


@pytest.mark.slow
def test_a_search_that_ran_out_of_time_still_bounds_the_best():
    wordlist, turns = exhaustive.random_list(29)
    best = exhaustive.best_value(wordlist.words, turns)
    for calls in (1, 5, 20, 60):
        left = [calls]

        def check(left=left):
            left[0] -= 1
            if left[0] < 0:
                raise TimeIsUp

        solver = Solver(wordlist, lingo(turns))
        solver.run(check)
        assert solver.value <= best <= solver.bound
        if solver.state.bounds is not None:
            assert proven_bound(solver, certificate_from(solver)) >= best


def words_alike(count):
    """Words of three of six letters, drawn by chance."""
    draw, words = random.Random(count), set()
    while len(words) < count:
        words.add("".join(draw.choices("abcdef", k=3)))
    return parse("\n".join(sorted(words))).of_length(3)


def check_claims(solver, monkeypatch):
    """That what is claimed of an opening is what the checker derives, wherever that matters."""
    monkeypatch.setattr(supersets, "SMALLEST", 10**6)  # the checker counts none but those that are named
    bounds, wordlist = solver.state.bounds, solver.problem.wordlist
    derived, claimed, evidence = exhaustive.derived(wordlist, bounds), bounds.evidence.bounds, bounds.evidence
    matters = (claimed > solver.value) | (evidence.looked > 0)
    matters[list(evidence.neighbours)] = True
    assert torch.equal(claimed[matters], derived[matters]) and bool((claimed >= derived).all())
    return len(evidence.supersets), len(evidence.counted), len(evidence.neighbours)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "calls", "error"),
    [
        (100, 150, KeyboardInterrupt),
        pytest.param(200, 100, TimeIsUp, marks=pytest.mark.slow),
        pytest.param(150, 10**6, TimeIsUp, marks=pytest.mark.slow),
    ],
)
def test_what_is_claimed_in_the_end_is_all_that_the_evidence_yields(words, calls, error, monkeypatch):
    """When the time is up, after Ctrl-C, or when all is proven; also of a search that goes on."""
    monkeypatch.setattr(supersets, "SMALLEST", 2)
    monkeypatch.setattr(units, "WORTH", 1)
    monkeypatch.setattr(units, "BATCH", 16)
    left = [calls]

    def check():
        left[0] -= 1
        if left[0] < 0:
            raise error

    wordlist = words_alike(words)
    first, second = Solver(wordlist), Solver(wordlist)
    first.state.exact = False
    with suppress(KeyboardInterrupt):
        first.run(check)
    with monkeypatch.context() as patch:
        assert min(check_claims(first, patch)) > 0
    second.begin_with(first.tree, proof_of(wordlist, first.state.bounds, None, first.value))
    left[0] = 60
    with suppress(KeyboardInterrupt):
        second.run(check)
    assert second.bound <= first.bound
    if second.state.bounds is not None:  # else the first search had proven it
        check_claims(second, monkeypatch)


@pytest.mark.slow
def test_a_gap_is_reached_when_no_opening_is_left_above_it():
    wordlist, turns = exhaustive.random_list(29)
    solver = Solver(wordlist, lingo(turns))
    assert solver.above(0) == len(wordlist)  # nothing is known yet
    best = exhaustive.best_value(wordlist.words, turns)
    for enough in (12, 6, 3, 0):
        assert solver.run(lambda: None, enough)
        assert solver.above(solver.value + enough) == 0 and solver.bound <= solver.value + enough
        assert solver.value <= best <= solver.bound
        bounds = solver.state.bounds.evidence.bounds.tolist()
        assert solver.above(solver.value - 1) == sum(bound >= solver.value for bound in bounds)


@pytest.mark.slow
def test_where_every_guess_is_too_much_to_search_openings_are_played_out_in_one_order(monkeypatch):
    monkeypatch.setattr(search, "EVERY_GUESS", 1)
    wordlist = exhaustive.families()
    solver = solved(wordlist)
    assert solver.state.exact is False and solver.state.stages.values[0]
    # The best of the first was tried, as long as all openings of its orbit may take.
    assert list(solver.state.doubled.values()) == [max(1, solver._most_doubled)]
    assert solver.value <= exhaustive.best_value(wordlist.words, 5) <= solver.bound


@pytest.mark.slow
def test_a_limit_that_is_too_low_is_doubled_until_openings_are_closed(monkeypatch):
    monkeypatch.setattr(search, "EVERY_GUESS", 1)
    wordlist = exhaustive.families()
    solver = Solver(wordlist, lingo(5))
    solver.state.exact = True
    assert solver.run(lambda: None) and solver.state.doubled
    assert solver.value == solver.bound == exhaustive.best_value(wordlist.words, 5)


def test_every_opening_is_worth_at_most_its_bound():
    wordlist, turns = exhaustive.random_list(10)
    solver = solved(wordlist, turns)
    for opening in range(len(wordlist)):
        alone = Solver(wordlist, lingo(turns))
        widths = dict.fromkeys(range(3, turns), len(wordlist))
        (value,) = alone.problem.lookahead(widths, None, lambda pairs: None).values_of([opening])
        assert value <= int(solver.state.bounds.evidence.bounds[opening])


@pytest.mark.slow
def test_the_number_of_threads_and_the_seed_change_nothing():
    wordlist, turns = exhaustive.random_list(28)
    before = torch.get_num_threads()
    try:
        trees = []
        for threads, seed in ((1, 0), (2, 0), (1, 7)):
            torch.set_num_threads(threads)
            trees.append(solved(wordlist, turns, seed=seed).tree)
    finally:
        torch.set_num_threads(before)
    assert trees[0] == trees[1] == trees[2]


def test_fewer_than_three_turns_are_left_to_build():
    with pytest.raises(ValueError, match="gpulingo simulate"):
        Solver(parse("aab\naac").of_length(3), lingo(2))


@pytest.mark.slow
def test_a_short_list_has_a_better_tree_before_any_class_is_counted(monkeypatch):
    """Also where no search of every guess comes to its end."""
    monkeypatch.setattr(search, "EVERY_GUESS", 0)  # pairs
    wordlist = words_alike(150)
    solver = Solver(wordlist, lingo(4))
    solver.state.exact = True
    first = build(wordlist, Ranking("parts", parts), lingo(4)).tree.value

    def check():
        if solver.state.bounds is not None and solver.state.bounds.evidence.evaluated:
            raise TimeIsUp

    solver.run(check)
    assert solver.state.bounds.evidence.evaluated
    assert first < solver.value <= solver.bound


@pytest.mark.parametrize(
    ("game", "words"), [("lingo-found3", 60), ("lingo-found3", 80), ("lingo-hard-found4", 130)]
)
def test_openings_are_played_out_until_no_word_is_lost_before_any_is_searched(game, words):
    """A ranking alone loses words that the first of them find."""
    wordlist, rules = words_alike(words), find_game(game[:-1], int(game[-1]))
    solver = Solver(wordlist, rules)
    assert build(wordlist, Ranking("parts", parts), rules).tree.lost > 0

    def check():
        if solver.tree is not None and solver.tree.lost == 0:
            raise TimeIsUp

    solver.run(check)
    assert solver.tree.lost == 0 and solver.state.stages.values[0] and not solver.state.doubled


@pytest.mark.parametrize("name", ["lingo", "wordle-hard"])
def test_all_openings_of_the_best_value_are_found(name):
    draw, ties = random.Random(5), 0
    for _ in range(6):
        words = sorted({"".join(draw.choices("abcd", k=3)) for _ in range(20)})
        game = find_game(name, 4)
        solver = Solver(parse("\n".join(words)).of_length(3), game)
        assert solver.run(lambda: None)
        known, possible = solver.optimal_openings
        law = exhaustive.law_of(words, game)
        values = [law.value_after(opening) for opening in range(len(words))]
        best = sum(value == max(values) for value in values)
        assert 1 <= known <= best <= possible
        solver.find_optimal(lambda: None)
        assert solver.optimal_openings == (best, best)
        ties += best > 1
    assert ties > 1


def test_classes_that_were_counted_of_unfinished_openings_are_not_counted_again():
    wordlist, turns = exhaustive.random_list(29)
    solver = Solver(wordlist, lingo(turns))
    bounds = solver.at.bounds
    some = list(range(0, len(wordlist), 3))
    for lowered in count_until(bounds, some, 0):
        bounds.apply(lowered)
    proof = proof_of(wordlist, bounds, None, 0)
    arrays = certificate_arrays(proof)
    assert arrays["format"][0] == 8 and set(proof.evidence.counted) == set(some)
    again = Solver(wordlist, lingo(turns))
    again.begin_with(None, parsed_certificate(arrays))
    evaluated = again.at.bounds.evidence.evaluated
    assert set(evaluated) == set(some)
    for opening in some:
        fresh = evaluate(bound_state(again.problem.table, lingo(turns)), [opening]).evaluated[opening]
        assert torch.equal(fresh.two, evaluated[opening].two)
    assert int(again.at.bounds.evidence.bounds.sum()) == int(bounds.evidence.bounds.sum())
    done = unfinished(proof, int(proof.bounds.max()))
    assert not done.evidence.counted


def one_letter(draw):
    """Words that differ in one place, so that each guess tells one of them."""
    return ["cran" + letter for letter in draw.sample("abcdefghijklmnopqrstuvwxyz", 20)]


def anagrams(draw):
    """Words of one set of letters."""
    return sorted({"a" + "".join(draw.sample("aaaaaxxx", 8)) for _ in range(60)})


ALIKE = ("lingo", "wordle-hard", "wordle-lost", "lingo-found", "jotto", "jotto-lost", "jotto-found")


@pytest.mark.parametrize(("name", "seed"), [(name, 8 + place) for place, name in enumerate(ALIKE)])
def test_words_that_no_guess_tells_apart_take_few_pairs(name, seed):
    words = (anagrams if "jotto" in name else one_letter)(random.Random(seed))
    solver, taken = Solver(parse("\n".join(words)).of_length(len(words[0])), find_game(name, seed)), [0]

    def count(pairs):
        taken[0] += pairs
        assert taken[0] < 1 << 22

    solver.at.progress = count
    assert solver.run(lambda: None) and solver.tree.lost == max(0, len(words) - seed)

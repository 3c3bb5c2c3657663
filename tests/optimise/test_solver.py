"""Searches for the best strategy against plain recursion over every guess; certificates."""

import itertools
import random
from dataclasses import replace

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.bounds.certificate import certificate_arrays, certificate_of, parsed_certificate, unfinished
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import count_until, evaluate, proof_of
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise import solver as solver_module
from gpulingo.optimise.solve import solve
from gpulingo.optimise.solver import Solver, TimeIsUp
from gpulingo.optimise.state import Stage
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import Ranking, parts
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse


def solved(wordlist, turns=5, **options):
    """A search that has run to its end."""
    solver = Solver(wordlist, lingo(turns), **options)
    solver.proven = solver.run(lambda: None)
    return solver


def certificate_from(solver):
    return certificate_of(solver.problem.wordlist, solver.problem.game, solver.state.bounds.evidence)


def proven_bound(solver, certificate):
    """The bound of a certificate, after a complete check."""
    assert list(prove(encode(solver.problem.wordlist.words), certificate))[-1] == len(solver.problem.wordlist)
    return certificate.bound


@pytest.mark.parametrize("seed", [0, 2, 5])
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
    """No guess separates all four: x separates two, and one word is found a turn later."""
    solver = solved(parse("aab\naac\naad\naae").of_length(3), 3)
    # A candidate leaves three words, which need one more guess to separate: 3 + (2 + 1 + 1).
    assert solver.value == solver.bound == 3 + 2 + 1
    assert solver.tree.turn_counts() == [1, 1, 1]


def words_alike(count):
    """Random words of three letters out of six."""
    draw, words = random.Random(count), set()
    while len(words) < count:
        words.add("".join(draw.choices("abcdef", k=3)))
    return parse("\n".join(sorted(words))).of_length(3)


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


@pytest.mark.parametrize(("game", "words"), [("lingo-hard-found3", 50), ("lingo-hard-found4", 130)])
def test_openings_are_played_out_until_no_word_is_lost_before_any_is_searched(game, words):
    """A ranking alone loses words that the first of its openings find."""
    wordlist, rules = words_alike(words), find_game(game[:-1], int(game[-1]))
    solver = Solver(wordlist, rules)
    assert build(wordlist, Ranking("parts", parts), rules).tree.lost > 0

    def check():
        if solver.tree is not None and solver.tree.lost == 0:
            raise TimeIsUp

    solver.run(check)
    assert solver.tree.lost == 0 and solver.state.stages.values[0] and not solver.state.doubled


@pytest.mark.parametrize("name", ["lingo", "wordle-hard", "mastermind"])
def test_all_openings_of_the_best_value_are_found(name):
    draw, ties = random.Random(5), 0
    for _ in range(6):
        words = sorted({"".join(draw.choices("abcd", k=3)) for _ in range(20)})
        if name == "mastermind":  # automorphisms map openings to each other
            words = ["".join(code) for code in itertools.product("ab", repeat=3)]
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
        fresh = evaluate(BoundState(again.problem.table, lingo(turns)), [opening]).evaluated[opening]
        assert np.array_equal(fresh.two, evaluated[opening].two)
    assert int(again.at.bounds.evidence.bounds.sum()) == int(bounds.evidence.bounds.sum())
    done = unfinished(proof, int(proof.bounds.max()))
    assert not done.evidence.counted


def one_letter(draw):
    """Words that differ in one place, so that each guess separates only itself."""
    return ["cran" + letter for letter in draw.sample("abcdefghijklmnopqrstuvwxyz", 20)]


def anagrams(draw):
    """Words of one set of letters."""
    return sorted({"a" + "".join(draw.sample("aaaaaxxx", 8)) for _ in range(60)})


ALIKE = ("lingo-found", "wordle-hard", "jotto-lost")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [(name, 8 + place) for place, name in enumerate(ALIKE)])
def test_words_that_no_guess_tells_apart_take_few_pairs(name, seed):
    words = (anagrams if "jotto" in name else one_letter)(random.Random(seed))
    solver, taken = Solver(parse("\n".join(words)).of_length(len(words[0])), find_game(name, seed)), [0]

    def count(pairs):
        taken[0] += pairs
        assert taken[0] < 1 << 22

    solver.at.progress = count
    assert solver.run(lambda: None) and solver.tree.lost == max(0, len(words) - seed)


@pytest.mark.slow
def test_what_no_other_work_can_close_is_searched_before_a_search_gives_up(monkeypatch):
    """The first search hits its limit, and three turns leave a bound above the value."""
    draw = random.Random(1)
    words = sorted({"".join(draw.choices("abcdefghijkl", k=3)) for _ in range(210)})[:200]
    monkeypatch.setattr(solver_module, "EVERY_GUESS", 1 << 13)
    monkeypatch.setattr(solver_module, "SHORT", 1)
    solver = solved(parse("\n".join(words)).of_length(3), plan=[Stage(2, {4: 4, 3: 4})])
    assert solver.proven and solver.state.exact and max(solver.state.doubled.values()) > 0


def test_solve_gives_the_tree_its_bound_and_a_certificate():
    wordlist, turns = exhaustive.random_list(18)
    best = exhaustive.best_value(wordlist.words, turns)
    seen = []
    solution = solve(
        wordlist.words, lingo(turns), check=lambda solver: seen.append(solver.bound - solver.value)
    )
    verify(solution.tree, wordlist)
    assert solution.reached and solution.tree.mean_points == solution.bound == 100 * best / len(wordlist)
    assert solution.tree.bound == solution.bound and min(seen) >= 0
    assert list(prove(encode(wordlist.words), solution.certificate))[-1] == len(wordlist)
    again = solve(wordlist, lingo(turns), tree=solution.tree, certificate=solution.certificate)
    assert again.reached and (again.tree, again.bound) == (solution.tree, solution.bound)


@pytest.mark.slow
def test_solve_ends_at_its_gap_or_its_time_with_what_there_is():
    wordlist, turns = exhaustive.random_list(29)
    optimum = 100 * exhaustive.best_value(wordlist.words, turns) / len(wordlist)
    short = solve(wordlist, lingo(turns), seconds=0)
    near = solve(wordlist, lingo(turns), gap=20.0)
    assert not short.reached and short.certificate is None and short.bound == short.tree.bound
    assert near.reached and near.bound - near.tree.mean_points <= 20.0
    for solution in (short, near):
        assert solution.tree.mean_points <= optimum <= solution.bound
    with pytest.raises(CheckpointError, match="checkpoint is for"):
        solve(wordlist.words[::-1], lingo(turns), tree=near.tree)


@pytest.mark.slow
def test_a_bound_below_the_value_of_its_opening_leads_no_search_astray_under_a_rule():
    draw = random.Random(3)
    for number in range(8):
        words = sorted({"".join(draw.choices("abcdefg", k=2)) for _ in range(draw.randint(20, 50))})
        game = find_game(("wordle-hard", "wordle-consistent")[number % 2], 5)
        best = solve(words, game)
        bounds, optimum = best.certificate.bounds.copy(), best.tree.value
        # `prove` searches each opening with the greatest bound as its lower limit, so it accepts them all.
        worst = int(bounds.argmin())
        bounds = bounds.clip(max=optimum - 1)
        bounds[worst] = optimum
        forged = replace(best.certificate, evidence=replace(best.certificate.evidence, bounds=bounds))
        again = solve(words, game, certificate=forged)
        assert (again.tree.value, again.bound) == (optimum, best.bound), (number, game.code)

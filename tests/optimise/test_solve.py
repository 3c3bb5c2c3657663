"""The public search: trees with bounds and certificates, and what it refuses to begin with."""

import random
from dataclasses import replace

import exhaustive
import pytest

from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.game import Game
from gpulingo.optimise.solve import solve
from gpulingo.strategies.build import simulate
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse


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


def test_a_game_whose_values_are_unknown_is_refused():
    game = Game("steep", 4, (0, 1, 2, 4, 8))
    with pytest.raises(ValueError, match=f"no bounds are known of {game.code}"):
        solve(["aab", "aac"], game)


@pytest.mark.slow
def test_a_bound_below_the_value_of_its_opening_leads_no_search_astray_under_a_rule():
    draw = random.Random(3)
    for number in range(200):
        words = sorted({"".join(draw.choices("abcdefg", k=2)) for _ in range(draw.randint(20, 50))})
        game = find_game(("wordle-hard", "wordle-consistent")[number % 2], 5)
        best = solve(words, game)
        bounds, optimum = best.certificate.bounds.clone(), best.tree.value
        # `prove` searches each opening with the greatest bound as its floor, so it accepts them all.
        worst = int(bounds.argmin())
        bounds.clamp_(max=optimum - 1)
        bounds[worst] = optimum
        forged = replace(best.certificate, evidence=replace(best.certificate.evidence, bounds=bounds))
        again = solve(words, game, certificate=forged)
        assert (again.tree.value, again.bound) == (optimum, best.bound), (number, game.code)


@pytest.fixture(scope="module")
def sixty():
    """Sixty words of five of eight letters, drawn by chance."""
    draw, words = random.Random(5), set()
    while len(words) < 60:
        words.add("".join(draw.choices("abcdefgh", k=5)))
    return sorted(words)


def test_a_tree_of_another_game_is_refused(sixty):
    tree = simulate(sixty, game=lingo(6)).tree
    with pytest.raises(CheckpointError, match="the game lingo6, asked for is lingo5"):
        solve(sixty, seconds=0, tree=tree)


def test_a_certificate_of_another_list_game_or_number_of_words_is_refused(sixty):
    certificate = solve(sixty[:20]).certificate
    with pytest.raises(CertificateError, match="the certificate is for list"):
        solve(sixty[20:40], seconds=0, certificate=certificate)
    with pytest.raises(CertificateError, match="the game lingo5, asked for is lingo6"):
        solve(sixty[:20], lingo(6), seconds=0, certificate=certificate)
    wordlist = parse("\n".join(sixty)).of_length(5)
    short = replace(certificate, fingerprint=wordlist.fingerprint)
    with pytest.raises(CertificateError, match="the certificate has 20 words, its list 60"):
        solve(wordlist, seconds=0, certificate=short)

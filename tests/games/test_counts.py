"""Counts: the rule, its notation, that all backends compute it, and published results for codes."""

import random

import numpy as np
import pytest
import torch

from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import COUNTED, feedback_of, find_game
from gpulingo.games.counts import Common, Counts
from gpulingo.optimise.solve import solve
from gpulingo.solvers.words import labelling
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.feedback import feedback_of as feedback_of_table
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import find_listing
from gpulingo.words.wordlist import WordList

RULES = {"mastermind": Counts(), "black-pegs": Counts(held=False), "jotto": Common()}


def lists(draw: random.Random) -> WordList:
    """Codes of 1 to 13 pegs, some with targets."""
    pegs, signs = draw.choice([(1, "12345"), (3, "123"), (4, "123456"), (6, "12"), (13, "abc12")])
    codes = ["".join(code) for code in (draw.choices(signs, k=pegs) for _ in range(60))]
    words = WordList("codes", sorted(set(codes)))
    return words.with_targets(draw.sample(words.words, max(1, len(words) * 2 // 3)))


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name in RULES for seed in (0, 1)])
def test_every_backend_has_the_plain_rule(name, seed):
    draw, game = random.Random(seed), find_game(name)
    words, rule = lists(draw), feedback_of(game)
    table = table_of(words, game).to(torch.device("cpu"))
    places = torch.arange(len(words), dtype=torch.int32)
    shown = feedback_of_table(table).paired(table, places[:, None], places)
    plain = [[rule.pattern(rule.feedback(guess, target)) for target in words.words] for guess in words.words]
    assert shown.tolist() == plain
    sets = frontier([table.targets, table.targets[::2]])
    way = Objective(-(torch.arange(len(words) + 1) ** 2), bonus=1)
    ranked, expected = (rank(table, sets, table.pool, way, 5, backend=each) for each in (cpu, reference))
    assert torch.equal(ranked.guesses, expected.guesses) and torch.equal(ranked.ranks, expected.ranks)
    first = expected.guesses[:, 0].contiguous()
    ours, theirs = (split(table, sets, first, backend=each) for each in (cpu, reference))
    assert torch.equal(ours.patterns, theirs.patterns)
    assert torch.equal(ours.frontier.members, theirs.frontier.members)


# Mastermind: Knuth, Neuwirth, Irving, Kooi (serkangur.freeservers.com). Bulls and Cows: our result.
PUBLISHED = {
    "mastermind": {"largest_class": 5801, "entropy": 5722, "expected_size": 5696, "parts": 5668},
    "bulls-and-cows": {"entropy": 26424, "expected_size": 26551, "parts": 26751, "largest_class": 27139},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"), [(name, way) for name, ways in PUBLISHED.items() for way in ways]
)
def test_strategies_take_as_many_guesses_as_others_found(name, strategy):
    game, codes = find_game(name), find_listing(4, None, COUNTED[name][1]).of_length(4)
    tree = build(codes, named(strategy, game=game), game).tree
    assert (tree.lost, tree.total_guesses) == (0, PUBLISHED[name][strategy])


@pytest.mark.slow
def test_5625_guesses_are_the_least_of_mastermind_and_the_certificate_says_why():
    codes, game = find_listing(4, None, True).of_length(4), find_game("mastermind")
    found = solve(codes, game)
    assert found.reached and found.tree.total_guesses == 5625
    assert len(found.certificate.evidence.automorphisms) == 3 + 5  # neighbours are swapped
    assert list(prove(table_of(codes, game), found.certificate))[-1] == 1296


@pytest.mark.slow
def test_guesses_that_fit_all_counts_before_them_need_the_published_total():
    found = solve(find_listing(4, None, True).of_length(4), find_game("mastermind-consistent"))
    assert found.reached and found.tree.total_guesses == 5660


@pytest.mark.parametrize(("name", "asked"), [("mastermind", 0), ("jotto", 0), ("lingo", 1)])
def test_no_guess_is_left_out_by_its_letters_where_these_are_not_shown_apart(monkeypatch, name, asked):
    table = table_of(find_listing(3, None, True, 4).of_length(3), find_game(name))
    calls, places = list[int](), np.arange(table.words, dtype=np.int32)
    monkeypatch.setattr(
        labelling, "needless", lambda table, words, guesses: calls.append(1) or np.zeros(len(guesses), bool)
    )
    labelling.label_set(table, places[:30], places[30:], finest=True)
    assert len(calls) == asked

"""A guess that loses no word is found if one exists; it starts a strategy that finds all words."""

import random

import exhaustive
import pytest

from gpulingo import build, encode
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise import lookahead as module
from gpulingo.optimise.lookahead import Lookahead, NoneLost
from gpulingo.optimise.solve import solve
from gpulingo.optimise.stored_search import last_turn, worst_turn
from gpulingo.strategies.build import simulate
from gpulingo.words.wordlist import WordList

SHAPE = ("abcdefgh", "abc", "abc")  # letters of each place: many words differ only in the first


def sought(words, turns):
    """The guess that a search for a strategy without lost words returns, and the search."""
    table = encode(words).here
    seeker, result = NoneLost(table, 1 << 22, lambda pairs: None), None
    steps = seeker.seek(table.targets, turns)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result = end.value
            return result, seeker


@pytest.mark.slow
@pytest.mark.parametrize("limits", [(1 << 40,), (0, 1 << 40), (200, 1 << 40)])
def test_all_words_are_found_where_any_strategy_finds_them(monkeypatch, limits):
    monkeypatch.setattr(module, "PLAN", tuple((1000, limit) for limit in limits))
    answers = []
    for seed in range(12):
        dice, turns = random.Random(seed), 3 + seed % 2
        words = sorted({"".join(map(dice.choice, SHAPE)) for _ in range(6 * turns)})
        game = lingo(turns).seeking("lost")
        guess, seeker = sought(words, turns)
        best = exhaustive.best_of(words, game)
        answers.append(best >= len(words) * game.bonus)
        assert (guess is not None) == answers[-1]
        if guess is not None:
            lookahead = Lookahead(encode(words).here, game, {}, all_found=seeker)
            tree = build(WordList("a test", words), lookahead, game, opening=words[guess]).tree
            assert tree.lost == 0
    assert {True, False} == set(answers)


@pytest.mark.parametrize("most", [1, 50])
def test_the_worst_turn_is_that_of_plain_recursion_whatever_words_weigh(most):
    draw = random.Random(5)
    words = exhaustive.random_list(18)[0]
    words = words.with_targets(words.words[:12])
    words = words.with_weights({word: draw.choice([0, 1, most]) or 1 for word in words.targets})
    weights = words.weights or [1] * len(words)

    def ask(game, least):
        tree = simulate(words, "parts", game).tree if game.turns < 3 else solve(words, game).tree
        return tree.replaced(bound=tree.mean_points)

    worst = worst_turn(simulate(words, "largest_class", find_game("wordle-found", 6)).tree, ask)
    best = {
        turns: exhaustive.best_of(words.words, find_game("wordle-found", turns), range(12), weights)
        for turns in range(1, 5)
    }
    least = next(turns for turns, found in best.items() if found == words.total_weight)
    assert (worst.turns, worst.lost, worst.proven) == (least, 0, True)
    assert last_turn(worst.tree) == least and worst.tree.lost == 0

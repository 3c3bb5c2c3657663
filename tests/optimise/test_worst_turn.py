"""The least worst turn, of weighted lists too."""

import random

import exhaustive
import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.optimise.none_lost import WordsFound, last_turn, worst_turn
from gpulingo.optimise.solve import solve
from gpulingo.strategies.build import simulate


@pytest.mark.parametrize("most", [1, 50])
def test_the_worst_turn_is_that_of_plain_recursion_whatever_words_weigh(most):
    draw = random.Random(5)
    words = exhaustive.random_list(18)[0]
    words = words.with_targets(words.words[:12])
    words = words.with_weights({word: draw.choice([0, 1, most]) or 1 for word in words.targets})
    weights = words.weights or [1] * len(words)

    def ask(game, least):
        tree = simulate(words, "parts", game).tree if game.turns < 3 else solve(words, game).tree
        return WordsFound(tree, tree.value, tree.value)

    worst = worst_turn(simulate(words, "largest_class", find_game("wordle-found", 6)).tree, ask)
    best = {
        turns: exhaustive.best_of(words.words, find_game("wordle-found", turns), range(12), weights)
        for turns in range(1, 5)
    }
    least = next(turns for turns, found in best.items() if found == words.total_weight)
    assert (worst.turns, worst.lost, worst.proven) == (least, 0, True)
    assert last_turn(worst.tree) == least and worst.tree.lost == 0

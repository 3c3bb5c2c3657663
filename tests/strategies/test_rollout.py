"""Rollout: letters that are compared by playing out the rest."""

import random

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.strategies.build import build
from gpulingo.strategies.letters import Rollout, frequency, named_rollout
from gpulingo.strategies.registry import named
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList


def drawn(seed):
    draw = random.Random(seed)
    return WordList("a list", sorted({"".join(draw.choices("abcdefghij", k=4)) for _ in range(70)}))


@pytest.mark.parametrize("name", ["hangman2", "hangman-misses3"])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_no_worse_than_what_it_plays_out_with(seed, name):
    words, game = drawn(seed), find_game(name)
    plain = build(words, frequency(), game).tree
    values = [plain.value]
    for levels, width in ((1, 3), (2, 4), (9, 10)):
        tree = build(words, Rollout(levels, width), game).tree
        verify(tree, words)
        values.append(tree.value)
    assert values[0] <= min(values[1:]) and values[-1] == max(values)


class Chosen:
    def __init__(self, inner):
        self.name, self.choose = inner.name, inner.choose


def test_choices_turn_by_turn_are_no_worse_than_its_base_rule():
    words, game = drawn(1), find_game("hangman2")
    tree = build(words, Chosen(Rollout(1, 4)), game).tree
    verify(tree, words)
    assert tree.value >= build(words, frequency(), game).tree.value


def test_levels_and_width_are_part_of_the_name():
    assert named("rollout", game=find_game("hangman")) == Rollout(5, 3)
    assert named_rollout("rollout-3-5") == Rollout(3, 5) and Rollout(3, 5).name == "rollout-3-5"
    assert named_rollout("rollout-5-3").name == "rollout" and named_rollout("rollouts") is None
    for name in ("rollout-0-3", "rollout-10-1", "rollout-1-0"):
        with pytest.raises(ValueError, match="expected 1 to 9 levels and a width of 1 or more"):
            named_rollout(name)

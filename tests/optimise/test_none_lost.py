"""A guess that loses no word is found wherever there is one; it begins a strategy that finds all words."""

import random

import pytest

from gpulingo import build, encode
from gpulingo.games.catalogue import lingo
from gpulingo.optimise import none_lost
from gpulingo.optimise.lookahead import Lookahead
from gpulingo.optimise.none_lost import NoneLost
from gpulingo.words.wordlist import WordList
from tests import exhaustive

SHAPE = ("abcdefgh", "abc", "abc")  # letters of each place: many words that differ in the first alone


def sought(words, turns):
    """The guess that a seeker of all words returns, and the seeker."""
    table = encode(words)
    seeker, result = NoneLost(table, 1 << 22), None
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
    monkeypatch.setattr(none_lost, "PLAN", tuple((1000, limit) for limit in limits))
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
            lookahead = Lookahead(encode(words), game, {}, all_found=seeker)
            tree = build(WordList("a test", words), lookahead, game, opening=words[guess]).tree
            assert tree.lost == 0
    assert {True, False} == set(answers)

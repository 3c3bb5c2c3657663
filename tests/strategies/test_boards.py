"""Several boards at once: rounds against a plain reference, and the strategies against the best of all."""

import itertools
from functools import cache

import numpy as np
import pytest

from gpulingo import find_game, simulate_boards
from gpulingo.games import marks
from gpulingo.strategies.boards import NAMES, BoardRounds, SumOfRanks, play
from gpulingo.strategies.objectives import SCALE
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList

WORDS = "bones coney dents dozes money reads tours stone toned".split()
FAMILY = (
    "light might night right sight fight minus frail".split()
)  # with no turn to spare others are no guess
# Total guesses until both words are found, over all pairs of different words, by two programs.
KNOWN = {"algae caper clasp paste saber wooer": 80, "balmy dally palmy palsy patsy pulpy rally sally": 172}


def feedback_of(guess, pair):
    return tuple(marks.feedback(guess, word) for word in pair)


def best_total(words, turns):
    """The fewest total guesses of any strategy over all ordered pairs of different words, by recursion."""

    @cache
    def total(pairs, left):
        if not pairs:
            return 0
        if not left:
            return len(pairs)  # a lost round counts one more turn
        best = 1 << 30
        for guess in words:
            classes = {}
            for pair in pairs:
                after = tuple("" if word == guess else word for word in pair)
                classes.setdefault(tuple(marks.feedback(guess, w) if w else "" for w in pair), set()).add(
                    after
                )
            open_ = [{pair for pair in own if any(pair)} for own in classes.values()]
            if len(open_) == 1 and open_[0] == pairs:
                continue  # it shows nothing
            best = min(best, len(pairs) + sum(total(frozenset(own), left - 1) for own in open_))
        return best

    return total(frozenset(itertools.permutations(words, 2)), turns)


def played(words, game, name, rows):
    table = table_of(WordList("few", words), game)
    start = BoardRounds(table, game, whole(table), np.zeros((len(rows), game.boards), np.int64))
    return play(start, np.array(rows, np.int32), SumOfRanks(name))


@pytest.mark.parametrize(("words", "known"), KNOWN.items())
def test_no_strategy_is_better_than_the_best_of_all(words, known):
    words, game = words.split(), find_game("dordle")
    assert best_total(tuple(words), game.turns) == known
    rows = list(itertools.permutations(range(len(words)), 2))
    for name in NAMES:
        turns = played(words, game, name, rows)
        total = int(np.where((turns > 0).all(1), turns.max(1), game.turns + 1).sum())
        assert known <= total < 1.2 * known


def reference_guess(words, game, name, sets, turn):
    """The guess of a strategy for the open boards, from classes of words."""
    ranked, open_ = {}, [own for own in sets if own]
    for guess in words:
        value = 0
        for own in open_:
            classes = {}
            for word in own:
                classes.setdefault(marks.feedback(guess, word), []).append(word)
            for row, members in classes.items():
                n = len(members)
                if name == "parts":
                    value += 1
                elif row != "OOOOO":
                    waste = (0.2 + 0.4 / len(open_)) * np.log2(n)
                    value -= int(np.rint(SCALE * n * (1 + waste))) // len(own)
        inside = sum(guess in own for own in open_)
        if len(open_) < game.turns - turn + 1 or inside:
            ranked[guess] = value, inside
    return max(words, key=lambda guess: (ranked.get(guess, (-1 << 62,)), -words.index(guess)))


@pytest.mark.parametrize("name", ["parts", "boards"])
@pytest.mark.parametrize(
    ("words", "game"),
    [*((WORDS, game) for game in ("dordle", "dordle3", "3-wordle", "quordle5")),
     *((FAMILY, game) for game in ("dordle3", "3-wordle4"))],
)  # fmt: skip
def test_every_round_is_played_by_the_SumOfRanks_over_its_open_boards(name, words, game):
    game = find_game(game)
    rows = list(itertools.islice(itertools.permutations(range(len(words)), game.boards), 0, None, 7))[:60]
    turns = played(words, game, name, rows)
    for row, found in zip(rows, turns.tolist(), strict=True):
        sets, on = [words] * game.boards, [0] * game.boards
        for turn in range(1, game.turns + 1):
            if not any(sets):
                break
            guess = reference_guess(words, game, name, sets, turn)
            for board, target in enumerate(row):
                if sets[board] and guess == words[target]:
                    sets[board], on[board] = [], turn
                shown = marks.feedback(guess, words[target])
                sets[board] = [word for word in sets[board] if marks.feedback(guess, word) == shown]
        assert found == on


def test_words_of_a_round_are_different_and_the_same_for_a_seed():
    one, other, third = (
        simulate_boards(WORDS, "parts", "quordle", rounds=40, seed=seed) for seed in (3, 3, 4)
    )
    assert (one.turns == other.turns).all() and (one.turns != third.turns).any()
    assert sum(one.turn_counts) == round(40 * one.won) and (np.diff(np.sort(one.turns)) > 0).all()
    assert one.mean_turn == np.mean(one.last) and one.opening == third.opening

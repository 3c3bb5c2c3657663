"""The guesses that a host forces: at least those of plain recursion, after any history."""

import random

import pytest

from gpulingo.games import marks
from gpulingo.games.catalogue import HOSTED, forbidding
from gpulingo.hosts.host import classes_of, largest
from gpulingo.positions.outlooks import outlooks
from gpulingo.words.listing import WordList


def small(seed, count=14):
    """A list of words of three letters out of five."""
    chance = random.Random(seed)
    return WordList("small", sorted({"".join(chance.choices("abcde", k=3)) for _ in range(90)})[:count])


def kept(guess, left, game):
    """The classes that a host may keep, by their marks, without the found word."""
    classes = classes_of(marks, guess, left)
    if game.opponent == "largest":
        row = largest(classes)
        classes = {row: classes[row]}
    return {row: part for row, part in classes.items() if row != "OOO"}


def forced(guess, left, history, game, words):
    """Guesses that a host forces after a first guess, by plain recursion."""
    parts = kept(guess, left, game).items()
    return 1 + max((least(part, [*history, (guess, row)], game, words) for row, part in parts), default=0)


def least(left, history, game, words):
    """The fewest guesses that suffice; a guess that rules out no word is skipped."""
    if len(left) == 1:
        return 1
    legal = [word for word in words if not forbidding(game, history, word)]
    helping = [word for word in legal if left not in kept(word, left, game).values()]
    return min(forced(guess, left, history, game, words) for guess in helping)


@pytest.mark.parametrize("name", list(HOSTED))
@pytest.mark.parametrize(("seed", "rule"), [(0, ""), (1, "hard"), (2, "from3-hard")])
def test_guesses_take_what_plain_recursion_finds(name, rule, seed):
    words, game = small(seed), HOSTED[name]()
    game = game.under(rule) if rule else game
    first = words[seed]
    row = max(classes_of(marks, first, words.words).items(), key=lambda pair: len(pair[1]))[0]
    left = [word for word in words.words if marks.feedback(first, word) == row]
    history = [(first, row)]
    found, how = outlooks(words, game, history, count=50, seconds=600, device="cpu")
    assert found and first not in {own.guess for own in found}
    for own in found:
        (total,) = {turn for turn, count in enumerate(own.turns, 1) if count}
        assert own.turns[total - 1] == len(left) == own.total
        assert own.expected(game) == total  # guesses of the whole round
        true = forced(own.guess, left, history, game, words.words)
        assert total - 1 == true if own.exact else total - 1 >= true
    if not (rule and name == "absurdle"):  # there the value of the hardest host is shown
        fewest = least(left, history, game, words.words)
        assert found[0].exact and found[0].expected(game) - 1 == fewest
        assert all(own.exact for own in found if own.expected(game) - 1 <= fewest + 1)
        assert "proven best" in how


@pytest.mark.parametrize("name", list(HOSTED))
def test_the_word_that_is_left_is_guessed(name):
    words, game = WordList("few", ["abc", "abd", "xyz"]), HOSTED[name]()
    (own,), _ = outlooks(words, game, [("abc", "OOX")] * 9, seconds=5, device="cpu")
    assert (own.guess, own.exact, own.expected(game)) == ("abd", True, 10)

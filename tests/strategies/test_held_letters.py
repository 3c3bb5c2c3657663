"""Strategies that guess letters, against recursion over words, and their trees against their choices."""

import random
from collections import defaultdict

import pytest
import torch

from gpulingo.games.catalogue import hangman
from gpulingo.games.positions import feedback
from gpulingo.strategies.build import build, simulate
from gpulingo.strategies.letters import HeldLetters, frequency, held, quiz
from gpulingo.strategies.registry import named
from gpulingo.tensors.wordtable import encode, letter_places
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList, WordListError


def drawn(seed, words=40, length=5, letters="abcdef"):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(words)})


def misses(words, lives, key):
    """Word -> its misses where the letter of greatest key(letter, candidates) is guessed; lost: lives."""
    result = {}

    def play(candidates, guessed, missed):
        if len(candidates) == 1 or missed == lives:
            result.update(dict.fromkeys(candidates, missed))
            return
        letters = sorted(set("".join(words)) - guessed)
        letter = max(letters, key=lambda x: key(x, candidates))
        classes = defaultdict(list)
        for word in candidates:
            classes[feedback(letter, word)].append(word)
        for shown, rest in classes.items():
            play(rest, guessed | {letter}, missed + ("O" not in shown))

    play(words, set(), 0)
    return result


@pytest.mark.parametrize("lives", [1, 2, 6])
@pytest.mark.parametrize("seed", range(4))
def test_the_quiz_and_the_most_frequent_letter_are_guessed_by_their_rule(seed, lives):
    words = drawn(seed)

    def by_quiz(letter, candidates):
        counts = [sum(word.count(letter) ** 2 for word in of) for of in (candidates, words)]
        return (*counts, -ord(letter))

    def by_frequency(letter, candidates):
        return sum(letter in word for word in candidates), -ord(letter)

    for name, key in (("quiz", by_quiz), ("frequency", by_frequency)):
        expected = misses(words, lives, key)
        played = simulate(words, named(name, game=hangman(lives)), hangman(lives))
        turns = dict(played.found_turns())
        assert {word: turn - 1 if turn else lives for word, turn in turns.items()} == expected
        verify(played.tree, WordList("a list", words))


class Chosen:
    """A strategy that is asked turn by turn."""

    def __init__(self, inner):
        self.name, self.choose = inner.name, inner.choose


@pytest.mark.parametrize("weights", [None, range(5)])
@pytest.mark.parametrize("strategy", [quiz(), frequency()], ids=["quiz", "frequency"])
def test_the_tree_that_is_made_at_once_is_that_of_the_choices(strategy, weights):
    words = WordList("a list", drawn(7, 80))
    if weights:
        words = words.weighed([draw % 5 for draw in range(len(words))], "some")
    whole, chosen = (build(words, each, hangman(3)).tree for each in (strategy, Chosen(strategy)))
    assert whole == chosen
    verify(whole, words)


def test_places_are_what_a_letter_shows():
    table = encode(["guess", "xylem"])
    assert letter_places(table)[0, table.alphabet.index("s")] == 3
    assert letter_places(table)[1, table.alphabet.index("s")] == 0
    assert letter_places(encode(["abcdefghijabcdefghijabcd"]))[0, 0] == 1 << 23 | 1 << 13 | 1 << 3


@pytest.mark.parametrize(
    ("name", "game", "said"),
    [
        (
            "edc65",
            hangman(),
            "strategy 'edc65' guesses words, hangman6 takes letters: use quiz, frequency",
        ),
        ("tuned", hangman(), "strategy 'tuned' guesses words"),
        ("quiz", None, "strategy 'quiz' guesses letters, lingo5 takes words: it is for --game hangman"),
        ("quizz", hangman(), "no strategy 'quizz': did you mean quiz\\? use quiz, frequency"),
    ],
)
def test_strategies_of_another_kind_of_guess_are_told(name, game, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        named(name, wordlist=WordList("a list", ["able"]), game=game)


class Again:
    """Guesses the first letter of the alphabet for ever."""

    name = "again"

    def choose(self, position, progress=None):
        from gpulingo.strategies.strategy import Choice

        return Choice(torch.full_like(position.frontier.firsts, position.table.words))


def test_a_letter_is_guessed_once():
    with pytest.raises(ValueError, match="'again' chose a on turn 2, which hangman6 does not allow there"):
        simulate(["cab", "dab", "eel"], Again(), hangman())


def test_words_of_one_letter_are_no_hangman():
    with pytest.raises(WordListError, match="hangman6 with words of 1 letter, expected 2 or more"):
        simulate(["a", "i"], HeldLetters("held", held), hangman())


def test_a_function_of_candidates_and_history_guesses_letters():
    seen = []

    def first_open(candidates, history):
        seen.extend(history)
        return next(x for x in "abcdel" if x not in dict(history))

    words = WordList("a list", ["cab", "dab", "eel"])
    assert dict(simulate(words, first_open, hangman(2)).found_turns()) == {"cab": 1, "dab": 2, "eel": 2}
    assert set(seen) == {("a", "_O_"), ("b", "__O")}
    with pytest.raises(ValueError, match="gave 'cab' on turn 1, expected a letter of the list"):
        simulate(words, lambda candidates, history: candidates[0], hangman(2))


@pytest.mark.parametrize("strategy", ["parts", "entropy", "expected_size", "largest_class"])
def test_objectives_rank_letters_too(strategy):
    words = WordList("a list", drawn(3, 60))
    tree = simulate(words, named(strategy, game=hangman(2)), hangman(2)).tree
    verify(tree, words)
    opened = simulate(words, strategy, hangman(2), opening="b").tree
    verify(opened, words)
    assert opened.guess[0] == len(words) + 1

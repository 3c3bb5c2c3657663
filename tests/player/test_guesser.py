"""The quiz's rule, written once more; a guesser of hangman follows a tree or this rule, and never fails."""

import random
import subprocess
import sys

import pytest

from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import hangman
from gpulingo.player.guesser import Guesser, QuizRule
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.trees.text import guess_names
from gpulingo.words.shown import UNKNOWN, named_letter, shown


def plain_letter(text, missed, words):
    """The rule, computed letter by letter and word by word."""
    guessed = {*text, *missed}
    left = [word for word in words if shown(word, guessed) == text and not {*word} & {*missed}]
    if not left:
        return ""
    ranks = {}
    for letter in {*"".join(left)} - guessed:
        sums = [sum(word.count(letter) ** 2 for word in row) for row in (left, words)]
        ranks[letter] = (-sums[0], -sums[1], letter)
    return min(ranks, key=ranks.get, default="")


def test_the_rule_is_the_plain_one_at_positions_of_random_words(random_words):
    draw = random.Random(1)
    for seed in range(20):
        words = random_words(seed, 40, 5, "abcdefg")
        for word in draw.sample(words, 10):
            letters = draw.sample("abcdefg", draw.randint(0, 4))
            text = shown(word, letters)
            missed = "".join(letter for letter in letters if letter not in word)
            if UNKNOWN in text:
                assert QuizRule(words).letter(text, missed) == plain_letter(text, missed, words)


def untold(line):
    raise AssertionError(line)


def ended(guesser, word):
    """The guesser after a round with a word."""
    guessed = set()
    guesser.begin()
    guesser.learn("_" * len(word))
    while not guesser.over:
        guessed.add(guesser.guess)
        text = shown(word, guessed)
        assert guesser.fault(text) == ""
        guesser.learn(text)
    return guesser


def plainly_played(word, words, lives):
    """Whether the quiz's rule finds a word, and its misses."""
    guessed, missed = set(), ""
    while len(missed) < lives and shown(word, guessed) != word:
        letter = plain_letter(shown(word, guessed), missed, words)
        guessed.add(letter)
        missed += "" if letter in word else letter
    return shown(word, guessed) == word, len(missed)


@pytest.mark.parametrize("lives", [1, 3, 6])
def test_every_word_is_played_as_by_the_quizs_rule(random_words, lives):
    words = random_words(3, 60, 5, "abcdefghijkl")
    guesser = Guesser(lambda length: QuizRule(words), hangman(lives), untold)
    for word in words:
        ended(guesser, word)
        assert (guesser.found, len(guesser.missed)) == plainly_played(word, words, lives)


def test_a_word_of_no_list_is_guessed_by_what_nearly_fits_until_no_letter_is_left(words22):
    guesser = Guesser(lambda length: QuizRule(words22.words if len(length) == 5 else []), hangman(99), untold)
    for word in ("zzzzz", "aphex", "q", "öç", "hypnotizable"):
        ended(guesser, word)
        assert guesser.found == word.isascii()


def test_endless_words_take_no_endless_memory(monkeypatch):
    monkeypatch.setattr("gpulingo.player.guesser.MOST_KEPT", 50)
    rule = QuizRule(["fish", "iris"])
    guesser = Guesser(lambda length: rule, hangman(), untold)
    for number in range(500):
        ended(guesser, "".join(chr(97 + number // 26**place % 26) for place in range(4)))
        assert max(len(rule._left), len(rule._letters)) <= 60


@pytest.fixture
def tree(words22):
    """A tree of the 22 words for three lives."""
    return build(words22, named("frequency", game=hangman(3)), hangman(3)).tree


def test_every_word_is_found_on_the_turn_of_the_tree(words22, tree):
    names = guess_names(tree.game, words22.words)
    guesser = Guesser(lambda length: QuizRule([]), hangman(3), untold, lambda length: (tree, names))
    turns = tree.found_turns()
    assert 0 in turns and any(turns)
    for word, turn in zip(words22.words, turns, strict=True):
        guesser.begin()
        guessed = []
        guesser.learn("_____")
        while not guesser.over:
            guessed.append(guesser.guess)
            guesser.learn(shown(word, guessed))
        assert (len(guesser.missed) + 1 if guesser.found else 0) == turn


def test_where_the_tree_leads_no_further_the_rule_guesses(words22, tree):
    names = guess_names(tree.game, words22.words)
    guesser = Guesser(
        lambda length: QuizRule(words22.words), hangman(3), untold, lambda length: (tree, names)
    )
    guesser.learn("_____")
    assert guesser.guess == names[tree.guess[0]]
    guesser.learn("zzzz_")
    assert guesser.guess == QuizRule(words22.words).letter("zzzz_", "")
    guesser.shown, guesser.guess = "_____", "q"  # a letter other than the tree's, whose turn it still is
    guesser.learn("_____")
    assert (guesser.missed, guesser.guess) == ("q", names[tree.guess[0]])


def test_a_tree_that_leads_nowhere_is_told_once(words22, tree):
    said, names = [], guess_names(tree.game, words22.words)[:1]
    guesser = Guesser(
        lambda length: QuizRule(words22.words), hangman(3), said.append, lambda length: (tree, names)
    )
    for shown_there in ("_____", "_____"):
        guesser.learn(shown_there)
        assert guesser.guess == QuizRule(words22.words).letter(shown_there, guesser.missed)
    assert len(said) == 1 and worded(said[0]).startswith("the checkpoint leads nowhere (IndexError: ")


@pytest.mark.slow
def test_the_tree_that_is_kept_is_followed_and_a_broken_one_is_told(tmp_path, words22, tree, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wordlist.txt").write_text("\n".join(words22.words))
    path = tmp_path / "checkpoints" / file_name("hangman3", 5, words22.fingerprint)
    path.parent.mkdir()
    write_checkpoint(tree, path)
    command = [sys.executable, "-m", "gpulingo", "play", "--game", "hangman", "--lives", "3"]
    for broken in (False, True):
        if broken:
            path.write_bytes(path.read_bytes()[:-9])
        done = subprocess.run(command, input=b"_____\n", capture_output=True, timeout=60)
        letter = named_letter(done.stdout.decode())
        assert done.returncode == 0 and letter
        assert broken or letter == guess_names(tree.game, words22.words)[tree.guess[0]]
        assert bool(done.stderr) == broken

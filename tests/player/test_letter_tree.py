"""Letters by a tree: every word is played as the tree plays it, by a process too."""

import subprocess
import sys

import pytest

from gpulingo.games.catalogue import hangman
from gpulingo.player.guesser import Guesser, QuizRule
from gpulingo.player.letter_tree import kept_choice, letter_of
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.trees.text import guess_names
from gpulingo.words.shown import named_letter, shown


@pytest.fixture
def tree(words22):
    """A tree of the 22 words for three lives."""
    return build(words22, named("frequency", game=hangman(3)), hangman(3)).tree


def test_every_word_is_found_on_the_turn_of_the_tree(words22, tree):
    names = guess_names(tree.game, words22.words)
    guesser = Guesser(
        lambda length: QuizRule([]), 3, lambda length: lambda *place: letter_of(tree, names, *place)
    )
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


def test_where_the_tree_leads_no_further_it_says_nothing(words22, tree):
    names = guess_names(tree.game, words22.words)
    assert letter_of(tree, names, "zzzz_", "aeiou") == ""
    assert letter_of(tree, names, "_____", "") == names[tree.guess[0]]


def test_the_tree_that_is_kept_is_followed_and_a_broken_one_is_told(tmp_path, words22, tree, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = []
    assert kept_choice(words22, hangman(3), told.append) is None and not told
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

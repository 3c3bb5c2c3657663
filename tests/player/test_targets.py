"""A player that is told which words may be the target: it follows their tree, without anything installed."""

import subprocess
import sys

import pytest

from gpulingo.games.catalogue import wordle
from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import play_round
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import embedded
from gpulingo.words.targets import Targets

PLAY = [sys.executable, "-m", "gpulingo", "play"]
LOADED = """
import sys
sys.argv = ["gpulingo", "play"]
from gpulingo.__main__ import run
try:
    run(["play", *{words!r}])
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.fixture
def folder(tmp_path, words22):
    """A folder with a list of 22 words and one of 4 letters."""
    (tmp_path / "wordlist.txt").write_text("\n".join(words22.words) + "\nable\n")
    (tmp_path / "checkpoints").mkdir()
    return tmp_path


def played(folder, *words):
    """Exit code, guesses and complaints of a player whose input ends at once."""
    done = subprocess.run([*PLAY, *words], cwd=folder, input=b"", capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode().split(), done.stderr.decode().splitlines()


WORDLE = ["--game", "wordle", "--targets", "t.txt", "5"]


def test_the_tree_of_the_targets_that_are_named_is_followed_on_the_standard_library(folder, words22):
    some = words22.with_targets(words22.words[::2])
    (folder / "t.txt").write_text("\n".join(some.targets))
    trees = {words: build(words, named("parts"), wordle(), opening=words[at]).tree
             for words, at in ((words22, 20), (some, 11))}  # fmt: skip
    for tree in trees.values():
        write_checkpoint(tree, folder / "checkpoints" / file_name("wordle6", 5, tree.fingerprint))
    for target in (some.targets[1], some.targets[-1]):
        with ProcessPlayer([*PLAY, *WORDLE], folder) as player:
            found = play_round(player, target, words22.words, wordle(), hear=player.hear)
        assert found.points == wordle().points(trees[some].found_turns()[words22.index(target)])
    assert played(folder, "--game", "wordle", "5") == (0, [words22[20]], [])
    assert played(folder, *WORDLE) == (0, [words22[11]], [])
    command = [sys.executable, "-c", LOADED.format(words=WORDLE)]
    done = subprocess.run(command, cwd=folder, input=b"", capture_output=True, timeout=60)
    assert done.stdout.split() == [words22[11].encode()]
    assert not {"torch", "numba", "numpy", "typer"} & set(done.stderr.decode().split())


def test_wordle_without_lists_is_played_on_the_common_words(tmp_path):
    pool = embedded().of_length(2)
    for opening, words in enumerate((pool, Targets("common").of(pool))):
        tree = build(words, named("parts"), wordle(), opening=words[opening]).tree
        write_checkpoint(tree, tmp_path / file_name("wordle6", 2, words.fingerprint))
    assert played(tmp_path, "--game", "wordle", "2") == (0, [pool[1]], [])
    assert played(tmp_path, "--game", "wordle", "--targets", "all", "2") == (0, [pool[0]], [])
    command = [sys.executable, "-c", LOADED.format(words=["--game", "wordle", "2"])]
    done = subprocess.run(command, cwd=tmp_path, input=b"", capture_output=True, timeout=60)
    assert done.stdout.split() == [pool[1].encode()]
    assert not {"torch", "numba", "numpy", "typer"} & set(done.stderr.decode().split())


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (None, 2, "--targets: no word list at t.txt: give a file with one word a line"),
        (
            "zebra\n",
            2,
            "--targets: 1 of 1 words of t.txt are not among the 22 of wordlist.txt, 'zebra' first",
        ),
        ("", 1, "t.txt holds no words: give a file with one word a line"),
    ],
)
def test_targets_that_there_are_not_are_one_line(folder, text, code, said):
    if text is not None:
        (folder / "t.txt").write_text(text)
    exit_code, guesses, (complaint,) = played(folder, *WORDLE)
    assert (exit_code, guesses) == (code, [])
    assert complaint.startswith(f"gpulingo: {said}")


def test_a_player_needs_no_weights_to_follow_a_tree_that_carries_them(folder, words22):
    heavy = words22.with_weights({word: 1 + 9 * (word == "macaw") for word in words22.words})
    tree = build(heavy, named("parts")).tree
    write_checkpoint(tree, folder / "heavy.npz")
    code, guesses, complaints = played(folder, "--checkpoint", "heavy.npz", "5")
    assert (code, guesses, complaints) == (0, [words22[tree.guess[0]]], [])

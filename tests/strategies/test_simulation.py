"""A whole list played at once: what the sum says, and that tree, referee and replay say it too."""

import random
import string
import subprocess
import sys

import pytest
import torch

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.games.marks import pattern
from gpulingo.match.referee import play_round
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import build, simulate
from gpulingo.strategies.registry import NAMES, named
from gpulingo.strategies.simulation import TreeReplay, stored_simulation
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.device import DeviceError, find_device
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import CheckpointError, write_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.choice import find_words
from gpulingo.words.listing import UnknownWordError, parse
from gpulingo.words.wordlist import WordListError


def following(tree, wordlist):
    """A player that follows a tree."""

    def guess(history):
        node = 0
        for _, marks in history:
            node = tree.child(node, pattern(marks))
        return wordlist[tree.guess[node]]

    return guess


@pytest.mark.parametrize("turns", [1, 2, 4, 6])
@pytest.mark.parametrize("name", [*NAMES, "parts consistent"])
def test_the_sum_is_that_of_the_tree_of_the_replay_and_of_a_referee(words22, name, turns):
    game = find_game("lingo-consistent" if name.endswith("consistent") else "lingo", turns)
    strategy = named(name.split()[0], seed=3)
    done = simulate(words22, strategy, game)
    rounds = [play_round(following(done.tree, words22), word, words22, game) for word in words22.words]
    found = [len(played.guesses) if played.points else 0 for played in rounds]
    assert found == verify(done.tree, words22) == list(done.tree.found_turns())
    assert done.found_turns() == list(zip(words22.words, found, strict=True))
    assert done.turns == done.tree.turn_counts() == [found.count(turn + 1) for turn in range(turns)]
    assert done.lost == done.tree.lost == found.count(0)
    assert done.mean_points == done.tree.mean_points == sum(played.points for played in rounds) / 22


@pytest.mark.parametrize("length", [1, 2, 3, 8, 14, 21, 30])
def test_words_of_any_length_and_alphabet_are_played(length):
    generator = random.Random(length)
    letters = string.ascii_lowercase + "åäö"
    words = {"".join(generator.choices(letters, k=length)) for _ in range(29 if length == 1 else 120)}
    wordlist = parse("\n".join(sorted(words)), "made").of_length(length)
    done = simulate(wordlist)
    assert done.opening == wordlist[done.tree.guess[0]]
    assert verify(done.tree, wordlist) == [turn for _, turn in done.found_turns()]


@pytest.mark.parametrize(
    ("turns", "counts", "lost"), [(1, [1], 0), (3, [1, 0, 0], 0), (5, [1, 0, 0, 0, 0], 0)]
)
def test_the_only_word_of_a_list_is_found_at_once(turns, counts, lost):
    done = simulate(parse("heron", "one word").of_length(5), game=lingo(turns))
    assert (done.opening, done.turns, done.lost) == ("heron", counts, lost)
    assert (done.mean_points, done.found_turns()) == (100 * turns, [("heron", 1)])


def test_words_that_cannot_be_told_apart_in_time_are_lost():
    # Every pair of these differs in the first letter alone, so each guess says yes or no.
    wordlist = parse("bill\ndill\nfill\ngill\nhill\nkill", "a family").of_length(4)
    done = simulate(wordlist, "parts", lingo(3))
    assert (done.turns, done.lost, done.mean_points) == ([1, 1, 1], 3, 100.0)


def test_an_opening_that_is_not_in_the_list_is_told(words22):
    with pytest.raises(UnknownWordError, match="'zebra' is not among the 22 words of 5 letters"):
        simulate(words22, opening="zebra")
    with pytest.raises(ValueError, match="no tree is stored for the words"):
        simulate(words22, "best")


@pytest.mark.parametrize("opening", ["papaw", "heron", "apple"])
def test_the_opening_that_is_asked_for_is_played(words22, opening):
    done = simulate(words22, "parts", opening=opening)
    assert done.opening == opening
    assert dict(done.found_turns())[opening] == 1
    assert verify(done.tree, words22)


def test_a_device_is_named_as_on_the_command_line(words22):
    done = simulate(words22, "parts", device="auto")
    assert done.device == find_device("auto")
    assert done.mean_points == simulate(words22, "parts").mean_points
    with pytest.raises(DeviceError, match="device 'gpu' is unknown: use auto"):
        simulate(words22, "parts", device="gpu")


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        (["heron", "rob-n"], WordListError, "'rob-n' is among the words, expected letters only"),
        (["heron", "heron"], WordListError, "2 words, 1 different ones: drop what is there twice"),
        (["heron", "eagles"], WordListError, "give words of one length"),
        ([], WordListError, "give words of one length"),
    ],
)
def test_words_that_are_no_list_are_told(words, error, said):
    with pytest.raises(error, match=said):
        simulate(words)


def test_a_stored_tree_is_read_off_and_not_played(words22, grown, monkeypatch):
    tree = grown(words22, bound=500.0)
    monkeypatch.setattr("gpulingo.strategies.build.split", None)
    for done in (simulate(words22, tree), stored_simulation(words22, tree)):
        assert done.tree is tree and (done.build.pairs, done.strategy) == (0, "best")
        assert [turn for _, turn in done.found_turns()] == verify(tree, words22)
        assert (done.mean_points, done.turns, done.lost) == (tree.mean_points, tree.turn_counts(), tree.lost)


def test_a_stored_tree_of_something_else_is_refused(words22, grown):
    tree = grown(words22)
    with pytest.raises(CheckpointError, match=r"the tree is for lingo5, played is lingo4: build another"):
        simulate(words22, tree, lingo(4))
    with pytest.raises(CheckpointError, match=r"checkpoint is for list .*, this list is .*; make it again"):
        simulate(words22.words[::-1], tree)
    with pytest.raises(CheckpointError, match=r"the tree opens with .*, asked for is papaw: leave it out"):
        simulate(words22, tree, opening="papaw")


def test_a_stored_tree_needs_no_torch(words22, grown, tmp_path):
    (tmp_path / "list.txt").write_text("\n".join(words22.words))
    write_checkpoint(grown(words22), tmp_path / "tree.npz")
    code = """
import sys
from gpulingo.strategies.simulation import TreeReplay
from gpulingo.strategies.simulation import stored_simulation
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.words.listing import read
done = stored_simulation(read("list.txt").of_length(5), TreeReplay(read_checkpoint("tree.npz")).tree)
print(sum(done.turns), [name for name in ("torch", "numba", "numpy") if name in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("22 []\n", "")


def test_without_a_strategy_the_best_stored_tree_is_followed(tmp_path, monkeypatch, words22):
    monkeypatch.chdir(tmp_path)
    assert simulate(words22).strategy == "parts" and simulate(words22, game="hangman").strategy == "frequency"
    tree = simulate(words22, "entropy").tree
    write_checkpoint(tree, tmp_path / file_name("lingo5", 5, words22.fingerprint))
    done = simulate(words22)
    assert (done.strategy, done.tree) == ("best", tree)
    assert simulate(words22, opening="crane").strategy == "parts"
    assert simulate(words22, game="lingo4").strategy == "parts"  # the tree is of another game


def test_games_and_words_are_named(words22):
    named, built = simulate(words22, "parts", "wordle4"), simulate(words22, "parts", find_game("wordle4"))
    assert named.tree == built.tree
    assert simulate(2, "parts").wordlist.words == find_words(2).words
    assert simulate(words22.words).tree == simulate(words22).tree
    assert simulate(words22, named.tree).tree.game.code == "wordle4"  # its own, where none is named


def test_a_tree_that_is_followed_is_built_again(words22, grown):
    for tree in (grown(words22), build(words22, named("letters")).tree):
        again = build(words22, TreeReplay(tree)).tree
        assert (list(again.guess), list(again.first)) == (list(tree.guess), list(tree.first))


def test_sets_in_another_order_and_one_alone_have_their_own_guesses(words22, position):
    tree = build(words22, named("parts")).tree
    table = encode(words22.words)
    first = first_position(table, lingo())
    root = TreeReplay(tree).choose(first).guesses
    classes = split(table, first.frontier, root)
    asked = position(table, classes.frontier, 4)
    guesses = TreeReplay(tree).choose(asked).guesses
    assert guesses.tolist() == [tree.guess[node] for node in range(tree.first[0], tree.first[1])]
    order = torch.randperm(classes.frontier.sets, generator=torch.Generator().manual_seed(4))
    assert torch.equal(TreeReplay(tree).choose(asked.take(order)).guesses, guesses[order])


def test_sets_that_are_not_those_of_the_tree_are_refused(words22, position):
    replay = TreeReplay(build(words22, named("parts")).tree)
    table = encode(words22.words)
    whole = frontier([torch.arange(22, dtype=torch.int32)])
    with pytest.raises(CheckpointError, match="the tree has no guess for a set of turn 2: build it again"):
        replay.choose(position(table, whole, 4))
    opening = frontier([torch.tensor([words22.index("raven")], dtype=torch.int32)])
    with pytest.raises(CheckpointError, match="the tree has no guess for a set of turn 3: build it again"):
        replay.choose(position(table, opening, 3))

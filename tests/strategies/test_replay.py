"""Stored trees as strategies: the node of a set is found by its words, whatever the order of the sets."""

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.marks import feedback
from gpulingo.strategies.build import build
from gpulingo.strategies.history import Searcher
from gpulingo.strategies.registry import named
from gpulingo.strategies.simulation import TreeReplay
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import CheckpointError


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


def test_a_player_that_searches_can_follow_a_tree(words22):
    tree = build(words22, named("parts")).tree
    searcher = Searcher(words22, "cpu", TreeReplay(tree))
    for target, turn in zip(words22.words, tree.found_turns(), strict=True):
        history = []
        while (guess := searcher.guess(history)) != target:
            history.append((guess, feedback(guess, target)))
        assert len(history) + 1 == turn


def test_sets_that_are_not_those_of_the_tree_are_refused(words22, position):
    replay = TreeReplay(build(words22, named("parts")).tree)
    table = encode(words22.words)
    whole = frontier([torch.arange(22, dtype=torch.int32)])
    with pytest.raises(CheckpointError, match="the tree has no guess for a set of turn 2: build it again"):
        replay.choose(position(table, whole, 4))
    opening = frontier([torch.tensor([words22.index("raven")], dtype=torch.int32)])
    with pytest.raises(CheckpointError, match="the tree has no guess for a set of turn 3: build it again"):
        replay.choose(position(table, opening, 3))

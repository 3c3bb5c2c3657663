"""The search of a player without a checkpoint."""

import pytest

from gpulingo.play.searcher import Searcher
from gpulingo.rules.lingo import ContradictionError, feedback
from gpulingo.search.build import build
from gpulingo.strategies.registry import named
from gpulingo.tensors.device import DeviceError


def test_it_finds_each_word_on_the_turn_of_the_tree(words22):
    searcher = Searcher(words22, "cpu")
    turns = build(words22, named("parts")).tree.found_turns()
    for target, expected in zip(words22.words, turns, strict=True):
        history = []
        while (guess := searcher.guess(history)) != target and len(history) < 5:
            history.append((guess, feedback(guess, target)))
        assert len(history) + 1 == expected


def test_marks_that_no_word_fits_are_a_contradiction(words22):
    with pytest.raises(ContradictionError, match="no word fits the marks OOOOX of heron"):
        Searcher(words22, "cpu").guess([("heron", "OOOOX")])


def test_a_device_that_is_not_there_is_an_error(words22):
    with pytest.raises(DeviceError, match="device 'tpu', expected auto, cpu, cuda"):
        Searcher(words22, "tpu")

"""A tree with its words in one file for a page, read back by the description of its header."""

import json
from array import array

import pytest

from gpulingo.games.catalogue import find_game, usual_targets
from gpulingo.trees.checkpoint import WIDTHS, packed, stored_trees
from gpulingo.words.listing import embedded
from gpulingo.words.targets import Targets


@pytest.mark.parametrize(("code", "length", "bytes_"), [("wordle6", 5, 1), ("lingo5", 13, 4)])
def test_arrays_and_words_are_those_of_the_tree(code, length, bytes_):
    game = find_game(code)
    words = Targets(usual_targets(game) or "all").of(embedded().of_length(length))
    tree = next(iter(stored_trees(words, game)[0].values()))
    data = packed(tree, words, {"name": "é"}, {"days": [70_000, 1]})
    start = 4 + int.from_bytes(data[:4], "little")
    header, arrays = json.loads(data[4:start]), {}
    assert start % 4 == 0 and header["name"] == "é" and header["words"].split() == words.words
    for name, width, count in header["arrays"]:
        end = start + width * count
        assert start % width == 0
        arrays[name], start = array(WIDTHS[width], data[start:end]), end
    assert start == len(data) and list(arrays["days"]) == [70_000, 1]
    assert arrays["pattern"].itemsize == bytes_ and list(arrays["pattern"][1:]) == list(tree.pattern[1:])
    assert all(list(arrays[name]) == list(getattr(tree, name)) for name in ("guess", "first", "hit"))
    assert [word for word, own in zip(words.words, arrays["target"], strict=True) if own] == words.targets

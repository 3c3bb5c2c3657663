"""Words as letter numbers."""

from weakref import ref

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import (
    cached_by_table,
    encode,
    table_of,
    target_features,
)
from gpulingo.words.listing import WordList


def test_letters_are_numbered_in_code_point_order():
    table = encode(["tee", "eat", "ate"])
    assert table.alphabet == "aet"
    assert table.letters.tolist() == [[2, 1, 1], [1, 0, 2], [0, 2, 1]]
    assert table.letters.dtype == torch.uint8
    assert (table.words, table.length, table.device) == (3, 3, torch.device("cpu"))


@pytest.mark.parametrize(
    ("words", "alphabet"),
    [(["öre", "åre"], "reåö"), (["𐐨a𐑏", "a𐐨𐐨"], "a𐐨𐑏")],
)
def test_any_alphabet_can_be_read_back(words, alphabet):
    table = encode(words)
    assert sorted(table.alphabet) == list(table.alphabet) == sorted(alphabet)
    assert ["".join(table.alphabet[x] for x in word) for word in table.letters.tolist()] == words


def test_what_is_made_of_a_table_is_made_once_and_goes_with_it():
    asked = []

    @cached_by_table
    def words(table):
        asked.append(table)
        return table.words

    tables = [encode(["heron", "robin"]), encode(["eagle"])]
    assert [words(table) for table in tables * 3] == [2, 1] * 3
    assert asked == tables
    gone = ref(tables.pop())
    asked.clear()
    assert gone() is None


def test_the_table_of_a_list_has_its_targets_and_weights():
    words = WordList("text", ["able", "bale", "cafe"])
    assert table_of(words, lingo()).weights is None
    heavy = table_of(words.with_targets(["able", "cafe"]).with_weights({"able": 3, "cafe": 0}), lingo())
    assert (heavy.targets.tolist(), heavy.weights.tolist()) == ([0, 2], [3, 0, 0])


def test_features_are_places_and_copies():
    letters = encode(["aba", "abb"]).letters
    # a, b at place 1, at place 2, at place 3; one copy of a, b; two copies of a, b; none.
    assert target_features(letters, 2, 2).int().tolist() == [
        [1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0],
        [1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0],
    ]

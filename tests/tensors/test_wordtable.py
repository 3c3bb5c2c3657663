"""Words as letter numbers."""

from dataclasses import replace
from weakref import ref

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import (
    WordTable,
    cached_by_table,
    encode,
    table_of,
    target_features,
)
from gpulingo.words.listing import WordList, WordListError


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


def letters(count):
    return [chr(0x4E00 + i) for i in range(count)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no words, expected words of one length"),
        (["able", "heron", "cart"], "words of 4 to 5 letters, expected words of one length"),
        (["able", "bale", "able"], "3 words, 2 different ones: drop what is there twice"),
        (letters(256), "256 different letters, expected at most 255"),
    ],
)
def test_what_cannot_be_a_table_is_told(words, said):
    with pytest.raises(WordListError, match=f"^{said}"):
        encode(words)


ROWS = torch.tensor([[0, 1], [1, 1]], dtype=torch.uint8)


@pytest.mark.parametrize(
    ("letters", "alphabet", "said"),
    [
        (ROWS.long(), "ab", r"letters is torch.int64 \[2, 2\], expected \[W, N\] uint8"),
        (ROWS[:, :0], "ab", r"letters is \[2, 0\], expected a word of a letter at least"),
        (ROWS, "a", "letters hold 1, the alphabet ends at 0"),
        (ROWS, "ba", "alphabet is 'ba', expected up to 255 rising letters"),
        (ROWS[[0, 1, 0]], "ab", "letters hold a word twice, expected distinct words: drop it"),
    ],
)
def test_what_is_no_table_is_told(letters, alphabet, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        WordTable(letters, alphabet)


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


@pytest.mark.parametrize(("feedback", "guesses"), [("marks", 4), ("places", 2)])
def test_a_number_of_guesses_that_kernels_would_leave_the_table_by_is_refused(feedback, guesses):
    with pytest.raises(ValueError, match=f"^{guesses} guesses for 3 words of feedback '{feedback}': give 0$"):
        replace(encode(["heron", "robin", "eagle"]), feedback=feedback, guesses=guesses)


def test_the_table_of_a_list_has_its_targets_and_weights():
    words = WordList("text", ["able", "bale", "cafe"])
    assert table_of(words, lingo()).weights is None
    heavy = table_of(words.with_targets(["able", "cafe"]).with_weights({"able": 3, "cafe": 0}), lingo())
    assert (heavy.targets.tolist(), heavy.weights.tolist()) == ([0, 2], [3, 0, 0])


@pytest.mark.parametrize("weights", [[1, -1], [1], [0, 0]])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(
        ValueError, match=r"^(weights are \[.\], expected one of 0 or more|the weights of all)"
    ):
        encode(["able", "bale"]).with_sets(weights=torch.tensor(weights, dtype=torch.int32))


def test_features_are_places_and_copies():
    letters = encode(["aba", "abb"]).letters
    # a, b at place 1, at place 2, at place 3; one copy of a, b; two copies of a, b; none.
    assert target_features(letters, 2, 2).int().tolist() == [
        [1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0],
        [1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0],
    ]

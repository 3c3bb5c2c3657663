"""Words as letter numbers."""

import pytest
import torch

from gpulingo.words.encode import MOST_LETTERS, encode
from gpulingo.words.lists import WordListError


def test_letters_are_numbered_in_code_point_order():
    table = encode(["tee", "eat", "ate"])
    assert table.alphabet == "aet"
    assert table.letters.tolist() == [[2, 1, 1], [1, 0, 2], [0, 2, 1]]
    assert table.letters.dtype == torch.uint8
    assert (table.words, table.length, table.device) == (3, 3, torch.device("cpu"))


@pytest.mark.parametrize(
    ("words", "alphabet"),
    [
        (["a"], "a"),
        (["öre", "åre"], "reåö"),
        (["λύκος"], "κλοςύ"),
        (["𐐨a𐑏", "a𐐨𐐨"], "a𐐨𐑏"),
        (["zz", "zz"], "z"),
    ],
)
def test_any_alphabet_can_be_read_back(words, alphabet):
    table = encode(words)
    assert sorted(table.alphabet) == list(table.alphabet) == sorted(alphabet)
    assert ["".join(table.alphabet[x] for x in word) for word in table.letters.tolist()] == words


def test_a_table_on_another_device_has_the_same_letters():
    table = encode(["heron", "robin"])
    moved = table.to("cpu")
    assert torch.equal(moved.letters, table.letters)
    assert (moved.alphabet, moved.device) == (table.alphabet, torch.device("cpu"))


def letters(count):
    return [chr(0x4E00 + i) for i in range(count)]


def test_255_letters_are_the_most():
    table = encode(letters(MOST_LETTERS))
    assert table.letters.flatten().tolist() == list(range(255))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no words, expected words of one length"),
        (["able", "heron", "cart"], "words of 4 to 5 letters, expected words of one length"),
        (letters(256), "256 different letters, expected at most 255"),
    ],
)
def test_what_cannot_be_a_table_is_told(words, said):
    with pytest.raises(WordListError, match=f"^{said}"):
        encode(words)


def test_a_word_is_found_by_its_letters():
    table = encode(["dents", "dozes", "dozen"])
    assert [table.get(word) for word in ("dozen", "dents", "doses", "zebra", "doze", "")] == [2, 0] + [
        None
    ] * 4

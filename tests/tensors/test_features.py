"""Features of words: letters at places, and copies of letters."""

from collections import Counter

import pytest

from gpulingo.tensors.wordtable import encode, letter_copies, most_copies, one_hot, target_features


def test_letters_are_told_by_place_and_counted(random_words):
    words = random_words(3, 40, 6)
    table = encode(words)
    placed = one_hot(table.letters, len(table.alphabet))
    copies = letter_copies(table)
    for word, places, counts in zip(words, placed.tolist(), copies.tolist(), strict=True):
        assert [
            "".join(x for x, here in zip(table.alphabet, row, strict=True) if here) for row in places
        ] == [*word]
        assert {x: n for x, n in zip(table.alphabet, counts, strict=True) if n} == Counter(word)


@pytest.mark.parametrize(
    ("words", "expected"), [(["abc", "xyz"], 1), (["abca", "abcd"], 2), (["eeee", "abcd"], 4), (["a"], 1)]
)
def test_most_copies_are_counted_over_all_words(words, expected):
    assert most_copies(encode(words).letters) == expected


def test_features_are_places_and_copies():
    letters = encode(["aba", "abb"]).letters
    # a, b at place 1, at place 2, at place 3; one copy of a, b; two copies of a, b; none.
    assert target_features(letters, 2, 2).int().tolist() == [
        [1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0],
        [1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0],
    ]

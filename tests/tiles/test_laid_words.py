"""All racks against all words at once, against laying the letters of each word one by one."""

import random

import pytest
import torch
from sampled import quick

from gpulingo.tiles.spelling import laid_words


def worth(word, rack, values, blank):
    """The most points of a word's letters laid with a rack of single tiles; None: it cannot be."""
    if not word:
        return 0
    letter, *rest = word
    results = []
    for tile in {letter, blank} - {None}:
        if tile in rack:
            left = rack.copy()
            left.remove(tile)
            points = worth(rest, left, values, blank)
            results += [] if points is None else [values[tile] + points]
    return max(results, default=None)


def counts(rows, kinds):
    """[n, kinds] uint8: how often each kind comes in each row."""
    table = [[row.count(kind) for kind in range(kinds)] for row in rows]
    return torch.tensor(table, dtype=torch.uint8).reshape(len(rows), kinds)


def drawn(seed, *, blank):
    """Racks, words with letters that no tile spells, values of both signs, the blank, and what is laid."""
    draw = random.Random(seed)
    kinds = draw.randint(2, 5)
    blank = draw.randrange(kinds) if blank else None
    letters = [kind for kind in range(kinds) if kind != blank]
    values = [draw.randint(-4, 6) for _ in range(kinds)]
    racks = [draw.choices(range(kinds), k=draw.randint(0, 6)) for _ in range(12)]
    words = [draw.choices([*letters, *letters, kinds], k=draw.randint(1, 5)) for _ in range(25)]
    expected = [
        (place, number, points)
        for place, rack in enumerate(racks)
        for number, word in enumerate(words)
        if (points := worth(word, rack, values, blank)) is not None
    ]
    return counts(racks, kinds), counts(words, kinds + 1), torch.tensor(values), blank, expected


@pytest.mark.parametrize("blank", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", quick(range(30), range(8)))
def test_words_are_laid_as_their_letters_one_by_one(seed, blank, monkeypatch):
    racks, words, values, kind, expected = drawn(seed, blank=blank)
    laid = laid_words(racks, words, values, kind)
    assert [row.dtype for row in laid] == [torch.int64] * 3
    assert list(zip(*(row.tolist() for row in laid), strict=True)) == expected
    monkeypatch.setattr("gpulingo.tiles.spelling.BLOCK", 2 * words.numel())  # two racks at once
    again = laid_words(racks, words, values, kind)
    assert all(torch.equal(*rows) for rows in zip(laid, again, strict=True))


def test_seeded_cases_have_blanks_of_most_and_of_negative_points_and_letters_that_no_tile_spells():
    cases = [drawn(seed, blank=True) for seed in range(30)]
    assert any(values[blank] == values.max() > 0 for _, _, values, blank, _ in cases)
    assert any(values[blank] < 0 for _, _, values, blank, _ in cases)
    assert any(words[word, -1] for _, words, _, _, expected in cases for _, word, _ in expected)


@pytest.mark.parametrize(
    ("rack", "word", "points"),
    [
        ([1, 1, 0], [1, 0, 0], 5),  # a blank of 5 is laid for the letter of -2 that is there
        ([1, 0, 2], [1, 0, 0], 5),
        ([1, 0, 2], [0, 2, 0], 18),  # but not for one of 9
        ([2, 1, 1], [1, 1, 1], 5 + 5 + 9),  # one for what no tile spells, one for the letter of -2
        ([1, 1, 1], [1, 1, 1], -2 + 5 + 9),
    ],
)
def test_a_blank_that_is_left_is_laid_for_a_letter_that_is_worth_less(rack, word, points):
    racks, words = torch.tensor([rack]).byte(), torch.tensor([[0, *word]]).byte()
    assert laid_words(racks, words, torch.tensor([5, -2, 9]), 0).points.tolist() == [points]


@pytest.mark.parametrize("blank", [None, 1])
@pytest.mark.parametrize(("racks", "words"), [(0, 0), (0, 3), (3, 0)])
def test_without_racks_or_words_nothing_is_laid(racks, words, blank):
    laid = laid_words(
        torch.ones(racks, 2, dtype=torch.uint8),
        torch.zeros(words, 3, dtype=torch.uint8),
        torch.tensor([1, 2]),
        blank,
    )
    assert [(row.dtype, row.shape) for row in laid] == [(torch.int64, (0,))] * 3


def test_as_many_of_a_kind_as_a_byte_holds_are_counted():
    racks = torch.tensor([[255, 255], [254, 0], [0, 255]]).byte()
    words = torch.tensor([[0, 255, 0], [0, 200, 55], [0, 255, 255]]).byte()
    laid = laid_words(racks, words, torch.tensor([0, 1]), 0)
    # 254 blanks are too few for 255 letters, and for 510, which are as many in a byte.
    pairs = list(zip(*(row.tolist() for row in laid), strict=True))
    assert pairs == [(0, 0, 255), (0, 1, 200), (0, 2, 255), (2, 0, 255)]

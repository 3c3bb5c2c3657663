"""Shared by the tests of tiles: random bags, words spelled letter by letter, a scan of the whole list."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from gpulingo.tiles.bag import BLANK, Bag, find_bag, made_bag
from gpulingo.tiles.rack_table import RackTable, rack_table
from gpulingo.words.listing import embedded

LETTERS = "abcde"  # letters of random words; bags have some of them


class Best(NamedTuple):
    """The best words on a rack; points None if there are no words."""

    points: int | None
    words: tuple[str, ...]


@pytest.fixture(scope="session")
def random_game() -> Callable[..., tuple[Bag, list[str]]]:
    """A function that draws a bag of up to 11 tiles and some words; the bag may lack some of their letters.

    With `blanks` it has one to three, which may have a higher value than a letter. Values may be negative.
    """

    def drawn(seed: int, *, blanks: bool) -> tuple[Bag, list[str]]:
        draw = random.Random(seed)
        kinds = draw.sample(LETTERS, draw.randint(1, 4))
        tiles = {letter: (draw.randint(1, 2), draw.randint(-5, 9)) for letter in kinds}
        if blanks:
            tiles[BLANK] = (draw.randint(1, 3), draw.choice([0, 0, -3, 4, 12]))
        words = [
            "".join(draw.choices(LETTERS[: draw.randint(2, 5)], k=draw.randint(1, 5))) for _ in range(25)
        ]
        return made_bag(f"random {seed}", tiles), list(dict.fromkeys(words))

    return drawn


@pytest.fixture(scope="session")
def best_on() -> Callable[[str, Sequence[str], Bag], Best]:
    """A function that finds the best words on a rack: each word is spelled letter by letter, in every way."""

    def best(rack: str, words: Sequence[str], bag: Bag) -> Best:
        worth = {word: most(word, "".join(sorted(rack)), bag) for word in words}
        points = max((own for own in worth.values() if own is not None), default=None)
        return Best(points, tuple(word for word in words if points is not None and worth[word] == points))

    return best


@cache
def most(word: str, rack: str, bag: Bag) -> int | None:
    """The most points of a word on a rack; None: it cannot be spelled."""
    if not word:
        return 0
    results = []
    for tile in (word[0], BLANK):
        if tile in rack:
            rest = most(word[1:], rack.replace(tile, "", 1), bag)
            results += [] if rest is None else [bag.value(tile) + rest]
    return max(results, default=None)


@pytest.fixture(scope="session")
def embedded_words() -> list[str]:
    """The embedded list's words of 2 to 7 letters; longer ones cannot be spelled with 7 tiles."""
    return [word for length in range(2, 8) for word in embedded().of_length(length).words]


@pytest.fixture(scope="session", params=["challenge", "scrabble"])
def bag(request: pytest.FixtureRequest) -> Bag:
    """The predefined bags."""
    return find_bag(request.param)


@pytest.fixture(scope="session")
def whole_table(bag: Bag, embedded_words: list[str]) -> RackTable:
    """All racks of 7 tiles of a bag."""
    return rack_table(embedded_words, bag, 7, device="cpu")


@pytest.fixture(scope="session")
def scan(bag: Bag, embedded_words: list[str]) -> Callable[[str], Best]:
    """A function that compares a rack with all words of the embedded list; blanks are worth nothing."""
    letters = [letter for letter in bag.letters if letter != BLANK]
    values = np.array([bag.value(letter) for letter in letters])
    copies = np.array([[word.count(letter) for letter in letters] for word in embedded_words], np.int8)
    kinds = (copies > 0) @ (
        1 << np.arange(len(letters), dtype=np.uint32)
    )  # a bit for each letter that a word has

    def best(rack: str) -> Best:
        held = np.array([rack.count(letter) for letter in letters], np.int8)
        others = ~((held > 0) @ (1 << np.arange(len(letters), dtype=np.uint32)))
        # Only words with few letters that the rack lacks are compared copy by copy.
        near = np.flatnonzero(np.bitwise_count(kinds & others) <= rack.count(BLANK))
        laid = np.minimum(copies[near], held)  # by letters; by blanks is laid what is left
        points, missing = laid @ values, (copies[near] - laid).sum(1)
        near, points = near[missing <= rack.count(BLANK)], points[missing <= rack.count(BLANK)]
        if not len(near):
            return Best(None, ())
        return Best(int(points.max()), tuple(embedded_words[word] for word in near[points == points.max()]))

    return best

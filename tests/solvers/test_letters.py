"""`LetterSearch`: rollouts against plain recursion, intervals and limits; refusals are rows of calls.tsv."""

import random

import numpy as np
import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.solvers.hosts.misses import AdversaryMisses
from gpulingo.solvers.letters.value import LetterSearch
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.listing import find


def classes_of(words: list[str], letter: str) -> dict[tuple[bool, ...], list[str]]:
    """The words grouped by the places of a letter."""
    classes: dict[tuple[bool, ...], list[str]] = {}
    for word in words:
        classes.setdefault(tuple(at == letter for at in word), []).append(word)
    return classes


def rolled_out(words: list[str], lives: int, levels: int, width: int) -> int:
    """Words found if the first letters are the best of some, and the others those in most words."""
    if lives == 0 or len(words) <= lives:
        return len(words) if lives else 0
    counts = {letter: sum(letter in word for word in words) for letter in sorted(set("".join(words)))}
    open_letters = [letter for letter in counts if len(classes_of(words, letter)) > 1]
    ranked = sorted(open_letters, key=lambda letter: -counts[letter])
    # A letter in all words costs nothing, and is guessed without comparison.
    ranked = ranked[: 1 if counts[ranked[0]] == len(words) or not levels else width]
    values = []
    for letter in ranked:
        parts = classes_of(words, letter).items()
        values.append(
            sum(rolled_out(part, lives - (not any(mask)), max(levels - 1, 0), width) for mask, part in parts)
        )
    return max(values)


def words_of(seed: int, count: int = 60) -> list[str]:
    rng = random.Random(seed)
    return sorted({"".join(rng.choices("abcdefgh", k=4)) for _ in range(count)})


@pytest.mark.parametrize(("seed", "levels", "width"), [(0, 0, 1), (1, 1, 3), (2, 2, 2)])
def test_rollouts_are_those_of_plain_recursion(seed, levels, width):
    words = words_of(seed)
    table = encode(words)
    for lives in (1, 2, 4):
        search = LetterSearch(table, [0] + [1] * 4, 1 << 20)
        assert search.rollout(table.targets, lives, levels, width) == rolled_out(words, lives, levels, width)


@pytest.mark.slow
def test_words_over_31_letters_have_long_patterns():
    table = encode(["a" * 38 + "b", "b" + "a" * 38])
    tree = LetterSearch(table, [0, 1], 1 << 20).tree(table.targets, 1, 0, 1)
    assert tree.pattern.dtype == np.int64
    assert sorted(tree.pattern.tolist()[1:]) == [(1 << 38) - 1, ((1 << 38) - 1) << 1]


def all_words(search) -> np.ndarray:
    return np.arange(len(search.codes), dtype=np.int32)


def test_a_search_that_is_stopped_or_limited_gives_bounds_that_hold() -> None:
    search = AdversaryMisses(table_of(find(9, None).of_length(9), lingo()), 1 << 26)
    answer = search.least(all_words(search), limit=1)
    assert answer.lower <= 7 <= answer.upper and answer.lower < answer.upper
    assert search.wins(all_words(search), 7, limit=1) is None
    search.stop()
    assert search.wins(all_words(search), 7) is None

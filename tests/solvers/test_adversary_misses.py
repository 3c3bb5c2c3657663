import numpy as np
import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.solvers.adversary_misses import adversary_misses
from gpulingo.tensors.outcomes import Misses
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.listing import find

SMALL = 1 << 20  # bytes


def all_words(search) -> np.ndarray:
    return np.arange(len(search.codes), dtype=np.int32)


def test_a_search_that_is_stopped_or_limited_gives_bounds_that_hold() -> None:
    search = adversary_misses(table_of(find(9, None).of_length(9), lingo()), 1 << 26)
    answer = search.least(all_words(search), limit=1)
    assert answer.lower <= 7 <= answer.upper and answer.lower < answer.upper
    assert search.wins(all_words(search), 7, limit=1) is None
    search.stop()
    assert search.wins(all_words(search), 7) is None


@pytest.mark.slow
def test_with_little_memory_the_answer_is_bounds_that_hold() -> None:
    search = adversary_misses(table_of(find(7, None).of_length(7), lingo()), 1)
    answer = search.least(all_words(search))
    assert answer.lower <= 11 <= answer.upper and answer.lower < answer.upper
    assert search.memory < 1 << 25


def test_memory_is_no_more_than_was_given() -> None:
    table = encode(["bat", "cat", "hat"])
    assert adversary_misses(table, 1 << 28).memory < 1.1 * (1 << 28)
    assert adversary_misses(table, 1 << 40).memory < 1 << 32


def test_one_word_needs_no_misses() -> None:
    assert adversary_misses(encode(["bat"]), SMALL).least(np.zeros(1, np.int32)) == Misses(0, 0, -1)


def test_other_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="memory is 0 bytes, expected at least 1"):
        adversary_misses(encode(["bat"]), 0)

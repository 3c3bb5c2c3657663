"""Levels, answers and unfit words: every embedded word has a sign; a name chooses targets of a pool."""

import gzip
import os
from pathlib import Path

import pytest

from gpulingo.words import listing
from gpulingo.words.levels import (
    LEVELS,
    NUMBERS,
    answers,
    level_targets,
    levels_of,
    signs_of_length,
    unfit_words,
    words_up_to,
)
from gpulingo.words.listing import embedded, embedded_text, parse
from gpulingo.words.wordlist import WordList, WordListError

WORDLE = os.environ.get("GPULINGO_WORDLE_LISTS")
FIVE = WordList("five words", ["aahed", "abaca", "zzzzz", "about", "abaft"])  # 80 70 none 10 50
ANSWERS = """
    57 557 1796 2664 3747 4139 4151 3897 3131 2184 1441 913 386 193 78 33 7 3 3 1 0 0 0
"""
UNFIT = """
    1 16 69 118 152 173 120 80 47 40 21 9
"""


@pytest.mark.parametrize(
    ("length", "counts"),
    [(2, [42, 61, 106, 141]), (5, [3466, 4461, 6459, 11506]), (24, [0, 0, 0, 14])],
)
def test_a_level_has_the_words_of_those_before_it(length: int, counts: list[int]) -> None:
    words = [words_up_to(level, length) for level in LEVELS.values()]
    assert [len(own) for own in words] == counts
    assert set(words[0]) <= set(words[1]) <= set(words[2]) <= set(words[3])
    assert words[3] == embedded().of_length(length).words


def test_levels_are_scowls_numbers() -> None:
    with pytest.raises(ValueError, match=r"^level 4: levels are 10 to 80, SCOWL's numbers$"):
        words_up_to(4, 5)
    assert [words_up_to(80, length) for length in (-1, 1, 25)] == [[], [], []]


@pytest.mark.slow
def test_every_word_of_the_embedded_list_has_a_level_and_may_be_an_answer_or_unfit() -> None:
    for length, count in zip(range(2, 25), map(int, ANSWERS.split()), strict=True):
        wordlist, own, unfit = embedded().of_length(length), answers(length), unfit_words(length)
        levels = dict(zip(wordlist.words, levels_of(wordlist), strict=True))
        assert set(levels.values()) <= set(NUMBERS) and all(levels[word] <= 50 for word in own)
        assert len(own) == count and unfit.isdisjoint(own) and unfit <= set(wordlist.words)
    assert [len(unfit_words(length)) for length in range(2, 14)] == [*map(int, UNFIT.split())]


def test_plain_forms_are_answers_and_regular_inflections_are_not() -> None:
    words = {word for length in range(2, 25) for word in answers(length)}
    into = "glass bus gas chaos focus news physics scissors always women geese forest seed wing modest"
    assert words.issuperset(into.split())
    assert words.isdisjoint("colour trees tried wider tallest walking crises xi".split())
    five = answers(5)
    assert sum(word.endswith("s") and not word.endswith("ss") for word in five) <= 0.015 * len(five)


def test_a_word_without_a_level_is_told() -> None:
    with pytest.raises(WordListError, match=r"^1 of 5 words of five words have no level, 'zzzzz' first: "):
        levels_of(FIVE)
    with pytest.raises(WordListError, match=r"^2 of 2 words of a test have no level, 'слово' first: "):
        levels_of(parse("слово\nпалка\n", "a test").of_length(5))


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("common", ["about", "abaft"]),
        ("small", ["about"]),
        ("huge", ["aahed", "abaca", "about", "abaft"]),
    ],
)
def test_a_level_names_targets_in_the_order_of_the_pool(name: str, targets: list[str]) -> None:
    assert level_targets(name, FIVE) == targets
    assert FIVE.with_targets(targets).targets == targets


@pytest.mark.parametrize("name", ["", "Small", "1", "small.txt", "./small", "uncommon"])
def test_another_name_is_no_levels(name: str) -> None:
    assert level_targets(name, FIVE) is None


@pytest.mark.parametrize("name", ["answers", *LEVELS])
def test_a_pool_without_a_word_of_the_level_is_refused(name: str) -> None:
    what = "answer of 5 letters" if name == "answers" else f"{name} word of 5 letters"
    said = f"^a test has no {what}: there are answers of 2 to 21 letters; use all, or a file of targets$"
    with pytest.raises(WordListError, match=said):
        level_targets(name, parse("слово\nпалка\n", "a test").of_length(5))


@pytest.mark.parametrize("signs", ["", "0" * 13, "0" * 15, "0" * 13 + "9", "0" * 13 + "j"])
def test_signs_that_are_not_those_of_the_words_are_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signs: str
) -> None:
    members = embedded_text(24), f"{signs}\n"
    data = b"".join(gzip.compress(text.encode()) for text in members)
    (tmp_path / "words-24.txt.gz").write_bytes(data)
    monkeypatch.setattr(listing, "EMBEDDED", str(tmp_path))
    said = r"^the embedded list is damaged \(its signs are not those of its words of 24 letters\): install"
    with pytest.raises(WordListError, match=said):
        signs_of_length(24)


@pytest.mark.skipif(not WORDLE, reason="GPULINGO_WORDLE_LISTS does not name the folder of Wordle's lists")
def test_answers_are_mostly_wordles_and_wordles_mostly_answers() -> None:
    words, pool = ((Path(str(WORDLE)) / name).read_text().split() for name in ("targets.txt", "pool.txt"))
    own = set(answers(5))
    assert (len(words), len(own.intersection(words))) == (2315, 2156)
    assert len(own.intersection(words)) >= 0.8 * len(own) and len(own.difference(pool)) < 0.05 * len(own)
    assert set(words) - set(embedded().of_length(5).words) == {"cyber"}

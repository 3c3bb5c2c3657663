"""Levels: every word of the embedded list has one, others have none; a name chooses targets of a pool."""

import gzip
import os
import shutil
from pathlib import Path

import pytest

from gpulingo.words import listing
from gpulingo.words.levels import LEVELS, level_targets, levels_of, words_up_to
from gpulingo.words.listing import embedded, parse
from gpulingo.words.wordlist import WordList, WordListError

WORDLE = os.environ.get("GPULINGO_WORDLE_LISTS")
FIVE = WordList("five words", ["aahed", "abaca", "zzzzz", "about", "abaft"])  # 4 3 none 1 2


@pytest.mark.parametrize(
    ("length", "counts"),
    [
        (2, [51, 112, 228, 269]),
        (5, [3568, 4667, 6748, 11406]),
        (13, [754, 1792, 4426, 12169]),
        (19, [0, 6, 71, 446]),
        (24, [0, 0, 0, 13]),
    ],
)
def test_a_level_has_the_words_of_those_before_it(length: int, counts: list[int]) -> None:
    words = [words_up_to(level, length) for level in (1, 2, 3, 4)]
    assert [len(own) for own in words] == counts
    assert set(words[0]) <= set(words[1]) <= set(words[2]) <= set(words[3])
    assert words[3] == embedded().of_length(length).words
    assert words_up_to(0, length) == []


@pytest.mark.parametrize("length", [-1, 1, 25])
def test_lengths_that_the_embedded_list_has_not_have_no_words(length: int) -> None:
    assert words_up_to(4, length) == []


@pytest.mark.parametrize("length", range(2, 25))
def test_every_word_of_the_embedded_list_has_a_level(length: int) -> None:
    wordlist = embedded().of_length(length)
    levels = levels_of(wordlist)
    assert len(levels) == len(wordlist)
    assert set(levels) <= {1, 2, 3, 4}


def test_levels_stand_in_the_order_of_the_list() -> None:
    assert levels_of(FIVE, 5) == [4, 3, 5, 1, 2]
    assert levels_of(FIVE, 0) == [4, 3, 0, 1, 2]


def test_a_word_without_a_level_is_told() -> None:
    with pytest.raises(WordListError, match=r"^1 of 5 words of five words have no level, 'zzzzz' first: "):
        levels_of(FIVE)
    with pytest.raises(WordListError, match=r"^2 of 2 words of a test have no level, 'слово' first: "):
        levels_of(parse("слово\nпалка\n", "a test").of_length(5))


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("common", ["about"]),
        ("small", ["about"]),
        ("medium", ["about", "abaft"]),
        ("large", ["abaca", "about", "abaft"]),
        ("huge", ["aahed", "abaca", "about", "abaft"]),
    ],
)
def test_a_level_names_targets_in_the_order_of_the_pool(name: str, targets: list[str]) -> None:
    assert level_targets(name, FIVE) == targets
    assert FIVE.with_targets(targets).targets == targets


@pytest.mark.parametrize("name", ["", "Small", "1", "small.txt", "./small", "uncommon"])
def test_another_name_is_no_levels(name: str) -> None:
    assert level_targets(name, FIVE) is None


@pytest.mark.parametrize("name", ["common", *LEVELS])
def test_a_pool_without_a_word_of_the_level_is_refused(name: str) -> None:
    said = "^a test has no word of 5 letters of level (small|medium|large|huge): give a file of targets$"
    with pytest.raises(WordListError, match=said):
        level_targets(name, parse("слово\nпалка\n", "a test").of_length(5))


def test_all_words_of_the_embedded_list_as_targets_are_the_list_itself() -> None:
    wordlist = embedded().of_length(4)
    targets = level_targets("huge", wordlist)
    assert targets is not None
    assert wordlist.with_targets(targets).fingerprint == wordlist.fingerprint


@pytest.mark.parametrize("text", ["", "1\n" * 24, "a\n" * 24])
def test_levels_that_are_not_those_of_the_words_are_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    shutil.copy(Path(listing.EMBEDDED) / "words-5.txt.gz", tmp_path)
    (tmp_path / "levels.txt.gz").write_bytes(gzip.compress(text.encode()))
    monkeypatch.setattr(listing, "EMBEDDED", str(tmp_path))
    said = r"^the embedded list is damaged \(its levels are not those of its words of 5 letters\): install"
    with pytest.raises(WordListError, match=said):
        words_up_to(1, 5)


@pytest.mark.skipif(not WORDLE, reason="GPULINGO_WORDLE_LISTS does not name the folder of Wordle's lists")
def test_most_of_wordles_targets_are_common() -> None:
    words = (Path(str(WORDLE)) / "targets.txt").read_text().split()
    common = level_targets("common", WordList("targets.txt", words))
    assert common is not None
    assert (len(words), len(common)) == (2315, 1927)

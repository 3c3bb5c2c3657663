"""Levels, answers and unfit words: every embedded word has a sign; a name selects targets of a pool."""

import gzip
import re
from pathlib import Path

import pytest

from gpulingo.words import listing
from gpulingo.words import listing as lists
from gpulingo.words.listing import embedded, embedded_text
from gpulingo.words.targets import (
    LEVELS,
    NUMBERS,
    answers,
    drawn,
    levels_of,
    signs_of_length,
    unfit_words,
    words_up_to,
)
from gpulingo.words.wordlist import WordListError

ANSWERS = """
    57 557 1796 2664 3747 4139 4151 3897 3131 2184 1441 913 386 193 78 33 7 3 3 1 0 0 0
"""
UNFIT = """
    1 16 69 118 152 173 120 80 47 40 21 9
"""


@pytest.mark.parametrize(
    ("length", "counts"), [(2, [42, 61, 106, 141]), (5, [3466, 4461, 6459, 11506]), (24, [0, 0, 0, 14])]
)
def test_a_level_has_the_words_of_those_before_it(length: int, counts: list[int]) -> None:
    words = [words_up_to(level, length) for level in LEVELS.values()]
    assert [len(own) for own in words] == counts
    assert set(words[0]) <= set(words[1]) <= set(words[2]) <= set(words[3])
    assert words[3] == embedded().of_length(length).words


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


@pytest.mark.parametrize("signs", ["0" * 13, "0" * 13 + "j"])
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


DAMAGED = r"^the embedded list is damaged \(.*\): install gpulingo again$"
COUNTS = """
    141 1174 5087 11506 20332 30515 37829 37368 32943 25992 18971 12971
    8481 5224 3031 1687 898 478 224 93 40 21 14
"""
EMBEDDED_COUNTS = dict(zip(range(2, 25), map(int, COUNTS.split()), strict=True))
FINGERPRINTS = """
    5cc37c2f8461 d10116a50018 2a0edd6d6cf5 ac345474de44 527e9c2972bb
    e80ef9bb6c5a 6601110ed931 a8f2e1e25b4f 79b1aa14632d fcf79678bb51
"""  # of 4 to 13 letters, as long as there have been checkpoints of them


def test_the_embedded_list_holds_lower_case_words_of_2_to_24_letters() -> None:
    listing = embedded()
    assert listing.source == "embedded list"
    assert listing.lengths() == EMBEDDED_COUNTS
    assert sum(EMBEDDED_COUNTS.values()) == 255_020
    assert not listing.skipped
    assert set("".join(listing.words)) == set("abcdefghijklmnopqrstuvwxyz")
    assert listing.words == sorted(listing.words, key=lambda word: (len(word), word))


def test_the_embedded_list_has_the_words_that_its_checkpoints_are_of() -> None:
    for length, digits in enumerate(FINGERPRINTS.split(), start=4):
        wordlist = embedded().of_length(length)
        assert wordlist.fingerprint[:12] == digits
        assert len(wordlist) == EMBEDDED_COUNTS[length]


def test_the_embedded_files_have_no_date_and_their_copyright_notice_beside_them() -> None:
    folder = Path(lists.EMBEDDED)
    packed = {path.name: path.read_bytes() for path in folder.glob("*.gz")}
    assert packed.keys() == {f"words-{length}.txt.gz" for length in range(2, 25)}
    assert {data[3:8] for data in packed.values()} == {bytes(5)}  # without name, time 0
    assert sum(map(len, packed.values())) < 990_000  # bytes
    assert "Kevin Atkinson" in (folder / "COPYRIGHT.SCOWL").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"sale\n",
        gzip.compress(b"sale\n" * 99, mtime=0)[:-9],
        gzip.compress("é\n".encode(), mtime=0),
        gzip.compress(b"sale\n" * 99, mtime=0),
    ],
)
def test_a_damaged_embedded_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "words-5.txt.gz").write_bytes(content)
    monkeypatch.setattr(lists, "EMBEDDED", str(tmp_path))
    with pytest.raises(WordListError, match=DAMAGED):
        signs_of_length(5)


@pytest.mark.slow
def test_no_flipped_byte_gives_other_words_or_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, data = signs_of_length(20), (Path(lists.EMBEDDED) / "words-20.txt.gz").read_bytes()
    monkeypatch.setattr(lists, "EMBEDDED", str(tmp_path))
    refused = 0
    for place in range(len(data)):
        changed = bytes([*data[:place], data[place] ^ 0x10, *data[place + 1 :]])
        (tmp_path / "words-20.txt.gz").write_bytes(changed)
        try:
            assert signs_of_length(20) == right
        except WordListError as error:
            assert re.match(DAMAGED, str(error))
            refused += 1
    assert refused > 0.9 * len(data)


@pytest.mark.parametrize("name", [None, "all"])
def test_no_unfit_word_is_drawn_and_none_that_is_no_answer_where_none_are_named(name: str | None) -> None:
    for length in range(2, 17):
        words = drawn(embedded(), length, name, "answers").targets
        assert unfit_words(length).isdisjoint(words)
        assert name or words == answers(length)

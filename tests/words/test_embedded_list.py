"""The embedded list: which words it has, which files they come from, and what damaged files are told."""

import gzip
import re
import shutil
from pathlib import Path

import pytest

from gpulingo.words import listing as lists
from gpulingo.words.levels import embedded_digest, signs_of_length
from gpulingo.words.listing import WordListError, embedded

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


@pytest.mark.parametrize(("length", "digits"), list(enumerate(FINGERPRINTS.split(), start=4)))
def test_the_embedded_list_has_the_words_that_its_checkpoints_are_of(length: int, digits: str) -> None:
    wordlist = embedded().of_length(length)
    assert wordlist.fingerprint[:12] == digits
    assert len(wordlist) == EMBEDDED_COUNTS[length]


@pytest.mark.parametrize("length", [-1, 0, 1, 25, 39])
def test_the_embedded_list_says_which_lengths_it_has(length: int) -> None:
    said = f"^no words of {length} letters in embedded list: it holds words of 2 to 24 letters; use another"
    with pytest.raises(WordListError, match=said):
        embedded().of_length(length)


def test_the_words_of_a_length_are_the_same_before_and_after_all_are_read() -> None:
    listing = embedded()
    alone = listing.of_length(5).words
    assert len(listing.words) == 255_020
    assert listing.of_length(5).words == alone


def test_words_of_one_length_are_read_without_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(Path(lists.EMBEDDED) / "words-5.txt.gz", tmp_path)
    monkeypatch.setattr(lists, "EMBEDDED", str(tmp_path))
    assert len(embedded().of_length(5)) == 11_506


def test_the_embedded_files_have_no_date_and_their_copyright_notice_beside_them() -> None:
    folder = Path(lists.EMBEDDED)
    packed = {path.name: path.read_bytes() for path in folder.glob("*.gz")}
    assert packed.keys() == {f"words-{length}.txt.gz" for length in range(2, 25)}
    assert {data[3:8] for data in packed.values()} == {bytes(5)}  # no name, time 0
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


def test_words_and_no_abbreviations_are_in_the_list() -> None:
    words = set(embedded().words)
    assert words.issuperset("mix xi cafe melee colour color admin".split())
    assert words.isdisjoint("xxxvi clvii abbrev govt".split())
    assert embedded_digest().startswith("7d400527dd003109")

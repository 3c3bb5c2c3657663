"""The embedded list: which words it has, which files they come from, and what damaged files are told."""

import gzip
import shutil
from pathlib import Path

import pytest

from gpulingo.words import listing as lists
from gpulingo.words.listing import WordListError, embedded

COUNTS = """
    269 1434 5219 11406 20089 30074 37206 36303 31562 24672 17903 12169
    7859 4819 2813 1554 836 446 202 83 38 20 13
"""
EMBEDDED_COUNTS = dict(zip(range(2, 25), map(int, COUNTS.split()), strict=True))
FINGERPRINTS = """
    383f2b697031 48ad6224923e 1084fcd3704a 0cc830612b39 95aae0fb05d2
    f41f80538d0f cdc261165e7a 15b7215752e3 3aa47d49b7be 17724de9113e
"""  # of 4 to 13 letters, as long as there have been checkpoints of them


def test_the_embedded_list_holds_lower_case_words_of_2_to_24_letters() -> None:
    listing = embedded()
    assert listing.source == "embedded list"
    assert listing.lengths() == EMBEDDED_COUNTS
    assert sum(EMBEDDED_COUNTS.values()) == 246_989
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
    assert len(listing.words) == 246_989
    assert listing.of_length(5).words == alone


def test_words_of_one_length_are_read_without_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(Path(lists.EMBEDDED) / "words-5.txt.gz", tmp_path)
    monkeypatch.setattr(lists, "EMBEDDED", str(tmp_path))
    assert len(embedded().of_length(5)) == 11_406


def test_the_embedded_files_have_no_date_and_their_copyright_notice_beside_them() -> None:
    folder = Path(lists.EMBEDDED)
    packed = {path.name: path.read_bytes() for path in folder.glob("*.gz")}
    assert packed.keys() == {f"words-{length}.txt.gz" for length in range(2, 25)} | {"levels.txt.gz"}
    assert {data[3:8] for data in packed.values()} == {bytes(5)}  # no name, time 0
    assert sum(map(len, packed.values())) < 950_000  # bytes
    assert "Kevin Atkinson" in (folder / "COPYRIGHT.SCOWL").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"sale\n",
        gzip.compress(b"sale\n" * 99, mtime=0)[:-9],
        gzip.compress("é\n".encode(), mtime=0),
    ],
)
def test_a_damaged_embedded_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "words-5.txt.gz").write_bytes(content)
    monkeypatch.setattr(lists, "EMBEDDED", str(tmp_path))
    with pytest.raises(WordListError, match=r"^the embedded list is damaged \(.*\): install gpulingo again$"):
        embedded().of_length(5)

"""Word lists: words kept, words skipped and counted, the file that is used, and refusals."""

import bz2
import hashlib
import io
import json
import os
import pickle
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gpulingo.storage import files
from gpulingo.words import listing as lists
from gpulingo.words.listing import Listing, WordListError, embedded, find, parse, read

PIT = os.environ.get("GPULINGO_PIT_LIST")
PIT_COUNTS = dict(
    zip(range(4, 14), [6728, 14847, 28127, 39694, 49004, 50655, 43420, 35612, 27669, 19971], strict=True)
)


@pytest.mark.slow
@pytest.mark.parametrize("first", ["\u1e27\u0301"])
def test_letters_and_pickles_do_not_depend_on_what_was_read_before(first):
    # The two letters share a slot: the first one read gets it.
    program = (
        "import pickle, sys; from gpulingo.words.listing import parse\n"
        "from gpulingo.games.catalogue import hangman\n"
        "from gpulingo.trees.text import guess_names; from gpulingo.words.letters import enter, leave\n"
        "from gpulingo.tensors.wordtable import encode; enter(sys.argv[1])\n"
        "words = pickle.load(sys.stdin.buffer); own = parse(sys.argv[2], same='b=c').of_length(3)\n"
        "print(own.fingerprint == words.fingerprint, own.words == words.words)\n"
        "print(*map(leave, [*guess_names(hangman(), own.words), *encode(own.words).alphabet]))\n"
    )
    text = "ba\u033d\u1e27\u0301\nac\u1e27\n"
    words = parse(text, same="b=c").of_length(3)
    call = [sys.executable, "-c", program, first, text]
    done = subprocess.run(call, input=pickle.dumps(words), capture_output=True, check=True)
    letters = "a a\u033d c \u1e27 \u1e27\u0301"
    assert done.stdout.decode() == f"True True\nba\u033d\u1e27\u0301 ac\u1e27 {letters} {letters}\n"


def zipped(*parts: bytes | str) -> bytes:
    """A zip archive with a file of some bytes, or empty files of some names."""
    with zipfile.ZipFile(data := io.BytesIO(), "w") as archive:
        archive.mkdir("folder")
        for part in parts:
            archive.writestr(*((part, b"") if isinstance(part, str) else ("list.txt", part)))
    return data.getvalue()


AWKWARD = ["", "ba", "ab", *" \t\rAébcİ1\n\n\n\n\x1cΣ\0"]


@pytest.mark.parametrize("block", [2, 1 << 16])
def test_the_pick_of_one_length_equals_the_full_parse(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "_BLOCK", block)
    for seed in range(75):
        draw = random.Random(f"{block} {seed}")
        pieces = (
            draw.sample(AWKWARD, draw.randint(1, len(AWKWARD))) if seed % 2 else ["a", "b", "ab", "\n", "\n"]
        )
        text = "".join(draw.choices(pieces, k=draw.randint(0, 60)))
        if seed % 3 == 0:
            text = "".join(sorted(line + "\n" for line in text.split("\n")))
        for length in range(1, 5):
            try:
                wanted = [word for word in parse(text).words if len(word) == length]
            except WordListError:  # more than half of the lines are skipped
                continue
            try:
                picked = parse(text).of_length(length).words
            except WordListError:
                picked = []
            assert picked == wanted, (text, length)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            zipped("a.txt", "b.txt"),
            "is a zip archive of 2 files, or a spreadsheet: unpack it first, or export",
        ),
        (bz2.compress(b"sale\n" * (1 << 18)), "has more than 1,048,576 bytes once unpacked: give a smaller"),
    ],
)
def test_a_file_that_is_no_word_list_is_refused(tmp_path, data, message, monkeypatch) -> None:
    monkeypatch.setattr(files, "MOST_TEXT", 1 << 20)
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    with pytest.raises(WordListError, match=message) as raised:
        read(path)
    assert str(path) in str(raised.value)


def test_a_zipped_list_is_read(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(zipped(b"\xef\xbb\xbfsale\nraise\n"))
    assert read(tmp_path / "list").words == ["sale", "raise"]


def found(length: int, folder: Path, path: Path | None = None) -> tuple[str, list[str]]:
    """Name of the file used and the first words of the list found."""
    listing: Listing = find(length, path, str(folder))
    return Path(listing.source).name, listing.of_length(length).words[:1]


def test_many_long_lists_by_name_are_lists_and_no_dictionary() -> None:
    """stopwords-iso 1.1.0 has 21,707 words under 58 codes of languages, pos 0.4.2 marks under each word."""
    codes = [first + second for first in "abcdefg" for second in "abcdefg"]
    ends = [f"{third}{fourth}{fifth}" for third in "abcdefgh" for fourth in "xyz" for fifth in "pqrst"]
    many = {code: [code + end for end in ends] for code in codes}
    assert parse(json.dumps(many)).lengths() == {5: len(ends) * len(codes)}
    marks = {code: ["nn", "vb"] for code in [*codes, "word"]}  # nrclex 4.1.0 has an entry of that name
    assert parse(json.dumps(marks)).lengths() == {2: len(codes), 4: 1}


def test_the_named_list_comes_first_then_that_of_the_length_then_the_general_one(tmp_path: Path) -> None:
    assert found(4, tmp_path) == ("embedded list", embedded().of_length(4).words[:1])
    (tmp_path / "wordlist.txt").write_text("sale\n")
    assert found(4, tmp_path) == ("wordlist.txt", ["sale"])
    (tmp_path / "wordlist4.txt").write_text("ares\n")
    assert found(4, tmp_path) == ("wordlist4.txt", ["ares"])
    (tmp_path / "mine").write_text("idea\n")
    assert found(4, tmp_path, tmp_path / "mine") == ("mine", ["idea"])


@pytest.mark.slow
@pytest.mark.skipif(not PIT, reason="GPULINGO_PIT_LIST does not name the pit's list")
def test_the_pit_list_is_read_as_its_readme_says() -> None:
    listing = read(str(PIT))
    assert {n: count for n, count in listing.lengths().items() if n in PIT_COUNTS} == PIT_COUNTS
    assert str(listing.skipped) == "skipped 1 duplicate"  # animate
    for length in PIT_COUNTS:
        words = [word for word in listing.words if len(word) == length]
        picked = read(str(PIT)).of_length(length)
        assert picked.words == words
        assert picked.fingerprint == hashlib.sha256("".join(f"{w}\n" for w in words).encode()).hexdigest()


@pytest.mark.parametrize(
    "text",
    [
        "heron\n new york\n it's, no\nx-ray",
        "new york\nlos angeles\n",
        "word\nheron\n",  # a CSV header, although the name does not end in .csv
        "12+34=46\n48/6-5=3\n",
        "11\n13\n17\n",
        "1 2 3\n3 2 1\n",
        " \n\n heron\n",
    ],
)
def test_a_plain_list_stays_as_it_is(tmp_path, text):
    (tmp_path / "a.txt").write_text(text)
    try:
        listing = read(tmp_path / "a.txt")
    except WordListError as error:
        assert "holds no words" in str(error)
    else:
        assert (listing.data, listing.kind) == (text.encode(), "")


def test_the_fingerprint_needs_no_private_module(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = parse("sale").of_length(4).fingerprint
    monkeypatch.setitem(sys.modules, "_sha2", None)
    monkeypatch.setitem(sys.modules, "_sha256", None)
    assert parse("sale").of_length(4).fingerprint == wanted

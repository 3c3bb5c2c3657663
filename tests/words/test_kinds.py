"""Lists of other kinds than one word a line: read as their words, or refused by the name of the kind."""

import json

import pytest

from gpulingo.words.listing import WordListError, read

BIRDS = ["heron", "robin", "egret"]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.csv", "word,count\nheron,3\nrobin,2\negret,1\n", "words of column 1 of 2"),
        ("a.csv", 'id;Word\n1;"heron"\n2;robin\n3;egret\n', "words of column 2 of 2"),
        ("a.csv", "lemma,count\nheron,3\nrobin,2\negret,1\n", "words of column 1 of 2"),
        ("a.csv", "3,heron,noun\n2,robin,noun\n1,egret,noun", "words of column 2 of 3"),
        ("a.csv", "word\nheron\nrobin\negret\n", "CSV"),
        ("a.txt", '"heron"\n"robin"\n"egret"\n', "CSV"),
        ("a.txt", "heron,\r\nrobin,\r\negret", "words of column 1 of 2"),
        ("a.txt", '"heron", "robin", "egret"\n', "words of one line"),
        ("a.tsv", "heron\t3\nrobin\t2\negret\t1\n", "words of column 1 of 2"),
        ("a.txt", "heron 3\nrobin 2\negret 1\n", "words of column 1 of 2"),
        ("a.txt", "      3 heron\n      2 robin\n      1 egret\n", "words of column 2 of 2"),
        ("a.json", json.dumps(BIRDS), "JSON"),
        ("a.json", json.dumps(dict.fromkeys(BIRDS, 1)), "JSON"),
        ("a.json", json.dumps({"words": BIRDS}), "JSON"),
        ("a.json", json.dumps([{"word": bird} for bird in BIRDS]), "JSON"),
        ("a.dic", "3\nheron/MS\nrobin/S\tpo:noun\negret\n", "Hunspell dictionary"),
        ("a.dic", "heron/12,34\nrobin/S\negret\n", "Hunspell dictionary"),
    ],
)
def test_a_list_of_another_kind_is_its_words(tmp_path, name, text, kind):
    path = tmp_path / name
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert (read(path).words, read(path).note) == (BIRDS, kind)
    assert read(path).data.split() == [bird.encode() for bird in BIRDS]  # which players and indexes get


@pytest.mark.parametrize(
    "text",
    [
        "heron\n new york\n it's, no\nx-ray",
        "new york\nlos angeles\n",
        "word\nheron\n",  # where the name does not say CSV
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


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'["heron", 5]', "is JSON without a list of words: give a list of words, an object whose keys"),
        (b'{"words": ["heron"', "begins as JSON and cannot be read as it: give a list of words"),
        (b"[" * 100_000, "begins as JSON and cannot be read as it: give a list of words"),
        (b"heron,1\n" + b"x" * 200_000 + b",2\n", "is not valid CSV (field larger than field limit"),
        (b"PK\x03\x04\x00", "is not UTF-8 text but a zip archive or a spreadsheet: "),
    ],
)
def test_a_list_that_cannot_be_read_is_told_by_its_kind(tmp_path, data, said):
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(WordListError) as raised:
        read(tmp_path / "a.txt")
    assert str(raised.value).startswith(f"{tmp_path / 'a.txt'} {said}")

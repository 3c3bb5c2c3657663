"""Weights that a user names: levels or a file; of it the words of the length; what cannot be used is told."""

import re

import pytest

from gpulingo.words.listing import MissingListError, WordListError, parse
from gpulingo.words.targets import ANSWER_WEIGHTS, PLAIN_WEIGHTS, Weights

POOL = parse("able\nbale\nheron\nraven\nrobin\n", "pool.txt")
BIRDS = POOL.of_length(5).with_targets(["heron", "robin"], "t.txt")


@pytest.fixture
def named(tmp_path, monkeypatch):
    """A function that writes the file w.tsv and names it as weights."""
    monkeypatch.chdir(tmp_path)

    def name(text):
        (tmp_path / "w.tsv").write_bytes(text.encode())
        return Weights("w.tsv")

    return name


def test_a_file_gives_each_target_its_weight_and_other_words_none(named):
    weights = named("\ufeffROBIN\t3\r\n\r\nheron \t 0 \r\nbale\t7\nable\t1\nraven\t9")
    birds = weights.of(BIRDS)
    assert (birds.weights, birds.weights_source, birds.total_weight) == ([0, 0, 3], "w.tsv", 3)
    assert (birds.targets, birds.targets_source) == (["heron", "robin"], "t.txt")
    assert weights.of(POOL.of_length(4)).weights == [1, 7]


def test_the_commoner_a_word_is_the_more_it_counts():
    weights = [*ANSWER_WEIGHTS, *PLAIN_WEIGHTS[5:]]
    assert weights == sorted(weights, reverse=True)
    words = parse("about abaft abaca aahed zzzzz trees".replace(" ", "\n")).of_length(5)
    assert Weights("levels").of(words).weights == [990, 390, 16, 6, 6, 30]
    with pytest.raises(WordListError, match=r"^no word of pool has a level: .* give a file of weights"):
        Weights("levels").of(parse("zzzzz\nyyyyy", "pool").of_length(5))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("heron\t1\nrobin 2", "line 2 of w.tsv is 'robin 2': expected a word, a tab and a whole number"),
        ("heron\t", "line 1 of w.tsv is 'heron\\t': expected a word"),
        ("he-on\t1", "line 1 of w.tsv is 'he-on\\t1': expected a word"),
        ("\nheron\t1.5", "line 2 of w.tsv has weight '1.5' of heron, expected a word"),
        ("heron\t1\t2", "line 1 of w.tsv has weight '1\\t2' of heron"),
        ("heron\t1e3", "has weight '1e3' of heron"),
        ("heron\t1\nHERON\t1", "line 2 of w.tsv has heron again: give each word one weight"),
        ("heron\t-1\nrobin\t1", "weight -1 of heron in w.tsv, expected a whole number from 0 on"),
        ("heron\t1\nrobin\t2\nstork\t1", "w.tsv has 'stork', which is not among the 3 words of pool.txt"),
        ("heron\t1", "1 of 2 targets have no weight in w.tsv, 'robin' first: give each one"),
        ("", "2 of 2 targets have no weight in w.tsv, 'heron' first"),
        ("heron\t0\nrobin\t0", "all targets have weight 0 in w.tsv"),
        (
            "heron\t16777216\nrobin\t1",
            "weights of w.tsv sum to 16,777,217 over the targets, expected at most",
        ),
        ("heron\t1" + "0" * 5000 + "\nrobin\t1", "expected at most 16,777,216 so that sums stay exact"),
    ],
)
def test_weights_that_cannot_be_used_are_told_in_one_line(named, text, said):
    with pytest.raises(WordListError, match=re.escape(said)) as caught:
        named(text).of(BIRDS)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path, named):
    with pytest.raises(MissingListError, match=r"^no weights at none.tsv: give a file .*, or levels$"):
        Weights("none.tsv")
    with pytest.raises(MissingListError, match="is a folder: give a file with"):
        Weights(str(tmp_path))
    (tmp_path / "w.tsv").write_bytes(b"caf\xe9\t1\n")
    with pytest.raises(WordListError, match=r"w.tsv is not UTF-8 text \(byte 0xe9 at 3\)"):
        Weights("w.tsv")

"""Targets that a user names: read as a list is, and of it the words of the length."""

import pytest

from gpulingo.words.listing import MissingListError, WordListError, parse
from gpulingo.words.targets import find_targets, with_listed_targets

POOL = parse("able\nbale\nheron\nraven\nrobin\n", "pool.txt")


def test_a_name_is_a_file_that_is_read_as_any_list(tmp_path):
    (tmp_path / "some.txt").write_bytes(b"\xef\xbb\xbfROBIN\r\n\r\nheron \r\nrobin\r\nbale\r\n")
    targets = find_targets(str(tmp_path / "some.txt"))
    words = with_listed_targets(POOL.of_length(5), targets)
    assert (words.words, words.targets) == (["heron", "raven", "robin"], ["heron", "robin"])
    assert (words.source, words.targets_source) == ("pool.txt", str(tmp_path / "some.txt"))
    assert with_listed_targets(POOL.of_length(4), targets).targets == ["bale"]


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(MissingListError, match=r"^no word list at .*none: give a file with one word a line$"):
        find_targets(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("able", "no words of 5 letters in t.txt: it holds words of 4 letters; use another list or length"),
        ("finch\nheron", "1 of 2 words of t.txt are not among the 3 of pool.txt, 'finch' first: each target"),
    ],
)
def test_a_target_is_a_word_of_the_list_of_its_length(text, said):
    with pytest.raises(WordListError, match=f"^{said}"):
        with_listed_targets(POOL.of_length(5), parse(text, "t.txt"))


def test_targets_that_are_the_whole_list_are_none():
    words = with_listed_targets(POOL.of_length(5), parse("robin\nraven\nheron", "t.txt"))
    assert (words.target_ids, words.targets_source) == (None, "")

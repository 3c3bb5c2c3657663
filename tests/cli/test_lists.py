"""Which list serves which length."""

from pathlib import Path

import pytest

from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.lists import all_sources, found_sources, sources_text
from gpulingo.words.listing import WordListError


def test_lengths_of_one_file_share_its_listing(list22):
    list22.write_text("bird\nbard\nheron\n")
    four, five = found_sources([4, 5], Path("list.txt"))
    assert four.listing is five.listing
    assert (four.wordlist.words, five.wordlist.words) == (["bird", "bard"], ["heron"])
    assert sources_text([four, five]) == "list.txt"


def test_the_lists_of_the_folder_come_before_the_embedded_one(list22):
    Path("wordlist4.txt").write_text("bird\n")
    found = found_sources([4, 5, 6], None)
    assert sources_text(found) == "wordlist4.txt (4), embedded list (5-6)"
    list22.rename("wordlist.txt")
    assert sources_text(found_sources([4, 5], None)) == "wordlist4.txt (4), wordlist.txt (5)"
    assert [source.wordlist.length for source in all_sources(None)] == [4, 5]


def test_a_wrong_path_is_wrong_usage_and_a_bad_list_a_failed_run(list22):
    with pytest.raises(WrongUsage, match="no word list at none"):
        found_sources([5], Path("none"))
    with pytest.raises(WordListError, match="no words of 4 letters"):
        found_sources([4], Path("list.txt"))
    Path("wordlist5.txt").symlink_to("none")
    with pytest.raises(WordListError, match=r"no word list at wordlist5\.txt"):
        found_sources([5], None)

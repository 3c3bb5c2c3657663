"""Which list serves which length."""

from pathlib import Path

import pytest

from gpulingo.cli.lists import all_sources, found_sources, list_entry, list_text, read_files, sources_text
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.player.question import ListNames
from gpulingo.storage.faults import UsageError
from gpulingo.words.levels import answers
from gpulingo.words.listing import WordListError, embedded


def test_lengths_of_one_file_share_its_listing(list22):
    list22.write_text("bird\nbard\nheron\n")
    four, five = found_sources([4, 5], ListNames("list.txt"))
    assert four.listing is five.listing
    assert (four.wordlist.words, five.wordlist.words) == (["bird", "bard"], ["heron"])
    assert sources_text([four, five]) == "list.txt"


def test_the_lists_of_the_folder_come_before_the_embedded_one(list22):
    Path("wordlist4.txt").write_text("bird\n")
    found = found_sources([4, 5, 6], None)
    assert sources_text(found) == "wordlist4.txt (4), embedded list (5-6)"
    list22.rename("wordlist.txt")
    assert sources_text(found_sources([4, 5], None)) == "wordlist4.txt (4), wordlist.txt (5)"
    assert [source.wordlist.length for source in all_sources(None, lingo())] == [4, 5]


def test_a_wrong_path_is_wrong_usage_and_a_bad_list_a_failed_run(list22):
    with pytest.raises(UsageError, match="no word list at none"):
        found_sources([5], ListNames("none"))
    with pytest.raises(WordListError, match="no words of 4 letters"):
        found_sources([4], ListNames("list.txt"))
    Path("wordlist5.txt").symlink_to("none")
    with pytest.raises(WordListError, match=r"no word list at wordlist5\.txt"):
        found_sources([5], None)


@pytest.mark.parametrize("game", ["wordle", "wordle-hard", "wordle-consistent4"])
def test_wordle_without_lists_has_answers_as_targets(list22, game):
    rules = find_game(game)
    (own,) = found_sources([6], None, rules)
    assert list_text(own.wordlist) == "embedded list; targets: answers"
    assert (own.wordlist.target_count, len(own.wordlist)) == (
        len(answers(6)),
        len(embedded().of_length(6)),
    )
    for path, targets, of in (("list.txt", None, rules), (None, "all", rules), (None, None, lingo())):
        (every,) = found_sources([5], ListNames(path, targets), of)
        assert every.wordlist.target_ids is None
    list22.rename("wordlist5.txt")
    mine, common = found_sources([5, 6], None, rules)
    assert (mine.wordlist.target_ids, common.wordlist.targets) == (None, own.wordlist.targets)


def test_targets_are_of_every_length_and_named_beside_the_list(list22):
    list22.write_text("bird\nbard\nheron\nrobin\n")
    Path("t.txt").write_text("robin\nbard\n")
    four, five = found_sources([4, 5], ListNames("list.txt", "t.txt"))
    assert (four.wordlist.targets, five.wordlist.targets) == (["bard"], ["robin"])
    assert (four.wordlist.words, len(five.wordlist)) == (["bird", "bard"], 2)
    assert sources_text([four, five]) == list_text(five.wordlist) == "list.txt; targets: t.txt"
    assert list_entry(five.wordlist) == {"list": "list.txt", "targets": "t.txt", "pool": 2}
    assert {*read_files([four, five])} == {Path("list.txt"), Path("t.txt")}
    plain = found_sources([5], ListNames("list.txt"))
    assert (list_entry(plain[0].wordlist), read_files(plain)) == ({"list": "list.txt"}, [Path("list.txt")])


def test_a_link_to_a_device_is_not_read(process, middle):
    (middle.parent / "wordlist.txt").symlink_to("/dev/zero")
    done = process("play 5")
    said = "gpulingo: wordlist.txt is not a plain file: give a file with one word a line\n"
    assert (done.returncode, done.stderr) == (1, said)

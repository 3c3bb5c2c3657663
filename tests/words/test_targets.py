"""Targets that a user names: a file that is read as a list is, or a level; of it the words of the length."""

import pytest
from sampled import quick

from gpulingo.words.levels import LEVELS, answers, unfit_words
from gpulingo.words.listing import MissingListError, WordListError, embedded, parse
from gpulingo.words.targets import Targets, drawn, left_out

POOL = parse("able\nbale\nheron\nraven\nrobin\n", "pool.txt")


@pytest.fixture
def named(tmp_path, monkeypatch):
    """A function that writes the file t.txt and names it as targets."""
    monkeypatch.chdir(tmp_path)

    def name(text):
        (tmp_path / "t.txt").write_bytes(text.encode())
        return Targets("t.txt")

    return name


def test_a_file_is_read_as_any_list(named):
    targets = named("\ufeffROBIN\r\n\r\nheron \r\nrobin\r\nbale\r\n")
    words = targets.of(POOL.of_length(5))
    assert (words.words, words.targets) == (["heron", "raven", "robin"], ["heron", "robin"])
    assert (words.source, words.targets_source) == ("pool.txt", "t.txt")
    assert targets.of(POOL.of_length(4)).targets == ["bale"]
    assert targets.has(POOL.of_length(4)) and not targets.has(embedded().of_length(6))


@pytest.mark.parametrize("name", ["none.txt", "smal", "5", ""])
def test_what_is_neither_a_file_nor_a_level_is_told_with_the_levels(named, name):
    said = f"^no word list at {name}: (did you mean small[?] )?give a file with one word a line, or one of "
    with pytest.raises(MissingListError, match=said):
        Targets(name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("able", "no words of 5 letters in t.txt: it holds words of 4 letters; use another list or length"),
        ("finch\nheron", "1 of 2 words of t.txt are not among the 3 of pool.txt, 'finch' first: each target"),
    ],
)
def test_a_target_is_a_word_of_the_list_of_its_length(named, text, said):
    with pytest.raises(WordListError, match=f"^{said}"):
        named(text).of(POOL.of_length(5))


def test_targets_that_are_the_whole_list_are_none(named):
    words = named("robin\nraven\nheron").of(POOL.of_length(5))
    assert (words.target_ids, words.targets_source) == (None, "")


def test_all_are_the_words_of_any_list():
    pool = parse("zzzzz").of_length(5)
    assert Targets("all").of(pool) is pool and Targets("all").has(pool)


def test_a_file_of_a_levels_name_is_named_by_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small").write_text("robin\n")
    assert Targets("./small").of(POOL.of_length(5)).targets == ["robin"]
    with pytest.raises(
        WordListError, match=r"has no small word of 5 letters: .* use all, or a file of targets"
    ):
        Targets("small").of(parse("zzzzz", "z").of_length(5))


def test_common_is_another_name_of_answers():
    words = Targets("common").of(embedded().of_length(5))
    assert (words.targets, words.targets_source) == (answers(5), "answers")


@pytest.mark.parametrize("name", quick([None, "answers", *LEVELS, "all"], [None, "all"]))
def test_no_unfit_word_is_drawn_and_none_that_is_no_answer_where_none_are_named(name):
    for length in range(2, 17):
        words = drawn(embedded(), length, name, "answers").targets
        assert unfit_words(length).isdisjoint(words)
        assert name or words == answers(length)


def test_a_list_or_targets_that_the_user_names_are_his_choice(named):
    unfit = min(unfit_words(5))
    assert drawn(parse(f"{unfit}\nheron", "l.txt"), 5, None, "answers").targets == [unfit, "heron"]
    named(f"{unfit}\nheron")
    assert drawn(embedded(), 5, "t.txt", "answers").targets == sorted([unfit, "heron"])


def test_past_answers_are_left_out_of_the_targets_and_stay_guessable():
    pool = POOL.of_length(5)
    words = left_out(
        Targets(parse("heron\nrobin", "t.txt")).of(pool), parse("robin\nzzzzz\nable", "past.txt")
    )
    assert (words.words, words.targets, words.targets_source) == (
        pool.words,
        ["heron"],
        "t.txt without past.txt",
    )
    assert left_out(pool, parse("able", "past.txt")).target_ids is None
    with pytest.raises(
        WordListError, match=r"^past.txt has every target of pool.txt: leave some to be found$"
    ):
        left_out(pool, parse("heron\nraven\nrobin", "past.txt"))

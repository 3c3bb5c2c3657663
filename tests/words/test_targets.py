"""Targets that a user names: a file that is read like a list, or a level; only words of the length count."""

import pytest

from gpulingo.words.levels import answers, unfit_words
from gpulingo.words.listing import MissingListError, WordListError, embedded, parse
from gpulingo.words.targets import ANSWER_WEIGHTS, PLAIN_WEIGHTS, Targets, Weights, drawn, left_out

POOL = parse("able\nbale\nheron\nraven\nrobin\n", "pool.txt")


@pytest.fixture
def named(tmp_path, monkeypatch):
    """A function that writes a file and names it as targets, or as weights."""
    monkeypatch.chdir(tmp_path)

    def name(text, kind=Targets, file="t.txt"):
        (tmp_path / file).write_bytes(text.encode())
        return kind(file)

    return name


def test_a_file_is_read_as_any_list(named):
    targets = named("\ufeffROBIN\r\n\r\nheron \r\nrobin\r\nbale\r\n")
    words = targets.of(POOL.of_length(5))
    assert (words.words, words.targets) == (["heron", "raven", "robin"], ["heron", "robin"])
    assert (words.source, words.targets_source) == ("pool.txt", "t.txt")
    assert targets.of(POOL.of_length(4)).targets == ["bale"]
    assert targets.has(POOL.of_length(4)) and not targets.has(embedded().of_length(6))


@pytest.mark.parametrize("name", ["none.txt", "smal"])
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


def test_a_file_of_a_levels_name_is_named_by_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small").write_text("robin\n")
    assert Targets("./small").of(POOL.of_length(5)).targets == ["robin"]
    with pytest.raises(
        WordListError, match=r"has no small word of 5 letters: .* use all, or a file of targets"
    ):
        Targets("small").of(parse("zzzzz", "z").of_length(5))


@pytest.mark.parametrize("name", [None, "all"])
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


BIRDS = POOL.of_length(5).with_targets(["heron", "robin"], "t.txt")


def test_a_file_gives_each_target_its_weight_and_other_words_none(named):
    weights = named("\ufeffROBIN\t3\r\n\r\nheron \t 0 \r\nbale\t7\nable\t1\nraven\t9", Weights, "w.tsv")
    birds = weights.of(BIRDS)
    assert (birds.weights, birds.weights_source, birds.total_weight) == ([0, 0, 3], "w.tsv", 3)
    assert (birds.targets, birds.targets_source) == (["heron", "robin"], "t.txt")
    assert weights.of(POOL.of_length(4)).weights == [1, 7]
    counted = named("# a list\n1,robin,2\n2,ROBIN,3\n3,x-ray,9\n4,heron,0", Weights, "w.csv")
    assert counted.of(BIRDS).weights == [0, 0, 5]
    assert named('{"robin": 4, "heron": 1}', Weights, "w.json").of(BIRDS).weights == [1, 0, 4]


def test_the_commoner_a_word_is_the_more_it_counts():
    weights = [*ANSWER_WEIGHTS, *PLAIN_WEIGHTS[5:]]
    assert weights == sorted(weights, reverse=True)
    words = parse("about abaft abaca aahed zzzzz trees".replace(" ", "\n")).of_length(5)
    assert Weights("levels").of(words).weights == [990, 390, 16, 6, 6, 30]
    with pytest.raises(WordListError, match=r"^no word of pool has a level: .* give a file of weights"):
        Weights("levels").of(parse("zzzzz\nyyyyy", "pool").of_length(5))


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingListError, match=r"^no weights at none.tsv: give a file .*, or levels$"):
        Weights("none.tsv")
    with pytest.raises(MissingListError, match="is a folder: give a file with"):
        Weights(str(tmp_path))
    (tmp_path / "w.tsv").write_bytes(b"caf\xe9\t1\n")
    with pytest.raises(WordListError, match=r"w.tsv is not UTF-8 text \(byte 0xe9 at 3\)"):
        Weights("w.tsv")

"""Words drawn for a match, and the file that keeps its results."""

import json

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match.rounds import FORM, Result, Round, drawn_words, planned_rounds, result_text
from gpulingo.storage.printed import LineFile
from gpulingo.words.listing import WordList


def result(player="a", word="able", points=400):
    return Result(Round(player, "f" * 12, word), points, ("zone", word), 0, "", "", 0, False, 0.01, 0.02)


def test_a_seed_draws_the_same_distinct_words(words22):
    drawn = drawn_words(words22, 8, 3)
    assert drawn == drawn_words(words22, 8, 3)
    assert len(set(drawn)) == 8 and set(drawn) <= set(words22.words)
    assert drawn != drawn_words(words22, 8, 4)


def test_lengths_are_drawn_apart():
    fours, fives = (WordList("x", [letter * n for letter in "abcdefghijklmnop"]) for n in (4, 5))
    first = [word[0] for word in drawn_words(fours, 8, 1)]
    assert first != [word[0] for word in drawn_words(fives, 8, 1)]


def test_every_word_is_as_likely(words22):
    counts = dict.fromkeys(words22.words, 0)
    for seed in range(1100):
        for word in drawn_words(words22, 2, seed):
            counts[word] += 1
    assert min(counts.values()) > 60 and max(counts.values()) < 145  # 100 each; 10 is a standard deviation


@pytest.mark.parametrize("rounds", [22, 23, 10**6])
def test_no_more_words_are_drawn_than_there_are(words22, rounds):
    assert drawn_words(words22, rounds, 0) == words22.words


def test_all_players_play_a_word_before_the_next(words22):
    planned = planned_rounds(["a", "b"], [(words22, ["eagle", "heron"])], lingo(6))
    assert [(one.player, one.word) for one in planned] == [
        ("a", "eagle"), ("b", "eagle"), ("a", "heron"), ("b", "heron"),
    ]  # fmt: skip
    assert {one.wordlist for one in planned} == {words22.fingerprint[:12]}
    assert {one.game for one in planned} == {"lingo6"}


def test_results_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "a.jsonl"
    odd = Result(Round("b 'c d'", "0" * 12, "zone"), 0, ("\\x00",), 1, "crash", "ended", None, True, 0.0, 1.5)
    path.write_text("".join(f"{result_text(one)}\n" for one in (result(), odd)))
    assert LineFile(path, FORM).kept == [result(), odd]
    assert json.loads(path.read_text().splitlines()[0])["word"] == "able"


@pytest.mark.parametrize(
    "text", ["a list\nof words\n", "{}\n", "[1]\n", "able", '{"player": "a"}\n', "[" * 99_999 + "\n"]
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path, text):
    path = tmp_path / "words.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"words\.txt is no result of a round"):
        LineFile(path, FORM)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "value"),
    [("points", True), ("points", "3"), ("points", 10**400), ("guesses", "able"), ("guesses", [1]),
     ("wall", None), ("wall", float("nan")),
     ("exit", 0.5), ("lingered", 1), ("fault", None), ("word", 5), ("player", ["a"])],
)  # fmt: skip
def test_a_round_of_other_kinds_of_values_is_refused(name, value):
    line = json.dumps(json.loads(result_text(result())) | {name: value})
    with pytest.raises(ValueError, match=r"line 1 of .* is no result of a round"):
        FORM.entries(f"{line}\n".encode(), "a.jsonl")

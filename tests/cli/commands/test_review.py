"""`gpulingo review`: rounds of the command line, of stdin and of files; what it refuses."""

import json

import pytest
from typer.testing import CliRunner

from gpulingo.cli import app
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint

GIVEN = '{"target": "goose", "guesses": ["heron", "robin", "goose"]}'
SQUARES_ROW = "\u2b1b" * 5
SQUARES = str.maketrans("X?O", "\u2b1b\U0001f7e8\U0001f7e9")


@pytest.fixture
def review(folder):
    """A function that runs the command over a list of 22 words: .stdout, .stderr, .exit_code."""

    def ran(*words, stdin=None):
        line = ["review", "--device", "cpu", *words]
        return CliRunner().invoke(app, line, input=stdin, catch_exceptions=False)

    return ran


def test_a_round_with_marks_adds_up(review):
    done = review("heron:X?X?X", "goose:OOOOO", "--json")
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["result"], answer["state"], answer["list"]) == (
        0,
        400,
        "found",
        "wordlist.txt",
    )
    assert answer["start"] + answer["luck"] - answer["lost"] == pytest.approx(400)
    assert [turn["by"] for turn in answer["turns"]] == ["exact", "exact"]
    text = review("heron:X?X?X goose:OOOOO").stdout
    assert "lingo5, 5 letters, wordlist.txt" in text and "= 400.000 (points; found on guess 2)" in text
    assert ": 400 points." in text


def test_marks_a_target_and_a_share_text_are_the_same_round(review):
    target = review("--target", "goose", "heron", "robin", "--json")
    listed = review("--target", "goose", "--words", "heron,robin", "--json")
    assert target.exit_code == 0 and target.stdout == listed.stdout
    rows = [turn["marks"] for turn in json.loads(target.stdout)["turns"]]
    squares = "\n".join(rows).translate(SQUARES)
    shared = review("--words", "heron,robin", "--json", stdin=f"Wordle 1,234 2/6*\n\n{squares}\n")
    given = review(f"Wordle 1,234 2/6*\n\n{squares}", "--words", "heron robin", "--json")
    assert shared.stdout == given.stdout == target.stdout
    beside = "\n".join(f"{row} {word}" for row, word in zip(squares.split(), ["HERON", "ROBIN"], strict=True))
    assert review("--json", stdin=f"Wordle 1,234 2/6*\n\n{beside}\n").stdout == target.stdout


def test_codes_are_those_of_so_many_colours(run):
    done = run("review --game mastermind --pegs 2 --colours 3 --target 12 11 12")
    assert "mastermind12, 2 letters, all codes of 2 pegs and 3 colours" in done.stdout
    told = "--colours 3 with a game of words: leave it out"
    done = run("review --colours 3 crane:XXXXX")
    assert (done.exit_code, done.stderr) == (2, f"gpulingo: {told}\n")


def test_a_round_comes_from_stdin_too(review):
    done = review("--json", stdin="heron:X?X?X\ngoose:OOOOO\n")
    assert done.stdout == review("heron:X?X?X", "goose:OOOOO", "--json").stdout


def test_the_kept_tree_is_followed_and_named(review, folder, words22):
    tree = simulate(words22, "parts").tree
    write_checkpoint(tree, folder / f"lingo5-5-{words22.fingerprint[:12]}.npz")
    opening = words22[tree.guess[0]]
    answer = json.loads(review("--target", "goose", opening, "--json").stdout)
    assert answer["turns"][0]["by"] == "tree" and answer["lost"] == 0
    assert answer["start"] == pytest.approx(tree.mean_points)


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("", 2, "no guesses, expected at least one with its marks"),
        ("heron:XXXX", 2, "are 4, it has 5 letters"),
        ("heron", 2, "is not a guess with its marks"),
        ("--game mastermind --pegs 2 111:1,0", 2, "--length 2 and a round of 3 signs: leave --length out"),
        ("heron:OOOOX", 1, "no word fits: guess 1, heron GGGGB, rules out every word"),
        ("heron:OOOOO robin:XXXXX", 2, "comes after the word was found by guess 1"),
        ("--game lingo1 heron:XXXXX robin:XXXXX", 2, "all that lingo1 allows"),
        ("--game chess heron:XXXXX", 2, "no game 'chess'"),
        ("--game hangman heron:XXXXX", 2, "has 5 letters, expected one"),
        ("--game hangman --words heron e", 2, "where letters are guessed"),
        (
            "--game wordle --hard heron:OXXXX robin:XXXXX",
            2,
            "is not allowed in wordle-hard6: robin has no h at place 1, where it was shown",
        ),
        ("--first-letter heron:OXXXX", 2, "no --letter in lingo-letter"),
        ("--letter h heron:OXXXX", 2, "--letter h in lingo, which gives none"),
        ("--first-letter --letter x --target heron robin", 2, "leave --letter out"),
        ("--target heron", 2, "no guesses"),
        ("--target zebra heron", 1, "zebra is not among the targets of wordlist.txt"),
        ("--words heron,robin OOOOO", 2, "no rows of coloured squares"),
        (SQUARES_ROW, 2, "without a word beside it: give the guesses by --words WORD,WORD,.."),
        ("--file no.txt", 2, "--file: no file at no.txt: give a file with one round per line"),
        ("--file . ", 2, "is a folder"),
        ("--file wordlist.txt heron:XXXXX", 2, "and a round: give one of them"),
        ("--wordlist no.txt heron:XXXXX", 2, "no word list at no.txt"),
        ("abc:XXX", 1, "no words of 3 letters"),
        ("--device tpu heron:XXXXX", 2, "device 'tpu'"),
    ],
)
def test_bad_input_is_one_line(review, line, code, told):
    done = review(*line.split(), stdin="")
    assert (done.exit_code, done.stdout) == (code, "")
    (said,) = done.stderr.splitlines()
    assert told in said


def test_a_huge_paste_is_refused(review):
    done = review(stdin="heron:XXXXX " * 20_000)
    assert done.exit_code == 2 and "more than 100,000 characters" in done.stderr


def test_a_word_beside_the_list_is_taken_with_a_note(review):
    done = review("zzzzz:XXXXX", "goose:OOOOO", "--json")
    assert done.exit_code == 0
    assert "zzzzz is not among the words of wordlist.txt; its marks are taken" in done.stderr
    assert json.loads(done.stdout)["turns"][0]["best"] != "zzzzz"


def test_a_file_of_rounds_becomes_means_and_lines_that_cannot_be_read_are_told(review, folder):
    lines = ["# rounds", GIVEN, "", "nonsense", "heron:OOOOX", "heron heron", "abc abd",
             "crane raven crane heron", '{"target": "goose", "guesses": "heron"}']  # fmt: skip
    (folder / "rounds.txt").write_text("\n".join(lines) + "\n")
    done = review("--file", "rounds.txt", "--json")
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["rounds"], answer["unread"]) == (0, 2, [4, 5, 7, 8, 9])
    assert [own["line"] for own in answer["reviews"]] == [2, 6]
    assert answer["means"]["result"]["mean"] == (300 + 500) / 2
    assert "rounds.txt line 4: no guesses of nonsense" in done.stderr
    assert "5 of 9 lines could not be read: 4, 5, 7, 8" in done.stderr
    text = review("--file", "rounds.txt").stdout
    assert "2 rounds of lingo5" in text and "95 % interval" in text


def test_a_file_without_any_round_is_a_failure(review, folder):
    (folder / "rounds.txt").write_text("what\n")
    done = review("--file", "rounds.txt")
    assert (done.exit_code, done.stdout) == (1, "")


def test_the_time_ends_the_reviews_of_a_file(review, folder, words22, monkeypatch):
    monkeypatch.setattr("gpulingo.positions.review.MEMBERS", 1)
    (folder / "rounds.txt").write_text("".join(f"goose {word}\n" for word in words22.words[:4]))
    done = review("--file", "rounds.txt", "--time", "0", "--json")
    assert json.loads(done.stdout)["rounds"] == 1
    assert "the time is up after 1 of 4 rounds" in done.stderr


@pytest.mark.slow
def test_a_round_that_no_answer_fits_is_reviewed_over_all_words(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    played = "aah tea oar aah"
    done = run(f"review --game wordle --target {played} --json")
    said = "gpulingo: no answer fits the round, which is reviewed over all 1,174 words of embedded list\n"
    assert done.exit_code == 0 and done.stderr.endswith(said)
    assert json.loads(done.stdout)["state"] == "found"
    (tmp_path / "rounds.txt").write_text(f"{played}\nbus tea bus\n")
    done = run("review --game wordle --file rounds.txt --json")
    assert done.exit_code == 0 and "no answer fits 1 round, which is reviewed over all" in done.stderr
    done = run(f"review --game wordle --targets answers --target {played}")
    assert done.exit_code == 1 and "aah is not among the targets of embedded list, targets" in done.stderr

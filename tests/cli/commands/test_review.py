"""`gpulingo review`: rounds on the command line, on stdin and in files; what it refuses."""

import json

import pytest
from typer.testing import CliRunner

from gpulingo.advice.round import target_round
from gpulingo.cli.app import app_for
from gpulingo.cli.reviews import UNPROVEN, print_means
from gpulingo.games.catalogue import find_game
from gpulingo.positions import round_values
from gpulingo.positions.round_values import RoundValues
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint

APP = app_for()

SQUARES = str.maketrans("X?O", "\u2b1b\U0001f7e8\U0001f7e9")


@pytest.fixture
def review(folder):
    """A function that runs the command over a list of 22 words: .stdout, .stderr, .exit_code."""

    def ran(*words, stdin=None):
        line = ["review", "--device", "cpu", *words]
        return CliRunner().invoke(APP, line, input=stdin, catch_exceptions=False)

    return ran


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


def test_rounds_of_a_player_are_those_of_its_file_and_its_transcript(review, folder):
    """good.sh makes two refused guesses in each round, and stops after six words."""
    player = folder / "good.sh"
    player.write_text(player.read_text().replace("PLAYS='", "PLAYS='zebra GOOSE "))
    line = "--player", "sh good.sh", "--rounds", "9", "--seed", "5"
    pit = CliRunner().invoke(APP, ["pit", "--length", "5", *line, "--out", "rounds.jsonl", "--log", "logs"])
    played, kept, log = (
        json.loads(review(*own, "--json").stdout)
        for own in (line, ("--file", "rounds.jsonl"), ("--file", "logs/1-sh-good.sh.log"))
    )
    assert played.pop("failed") == 0 and played == kept
    assert (played.pop("player"), kept.pop("player"), kept["list"]) == (*["sh good.sh"] * 2, "wordlist.txt")
    lines = [own.pop("line") for own in [*played["reviews"], *log["reviews"]]]
    assert lines[:9] == [*range(1, 10)] and lines[9:] == sorted(lines[9:])
    assert {**log, "reviews": None} == {**kept, "reviews": None} and log["reviews"] == played["reviews"]
    assert f"{played['means']['result']['mean']:.2f}" in pit.stdout
    refused = [turn for own in log["reviews"] for turn in own["turns"][:2]]
    assert all((turn["guess"], turn["luck"]) == ("\u00b7" * 5, 0) for turn in refused)
    assert "zebra" not in str(played["worst"])
    other = review("--file", "rounds.jsonl", "--game", "wordle")
    assert other.exit_code == 1 and "line 1: a round of lingo5: give --game lingo5" in other.stderr
    shorter = review("--file", "logs/1-sh-good.sh.log", "--game", "lingo2")
    assert "comes after the end of the round in lingo2: give the game that was played" in shorter.stderr


def test_a_round_that_a_player_fails_is_lost_and_reported(review, folder):
    (folder / "slow.sh").write_text("echo heron; exec sleep 9\n")
    done = review("--player", "sh slow.sh", "--rounds", "1", "--timeout", "0.2", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["failed"], found["states"]["lost"]) == (1, 1, 1)
    assert "failed 1 of 1 round, first with" in done.stderr and "timed out after 0.2 s" in done.stderr
    assert [turn["guess"] for turn in found["reviews"][0]["turns"]] == ["heron", *["\u00b7" * 5] * 4]


def test_a_huge_paste_is_refused(review):
    done = review(stdin="heron:XXXXX " * 20_000)
    assert done.exit_code == 2 and "more than 100,000 characters" in done.stderr


def test_the_time_ends_the_reviews_of_a_file(review, folder, words22, monkeypatch):
    monkeypatch.setattr("gpulingo.positions.round_values.MEMBERS", 1)
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


def test_losses_that_are_not_proven_are_explained_below_the_means(words22, capsys, monkeypatch):
    rounds = [target_round("goose", ["heron", "robin", "goose"], find_game("lingo"))]
    for explained in (False, True):
        print_means(RoundValues(rounds, words22, find_game("lingo"), device="cpu").reviews(), "a list")
        assert (UNPROVEN in capsys.readouterr().out) == explained
        monkeypatch.setattr(round_values, "SMALL", 0)
        monkeypatch.setattr(round_values, "TRIED", 0)

"""`gpulingo pit`: who wins, what is stored, and failures."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.match.rounds import drawn_words
from gpulingo.storage.files import file_name
from gpulingo.trees.checkpoint import read_checkpoint

TIMES = ("cpu", "wall")
PLAY = ["--player", "sh good.sh", "--player", "sh bad.sh"]


def told(done):
    """The JSON objects of a run, without times; exit code 1 means that a player failed all its rounds."""
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    failed = any(row["crashes"] + row["timeouts"] == row.get("rounds", row.get("words")) for row in rows)
    assert done.exit_code == failed, done.stderr
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def test_no_time_left_is_told_by_the_first_rounds_of_players_which_may_compile(run, folder, monkeypatch):
    for name in ("QUIET", "EVERY", "TRUSTED"):
        monkeypatch.setattr(f"gpulingo.cli.run.{name}", 0.0)
    done = run("pit --length 5 --rounds 3 --jobs 1", *PLAY)
    lines = re.findall(r"pit: (\d+) %, (.*)", done.stderr)  # one for each of six rounds
    assert ["left" in line for share, line in lines if int(share)] == [False] * 2 + [True] * 4


def test_all_players_play_the_words_that_the_seed_draws(run, folder, words22):
    words = {}
    for seed in (1, 2):
        run(f"pit --length 5 --rounds 6 --jobs 2 --seed {seed} --log logs{seed}", *PLAY)
        logs = sorted((folder / f"logs{seed}").iterdir())
        assert [log.name for log in logs] == ["1-sh-good.sh.log", "2-sh-bad.sh.log"]
        words[seed] = [sorted(re.findall("word is (.*)", log.read_text())) for log in logs]
        assert words[seed] == [sorted(drawn_words(words22, 6, seed))] * 2
    assert words[1] != words[2]


@pytest.mark.slow
def test_the_player_of_gpulingo_gets_the_points_of_its_checkpoint(run, folder, middle, words22):
    (folder / "checkpoints").mkdir()
    middle.rename(folder / "checkpoints" / file_name("lingo5", 5, words22.fingerprint))
    player = f"{sys.executable} -m gpulingo play"
    (row,) = told(run("pit --length 5 --all-words --jobs 2 --json --player", player))
    (path,) = (folder / "checkpoints").iterdir()
    assert row["total"] == read_checkpoint(path).mean_points
    assert (row["crashes"], row["invalid"], row["lingered"]) == (0, 0, 0)


def test_the_ranking_is_printed_and_nothing_left_of_folders_that_a_player_removed(folder):
    (folder / "break.sh").write_text('top=${PWD%/*}; cd /; rm -r "$top"; : >"$top"; echo heron; read marks\n')
    command = [sys.executable, "-m", "gpulingo", "pit", "--length", "5", "--rounds", "1", "--json"]
    command += ["--player", "sh break.sh"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    restored, ranking, *_ = done.stdout.splitlines()
    place = re.search(r"cannot lay the lists out in (\S+)/1 \(Not a directory\)", restored)
    assert json.loads(ranking)["rounds"] == 1 and place and not Path(place[1]).exists()


def test_a_folder_to_play_in_can_be_named(run, folder):
    (folder / "in").mkdir()
    (folder / "look.sh").write_text("#!/bin/sh\npwd; touch here\n")
    (folder / "look.sh").chmod(0o755)
    run("pit --length 5 --rounds 1 --log logs --cwd in --player ./look.sh")
    assert f"Got:   {folder / 'in'}\n" in (folder / "logs" / "1-look.sh.log").read_text()
    assert [path.name for path in (folder / "in").iterdir()] == ["here"]


@pytest.mark.slow
def test_a_match_that_is_resumed_tells_what_an_uninterrupted_one_tells(run, folder):
    line = "pit --length 5 --rounds 6 --json"
    whole = told(run(line, *PLAY))
    path = folder / "kept.jsonl"
    assert told(run(f"{line} --out kept.jsonl", *PLAY)) == whole
    rows = path.read_bytes().splitlines(keepends=True)
    assert len(rows) == 12
    path.write_bytes(b"".join(rows[:7]) + rows[7][:30])
    done = run(f"{line} --out kept.jsonl --resume --log logs", *PLAY)
    assert told(done) == whole
    told_first, note = done.stderr.splitlines()
    assert told_first == "gpulingo: kept.jsonl: 7 of 12 rounds are played"
    assert note.startswith("gpulingo: 'sh bad.sh' failed 5 of 6 rounds, first with grape: ")
    logs = "".join(log.read_text() for log in (folder / "logs").iterdir())
    assert logs.count("Starting new round") == 5
    assert len(path.read_bytes().splitlines()) == 12
    # Another list: none of its results count.
    (folder / "wordlist.txt").write_text((folder / "wordlist.txt").read_text() + "eerie\n")
    assert ": 0 of 12 rounds are played" in run(f"{line} --resume kept.jsonl", *PLAY).stderr


def test_the_start_before_the_match_costs_no_round_and_only_who_plays_is_started(run, folder):
    (folder / "count.sh").write_text(f"echo x >>starts\n{(folder / 'good.sh').read_text()}")
    line = "pit --length 5 --rounds 4 --cwd . --resume kept.jsonl --json --player"
    (row,) = told(run(line, "sh count.sh"))
    assert row["rounds"] == 4
    assert (folder / "starts").read_text() == "x\n" * 5
    assert told(run(line, "sh count.sh")) == [row]
    assert (folder / "starts").read_text() == "x\n" * 5


def test_a_player_that_thinks_long_or_waits_first_can_be_started(run, folder):
    (folder / "wait.sh").write_text("read marks\n")
    (row,) = told(run("pit --length 5 --rounds 1 --timeout 0.3 --json --player", "sh wait.sh"))
    assert row["timeouts"] == 1


def test_a_log_of_hangman_holds_what_was_shown_and_said(run, folder):
    (folder / "letters.sh").write_text("""read line
for letter in e t; do echo "I guess the letter '$letter'."; read line; done
""")
    (folder / "words.txt").write_text("tease\n")
    run("pit --game hangman --words words.txt --log logs --player", "sh letters.sh")
    (log,) = (folder / "logs").iterdir()
    lines = log.read_text().splitlines()
    assert lines[:4] == [
        "Starting new round, word is tease",
        "Sent:  _ _ _ _ _",
        "Got:   I guess the letter 'e'.",
        "Sent:  _ e _ _ e",
    ]

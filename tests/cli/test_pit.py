"""`gpulingo pit`: who wins, what is kept, and what goes wrong."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpulingo.play.match import drawn_words
from gpulingo.trees.checkpoint import file_name, read_checkpoint

PLAYER = """for word in $PLAYS; do
    echo $word
    read marks || exit
    [ $marks = OOOOO ] && exit
done
"""
TIMES = ("cpu", "wall")


@pytest.fixture
def folder(list22, words22, monkeypatch):
    """The pit's folder with a list of 22 words; `sh good.sh` finds five of them, `sh bad.sh` one."""
    list22.rename(list22.with_name("wordlist.txt"))
    for name, plays in (("good.sh", words22.words[:5]), ("bad.sh", words22.words[:1])):
        (list22.parent / name).write_text(f"PLAYS='{' '.join(plays)}'\n{PLAYER}")
    return list22.parent


PLAY = ["--player", "sh good.sh", "--player", "sh bad.sh"]


def told(done):
    """The JSON objects of a run, without times."""
    assert done.exit_code == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def test_the_tables_say_who_wins_by_how_much_and_what_broke(run, folder):
    done = run("pit --length 5 --all-words", *PLAY)
    lines = [re.split(r"  +", line.strip()) for line in done.stdout.splitlines()]
    assert lines[0] == ["list: wordlist.txt; words of each length: 22"]
    assert lines[1] == ["rank", "player", "5", "total"]
    # 500 + 400 + .. + 100, and 500, over 22 words.
    assert lines[2] == ["1", "sh good.sh", "68.18", "68.18"]
    assert lines[3] == ["2", "sh bad.sh", "22.73", "22.73"]
    names = ["rank", "player", "rounds", "lost", "mean guesses", "error", "to leader", "95 % interval"]
    assert lines[5] == names
    assert lines[6] == ["1", "sh good.sh", "22", "17", "5.318", "0.00", "0.00", "0.00 to 0.00"]
    assert lines[7] == ["2", "sh bad.sh", "22", "21", "5.773", "0.00", "-45.45", "-45.45 to -45.45"]
    assert lines[9][-4:] == ["crashes", "timeouts", "lingered", "invalid"]
    assert lines[11][-4:] == ["21", "0", "0", "0"]
    assert len(lines) == 12


def test_json_is_an_object_for_each_player(run, folder):
    done = run("pit --length 5 --all-words --json", *PLAY)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["rank"], first["player"], first["points"]) == (1, "sh good.sh", {"5": 1500 / 22})
    assert first["mean_guesses"] == 6 - 15 / 22
    assert (second["rounds"], second["lost"], second["crashes"], second["interval"]) == (
        22, 21, 21, [-1000 / 22, -1000 / 22],
    )  # fmt: skip
    assert 0 < second["cpu"]["median"] <= second["cpu"]["max"] < second["wall"]["max"] + 1


def test_all_players_play_the_words_that_the_seed_draws(run, folder, words22):
    words = {}
    for seed in (1, 2):
        done = run(f"pit --length 5 --rounds 6 --jobs 2 --seed {seed} --log logs{seed}", *PLAY)
        assert done.exit_code == 0
        logs = sorted((folder / f"logs{seed}").iterdir())
        assert [log.name for log in logs] == ["1-sh-good.sh.log", "2-sh-bad.sh.log"]
        words[seed] = [sorted(re.findall("word is (.*)", log.read_text())) for log in logs]
        assert words[seed] == [sorted(drawn_words(words22, 6, seed))] * 2
    assert words[1] != words[2]


def test_the_original_file_of_players_and_a_file_of_words_are_read(run, folder, words22):
    (folder / "players.txt").write_text("# the pit\nsh bad.sh\n\nsh good.sh\n")
    (folder / "words.txt").write_text("".join(f"{word}\n" for word in (*words22.words[:2], words22.words[9])))
    (row, other) = told(run("pit --players players.txt --words words.txt --json"))
    assert (row["player"], row["points"], row["rounds"]) == ("sh good.sh", {"5": 300.0}, 3)
    assert other["standard_error"] == pytest.approx(500 / 3)


def test_the_player_of_gpulingo_gets_the_points_of_its_checkpoint(run, folder, middle, words22):
    (folder / "checkpoints").mkdir()
    middle.rename(folder / "checkpoints" / file_name("lingo", 5, words22.fingerprint))
    player = f"{sys.executable} -m gpulingo play"
    (row,) = told(run("pit --length 5 --all-words --jobs 2 --json --player", player))
    (path,) = (folder / "checkpoints").iterdir()
    assert row["total"] == read_checkpoint(path).mean_points
    assert (row["crashes"], row["invalid"], row["lingered"]) == (0, 0, 0)


def test_players_find_the_lists_in_a_folder_of_their_own_that_is_removed(run, folder):
    (folder / "look.sh").write_text(
        'pwd; cat wordlist5.txt | wc -l; wc -l <wordlist.txt; cat <"$0" | head -n 1'
    )
    run("pit --length 5 --rounds 1 --log logs --player", "sh look.sh", "--player", "./look.sh")
    place, lines, whole, own = re.findall("Got:   (.*)", (folder / "logs" / "1-sh-look.sh.log").read_text())
    assert place != str(folder) and not Path(place).exists() and not Path(place).parent.exists()
    assert (int(lines), int(whole)) == (22, 22)
    assert own.startswith("pwd; cat")
    assert "permission denied" in (folder / "logs" / "2-look.sh.log").read_text()


def test_a_folder_to_play_in_can_be_named(run, folder):
    (folder / "in").mkdir()
    (folder / "look.sh").write_text("#!/bin/sh\npwd; touch here\n")
    (folder / "look.sh").chmod(0o755)
    run("pit --length 5 --rounds 1 --log logs --cwd in --player ./look.sh")
    assert f"Got:   {folder / 'in'}\n" in (folder / "logs" / "1-look.sh.log").read_text()
    assert [path.name for path in (folder / "in").iterdir()] == ["here"]


def test_a_match_that_is_resumed_tells_what_an_uninterrupted_one_tells(run, folder):
    line = "pit --length 5 --rounds 6 --json"
    whole = told(run(line, *PLAY))
    path = folder / "kept.jsonl"
    assert told(run(f"{line} --resume kept.jsonl", *PLAY)) == whole
    rows = path.read_bytes().splitlines(keepends=True)
    assert len(rows) == 12
    path.write_bytes(b"".join(rows[:7]) + rows[7][:30])
    done = run(f"{line} --resume kept.jsonl --log logs", *PLAY)
    assert told(done) == whole
    assert done.stderr == "gpulingo: kept.jsonl: 7 of 12 rounds are played\n"
    logs = "".join(log.read_text() for log in (folder / "logs").iterdir())
    assert logs.count("Starting new round") == 5
    assert len(path.read_bytes().splitlines()) == 12
    # Another list: nothing of it counts.
    (folder / "wordlist.txt").write_text((folder / "wordlist.txt").read_text() + "eerie\n")
    assert ": 0 of 12 rounds are played" in run(f"{line} --resume kept.jsonl", *PLAY).stderr


@pytest.fixture
def pit(folder, monkeypatch):
    """A function that starts the command as a process with a player that takes 0.1 s, and one that hangs."""

    (folder / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "temporary"))

    def start(*words):
        slow = f"sh -c 'sleep 0.1; echo {folder.name}'"
        hanging = "sh -c 'setsid sleep 61 & sleep 61'"
        command = [sys.executable, "-m", "gpulingo", "pit", "--length", "5", "--rounds", "20", *words]
        command += ["--player", slow, "--player", hanging]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, cwd=folder, start_new_session=True
        )

    return start


def wait_for(condition):
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def sleepers():
    """The processes that the hanging player starts."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if path.read_bytes() == b"sleep\x0061\x00" else []
        except OSError:
            pass
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_match_loses_the_running_rounds_only(pit, folder, number):
    path = folder / "kept.jsonl"
    with pit("--resume", "kept.jsonl", "--timeout", "0.5", "--jobs", "2") as first:
        wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
        wait_for(sleepers)
        os.killpg(first.pid, number)  # as a terminal does
        output, complaints = first.communicate(timeout=10)
    rows = path.read_bytes().count(b"\n")
    assert rows >= 3
    wait_for(lambda: not sleepers())
    wait_for(lambda: not any((folder / "temporary").iterdir()))
    if number == signal.SIGKILL:
        assert first.returncode == -9
    else:
        said = f"gpulingo: interrupted after {rows} of 40 rounds; run it again, kept.jsonl has them\n"
        assert (first.returncode, complaints) == (130, said)
        assert output.startswith("list: wordlist.txt; ")  # the tables so far
    with pit("--resume", "kept.jsonl", "--timeout", "0.1", "--jobs", "4", "--json") as second:
        output, complaints = second.communicate(timeout=30)
    assert complaints == f"gpulingo: kept.jsonl: {rows} of 40 rounds are played\n"
    slow, hanging = map(json.loads, output.splitlines())
    assert (slow["rounds"], hanging["rounds"], hanging["timeouts"]) == (20, 20, 20)


def test_without_a_file_an_interrupt_says_so(pit):
    with pit("--timeout", "5") as cut:
        wait_for(sleepers)
        cut.send_signal(signal.SIGINT)
        output, complaints = cut.communicate(timeout=10)
    assert complaints == "gpulingo: interrupted after 1 of 40 rounds; with --resume FILE they can be kept\n"
    assert "crashes" in output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pit", "no player: give --player COMMAND, or --players FILE with one command a line"),
        ("pit --player a --player a", "player 'a' is there twice: give each once"),
        ("pit --players none.txt", "--players: no file at none.txt: give one with one command a line"),
        ("pit --player a --length 4", "no words of 4 letters in wordlist.txt"),
        ("pit --player a --length x", "--lengths: 'x' is no length"),
        ("pit --player a --rounds 0", "'0' is no whole number from 1"),
        ("pit --player a --length 5 --timeout 0", "'0' is no time from 0.1s to 24h"),
        ("pit --player a --length 5 --timeout nan", "'nan' is no time"),
        ("pit --player a --length 5 --cwd none", "--cwd: none is no folder"),
        ("pit --player a --words wordlist.txt --all-words", "--words and --all-words: give one of them"),
        ("pit --player a --words none.txt", "no word list at none.txt"),
        ("pit --player a --words odd.txt", "--words: 'xxxxx' is not among the 22 words"),
        (
            "pit --player a --length 5 --resume wordlist.txt",
            "line 1 of wordlist.txt is no result of a round",
        ),
        ("pit --player a --length 5 --log wordlist.txt", "wordlist.txt: cannot make this folder"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_before_anything_is_played(run, folder, line, said):
    (folder / "odd.txt").write_text("heron\nxxxxx\n")
    before = (folder / "wordlist.txt").read_text()
    done = run(line)
    assert done.exit_code in (1, 2)
    assert done.stdout == ""
    assert done.stderr.startswith("gpulingo: ") and done.stderr.count("\n") == 1
    assert said in done.stderr
    assert (folder / "wordlist.txt").read_text() == before

"""How far the work is: a bar over all of it on a terminal, a line now and then elsewhere, never on stdout."""

import contextlib
import io
import json
import os
import pty
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.cli.run import Run, time_text


def shown_on_terminal(command, folder, stdout=subprocess.PIPE):
    """Exit code, stdout, and what a terminal on stderr gets; `stdout` None is the same terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=stdout or theirs, stderr=theirs, cwd=folder) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            shown += part
        out = process.stdout.read() if process.stdout else b""
    os.close(ours)
    return process.returncode, out.decode(), shown.decode()


def plain(shown):
    """What is shown without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


@pytest.fixture
def clock(monkeypatch):
    """The time: a list whose last number is now."""
    times = [1000.0]
    for name in ("perf_counter", "clock"):
        monkeypatch.setattr(f"gpulingo.cli.run.{name}", lambda: times[-1])
    return times


@pytest.fixture
def lines(monkeypatch):
    """Every update tells a line."""
    monkeypatch.setattr("gpulingo.cli.run.QUIET", 0.0)
    monkeypatch.setattr("gpulingo.cli.run.EVERY", 0.0)


def told(clock, updates):
    """The lines that a bar of 100 tells: (second, done) each."""
    with contextlib.redirect_stderr(io.StringIO()) as stderr, Run("prove").bar(100.0) as bar:
        for second, done in updates:
            clock.append(1000.0 + second)
            bar.reach(done, "4 of 9")
    return stderr.getvalue().splitlines()


def test_short_work_tells_nothing_where_there_is_no_terminal(clock):
    assert told(clock, [(second, second) for second in range(60)]) == []


def test_long_work_tells_a_line_now_and_then(clock):
    assert told(clock, [(second, second / 2) for second in range(0, 121, 5)]) == [
        "gpulingo: prove: 30 %, 0:01:00 passed, about 0:02:20 left, 4 of 9",
        "gpulingo: prove: 45 %, 0:01:30 passed, about 0:01:50 left, 4 of 9",
        "gpulingo: prove: 60 %, 0:02:00 passed, about 0:01:20 left, 4 of 9",
    ]


def test_what_was_done_before_says_nothing_about_the_time_left(clock):
    with contextlib.redirect_stderr(io.StringIO()), Run("pit").bar(100.0) as bar:
        bar.skip(80.0)
        clock.append(1010.0)
        bar.advance(5.0)
        assert bar.left == 30.0  # 15 to go, at 5 in 10 seconds


def test_work_that_is_known_later_is_timed_from_then(clock):
    with contextlib.redirect_stderr(io.StringIO()), Run("prove").bar(None) as bar:
        clock.append(1500.0)
        assert bar.left is None
        bar.begin(100.0, done=50.0)
        clock.append(1510.0)
        bar.reach(75.0)
        assert (bar.left, bar.seconds) == (10.0, 510.0)


def test_the_time_left_grows_while_the_work_stands_still(clock):
    with contextlib.redirect_stderr(io.StringIO()), Run("prove").bar(100.0) as bar:
        clock.append(1010.0)
        bar.reach(50.0)
        assert bar.left == 10.0
        clock.append(1020.0)
        assert bar.left == 20.0


def test_the_time_left_is_no_more_than_the_user_gave(clock):
    with contextlib.redirect_stderr(io.StringIO()), Run("prove", 12.0).bar(100.0) as bar:
        clock.append(1010.0)
        bar.reach(50.0)
        assert bar.left == 2.0


def test_no_work_and_no_time_are_no_estimate(clock):
    with contextlib.redirect_stderr(io.StringIO()), Run("compare").bar(0.0) as bar:
        bar.reach(0.0)
        clock.append(1100.0)
        assert bar.left is None


def test_times_are_hours_minutes_and_seconds():
    assert (time_text(0.4), time_text(130), time_text(36000)) == ("0:00:00", "0:02:10", "10:00:00")


DRAWN = """
import sys
from gpulingo.cli import errors as guard, run
run.TRUSTED = 0
with run.Run("compare").bar(4.0) as bar:
    bar.advance(1.0, "[parts] " + "x" * 100)
    guard.tell("a warning")
    with bar.hidden():
        print("a row")
    bar.advance(1.0)
"""


def test_a_bar_is_one_line_and_warnings_and_rows_stand_on_their_own(tmp_path):
    code, _, shown = shown_on_terminal([sys.executable, "-c", DRAWN], tmp_path, stdout=None)
    rows = plain(shown).replace("\r\n", "\n")
    assert code == 0
    assert re.search(r"compare: \[parts\] x+… ━+.* 50 % 0:00:0\d 0:00:0\d left", rows)
    assert "\r\x1b[2Kgpulingo: a warning\n" in rows
    assert re.search(r"\x1b\[2Ka row\n", rows)
    assert all(len(re.sub(r"\x1b\[[0-9?]*[A-Za-z]", "", row)) <= 80 for row in re.split(r"[\r\n]+", rows))
    assert shown.endswith("\x1b[2K")  # the line is wiped


@pytest.mark.slow
def test_a_terminal_gets_one_bar_over_all_lengths_that_goes_away(list22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    line = "simulate --length 4-5 --wordlist list.txt --device cpu --json"
    command = [sys.executable, "-m", "gpulingo", *line.split()]
    code, out, shown = shown_on_terminal(command, list22.parent)
    assert (code, [json.loads(row)["words"] for row in out.splitlines()]) == (0, [2, 22])
    assert "simulate: parts, 5 letters, turn" in plain(shown)
    assert re.search(r" [1-9][0-9]* % ", plain(shown))
    assert "{" not in shown
    assert shown.endswith("\x1b[2K")


LIST = "--wordlist list.txt --device cpu"
COMMANDS = {
    "simulate": f"simulate --length 4-5 {LIST}",
    "compare": f"compare --length 4-5 {LIST} --strategies parts,letters",
    "openings": f"openings --length 5 {LIST} --top 3",
    "tune": f"tune --length 5 {LIST} --turns 4 --iterations 3 --pools 4 --out a.json",
    "prove": f"prove best.npz {LIST}",
    "pit": "pit --player ./player --length 5 --wordlist list.txt --rounds 4",
}


@pytest.mark.parametrize("command", quick(COMMANDS, [*COMMANDS][:-2]))
def test_every_long_command_tells_how_far_it_is_up_to_its_end(run, list22, lines, command):
    if command == "prove":
        draw = random.Random(1)
        list22.write_text("\n".join({"".join(draw.choices("abcdefgh", k=5)): None for _ in range(900)}))
        assert run(f"solve --length 5 {LIST} --turns 3 --out best.npz").exit_code == 0
    else:
        list22.write_text(list22.read_text() + "bird\nbard\n")
    Path("player").write_text("#!/bin/sh\necho heron\n")
    Path("player").chmod(0o755)
    done = run(COMMANDS[command])
    assert done.exit_code == (command == "pit"), done.stderr  # whose player ends after a guess
    shares = [int(share) for share in re.findall(rf"^gpulingo: {command}: (\d+) %, ", done.stderr, re.M)]
    assert shares[-1] == 100 and shares == sorted(shares)
    assert len(shares) > 2
    assert " passed" not in done.stdout


def test_a_search_tells_its_own_lines_only(run, list22, lines):
    done = run(f"solve --length 5 {LIST} --out best.npz")
    assert (done.exit_code, " passed" in done.stderr) == (0, False)

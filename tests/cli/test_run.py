"""A run: finished work stays and is reported at the time limit; Ctrl-C; a bar, or a line now and then."""

import contextlib
import io
import json
import math
import os
import pty
import random
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.cli.run import Run
from gpulingo.cli.signals import late_interrupt, set_signals
from gpulingo.tensors import clock as time


def test_results_end_with_the_time_which_is_told(capsys):
    endless, late = Run("letters"), Run("letters", -1.0)
    assert list(endless.results(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert list(late.results(iter("abc"), "letters", 3)) == ["a"]
    said = "gpulingo: the time is up after 1 of 3 letters: --time was too short for all\n"
    assert capsys.readouterr().err == said
    assert list(late.results(iter("a"), "letters", 1)) == ["a"]
    assert capsys.readouterr().err == ""


def test_time_that_is_up_within_a_result_keeps_those_before_it(capsys):
    def results(done):
        yield from range(done)
        Run("numbers", -1.0).check()

    run = Run("numbers")
    assert list(run.results(results(2), "numbers", 3)) == [0, 1]
    assert capsys.readouterr().err.startswith("gpulingo: the time is up after 2 of 3 numbers:")
    with pytest.raises(time.TimeIsUp, match="before there was any result"):
        list(run.results(results(0), "numbers", 3))


def test_a_run_ends_at_its_time_or_never():
    assert Run("numbers").ends == math.inf
    assert time.clock() <= Run("numbers", 0.0).ends <= time.clock()


@pytest.fixture
def lines(list22, monkeypatch):
    """Options of a run over 4 and 5 letters; the strategy clock:f makes the time run out at 5."""
    list22.write_text(list22.read_text() + "bird\nbard\n")
    (list22.parent / "clock.py").write_text(
        "now = 0.0\ndef f(sizes):\n    global now\n    now += 99.0 * (len(sizes) > 9)\n    return sizes\n"
    )
    monkeypatch.delitem(sys.modules, "clock", raising=False)
    now = lambda: sys.modules["clock"].now if "clock" in sys.modules else 0.0  # noqa: E731
    monkeypatch.setattr("gpulingo.cli.run.clock", now)
    yield "4-5 --wordlist list.txt --device cpu --time 9s"
    sys.modules.pop("clock", None)


def test_what_was_played_in_time_is_printed_and_written(run, list22, lines):
    done = run(f"simulate --length {lines} --strategy clock:f --json --per-word turns.tsv")
    assert done.exit_code == 0
    assert [json.loads(row)["length"] for row in done.stdout.splitlines()] == [4]
    assert done.stderr == "gpulingo: the time is up after 1 of 2 lengths: --time was too short for all\n"
    assert len((list22.parent / "turns.tsv").read_text().splitlines()) == 2


def test_what_was_compared_in_time_is_printed(run, lines):
    done = run(f"compare --length {lines} --strategies letters,clock:f --json")
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [(row["strategy"], row["length"]) for row in rows] == [
        ("letters", 4),
        ("letters", 5),
        ("clock:f", 4),
    ]
    assert done.stderr == "gpulingo: the time is up after 3 of 4 results: --time was too short for all\n"


def test_a_match_ends_after_the_first_that_is_late(run, list22):
    done = run("pit --player true --lengths 5 --rounds 6 --wordlist list.txt --time 0s --json")
    rounds = sum(json.loads(row)["rounds"] for row in done.stdout.splitlines())
    assert (done.exit_code, rounds) == (1, 1)  # its player made no guess
    assert "the time is up after 1 of 6 rounds: --time was too short for all\n" in done.stderr


def test_the_first_waits_until_it_is_looked_for():
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt() as check:
        check()
        signal.raise_signal(signal.SIGINT)
        reached.append("after it")
        check()
        reached.append("never")
    assert reached == ["after it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_comes_at_the_end_when_nobody_looks():
    reached = []
    with pytest.raises(KeyboardInterrupt):
        with late_interrupt():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")
        reached.append("never")
    assert reached == ["the end"]


def test_the_second_does_not_wait():
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt():
        signal.raise_signal(signal.SIGINT)
        reached.append("after the first")
        signal.raise_signal(signal.SIGINT)
        reached.append("never")
    assert reached == ["after the first"]


def test_what_is_as_good_as_the_first_waits_too(ending):
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt() as check:
        signal.raise_signal(ending)
        reached.append("after it")
        check()
        reached.append("never")
    assert reached == ["after it"]
    assert signal.getsignal(ending) is signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_signal_stays_ignored(ending):
    signal.signal(ending, signal.SIG_IGN)
    set_signals(at_once=True)
    assert signal.getsignal(ending) is signal.SIG_IGN


def test_a_caller_keeps_its_own_handler():
    noted = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        with late_interrupt():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted == [signal.SIGINT]


def test_a_thread_that_may_set_no_handler_runs_all_the_same():
    def work():
        with late_interrupt() as check:
            check()
            done.append(True)

    done = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def shown_on_terminal(command, folder, stdout=subprocess.PIPE):
    """Exit code, stdout, and what a terminal on stderr gets; `stdout` None is the same terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=stdout or theirs, stderr=theirs, cwd=folder) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux's sign that the other end is closed
                break
            if not part:
                break
            shown += part
        out = process.stdout.read() if process.stdout else b""
    os.close(ours)
    return process.returncode, out.decode(), shown.decode()


def plain(shown):
    """The text without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


@pytest.fixture
def clock(monkeypatch):
    """The clock: a list whose last number is the time."""
    times = [1000.0]
    for name in ("perf_counter", "clock"):
        monkeypatch.setattr(f"gpulingo.cli.run.{name}", lambda: times[-1])
    return times


@pytest.fixture
def at_once(monkeypatch):
    """Make every update print a line."""
    monkeypatch.setattr("gpulingo.cli.run.QUIET", 0.0)
    monkeypatch.setattr("gpulingo.cli.run.EVERY", 0.0)


def told(clock, updates):
    """The lines that a bar of 100 prints for updates (second, done)."""
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


def test_very_long_work_tells_a_line_for_each_tenth(clock):
    lines = told(clock, [(second, second / 20) for second in range(0, 2001, 5)])
    assert [line.split()[2] for line in lines] == ["3", *(f"{share}" for share in range(10, 101, 10))]


def test_a_cell_of_a_notebook_gets_no_bar_though_it_is_a_terminal(monkeypatch):
    stderr = io.StringIO()
    stderr.isatty = lambda: True
    monkeypatch.setenv("JPY_PARENT_PID", "1")
    with contextlib.redirect_stderr(stderr), Run("prove").bar(100.0) as bar:
        bar.reach(50.0)
    assert stderr.getvalue() == ""


def passed(clock, bar, seconds, done):
    """Let some seconds pass with progress to `done`; return the seconds left."""
    clock.append(clock[-1] + seconds)
    bar.reach(done)
    return bar.left


def test_the_time_left_is_by_the_pace_of_this_run_and_no_more_than_the_user_gave(clock):
    with contextlib.redirect_stderr(io.StringIO()):
        with Run("pit").bar(100.0) as bar:
            bar.begin(100.0, 80.0)
            assert passed(clock, bar, 10, 85.0) == 30.0  # 15 to go, at 5 in 10 seconds
        with Run("prove").bar(None) as bar:  # the total is set later
            assert passed(clock, bar, 500, 0.0) is None
            bar.begin(100.0, done=50.0)
            assert (passed(clock, bar, 10, 75.0), bar.seconds) == (10.0, 510.0)
        with Run("prove").bar(100.0) as bar:
            assert passed(clock, bar, 10, 50.0) == 10.0
            assert passed(clock, bar, 10, 50.0) == 20.0  # it grows while progress stalls
        with Run("prove", 12.0).bar(100.0) as bar:
            assert passed(clock, bar, 10, 50.0) == 2.0
        with Run("compare").bar(0.0) as bar:
            assert passed(clock, bar, 100, 0.0) is None


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
    assert shown.endswith("\x1b[2K")  # the line is cleared


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
def test_every_long_command_tells_how_far_it_is_up_to_its_end(run, list22, at_once, command):
    if command == "prove":
        draw = random.Random(1)
        list22.write_text("\n".join({"".join(draw.choices("abcdefgh", k=5)): None for _ in range(900)}))
        assert run(f"solve --length 5 {LIST} --turns 3 --out best.npz").exit_code == 0
    else:
        list22.write_text(list22.read_text() + "bird\nbard\n")
    Path("player").write_text("#!/bin/sh\necho heron\n")
    Path("player").chmod(0o755)
    done = run(COMMANDS[command])
    assert done.exit_code == (command == "pit"), done.stderr  # its player ends after a guess
    shares = [int(share) for share in re.findall(rf"^gpulingo: {command}: (\d+) %, ", done.stderr, re.M)]
    assert shares[-1] == 100 and shares == sorted(shares)
    assert len(shares) > 2
    assert " passed" not in done.stdout


def test_a_search_tells_its_own_lines_only(run, list22, at_once):
    done = run(f"solve --length 5 {LIST} --out best.npz")
    assert (done.exit_code, " passed" in done.stderr) == (0, False)

"""`gpulingo pit` when interrupted, killed or stopped, by a user or by a player."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

NAP = f"61.{os.getpid():07}"  # seconds; the digits identify this run of the tests
WAIT = 60  # seconds for a process to end by itself, on a busy machine


@pytest.fixture
def pit(folder, monkeypatch):
    """A function that starts the command as a process with a player that takes 0.1 s, and one that hangs."""

    (folder / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "temporary"))

    def start(*words, players=(f"sh -c 'setsid sleep {NAP} & sleep {NAP}'",)):
        slow = f"sh -c 'sleep 0.1; echo {folder.name}'"
        command = [sys.executable, "-m", "gpulingo", "pit", "--length", "5", "--rounds", "20", *words]
        for player in (slow, *players):
            command += ["--player", player]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, cwd=folder, start_new_session=True
        )

    return start


def wait_for(condition):
    until = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def sleepers():
    """The processes that the hanging player starts."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if path.read_bytes() == f"sleep\0{NAP}\0".encode() else []
        except OSError:
            pass
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_match_loses_the_running_rounds_only(pit, folder, number):
    path = folder / "kept.jsonl"
    with pit("--resume", "kept.jsonl", "--timeout", "0.5", "--jobs", "2") as first:
        wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
        wait_for(sleepers)
        os.killpg(first.pid, number)  # as from a terminal
        output, complaints = first.communicate(timeout=WAIT)
    rows = path.read_bytes().count(b"\n")
    assert rows >= 3
    wait_for(lambda: not sleepers())
    wait_for(lambda: not any((folder / "temporary").iterdir()))
    if number == signal.SIGKILL:
        assert first.returncode == -9
    else:
        said = f"gpulingo: interrupted after {rows} of 40 rounds; kept.jsonl has them, --resume continues\n"
        assert (first.returncode, complaints) == (130, said)
        assert output.startswith("list: wordlist.txt; ")  # the tables so far
    with pit("--resume", "kept.jsonl", "--timeout", "0.1", "--jobs", "4", "--json") as second:
        output, complaints = second.communicate(timeout=WAIT)
    assert complaints.splitlines()[0] == f"gpulingo: kept.jsonl: {rows} of 40 rounds are played"
    slow, hanging = map(json.loads, output.splitlines())
    assert (slow["rounds"], hanging["rounds"], hanging["timeouts"]) == (20, 20, 20)


@pytest.mark.slow
def test_without_a_file_an_interrupt_says_so(pit, folder):
    with pit("--timeout", "5", "--log", "logs") as cut:
        wait_for(lambda: list((folder / "logs").glob("1-*")))  # the first round is over, and all trials
        wait_for(sleepers)
        cut.send_signal(signal.SIGINT)
        output, complaints = cut.communicate(timeout=WAIT)
    assert (
        complaints == "gpulingo: interrupted after 1 of 40 rounds; with --out FILE.jsonl they can be kept\n"
    )
    assert "crashes" in output


STOP = f"sh -c 'kill -STOP $PPID; setsid sleep {NAP} & sleep {NAP}'"
STOP_MATCH = f"sh -c 'kill -STOP $(cut -d\" \" -f4 /proc/$PPID/stat); setsid sleep {NAP} & sleep {NAP}'"


def state(pid):
    """The letter in /proc for the state of a process."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_a_killed_match_leaves_nothing_even_when_its_referee_is_stopped(pit, folder):
    with pit("--timeout", "30", players=[STOP]) as first:
        wait_for(sleepers)
        first.kill()
    wait_for(lambda: not sleepers())
    wait_for(lambda: not any((folder / "temporary").iterdir()))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_a_match_that_is_killed_before_the_stop_of_its_referee_begins_leaves_nothing(pit, folder):
    with pit("--timeout", "30") as first:
        os.sched_setaffinity(first.pid, [min(os.sched_getaffinity(0))])  # the stop waits for this core
        wait_for(sleepers)
        for referee in Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split():
            os.kill(int(referee), signal.SIGSTOP)
        first.kill()
    wait_for(lambda: not sleepers())
    wait_for(lambda: not any((folder / "temporary").iterdir()))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_a_match_that_its_player_has_stopped_goes_on_when_it_is_woken(pit, folder):
    with pit("--timeout", "3", "--rounds", "3", "--json", players=[STOP_MATCH]) as stopped:
        stops = 0
        while stopped.poll() is None:
            wait_for(lambda: stopped.poll() is not None or state(stopped.pid) in "TZ")
            wait_for(lambda: not sleepers())  # the referee ends the player, without a parent to report to
            stopped.send_signal(signal.SIGCONT)
            stops += 1
        output, complaints = stopped.communicate(timeout=WAIT)
    assert stops >= 4  # the trial before the match is another
    assert (stopped.returncode, complaints.count("failed 3 of 3 rounds")) == (1, 2)
    slow, stopping = map(json.loads, output.splitlines())
    assert (slow["rounds"], slow["crashes"]) == (3, 3)  # it guesses once
    assert (stopping["rounds"], stopping["timeouts"]) == (3, 3)

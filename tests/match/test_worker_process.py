"""Players that attack the process of their referee: the match continues, the next player is unaffected."""

import os
import signal
import sys
import time

import players
import psutil
import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match import workers as referees
from gpulingo.match.rounds import Planned, StartTrial, trials_of
from gpulingo.match.sandbox import MatchSetup, Workspace
from gpulingo.match.worker_process import refusal
from gpulingo.match.workers import played_rounds

TIMEOUT, MARGIN = 3.0, 3.0
READY = """
import os, resource, signal, sys, time
referee, match = os.getppid(), int(open(f"/proc/{os.getppid()}/stat").read().rpartition(")")[2].split()[1])

def say(text):
    os.write(1, text.encode() + b"\\n")

def parents():
    known = {}
    for name in os.listdir("/proc"):
        try:
            known[int(name)] = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            pass
    return known

def below(top):
    known = parents()
    front = found = [pid for pid in known if known[pid] == top]
    while front:
        front = [pid for pid in known if known[pid] in front]
        found = found + front
    return [pid for pid in found if pid != os.getpid()]

def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass

def detach():
    if os.fork():
        os._exit(0)
    os.setsid()
"""
HONEST = (
    "assert os.getpriority(os.PRIO_PROCESS, 0) == os.getpriority(os.PRIO_PROCESS, match)\n"
    "say('bale'); input(); time.sleep({pause}); say('able'); input()"
)
# Attack -> its program, and the points and fault of its own round.
ATTACKS = {
    "stops it": ("send([referee], signal.SIGSTOP); time.sleep(1000)", 0, "crash"),
    "stops it and goes on": ("send([referee], signal.SIGSTOP); say('able'); input()", 0, "crash"),
    "stops its group": ("os.killpg(os.getpgid(referee), signal.SIGSTOP); time.sleep(1000)", 0, "crash"),
    "stops it from a session of its own": (
        "say('bale'); input()\n"
        "if os.fork() == 0: os.setsid(); send([referee], signal.SIGSTOP); time.sleep(1000)\n"
        "time.sleep(1000)",
        0, "crash",
    ),
    "stops all below the match": ("send(below(match), signal.SIGSTOP); time.sleep(1000)", 0, "crash"),
    "stops and wakes it for ever": (
        "if os.fork() == 0:\n    os.setsid()\n    while True:\n        send([referee], signal.SIGSTOP)\n"
        "        time.sleep(0.1)\n        send([referee], signal.SIGCONT)\ntime.sleep(1000)",
        0, None,
    ),
    "kills it": ("send([referee], signal.SIGKILL); time.sleep(1000)", 0, "crash"),
    "terminates it": ("send([referee], signal.SIGTERM); time.sleep(1000)", 0, "crash"),
    "hangs up on it": ("send([referee], signal.SIGHUP); time.sleep(1000)", 0, "crash"),
    "interrupts it": ("send([referee], signal.SIGINT); say('able'); input()", 500, ""),
    "kills it and leaves children": (
        "for _ in range(3):\n    if os.fork() == 0: os.setsid(); os.fork(); time.sleep(1000)\n"
        "send([referee], signal.SIGKILL); time.sleep(1000)",
        0, "crash",
    ),
    "kills all below the match": ("send(below(match), signal.SIGKILL); time.sleep(1000)", 0, "crash"),
    "leaves one that kills all later": (
        "say('able'); input(); detach()\nwhile True: send(below(match), signal.SIGKILL); time.sleep(0.01)",
        None, None,  # unknown: it may kill its own referee before the referee reports
    ),
    "takes its files": ("resource.prlimit(referee, resource.RLIMIT_NOFILE, (0, 0)); say('able')", None, None),
    "takes its memory": ("resource.prlimit(referee, resource.RLIMIT_AS, (0, 0)); say('able')", None, None),
    "takes its priority": ("os.setpriority(os.PRIO_PROCESS, referee, 19); say('able'); input()", 500, ""),
    "reads its own pipe": (
        "path = next(f'/proc/{referee}/fd/{n}' for n in os.listdir(f'/proc/{referee}/fd')\n"
        "            if os.readlink(f'/proc/{referee}/fd/{n}') == os.readlink('/proc/self/fd/1'))\n"
        "if os.fork() == 0:\n    thief = os.open(path, os.O_RDONLY)\n    while True: os.read(thief, 4096)\n"
        "for _ in range(1000): say('bale')\ntime.sleep(1000)",
        0, None,
    ),
    "fills processes and memory a little": (
        "for _ in range(6): os.fork()\n"
        "os.setsid() if os.getpgrp() != os.getpid() else None\ntime.sleep(1000)",
        0, "timeout",
    ),
    "forks, hides and ends for ever": (
        "if os.fork() == 0:\n    while True:\n        if os.getpgrp() != os.getpid(): os.setsid()\n"
        "        if os.fork(): os._exit(0)\nsay('able'); input()",
        500, "",
    ),
}  # fmt: skip


def setup(pause=0.0):
    command = (sys.executable, "-S", "-c")
    programs = {name: program for name, (program, _, _) in ATTACKS.items()}
    programs["honest"] = HONEST.format(pause=pause)
    workspaces = {name: Workspace((*command, READY + program), None) for name, program in programs.items()}
    return MatchSetup(workspaces, {"words": "able\nbale"}, TIMEOUT, lingo())


def rounds(*players):
    return [Planned(player, "words", "able") for player in players]


@pytest.fixture
def mark(monkeypatch):
    """A value in the environment of all processes started below; no such process must be left at the end."""
    text = f"attack-{os.getpid()}-{time.monotonic()}"
    monkeypatch.setenv("GPULINGO_TEST", text)
    monkeypatch.setattr(referees, "MARGIN", MARGIN)
    yield text
    monkeypatch.undo()
    assert running(text) == []


def running(text):
    """Command lines of the processes that a test started."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get("GPULINGO_TEST") == text:
                found.append(f"{process.status()}: {process.cmdline()[-1][-60:]}")
        except psutil.Error:
            pass
    return found


pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only"
)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_the_match_goes_on_whatever_a_player_does(part, mark):
    for name in list(ATTACKS)[part::3]:
        results = [one.result for one in played_rounds(rounds("honest", name, "honest"), setup())]
        assert [one.round.player for one in results] == ["honest", name, "honest"]
        assert [one.points for one in results if one.round.player == "honest"] == [400] * 2, name
        _, points, fault = ATTACKS[name]
        assert points in (None, results[1].points) and fault in (None, results[1].fault), results[1]
        if "stops" in name and results[1].fault == "crash":
            assert results[1].error == "the referee was stopped: it did not answer in time"
        if "all later" in name:
            assert (results[1].points, results[1].fault) in ((500, ""), (0, "crash"))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL])
def test_a_round_whose_referee_another_player_kills_is_played_again(mark, number):
    place = setup(pause=0.5)
    others = "[pid for pid in below(match) if parents().get(pid) == match and pid != referee]"
    attack = f"time.sleep(0.2); send({others}, {number}); say('able'); input()"
    command = place.workspaces["honest"].argv[:3]
    place.workspaces["attacker"] = Workspace((*command, READY + attack), None)
    results = [one.result for one in played_rounds(rounds("honest", "attacker"), place, 2)]
    assert {one.round.player: one.points for one in results} == {"honest": 400, "attacker": 500}


PYTHON = (sys.executable, "-S", "-c")


@pytest.mark.parametrize(
    "program",
    ["import sys; sys.exit(0)", "import sys; print('able') if sys.argv[1] == '5' else 1 / 0"],
)
def test_a_player_that_guesses_at_one_length_or_ends_without_an_error_is_not_refused(program):
    assert refusal((*PYTHON, program), None, [4, 5]) == ""


def test_a_guesser_of_letters_is_shown_a_word_and_told_no_length():
    program = "import sys; line = input(); print(len(line.split()), sys.argv[1:]); sys.exit(line != '_ _ _')"
    assert refusal((*PYTHON, program), None, [3], letters=True) == ""
    ends = "import sys; sys.exit(len(input()))"
    said = "ended with exit code 5 before its first guess"
    assert refusal((*PYTHON, ends), None, [3], letters=True) == said


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only")
@pytest.mark.parametrize("deed", ["closed folders", "remove lists"])
def test_what_a_player_does_to_folders_and_lists_costs_no_other_a_point(tmp_path, deed):
    programs, names = [(["guess", "listen", deed], "sys.exit()")], ["hostile0.py", "honest.py"]
    case = players.made_case(tmp_path, programs, names, jobs=1, timeout=30, mark=deed)
    try:
        assert players.played(case) == ""
    finally:
        case.end()


def test_a_folder_that_is_not_there_is_the_reason(tmp_path):
    assert "there is no folder" in refusal(("sh",), str(tmp_path / "gone"), [5])


def test_each_player_is_tried_once_at_the_lengths_of_its_words():
    words = {"a": ["able", "bale", "heron"], "b": ["heron", "able"]}
    rounds = [Planned(player, "f" * 12, word) for player in words for word in words[player]]
    assert trials_of(rounds) == [StartTrial("a", (4, 5)), StartTrial("b", (5, 4))]
    assert trials_of([]) == []

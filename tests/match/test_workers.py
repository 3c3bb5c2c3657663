"""Players that misbehave: each ends in time, costs one round and leaves no process."""

import os
import sys
import time
from pathlib import Path

import psutil
import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match.rounds import Planned
from gpulingo.match.sandbox import MatchSetup, Workspace
from gpulingo.match.workers import MARGIN, played_rounds

TIMEOUT = 4.0  # seconds that suffice to start a player on a busy machine too
READY = "import os, signal, sys, time\ndef say(text): os.write(1, text.encode() + b'\\n')\n"
CHILD = "if os.fork() == 0:\n    {first}\n    time.sleep(1000)\n    os._exit(0)\n"

# Behaviour -> its program; points, fault, exit (None: any), lingered (None: either).
PLAYERS = {
    "says nothing": ("time.sleep(1000)", 0, "timeout", -15, True),
    "is slow": ("while True: time.sleep(1.5); say('bale')", 0, "timeout", -15, True),
    "floods lines": ("line = b'bale\\n' * 20000\nfor _ in range(1000): os.write(1, line)", 0, "", None, None),
    "floods without a newline": ("for _ in range(1000): os.write(1, b'a' * 100000)", 0, "crash", None, None),
    "floods stderr": ("for _ in range(1000): os.write(2, b'a' * 100000)\nsay('able')", 500, "", None, False),
    "writes 65,536 bytes a line": ("say('a' * 65536); input()", 0, "crash", None, None),
    "writes 65,535 bytes a line": ("say('a' * 65535); input(); say('able')", 400, "", 0, False),
    "writes no newline": ("os.write(1, b'able'); time.sleep(1000)", 0, "timeout", -15, True),
    "ends without a newline": ("os.write(1, b'able')", 500, "", 0, False),
    "writes NUL and no UTF-8": (
        "os.write(1, b'a\\0le\\n'); input(); os.write(1, b'\\xff\\xfebl\\n')\n"
        "input(); say('able')",
        300, "", 0, False),
    "writes upper case": ("say('ABLE'); input(); say('able'); input()", 400, "", 0, False),
    "writes CRLF": ("say('able\\r'); input()", 500, "", 0, False),
    "writes spaces": ("say(' able'); input(); say('able '); input(); say('able')", 300, "", 0, False),
    "writes empty lines": ("say('\\n\\n\\n\\nable')", 100, "", 0, False),
    "writes all lines at once": (
        "say('zone\\nbale\\nable\\ncart\\ncart'); time.sleep(0.1)",
        300, "", 0, False),
    "never reads": ("say('able'); os.close(0); time.sleep(0.1)", 500, "", 0, False),
    "guesses five times wrong": ("say('zone\\n' * 4 + 'zone\\nable')", 0, "", 0, False),
    "dies by a signal": ("say('bale'); os.kill(os.getpid(), signal.SIGSEGV)", 0, "crash", -11, False),
    "exits with 3": ("say('bale'); sys.exit(3)", 0, "crash", 3, False),
    "closes stdout": ("say('bale'); os.close(1); time.sleep(1000)", 0, "crash", -15, True),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)", 0, "timeout", None, True),
    "ignores SIGTERM": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
        0, "timeout", -9, True),
    "ignores SIGTERM and the end": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "say('able'); time.sleep(1000)",
        500, "", -9, True),
    "ignores the end of input": ("say('able'); time.sleep(1000)", 500, "", -15, True),
    "leaves a child with the pipes": (
        CHILD.format(first="pass") + "say('bale'); sys.exit()",
        0, "crash", 0, False),
    "wins and leaves a child": (CHILD.format(first="pass") + "say('able'); input()", 500, "", 0, False),
    "leaves a child in a session": (
        CHILD.format(first="os.setsid(); os.fork()") + "say('able'); input()",
        500, "", 0, False),
    "leaves a child and hangs": (
        CHILD.format(first="os.setsid()") + "time.sleep(1000)",
        0, "timeout", -15, True),
    "leaves children that fork and end": (
        "if os.fork() == 0:\n    os.setsid()\n    while True:\n"
        "        if os.fork(): os._exit(0)\n        time.sleep(0.001)\nsay('able'); input()",
        500, "", 0, False),
    "kills its referee": (
        "say('bale'); os.kill(os.getppid(), signal.SIGKILL); time.sleep(0.2)",
        0, "crash", None, False),
    "removes its folder": ("os.rmdir(os.getcwd()); say('able'); input()", 500, "", 0, False),
    "plays well": ("say('bale'); input(); say('able'); input()", 400, "", 0, False),
}  # fmt: skip


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    """Every misbehaving player in a separate folder; the target is `able`."""
    command = (sys.executable, "-S", "-c")
    workspaces = {
        name: Workspace((*command, READY + program), str(tmp_path_factory.mktemp("player")))
        for name, (program, *_) in PLAYERS.items()
    }
    return MatchSetup(workspaces, {"words": "able\nbale\ncart\nzone"}, TIMEOUT, lingo(), logged=True)


@pytest.fixture(scope="module")
def match(setup):
    """The results of a match of all of them, its seconds, processes left running, descriptors left open."""
    before = descriptors()
    os.environ["GPULINGO_TEST"] = mark = f"match-{os.getpid()}"  # inherited by all started processes
    started = time.monotonic()
    try:
        played = list(played_rounds([Planned(name, "words", "able") for name in PLAYERS], setup, 2))
    finally:
        del os.environ["GPULINGO_TEST"]
    seconds = time.monotonic() - started
    results = {one.result.round.player: one for one in played}
    return results, seconds, running(mark), descriptors() - before


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0


def running(mark):
    """Command lines of the processes whose environment has the mark of a test."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            pass
    return found


@pytest.mark.slow
def test_a_match_goes_on_and_leaves_nothing_running(match):
    results, seconds, left, opened = match
    assert set(results) == set(PLAYERS)
    for name, played in results.items():
        result = played.result
        got = (result.points, result.fault, result.exit, result.lingered)
        for value, expected in zip(got, PLAYERS[name][1:], strict=True):
            assert expected is None or value == expected, (name, got)
        assert result.wall < TIMEOUT + MARGIN, name
    assert left == []
    assert opened == 0
    assert seconds < len(PLAYERS) * (TIMEOUT + MARGIN)


@pytest.mark.slow
def test_transcripts_hold_what_players_wrote_made_printable(match):
    log = match[0]["writes NUL and no UTF-8"].log
    assert log.startswith(
        "Starting new round, word is able\nGot:   a\\x00le\nSent:  XXXX\nGot:   \\xff\\xfebl\n"
    )
    assert "Round won with score 300\nPlayer: exit 0, " in log
    assert "Traceback" not in log
    assert "Player's stderr:\n  aaaa" in match[0]["floods stderr"].log


@pytest.mark.slow
def test_closing_a_match_ends_its_players_at_once(setup):
    os.environ["GPULINGO_TEST"] = mark = f"closed-{os.getpid()}"
    try:
        hanging = ["leaves a child and hangs"]
        patient = MatchSetup(setup.workspaces, setup.lists, 1000, lingo())
        playing = played_rounds(
            [Planned(name, "words", "able") for name in ["plays well", *hanging]], patient
        )
        next(playing)
        until = time.monotonic() + 60
        while len(running(mark)) < 3 and time.monotonic() < until:  # referee, player, its child
            time.sleep(0.01)
        assert len(running(mark)) == 3
        started = time.monotonic()
        playing.close()
    finally:
        del os.environ["GPULINGO_TEST"]
    assert time.monotonic() - started < 60  # the player's limit is longer
    assert running(mark) == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc")
def test_hundreds_of_rounds_leave_no_descriptor_no_process_and_no_memory():
    workspace = Workspace(("/bin/sh", "-c", "echo bale; read a; echo able; read b"), None)
    rounds = [Planned("sh", "words", "able")] * 600
    held = {}
    before = psutil.Process().children()  # of other tests, about to end
    for number, played in enumerate(
        played_rounds(rounds, MatchSetup({"sh": workspace}, {"words": "able\nbale"}, 60, lingo())), 1
    ):
        assert played.result.points == 400
        if number in (100, 550):
            # Only the parent identifies a child: before exec it has its parent's command line.
            (referee,) = [child for child in psutil.Process().children() if child not in before]
            held[number] = referee.num_fds(), referee.memory_info().rss, descriptors()
    # A round may be running: three pipes with two ends each, and one that reports a failed start.
    assert abs(held[550][0] - held[100][0]) <= 8
    assert held[550][1] - held[100][1] < 1024 * 1024  # bytes
    assert held[550][2] == held[100][2]


def test_a_command_that_cannot_be_started_costs_its_round_only(tmp_path):
    (tmp_path / "data").write_text("no program")
    workspaces = {
        "absent": Workspace(("no-such-player",), None),
        "no program": Workspace((str(tmp_path / "data"),), None),
        "no folder": Workspace(("sh",), str(tmp_path / "gone")),
        "good": Workspace(("sh", "-c", "echo able"), None),
    }
    setup = MatchSetup(workspaces, {"words": "able"}, 5, lingo())
    rounds = [Planned(name, "words", "able") for name in workspaces]
    results = [played.result for played in played_rounds(rounds, setup)]
    assert [(one.points, one.fault) for one in results] == [(0, "crash")] * 3 + [(500, "")]
    assert results[0].error == 'exec: "no-such-player": executable file not found in $PATH'
    assert results[1].error == f"fork/exec {tmp_path / 'data'}: permission denied"


@pytest.mark.parametrize(("program", "said"), [("false", "exit code 1"), ("no-such-python", "No such file")])
def test_a_referee_that_cannot_work_is_no_players_fault(monkeypatch, program, said):
    monkeypatch.setattr(sys, "executable", program)
    monkeypatch.setattr("gpulingo.match.workers.PAUSE", 0.1)
    setup = MatchSetup({"a": Workspace(("true",), None)}, {"words": "able"}, 5, lingo())
    with pytest.raises(RuntimeError, match=f"process of a referee does not start .*{said}"):
        list(played_rounds([Planned("a", "words", "able")], setup))

"""Players that misbehave or attack referees: each costs its own round and leaves no process."""

import contextlib
import os
import sys
import time
from pathlib import Path

import players
import psutil
import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match import workers
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


PYTHON = (sys.executable, "-S", "-c")


def rounds(*names):
    return [Planned(name, "words", "able") for name in names]


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    """Every misbehaving player in a separate folder; the target is `able`."""
    workspaces = {
        name: Workspace((*PYTHON, READY + program), str(tmp_path_factory.mktemp("player")))
        for name, (program, *_) in PLAYERS.items()
    }
    return MatchSetup(workspaces, {"words": {"able", "bale", "cart", "zone"}}, TIMEOUT, lingo(), logged=True)


@contextlib.contextmanager
def marked():
    """Yield a function that returns the command lines of the processes that the block has started."""
    os.environ["GPULINGO_TEST"] = mark = f"match-{os.getpid()}-{time.monotonic()}"  # inherited
    others = psutil.Process().children()

    def running():
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                # A referee is forked, so that its environment is that of this process at its start.
                referee = process.ppid() == os.getpid() and process not in others
                if referee or process.environ().get("GPULINGO_TEST") == mark:
                    found.append(f"{process.status()}: {process.cmdline()[-1][-60:]}")
        return found

    try:
        yield running
    finally:
        del os.environ["GPULINGO_TEST"]


@pytest.fixture(scope="module")
def match(setup):
    """The results of a match of all of them, its seconds, processes left running, descriptors left open."""
    before, started = descriptors(), time.monotonic()
    with marked() as running:
        played = list(played_rounds(rounds(*PLAYERS), setup, 2))
        left = running()
    results = {one.result.round.player: one for one in played}
    return results, time.monotonic() - started, left, descriptors() - before


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


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
    patient = MatchSetup(setup.workspaces, setup.words, 1000, lingo())
    with marked() as running:
        playing = played_rounds(rounds("plays well", "leaves a child and hangs"), patient)
        next(playing)
        until = time.monotonic() + 60
        while len(running()) < 4 and time.monotonic() < until:  # two referees, a player, its child
            time.sleep(0.01)
        assert len(running()) == 4
        started = time.monotonic()
        playing.close()
        assert time.monotonic() - started < 60  # the player's limit is longer
        assert running() == []


@pytest.mark.slow
@pytest.mark.parametrize(("between", "same"), [("plays well", True), ("kills its referee", False)])
def test_a_referee_that_waits_is_replaced_after_another_was_killed(setup, between, same):
    tells = (*PYTHON, READY + "os.write(2, b'%d' % os.getppid()); say('able')")
    players = {**setup.workspaces, "tells": Workspace(tells, None)}
    planned = rounds("tells", between, "tells")
    told = MatchSetup(players, setup.words, TIMEOUT, lingo(), logged=True)
    first, _, last = (played.log.split("Player's stderr:")[-1] for played in played_rounds(planned, told))
    assert first.strip().isdigit() and (first == last) is same


@pytest.mark.slow
def test_hundreds_of_rounds_leave_no_descriptor_no_process_and_no_memory():
    workspace = Workspace(("/bin/sh", "-c", "echo bale; read a; echo able; read b"), None)
    held = {}
    before = psutil.Process().children()  # of other tests, about to end
    for number, played in enumerate(
        played_rounds(
            rounds(*["sh"] * 340), MatchSetup({"sh": workspace}, {"words": {"able", "bale"}}, 60, lingo())
        ),
        1,
    ):
        assert played.result.points == 400
        if number in (100, 175, 250, 325):
            # Only the parent identifies a child: before exec it has its parent's command line.
            (referee,) = [child for child in psutil.Process().children() if child not in before]
            held[number] = referee.num_fds(), referee.memory_info().rss, descriptors()
    # A round may be running: three pipes with two ends each, and one that reports a failed start.
    assert abs(held[325][0] - held[100][0]) <= 8
    # What each round leaves grows without end; what the machine gives a process late does not.
    assert min(held[number + 75][1] - held[number][1] for number in (100, 175, 250)) < 128 * 1024  # bytes
    assert held[325][2] == held[100][2]


def test_a_command_that_cannot_be_started_costs_its_round_only(tmp_path):
    (tmp_path / "data").write_text("no program")
    workspaces = {
        "absent": Workspace(("no-such-player",), None),
        "no program": Workspace((str(tmp_path / "data"),), None),
        "no folder": Workspace(("sh",), str(tmp_path / "gone")),
        "good": Workspace(("sh", "-c", "echo able"), None),
    }
    setup = MatchSetup(workspaces, {"words": {"able"}}, 5, lingo())
    results = [played.result for played in played_rounds(rounds(*workspaces), setup)]
    assert [(one.points, one.fault) for one in results] == [(0, "crash")] * 3 + [(500, "")]
    assert results[0].error == 'exec: "no-such-player": executable file not found in $PATH'
    assert results[1].error == f"fork/exec {tmp_path / 'data'}: permission denied"


@pytest.mark.parametrize("failures", [2, 3])
def test_a_referee_that_cannot_be_started_is_no_players_fault(setup, monkeypatch, failures):
    fork, tries = os.fork, iter(range(9))
    monkeypatch.setattr(workers, "PAUSE", 0.0)
    monkeypatch.setattr(os, "fork", lambda: fork() if next(tries) >= failures else os.open("/no/such", 0))
    playing = played_rounds(rounds("plays well"), setup)
    if failures == workers.STARTS:
        with pytest.raises(OSError):
            next(playing)
    else:
        assert [one.result.points for one in playing] == [400]


def test_nothing_of_the_match_is_open_in_a_referee(tmp_path):
    listed = (
        "path = f'/proc/{os.getppid()}/fd/'; say(' '.join(os.readlink(path + n) for n in os.listdir(path)))"
    )
    players = {"p": Workspace((*PYTHON, READY + listed), None)}
    with (tmp_path / "results").open("w"):
        (played,) = played_rounds(rounds("p"), MatchSetup(players, {}, 60, lingo(), logged=True))
    assert "Got:   /dev/null /dev/null /dev/null " in played.log and "results" not in played.log


ATTACK = """
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

def line(pid):
    try:
        return open(f"/proc/{pid}/cmdline").read()
    except OSError:
        return None

def referees():  # forked by the match, whose other children are a browser of other tests, or a cluster
    return [pid for pid, parent in parents().items() if parent == match and line(pid) == line(match)]

def below():
    known, found = parents(), referees()
    front = found
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

def take(limit):
    for pid in below():
        resource.prlimit(pid, limit, (0, 0))

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
    "stops all below the match": ("send(below(), signal.SIGSTOP); time.sleep(1000)", 0, "crash"),
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
    "kills all below the match": ("send(below(), signal.SIGKILL); time.sleep(1000)", 0, "crash"),
    "leaves one that kills all later": (
        "say('able'); input(); detach()\nwhile True: send(below(), signal.SIGKILL); time.sleep(0.01)",
        None, None,  # unknown: it may kill its own referee before the referee reports
    ),
    "takes its files": ("take(resource.RLIMIT_NOFILE); say('able')", None, None),
    "takes its memory": ("take(resource.RLIMIT_AS); say('able')", None, None),
    "takes its priority": (
        "for pid in below(): os.setpriority(os.PRIO_PROCESS, pid, 19)\nsay('able'); input()",
        500, "",
    ),
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


ATTACK_TIMEOUT = ATTACK_MARGIN = 3.0


def attacks(pause=0.0, **more):
    """The setup of a match of an honest player, which takes its time, and attackers."""
    programs = {name: program for name, (program, _, _) in ATTACKS.items()} | more
    programs["honest"] = HONEST.format(pause=pause)
    workspaces = {name: Workspace((*PYTHON, ATTACK + program), None) for name, program in programs.items()}
    return MatchSetup(workspaces, {"words": {"able", "bale"}}, ATTACK_TIMEOUT, lingo())


@pytest.fixture
def watched(monkeypatch):
    """Referees are waited for less long, and no process is left at the end."""
    monkeypatch.setattr(workers, "MARGIN", ATTACK_MARGIN)
    with marked() as running:
        yield
        assert running() == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_the_match_goes_on_whatever_a_player_does(part, watched):
    for name in list(ATTACKS)[part::3]:
        results = [one.result for one in played_rounds(rounds("honest", name, "honest"), attacks())]
        assert [one.round.player for one in results] == ["honest", name, "honest"]
        assert [one.points for one in results if one.round.player == "honest"] == [400] * 2, (name, results)
        _, points, fault = ATTACKS[name]
        assert points in (None, results[1].points) and fault in (None, results[1].fault), results[1]
        if "stops" in name and results[1].fault == "crash":
            assert results[1].error == "the referee was stopped: it did not answer in time"
        if "all later" in name:
            assert (results[1].points, results[1].fault) in ((500, ""), (0, "crash"))


@pytest.mark.slow
def test_a_round_whose_referee_another_player_kills_is_played_again(watched):
    attack = "time.sleep(0.2); send({*referees()} - {referee}, signal.SIGKILL); say('able'); input()"
    place = attacks(pause=0.5, attacker=attack)
    results = [one.result for one in played_rounds(rounds("honest", "attacker"), place, 2)]
    assert {one.round.player: one.points for one in results} == {"honest": 400, "attacker": 500}


@pytest.mark.slow
@pytest.mark.parametrize("deed", ["closed folders", "remove lists"])
def test_what_a_player_does_to_folders_and_lists_costs_no_other_a_point(tmp_path, deed):
    programs, names = [(["guess", "listen", deed], "sys.exit()")], ["hostile0.py", "honest.py"]
    case = players.made_case(tmp_path, programs, names, jobs=1, timeout=30, mark=deed)
    try:
        assert players.played(case) == ""
    finally:
        case.end()

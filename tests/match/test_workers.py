"""Players that misbehave or attack referees: each costs its own round and leaves no process."""

import ast
import contextlib
import os
import re
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


def hostile(name):
    """The head of all programs of a file, and players: behaviour -> program, and its ends; None is any."""
    head, *blocks = Path(__file__).with_name(name).read_text().split("\n= ")
    rows = [re.split(r"[\t\n]", block, maxsplit=2) for block in blocks]
    return head, {name: (program, *ast.literal_eval(ends)) for name, ends, program in rows}


READY, PLAYERS = hostile("players.txt")  # points, fault, exit, lingered
ATTACK, ATTACKS = hostile("attacks.txt")  # points and fault of their own round
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
    results = {result.round.player: (result, log) for result, log in played}
    return results, time.monotonic() - started, left, descriptors() - before


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.slow
def test_a_match_goes_on_and_leaves_nothing_running(match):
    results, seconds, left, opened = match
    assert set(results) == set(PLAYERS)
    for name, (result, _) in results.items():
        got = (result.points, result.fault, result.exit, result.lingered)
        for value, expected in zip(got, PLAYERS[name][1:], strict=True):
            assert expected is None or value == expected, (name, got)
        assert result.wall < TIMEOUT + MARGIN, name
    assert left == []
    assert opened == 0
    assert seconds < len(PLAYERS) * (TIMEOUT + MARGIN)


@pytest.mark.slow
def test_transcripts_hold_what_players_wrote_made_printable(match):
    log = match[0]["writes NUL and no UTF-8"][1]
    assert log.startswith(
        "Starting new round, word is able\nGot:   a\\x00le\nSent:  XXXX\nGot:   \\xff\\xfebl\n"
    )
    assert "Round won with score 300\nPlayer: exit 0, " in log
    assert "Traceback" not in log
    assert "Player's stderr:\n  aaaa" in match[0]["floods stderr"][1]


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
    first, _, last = (log.split("Player's stderr:")[-1] for _, log in played_rounds(planned, told))
    assert first.strip().isdigit() and (first == last) is same


@pytest.mark.slow
def test_hundreds_of_rounds_leave_no_descriptor_no_process_and_no_memory():
    workspace = Workspace(("/bin/sh", "-c", "echo bale; read a; echo able; read b"), None)
    held = {}
    before = psutil.Process().children()  # of other tests, about to end
    for number, (result, _) in enumerate(
        played_rounds(
            rounds(*["sh"] * 340), MatchSetup({"sh": workspace}, {"words": {"able", "bale"}}, 60, lingo())
        ),
        1,
    ):
        assert result.points == 400
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
    results = [result for result, _ in played_rounds(rounds(*workspaces), setup)]
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
        assert [result.points for result, _ in playing] == [400]


def test_nothing_of_the_match_is_open_in_a_referee(tmp_path):
    listed = (
        "path = f'/proc/{os.getppid()}/fd/'; say(' '.join(os.readlink(path + n) for n in os.listdir(path)))"
    )
    players = {"p": Workspace((*PYTHON, READY + listed), None)}
    with (tmp_path / "results").open("w"):
        ((_, log),) = played_rounds(rounds("p"), MatchSetup(players, {}, 60, lingo(), logged=True))
    assert "Got:   /dev/null /dev/null /dev/null " in log and "results" not in log


HONEST = (
    "assert os.getpriority(os.PRIO_PROCESS, 0) == os.getpriority(os.PRIO_PROCESS, match)\n"
    "say('bale'); input(); time.sleep({pause}); say('able'); input()"
)
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
        results = [result for result, _ in played_rounds(rounds("honest", name, "honest"), attacks())]
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
    results = [result for result, _ in played_rounds(rounds("honest", "attacker"), place, 2)]
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

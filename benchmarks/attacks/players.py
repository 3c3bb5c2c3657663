"""Hostile players in seeded random combinations, and matches killed at random moments and resumed.

Every case plays a match of an honest player and hostile ones, in a separate process, and checks the result:
points, exit code, messages, processes still running, files left in the folder for temporary folders. Linux
only.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from deeds import DEEDS, ENDS, HONEST, PRELUDE

WORDS = (
    "heron robin eagle finch goose crane stork raven quail snipe egret macaw apple grape lemon mango".split()
)
TARGETS = {"robin": 400, "goose": 100, "mango": 0}  # word -> points of the honest player
MARGIN = 4  # seconds that a referee waits longer than its player; the default would take minutes a case
LEAVE = 60  # seconds for a process to end by itself, on a busy machine
MARK = "GPULINGO_ATTACK"  # environment variable of all processes that a case starts


@dataclass(frozen=True)
class Case:
    """A match to be played.

    Attributes:
        folder: for everything it reads and writes.
        players: their commands, the honest one included.
        jobs: rounds at a time.
        timeout: seconds for a round.
        mark: value of the environment variable of all processes that it starts.
    """

    folder: Path
    players: list[str]
    jobs: int
    timeout: float
    mark: str
    deeds: list[str] = field(default_factory=list)

    def start(self) -> subprocess.Popen[str]:
        """Start the match."""
        margin = f"import gpulingo.match.workers as r; r.MARGIN = {MARGIN}"
        command = [sys.executable, "-c", f"{margin}; from gpulingo.__main__ import main; main()"]
        command += ["pit", "--words", "words.txt", "--json", "--resume", "kept.jsonl"]
        command += ["--jobs", str(self.jobs), "--timeout", str(self.timeout)]
        for player in self.players:
            command += ["--player", player]
        pipe = subprocess.PIPE
        environment = {**os.environ, MARK: self.mark, "TMPDIR": str(self.folder / "temporary")}
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe,
            text=True, start_new_session=True,
        )  # fmt: skip

    @property
    def limit(self) -> float:
        """Seconds after which the match should be over, whatever its players do."""
        starts = 2 * len(self.players) * (1 + len(TARGETS))  # one trial; each round may be played twice
        return LEAVE + starts * (self.timeout + MARGIN + 5)

    def running(self) -> list[str]:
        """The processes that the case started and that still run."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == self.mark:
                    found.append(" ".join(process.cmdline())[-60:])
            except psutil.Error:
                pass
        return found

    def end(self) -> None:
        """End the processes of the case that still run."""
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == self.mark:
                    process.kill()
            except psutil.Error:
                pass


def attacks(cases: int, seed: int) -> Iterator[tuple[str, str]]:
    """Play matches with hostile players; kill every third one.

    Args:
        cases: number of cases.
        seed: seed of the random choices.
    Yields:
        The kind of each case, and one line about its fault; "" if the program behaved.
    """
    for number in range(cases):
        chance = random.Random(f"{seed}/{number}")
        kind = "match killed and resumed" if number % 3 == 2 else "hostile players"
        with tempfile.TemporaryDirectory(prefix="attacks-", ignore_cleanup_errors=True) as folder:
            case = drawn_case(Path(folder), chance)
            try:
                fault = killed(case, chance) if number % 3 == 2 else ""
                fault = fault or played(case)
            finally:
                case.end()
        text = f"seed {seed}, case {number}, {case.jobs} at a time, {'; '.join(case.deeds)}: {fault}"
        yield kind, " ".join(text.split()) if fault else ""


def drawn_case(folder: Path, chance: random.Random) -> Case:
    """Make a match with random settings, in a new folder."""
    programs = []
    for _ in range(chance.choice((1, 1, 2))):
        drawn = [chance.choice(list(DEEDS)) for _ in range(chance.randint(1, 4))]
        programs.append((drawn, chance.choice(ENDS)))
    names = ["honest.py", *(f"hostile{number}.py" for number in range(len(programs)))]
    chance.shuffle(names)
    jobs, timeout = chance.choice((1, 1, 2, 3)), chance.choice((3.0, 4.0))
    return made_case(folder, programs, names, jobs=jobs, timeout=timeout, mark=f"{chance.random()}")


def made_case(
    folder: Path,
    programs: list[tuple[list[str], str]],
    names: list[str],
    *,
    jobs: int,
    timeout: float,
    mark: str,
) -> Case:
    """Make a match in a new folder.

    Args:
        programs: for each hostile player, the names of its actions, and how it ends.
        names: honest.py, hostile0.py and so on, in the order of the match.
        jobs, timeout, mark: as in `Case`.
    """
    (folder / "temporary").mkdir()
    (folder / "wordlist.txt").write_text("".join(f"{word}\n" for word in WORDS))
    (folder / "words.txt").write_text("".join(f"{word}\n" for word in TARGETS))
    (folder / "honest.py").write_text(PRELUDE + HONEST)
    deeds = []
    for number, (drawn, end) in enumerate(programs):
        program = "\n".join([*(DEEDS[name] for name in drawn), end])
        (folder / f"hostile{number}.py").write_text(f"{PRELUDE}{program}\n")
        deeds.append(f"{', '.join(drawn)}, then {end!r}")
    players = [f"{sys.executable} -S {name}" for name in names]
    return Case(folder, players, jobs, timeout, f"{os.getpid()}-{mark}", deeds)


def killed(case: Case, chance: random.Random) -> str:
    """Kill a match at a random moment; return the fault, "" for none."""
    number = chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
    moment = chance.uniform(0, 4)
    with case.start() as match:
        if number != signal.SIGKILL:  # at startup Python handles other signals itself
            wait_for(lambda: (case.folder / "kept.jsonl").exists() or match.poll() is not None)
        time.sleep(moment)
        match.send_signal(number)
        try:
            _, said = match.communicate(timeout=LEAVE)
        except subprocess.TimeoutExpired:
            match.kill()
            return f"does not end at {number.name} after {moment:.3f} s"
    case.deeds.append(f"{number.name} after {moment:.3f} s")
    if "Traceback" in said:
        return f"traceback: {said[-300:]}"
    if match.returncode not in (0, 1, 2, 130, -signal.SIGKILL):  # 1: over, a player failed all its rounds
        return f"exit code {match.returncode} at {number.name}: {said[-300:]}"
    if not wait_for(lambda: not case.running()):
        return f"left running by a killed match: {case.running()}"
    return ""


def played(case: Case) -> str:
    """Play a match, or resume a killed one, to its end; return the fault, "" for none."""
    with case.start() as match:
        try:
            shown, said = match.communicate(timeout=case.limit)
        except subprocess.TimeoutExpired:
            match.kill()
            return f"not over after {case.limit:.0f} s"
    left = case.running()
    if left:
        return f"left running: {left}"
    if list((case.folder / "temporary").iterdir()):
        return f"left behind: {sorted(path.name for path in (case.folder / 'temporary').iterdir())}"
    if "Traceback" in said:
        return f"traceback: {said[-300:]}"
    spoiled = [line for line in said.splitlines() if " has changed or removed " in line]
    # A player that reads a list while another player damages it may lose points; the user gets a message.
    suffers = bool(spoiled) and case.jobs > 1
    if match.returncode == 2:
        lines = [line for line in said.splitlines() if line not in spoiled]
        expected = len(lines) == 1 and lines[0].endswith("; nothing was played")
        blamed = not suffers and any("honest" in line for line in lines)
        return "" if expected and not blamed else f"exit code 2: {said[-300:]}"
    if match.returncode not in (0, 1):  # 1: a player failed all its rounds
        return f"exit code {match.returncode}: {said[-300:]}"
    rows = [json.loads(line) for line in (case.folder / "kept.jsonl").read_text().splitlines()]
    if len({(row["player"], row["word"]) for row in rows}) != len(rows):
        return f"rounds kept twice: {rows}"
    if len(rows) != len(case.players) * len(TARGETS):
        return f"{len(rows)} results kept of {len(case.players) * len(TARGETS)}"
    wrong = [row for row in rows if "honest" in row["player"] and row["points"] != TARGETS[row["word"]]]
    if (wrong and not suffers) or len(shown.splitlines()) != len(case.players):
        return f"the honest player suffers: {wrong or shown}"
    return ""


def wait_for(condition) -> bool:  # type: ignore[no-untyped-def]
    """Whether a condition becomes true within LEAVE seconds."""
    until = time.monotonic() + LEAVE
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


if __name__ == "__main__":
    for what, went_wrong in attacks(*(int(word) for word in sys.argv[1:])):
        print(f"{what}: {went_wrong or 'as it should be'}", flush=True)

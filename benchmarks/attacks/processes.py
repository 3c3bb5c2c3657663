"""What ends or misleads a running command: several writers of a file, damaged stores, signals, input.

A command behaves if it keeps every result, answers each request once, gives the output of an undisturbed run,
or ends with its exit code and one line; no traceback in any case.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from files import changed
from samples import NUMBERS, ROOT
from typer.testing import CliRunner

import gpulingo
from gpulingo.cli.app import app_for
from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.positions.book import check_second_guesses, every_guess, opening_trees
from gpulingo.storage.files import BOOK
from gpulingo.trees.book import new_book, read_book, read_trees, write_book
from gpulingo.trees.checkpoint import CheckpointError

APP = app_for()
LEAVE = 300  # seconds for a command, on a busy machine
ENDING = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
FEW = 1 << 10  # bytes of a file where the disk is as good as full
MANY = 30  # arguments, or requests, of a case
SOURCE = str(Path(gpulingo.__file__).parent)
COMMAND = [sys.executable, "-m", "gpulingo"]
KERNELS = """
from gpulingo.tensors import clock
from gpulingo.tensors.cpu.compile import compiled

@compiled
def add(one, other):
    return one + other

@compiled
def double(number):
    return add(number, number)

clock.when_compiling(print)
print("results", add(2, 3), add(2.5, 3.5), double(4))
"""
TOLD = "no answer to id "  # of a stop that comes too late


class Place:
    """A folder with a list, its kernels, and what an undisturbed command prints."""

    def __init__(self, folder: Path) -> None:
        sys.path.append(str(ROOT / "tests"))
        from exhaustive import law_of, random_list  # the plain recursion that the tests use too

        self.folder, self.words, self.count = folder, random_list(28)[0], 0
        self.game = find_game("wordle")
        self.law = law_of(self.words.words, self.game)
        self.list, self.program = folder / "list.txt", folder / "kernels.py"
        self.program.write_text(KERNELS)
        self.list.write_text("".join(f"{word}\n" for word in self.words.words))
        self.ranking = [*COMMAND, "openings", "-g", "wordle", "-w", str(self.list), str(self.words.length)]

    def fresh(self) -> Path:
        """A new folder."""
        self.count += 1
        (path := self.folder / f"case{self.count}").mkdir()
        return path

    def start(self, line: list[str], most: int = -1, **more: str) -> subprocess.Popen[str]:
        """Start a program, which may write files of at most `most` bytes, and inherits no ignored signal."""

        def begin() -> None:
            for number in ENDING:
                signal.signal(number, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            line, text=True, cwd=self.folder, env=os.environ | more, preexec_fn=begin, **pipes
        )

    def compile(self, folder: Path, most: int = -1) -> str:
        """Run kernels of a folder; return the fault, "" for none."""
        run = self.start([sys.executable, str(self.program)], most, NUMBA_CACHE_DIR=str(folder))
        shown, said = run.communicate(timeout=LEAVE)
        right = run.returncode == 0 and "results 5 6.0 8\n" in shown and not said
        return "" if right else f"exit code {run.returncode}: {said[-300:]!r}"

    @cached_property
    def kernels(self) -> Path:
        """A folder of stored kernels."""
        folder = self.fresh()
        assert not self.compile(folder)
        return folder

    @cached_property
    def trees(self) -> list[Any]:
        """Trees of a book."""
        return [*opening_trees(self.words, self.game, [0, 7])]


def fault(process: subprocess.Popen[str], codes: tuple[int, ...], lines: int = 1, text: str = "") -> str:
    """The fault of a command that is to end with one of these codes, and at most so many lines on stderr."""
    try:
        _, said = process.communicate(text, timeout=LEAVE)
    except subprocess.TimeoutExpired:
        process.kill()
        return "does not end"
    wrong = process.returncode not in codes or "Traceback" in said or said.count("\n") > lines
    return f"exit code {process.returncode}: {said[-300:]!r}" if wrong else ""


def book(place: Place, draw: random.Random) -> str:
    """Four commands write to one book, one of which may be killed."""
    folder, named = place.fresh(), [draw.sample(place.words.words, 3) for _ in range(4)]
    commands = [[*place.ranking, "--save", str(folder), "--opening", ",".join(own)] for own in named]
    started, killed = [place.start(own) for own in commands], draw.random() < 0.3
    if killed:
        time.sleep(draw.uniform(1, 6))
        started[0].kill()
    faults = [fault(own, (0, -signal.SIGKILL) if own is started[0] else (0,), 9) for own in started]
    expected = {place.words.index(word) for own in named[killed:] for word in own}
    missing = expected - {*read_book(*folder.glob(f"*{BOOK}")).openings}
    return next(filter(None, faults), f"{len(missing)} openings of {len(expected)} lost" if missing else "")


def kernels(place: Place, draw: random.Random) -> str:
    """Stored kernels are damaged or gone, or the disk is full; the next run finds them mended."""
    folder, full = place.fresh() / "kernels", draw.random() < 0.3
    shutil.copytree(place.kernels, folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in draw.sample(files, draw.randint(1, len(files))):
        data = path.read_bytes()
        path.unlink()
        match draw.randrange(5):
            case 0:
                path.mkdir()
            case 1:
                path.write_bytes(b"")
            case way if way > 2 or full:
                path.write_bytes(changed(data, draw.choice(["bytes flipped", "cut short"]), draw))
    return place.compile(folder, FEW if full else -1) or place.compile(folder)


def ended(place: Place, draw: random.Random) -> str:
    """A signal ends a command at any moment from when it hears signals."""
    folder, words = place.fresh(), ["-w", str(place.list)]
    command, number = draw.choice([
        [*place.ranking, "--save", str(folder)], *([*COMMAND, *own] for own in (
            ["suggest", *words], ["suggest", "-", *words], ["play", *words, str(place.words.length)],
            ["simulate", "10", "--out", str(folder / "rows.jsonl")],
            ["solve", *words, str(place.words.length), "--save", str(folder)])),
    ]), draw.choice(ENDING)  # fmt: skip
    run = place.start(command)
    while run.poll() is None and not hears(run.pid):
        time.sleep(0.005)
    time.sleep(draw.choice([0, draw.uniform(0, 3)]))
    run.send_signal(number)
    wrong = fault(run, (0, 1, 130), 9)
    left = [path.name for path in folder.iterdir() if path.suffix in (".part", ".lock")]
    return f"{number.name}, {command[3]}: {wrong or left}" if wrong or left else ""


def hears(pid: int) -> bool:
    """Return True if a process has set its signals: a new Python hears SIGINT alone."""
    text = Path(f"/proc/{pid}/status").read_text()
    return bool(int(text.partition("SigCgt:\t")[2][:16], 16) >> signal.SIGTERM - 1 & 1)


def second(place: Place, draw: random.Random) -> str:
    """A second guess of a book, or its value, is changed: the book is refused, or it is still true."""
    tree, path = draw.choice(place.trees), place.folder / f"own{BOOK}"
    best, found, at = [*tree.best], [*tree.found], draw.randrange(len(tree.best))
    turns = tree.turns - 1
    if draw.random() < 0.5:
        best[at] = draw.randrange(len(place.words))
    for _ in range(draw.randrange(3)):
        row = at * turns
        one, other = draw.sample(range(turns), 2)
        found[row + one], found[row + other] = found[row + one] - 1, found[row + other] + 1
    own = tree.replaced(best=best, found=[max(0, count) for count in found])
    write_book(new_book(place.words, place.game).with_trees([own]), path)
    try:
        (own,) = read_trees(path)
        check_second_guesses(own, place.words, every_guess(place.words, place.game, lambda pairs: None))
    except CheckpointError:
        return ""
    return untrue(own, place)


def untrue(tree: Any, place: Place) -> str:
    """What a book says that plain recursion does not."""
    opening, turns, rule = place.words[tree.opening], tree.game.turns, feedback_of(tree.game)
    for node in range(1, tree.first[1]):
        marks = rule.marks(tree.pattern[node], len(opening))
        members = place.law.bits(word for word in place.words.words if rule.feedback(opening, word) == marks)
        for guess, found in tree.second_guesses(node):
            said = sum(tree.game.credits(turn) * count for turn, count in enumerate(found, 1))
            said += tree.game.credits(0) * (members.bit_count() - sum(found))
            if said != place.law.value_after(guess, members, turns - 1):
                return f"{opening}, {place.words[guess]}: {said} is believed"
    return ""


def line(place: Place, draw: random.Random) -> str:
    """A line on stdin is longer than 1 MB."""
    words = draw.choice([["suggest"], ["suggest", "-"], ["play"], ["play", "-g", "hangman"], ["review"]])
    text = draw.choice(["a", "X", "9", '{"id": 1, "x": "', "crane:XXXXX "])
    text = text + text[-1] * draw.choice([1 << 20, 5 << 20, 40 << 20]) + draw.choice(["", "\n", '"}\n'])
    return fault(place.start([*COMMAND, *words, "-w", str(place.list)]), (0, 1, 2), 3, text)


def requests(place: Place, draw: random.Random) -> str:
    """Requests to an engine name pipes as lists, and stops come at any time: an answer of each is final."""
    os.mkfifo(pipe := place.fresh() / "pipe")
    words = [*COMMAND, "suggest", "-", "-w", str(place.list), "--time", "0.3"]
    engine, asked, open_ = place.start(words), 0, set[int]()
    assert engine.stdin is not None
    for _ in range(MANY):
        stops = bool(asked) and draw.random() < 0.5
        record: dict[str, Any] = {"id": draw.randint(1, asked) if stops else (asked := asked + 1)}
        piped = draw.random() < 0.3
        record |= {"stop": True} if stops else {"wordlist": str(pipe)} if piped else {"top": 1}
        (open_.discard if stops else open_.add if piped else id)(record["id"])
        engine.stdin.write(json.dumps(record) + "\n")
        engine.stdin.flush()
        time.sleep(draw.choice([0, 0, draw.uniform(0, 0.2)]))
    text = "".join(json.dumps({"id": name, "stop": True}) + "\n" for name in open_)
    shown, said = engine.communicate(text, timeout=LEAVE)
    answers = [json.loads(row) for row in shown.splitlines()]
    finals = Counter(own["id"] for own in answers if own["final"])
    late = [own for own in answers if own["id"] is None and TOLD not in own["error"]]
    right = finals - Counter({None: finals[None]}) == Counter(range(1, asked + 1)) and not late
    return "" if right and engine.returncode == 0 else f"{finals} of {asked}, {late[:1]} {said[-200:]}"


ODD: list[Callable[[random.Random], Any]] = [
    lambda draw: draw.choice([None, "", "x", "able", 0.5, float("nan"), (), [], {}, object(), True]),
    lambda draw: draw.choice(NUMBERS),
    lambda draw: torch.zeros(draw.choice([(), (0,), (3,), (4,), (4, 1)]),
                             dtype=draw.choice([torch.bool, torch.int32, torch.int64, torch.float32])),
    lambda draw: torch.full((4,), draw.choice([-1, 0, 7, 1 << 30]), dtype=torch.int32),
    lambda draw: torch.zeros(4, dtype=torch.bool, device="meta"),
    lambda draw: [draw.choice(["", "x", "able", 3, None]) for _ in range(draw.choice([1, 4]))],
]  # fmt: skip


def arguments(place: Place, draw: random.Random) -> str:
    """Methods of `Rounds` get anything: they work, or raise an error of ours in one line."""
    rounds = gpulingo.Rounds(place.words, place.game, 4)
    for _ in range(MANY):
        own: dict[str, Any] = {}
        match draw.choice(["history", "positions", "reset", "step", "legal"]):
            case "reset" as name:
                own = {"targets": draw.choice(ODD)(draw), "seed": draw.choice([None, *NUMBERS])}
                given = [draw.choice([torch.ones(4, dtype=torch.bool), draw.choice(ODD)(draw)])]
            case name:
                given = [draw.choice(ODD)(draw)]
        try:
            returned = getattr(rounds, name)(*given, **own)
            deque(returned if isinstance(returned, Iterator) else (), 0)  # positions come one by one
        except Exception as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            bare = trace is None or not trace.tb_frame.f_code.co_filename.startswith(SOURCE)
            if bare or not isinstance(error, TypeError | ValueError | LookupError) or "\n" in str(error):
                return f"{name}({given}, {own}): {type(error).__name__}: {str(error)[:200]!r}"
    return ""


def part(place: Place, draw: random.Random) -> str:
    """`prove --part` gets anything."""
    first, last = (draw.choice([*map(str, NUMBERS), "x", "", "99999999999", "1e9", "٣"]) for _ in range(2))
    text = first + draw.choice(["/", "/", "/", " ", "//"]) + last
    done = CliRunner().invoke(APP, ["prove", "13", "--part", text, "--time", "0"])
    bare = done.exception is not None and not isinstance(done.exception, SystemExit)
    fits = done.exit_code in (0, 1, 130) or (done.exit_code == 2 and "--part" in done.stderr)
    wrong = bare or not fits or done.stderr.count("\n") > 1 or "memory" in done.stderr
    return f"{text!r}: exit code {done.exit_code}, {done.stderr[-200:]!r} {done.exception!r}" if wrong else ""


CLASSES: dict[str, tuple[Callable[[Place, random.Random], str], int]] = {  # and how often in a turn of all
    "openings --save into one book at once": (book, 1),
    "a cache of kernels that is damaged or full": (kernels, 4),
    "a signal at any moment": (ended, 6),
    "a changed second guess of a book": (second, 20),
    "a line of more than 1 MB": (line, 2),
    "pipes as lists and late stops": (requests, 2),
    "arguments of Rounds": (arguments, 20),
    "prove --part": (part, 10),
}


def attacks(cases: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield the kind of each case, and its fault."""
    turn = [kind for kind, (_, often) in CLASSES.items() for _ in range(often)]
    random.Random(seed).shuffle(turn)
    with tempfile.TemporaryDirectory(prefix="gpulingo-attacks-") as folder:
        place = Place(Path(folder))
        for number in range(cases):
            kind = turn[number % len(turn)]
            try:
                wrong = CLASSES[kind][0](place, random.Random(f"{seed}/{number}"))
            except Exception as error:
                wrong = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            yield kind, f"case {number}: {wrong}" if wrong else ""

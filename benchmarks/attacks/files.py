"""Files that were damaged or forged, against every reader of the program.

A reader behaves when it raises the error that it documents, reads exactly what was written, or something as
good: a list of words, a result in range, a tree that `verify` refuses or that is no better than the best
there is, a bound that `prove` refuses or that is not below it. The best is known by plain recursion.
"""

from __future__ import annotations

import importlib.util
import io
import json
import random
import resource
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gpulingo.bounds.certificate import (
    CertificateError,
    certificate_arrays,
    parsed_certificate,
    read_arrays,
    read_certificate,
    write_arrays,
)
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import lingo
from gpulingo.match import rounds as match
from gpulingo.report import results
from gpulingo.search.resume import read_work, write_work
from gpulingo.search.solver import Solver, TimeIsUp
from gpulingo.storage import header
from gpulingo.storage import npz as container
from gpulingo.strategies import tuned
from gpulingo.strategies.pools import Pool
from gpulingo.tensors.wordtable import encode
from gpulingo.trees import checkpoint
from gpulingo.trees.verify import verify
from gpulingo.tuning import state as tuning
from gpulingo.words import index
from gpulingo.words.listing import Listing, WordListError, read

ROOT = Path(__file__).resolve().parents[2]
LISTS = (10, 18, 21)  # seeds of lists of 20 to 60 words
FAR = 1 << 30  # bytes that the process may grow by in one case
WAYS = ("bytes flipped", "cut short", "bytes inserted", "forged", "bomb")
COMMAND_EVERY = 500  # of so many cases one goes through the command line
STEPS = 40  # of a search that goes on from a forged work file
ODD_LINES = ["", "\r", "É", "a b", "able\r", "x-y", "A" * 5, "\u2028", "İ"]
NUMBERS = (0, 1, -1, 2, 127, 255, 256, 1 << 20, (1 << 31) - 1, -(1 << 31), 1 << 40, (1 << 63) - 1, -(1 << 63))


class Game:
    """A small list, its files, and the best that any strategy has."""

    def __init__(self, seed: int, folder: Path) -> None:
        exhaustive = _exhaustive()
        self.words, self.turns = exhaustive.random_list(seed)
        self.best: int = exhaustive.best_value(self.words.words, self.turns)
        self.table = encode(self.words.words)
        self.folder = folder
        folder.mkdir()
        self.list = folder / "list.txt"
        self.list.write_bytes("".join(f"{word}\n" for word in self.words.words).encode())
        half = self.solver(STEPS)
        self.work = folder / "half.work.npz"
        write_work(self.work, half)
        whole = self.solver(None)
        assert whole.tree is not None and whole.bounds is not None and whole.bound == self.best
        self.tree = whole.tree
        self.tree.bound = self.tree.mean_points
        self.checkpoint, self.certificate = folder / "tree.npz", folder / "tree.bounds.npz"
        checkpoint.write_checkpoint(self.tree, self.checkpoint)
        write_arrays(self.certificate, certificate_arrays(self.words, whole.bounds))
        index.write_index(self.list.read_bytes(), self.words, str(folder))
        self.index = next(folder.glob("index-*.npz"))
        (folder / "index").mkdir()
        self.texts()

    def solver(self, steps: int | None) -> Solver:
        """A search of so many steps, or to its end."""
        made = Solver(self.words, lingo(self.turns))
        made.run(_steps(steps))
        return made

    def texts(self) -> None:
        """Write values, a tuning, results and rounds."""
        knots = dict.fromkeys(range(2, self.turns), ((5, 9 << 20), (20, 19 << 20)))
        words = self.words
        held = tuned.Tuned(words.length, len(words), words.fingerprint, self.turns, knots, 7, 1,
                           Pool("letters", 9), 3, 123.5)  # fmt: skip
        trial = tuning.Trial(0, "start", self.words[0], 123.5, True, 0.25)
        self.values, self.tuning = self.folder / "a.values.json", self.folder / "a.tuning.json"
        tuned.write_tuned(held, self.values)
        tuning.write_work(tuning.Work(held, held, 0.5, (trial,)), self.tuning)
        self.results, self.rounds = self.folder / "a.jsonl", self.folder / "b.jsonl"
        one = results.Result(5, 4, "a list", "f" * 64, "parts", "cpu", "able", (1, 2), 1, 10.5, 0.5, 0.25, 99)
        self.results.write_text(f"{results.result_text(one)}\n" * 2, encoding="utf-8")
        rounds = match.Results(self.rounds)
        for word in self.words.words[:3]:
            this = match.Round("a player", "f" * 12, word)
            rounds.append(match.Result(this, 300, ("able", word), 0, "", "", 0, False, 0.25, 0.5))
        rounds.close()


def _exhaustive() -> Any:
    """The plain recursion that the tests use too."""
    spec = importlib.util.spec_from_file_location("exhaustive", ROOT / "tests" / "exhaustive.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _steps(count: int | None) -> Callable[[], None]:
    """A check that ends a search after so many calls."""
    left = [count]

    def check() -> None:
        if left[0] is not None:
            left[0] -= 1
            if left[0] < 0:
                raise TimeIsUp

    return check


# Readers: what is wrong with what came of a file, "" for nothing


def read_tree(path: Path, game: Game) -> str:
    """A checkpoint, followed by a replay of every word."""
    try:
        tree = checkpoint.read_checkpoint(path)
        if tree == game.tree:
            return ""
        verify(tree, game.words)
    except checkpoint.CheckpointError:
        return ""
    return _above(sum(n * (tree.turns - turn) for turn, n in enumerate(tree.turn_counts())), tree.turns, game)


def _above(value: int, turns: int, game: Game) -> str:
    return f"a tree of {value}, the best is {game.best}" if turns == game.turns and value > game.best else ""


def read_bound(path: Path, game: Game) -> str:
    """A certificate, followed by its proof."""
    try:
        held = read_certificate(path, game.words)
        if held.turns == game.turns:  # as `prove` asks of the checkpoint beside it
            return _proven(held, game)
    except CertificateError:
        pass
    return ""


def _proven(held: Any, game: Game) -> str:
    """Whether a certificate proves a bound below the best."""
    try:
        for _ in prove(game.table, held):
            pass
    except CertificateError:
        return ""
    return f"a bound of {held.bound} was proven, the best is {game.best}" if held.bound < game.best else ""


def read_search(path: Path, game: Game) -> str:
    """A work file, a search that goes on from it, and the proof of its certificate."""
    solver = Solver(game.words, lingo(game.turns))
    try:
        read_work(path, solver)
    except CertificateError:
        return ""
    if path.read_bytes() == game.work.read_bytes():
        return ""
    solver.run(_steps(STEPS))
    if solver.tree is not None:
        verify(solver.tree, game.words)
        if solver.value > game.best:
            return f"a search came to {solver.value}, the best is {game.best}"
    assert solver.bounds is not None
    return _proven(parsed_certificate(certificate_arrays(game.words, solver.bounds)), game)


def read_index(path: Path, game: Game) -> str:
    """An index, and every word that it gives."""
    named = path.parent / "index" / game.index.name
    path.replace(named)
    found = index.find_index(game.list.read_bytes(), game.words.length, [str(named.parent)])
    try:
        words = [] if found is None else [found[at] for at in range(min(len(found), 1000))]
    except (IndexError, UnicodeDecodeError):  # which the player answers by reading the list
        return ""
    strange = [word for word in words if len(word) != game.words.length]
    return f"the index gives {strange[0]!r}" if strange else ""


def read_values(path: Path, game: Game) -> str:
    """Tuned values, and the objectives that they give."""
    try:
        held = tuned.read_tuned(path)
    except tuned.TunedError:
        return ""
    if held.turns <= 40:
        for left in range(1, held.turns + 1):
            held.objective(30, left)
    return "" if 0 <= held.opening < held.words else f"opening {held.opening} of {held.words} words"


def read_tuning(path: Path, game: Game) -> str:
    """The file of a tuning."""
    try:
        held = tuning.read_work(path)
    except tuning.TuningError:
        return ""
    return (
        ""
        if held.trials and held.best.turns == held.fit.turns
        else "a tuning without trials, or of two games"
    )


def read_results(path: Path, game: Game) -> str:
    """Results of lists."""
    try:
        held = results.read_results(path)
    except results.ResultsError:
        return ""
    wrong = [one for one in held if sum(one.turns) + one.lost != one.words or not one.mean_points >= 0]
    return f"{wrong[0]}"[:200] if wrong else ""


def read_rounds(path: Path, game: Game) -> str:
    """Results of a match."""
    try:
        held = match.Results(path)
    except ValueError:
        return ""
    held.close()
    wrong = [
        one for one in held.kept.values() if not isinstance(one.points, int) or not -1e12 < one.wall < 1e12
    ]
    return f"{wrong[0]}"[:200] if wrong else ""


def read_list(path: Path, game: Game) -> str:
    """A list of words: the words of a length are alike by both ways of reading, and words."""
    try:
        listing = read(path)
    except WordListError:
        return ""
    for length in (game.words.length, game.words.length + 1):
        try:
            quick = Listing("quick", listing.data).of_length(length)
        except WordListError:
            continue
        words = [word for word in listing.words if len(word) == length]
        if quick.words != words or not all(word.isalpha() for word in words) or len(set(words)) < len(words):
            return f"words of {length} letters differ: {quick.words[:3]} and {words[:3]}"
    return ""


READERS: dict[str, Callable[[Path, Game], str]] = {
    "checkpoint": read_tree, "certificate": read_bound, "work": read_search, "index": read_index,
    "values": read_values, "tuning": read_tuning, "results": read_results, "rounds": read_rounds,
    "list": read_list,
}  # fmt: skip
COMMANDS = {
    "checkpoint": ["verify", "{file}", "--wordlist", "{list}"],
    "certificate": ["prove", "{checkpoint}", "--wordlist", "{list}", "--certificate", "{file}"],
    "results": ["report", "--results", "{file}", "--out", "{out}"],
    "list": ["words", "--wordlist", "{file}"],
}


# Ways to spoil a file


def changed(data: bytes, way: str, draw: random.Random) -> bytes:
    """Bytes with some flipped, cut off or added."""
    made = bytearray(data)
    if way == "bytes flipped":
        for _ in range(draw.choice([1, 1, 2, 5])):
            made[draw.randrange(len(made))] ^= 1 << draw.randrange(8) if draw.random() < 0.7 else 0xFF
    elif way == "cut short":
        lo, hi = sorted(draw.choices(range(len(made) + 1), k=2))
        made = made[:hi] if draw.random() < 0.7 else made[:lo] + made[hi:]
    else:
        at = draw.randrange(len(made) + 1)
        more = draw.choice([draw.randbytes(draw.randint(1, 40)), b"\n", b"\r", b"[" * 100_000, b"\0" * 9,
                            b"1" * 5000, bytes(made[: draw.randint(1, 100)])])  # fmt: skip
        made[at:at] = more
    return bytes(made)


def forged_array(array: Any, draw: random.Random) -> Any:
    """An array of other numbers, order, size, axes or type."""
    made = np.array(array)
    match draw.randrange(8):
        case 0 | 1 | 2 if made.size:
            number = draw.choice([*NUMBERS, int(made.flat[0]) - 1, int(made.flat[0]) + 1])
            with np.errstate(all="ignore"):
                made.flat[draw.randrange(made.size)] = np.array(number % (1 << 64), np.uint64).astype(
                    made.dtype
                )
        case 3 if made.size:
            low = draw.choice([-2, -1, 1])
            made = made + np.asarray(low).astype(made.dtype) if made.dtype.kind != "b" else ~made
        case 4:
            made = made[: draw.randint(0, len(made))] if made.ndim else made
        case 5:
            made = np.concatenate([made, made]) if made.ndim else made.reshape(1)
        case 6:
            made = made.reshape(-1, 1) if draw.random() < 0.5 else made[::-1].copy()
        case 7:
            kinds = ("<i4", "<i8", "u1", "<f8", "?", "<U3", "<c16", "<M8[s]", ">i8")
            made = made.astype(draw.choice(kinds))
    return made


def forged(kind: str, path: Path, game: Game, draw: random.Random) -> bytes:
    """A file in the right form that says something else."""
    if kind in ("certificate", "work"):
        arrays = dict(read_arrays(path))
        for name in draw.sample(sorted(arrays), draw.choice([1, 1, 2, 3])):
            arrays[name] = forged_array(arrays[name], draw)
        if draw.random() < 0.2:
            low = draw.randint(game.best - 5, game.best)
            arrays["bounds"] = (
                np.minimum(arrays["bounds"], low) if arrays["bounds"].dtype.kind == "i" else low
            )
        if draw.random() < 0.1:
            del arrays[draw.choice(sorted(arrays))]
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        return buffer.getvalue()
    if kind in ("checkpoint", "index"):
        return _forged_container(kind, path.read_bytes(), draw)
    return _forged_text(path.read_text(encoding="utf-8"), draw)


def _forged_container(kind: str, data: bytes, draw: random.Random) -> bytes:
    """A checkpoint or an index with other arrays or another header."""
    names = checkpoint.MEMBERS if kind == "checkpoint" else index.MEMBERS
    members = container.unpack(data, names)
    fields = header.parsed_header(bytes(container.integers(members["header"], "u1")).decode())
    kinds = checkpoint.kinds(5) | {"starts": "i4"}
    for name in draw.sample(names, draw.choice([1, 1, 2])):
        if name == "header":
            odd = [*NUMBERS, 0.5, 1e308, None, "x", fields["fingerprint"]]
            fields[draw.choice(sorted(fields))] = draw.choice(odd)
            members[name] = container.npy(header.header_text(fields).encode(), "u1")
            continue
        array = np.array(container.integers(members[name], kinds[name]))
        made = forged_array(array, draw)
        code = draw.choice(["i4", "u1", "i8"]) if draw.random() < 0.1 else kinds[name]
        with np.errstate(all="ignore"):
            numbers = (
                np.asarray(made.ravel()).astype("<i8", casting="unsafe")
                if made.dtype.kind in "iub"
                else array
            )
        members[name] = container.npy(numbers.astype(container.TYPES[code][0]).tolist(), code)
    return container.pack([(name, members[name]) for name in names])


def _forged_text(text: str, draw: random.Random) -> bytes:
    """Lines of JSON, or of a list, with another value somewhere."""
    odd: list[Any] = [*NUMBERS, None, True, 0.5, -0.5, 1e308, float("nan"), float("inf"), "", "x",
                      "\ud800", [], {}, [[]], 10**400, "\u2028", ["a"], [1, -1]]  # fmt: skip
    lines = text.split("\n") if "}\n{" in text else [text]
    at = draw.randrange(len(lines))
    try:
        entry = json.loads(lines[at])
    except ValueError:
        words = text.split("\n")
        words[draw.randrange(len(words))] = draw.choice(ODD_LINES)
        return draw.choice(["\n", "\r", "\r\n"]).join(words).encode()
    spot: Any = entry
    for _ in range(draw.choice([0, 0, 1, 2])):
        inner = [
            one
            for one in (spot.values() if isinstance(spot, dict) else spot)
            if isinstance(one, dict | list) and one
        ]
        spot = draw.choice(inner) if inner else spot
    key = draw.choice(sorted(spot)) if isinstance(spot, dict) else draw.randrange(len(spot))
    if isinstance(spot, dict) and draw.random() < 0.1:
        del spot[key]
    else:
        spot[key] = draw.choice(odd)
    lines[at] = json.dumps(entry)
    return "\n".join(lines).encode()


def bomb(kind: str, path: Path, draw: random.Random) -> bytes:
    """A small file that says it is, or unpacks to, far more than it should."""
    if kind not in ("certificate", "work", "checkpoint", "index"):
        return draw.choice([b"[" * 200_000, b'{"a":' * 100_000, b"1" * 100_000, b"-" * 9 + b"1e" + b"9" * 9])
    size = draw.choice([1 << 28, 1 << 29])
    name = draw.choice(["bounds.npy", "header.npy", "guess.npy", "format.npy"])
    if draw.random() < 0.5 or kind in ("checkpoint", "index"):  # the size that is told may be another
        squeezed = zlib.compress(bytes(1 << 20), 9, wbits=-15) * 3
        told = draw.choice([10, size, 0xFFFFFFFF])
        local, entry = container.headers(name.encode(), 0, len(squeezed), told, 0)
        return local + squeezed + container.directory([entry], len(local) + len(squeezed))
    buffer = io.BytesIO()
    with zipfile.ZipFile(
        buffer, "w", draw.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA]), compresslevel=1
    ) as file:
        shape = draw.choice([(1 << 45,), (1 << 20, 1 << 20), (0, 1 << 60), (1 << 62, 4)])
        text = io.BytesIO()
        np.lib.format.write_array_header_1_0(text, {"descr": "<i8", "fortran_order": False, "shape": shape})
        file.writestr(name, text.getvalue() + bytes(draw.choice([0, 80, 1 << 22])))
    return buffer.getvalue()


# The cases


def attacks(cases: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (kind, fault) of every case; the fault is "" where the program behaved."""
    with tempfile.TemporaryDirectory(prefix="gpulingo-attacks-") as folder:
        games = [Game(one, Path(folder) / f"list{one}") for one in LISTS]
        for case in range(cases):
            draw = random.Random(f"{seed}/{case}")
            kind, way, game = draw.choice(list(READERS)), draw.choice(WAYS), draw.choice(games)
            yield f"{kind}, {way}", _fault(case, kind, way, game, draw)


def _fault(case: int, kind: str, way: str, game: Game, draw: random.Random) -> str:
    """What is wrong with how one spoiled file was read."""
    source: Path = getattr(game, kind)
    if way == "forged":
        data = forged(kind, source, game, draw)
    elif way == "bomb":
        data = bomb(kind, source, draw)
    else:
        data = changed(source.read_bytes(), way, draw)
    path = game.folder / ("spoiled" + source.suffix)
    path.write_bytes(data)
    before = _peak()
    try:
        fault = READERS[kind](path, game)
        if case % COMMAND_EVERY == 0 and kind in COMMANDS:
            path.write_bytes(data)
            fault = fault or _commanded(COMMANDS[kind], path, game)
    except Exception as error:
        fault = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    if not fault and _peak() - before > FAR:
        fault = f"took {_peak() - before:,} bytes"
    return f"case {case}: {fault}" if fault else ""


def _peak() -> int:
    """The most memory that this process has held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _commanded(words: list[str], path: Path, game: Game) -> str:
    """What is wrong with how a command reads the file: a traceback, another exit code, more than one line."""
    names = {"file": path, "list": game.list, "checkpoint": game.checkpoint, "out": game.folder / "out.html"}
    command = [sys.executable, "-m", "gpulingo", *(word.format(**names) for word in words)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=300, check=False)
    text = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1, 2) or "Traceback" in text:
        return f"{' '.join(command[3:4])} ended with {done.returncode}: {text[-200:]!r}"
    return ""

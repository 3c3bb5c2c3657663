"""Damaged and forged files, against every reader of the program.

A reader behaves if it raises the error that it documents, reads exactly what was written, or reads something
harmless: a list of words, a result in range, a tree that `verify` rejects or that is not better than the
optimum, a bound that `prove` rejects or that is not below the optimum. Plain recursion gives the optimum.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import arrays
import texts
from samples import ROOT, Sample

LISTS = (10, 28, 55)  # seeds of lists of 20 to 60 words, whose proofs have pieces of all kinds
FAR = 1 << 30  # bytes by which the process may grow in one case
WAYS = ("bytes flipped", "cut short", "bytes inserted", "forged", "bomb")
COMMAND_EVERY = 500  # one of so many cases also runs the command line
PARTS = {kind: part for part in (arrays, texts) for kind in part.READERS}
READERS: dict[str, Callable[[Path, Sample], str]] = {kind: part.READERS[kind] for kind, part in PARTS.items()}
COMMANDS = {
    "checkpoint": ["prove", "--tree-only", "{file}", "--wordlist", "{list}"],
    "certificate": ["prove", "{checkpoint}", "--wordlist", "{list}", "--certificate", "{file}"],
    "results": ["report", "--results", "{file}", "--out", "{out}"],
    "list": ["words", "--wordlist", "{file}"],
    "targets": ["words", "--wordlist", "{list}", "--targets", "{file}"],
    "weights": ["words", "--wordlist", "{list}", "--weights", "{file}"],
    "host": ["prove", "{guesser}", "--wordlist", "{list}", "--certificate", "{file}"],
}


def changed(data: bytes, way: str, draw: random.Random) -> bytes:
    """Flip, cut off or add bytes."""
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


def attacks(cases: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (kind, fault) of every case; the fault is "" if the program behaved."""
    with tempfile.TemporaryDirectory(prefix="gpulingo-attacks-") as folder:
        samples = [Sample(one, Path(folder) / f"list{one}") for one in LISTS]
        kinds = [(kind, way) for kind in READERS for way in WAYS]
        for case in range(cases):
            draw = random.Random(f"{seed}/{case}")
            turn, place = divmod(case, len(kinds))  # in each turn every kind once, in another order
            kind, way = random.Random(f"{seed}/{turn}").sample(kinds, len(kinds))[place]
            sample = draw.choice(samples)
            yield f"{kind}, {way}", _fault(case, kind, way, sample, draw)


def _fault(case: int, kind: str, way: str, sample: Sample, draw: random.Random) -> str:
    """The fault in reading one damaged file."""
    source: Path = getattr(sample, kind)
    part = PARTS[kind]
    if way == "forged":
        data = part.forged(kind, source, sample, draw)
    elif way == "bomb":
        data = part.bomb(kind, source, draw)
    else:
        data = changed(source.read_bytes(), way, draw)
    path = sample.folder / ("spoiled" + source.suffix)
    path.write_bytes(data)
    before = _peak()
    try:
        fault = READERS[kind](path, sample)
        if case % COMMAND_EVERY == 0 and kind in COMMANDS:
            path.write_bytes(data)
            fault = fault or _commanded(COMMANDS[kind], path, sample)
    except Exception as error:
        fault = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    if not fault and _peak() - before > FAR:
        fault = f"took {_peak() - before:,} bytes"
    return f"case {case}: {fault}" if fault else ""


def _peak() -> int:
    """The peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _commanded(words: list[str], path: Path, sample: Sample) -> str:
    """The fault of a command that reads the file: a traceback, a wrong exit code, more than one line."""
    names = {
        "file": path,
        "list": sample.list,
        "checkpoint": sample.checkpoint,
        "guesser": sample.guesser,
        "out": sample.folder / "out.html",
    }
    command = [sys.executable, "-m", "gpulingo", *(word.format(**names) for word in words)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=300, check=False)
    text = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1, 2) or "Traceback" in text:
        return f"{' '.join(command[3:4])} ended with {done.returncode}: {text[-200:]!r}"
    return ""

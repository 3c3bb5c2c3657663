"""Files of text, damaged and forged: values, tunings, results, rounds of matches, lists, targets, weights."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from samples import NUMBERS, Sample

from gpulingo.match import rounds as match
from gpulingo.report import results
from gpulingo.strategies import tuned
from gpulingo.tuning import tuner as tuning
from gpulingo.words.listing import Listing, WordListError, read
from gpulingo.words.targets import Targets, Weights
from gpulingo.words.wordlist import MOST_WEIGHT

ODD_LINES = ["", "\r", "É", "a b", "able\r", "x-y", "A" * 5, "\u2028", "İ"]

ODD_WEIGHTS = [
    f"{word}\t{weight}" for word in ("able", "ABLE", "abaca") for weight in (*NUMBERS, "", "1.5", "9" * 5000)
]

# Readers: each returns the fault in reading a file, "" for none


def read_values(path: Path, sample: Sample) -> str:
    """Read tuned values, and make their objectives."""
    try:
        held = tuned.read_tuned(path)
    except ValueError:
        return ""
    if held.turns <= 40:
        for left in range(1, held.turns + 1):
            held.objective(30, left)
    return "" if 0 <= held.opening < held.words else f"opening {held.opening} of {held.words} words"


def read_tuning(path: Path, sample: Sample) -> str:
    """Read the file of a tuning."""
    try:
        held = tuning.read_tuning(path)
    except ValueError:
        return ""
    return (
        ""
        if held.trials and held.best.turns == held.fit.turns
        else "a tuning without trials, or of two games"
    )


def read_results(path: Path, sample: Sample) -> str:
    """Read the results of lists."""
    try:
        held = results.read_results(path)
    except ValueError:
        return ""
    wrong = [one for one in held if sum(one.turns) + one.lost != one.words or not one.mean_points >= 0]
    return f"{wrong[0]}"[:200] if wrong else ""


def read_rounds(path: Path, sample: Sample) -> str:
    """Read the results of a match."""
    try:
        held, _ = match.FORM.entries(path.read_bytes(), str(path))
    except ValueError:
        return ""
    wrong = [one for one in held if not isinstance(one.points, int) or not -1e12 < one.wall < 1e12]
    return f"{wrong[0]}"[:200] if wrong else ""


def read_list(path: Path, sample: Sample) -> str:
    """Read a list: both readers must give the same words for a length, and only valid words."""
    try:
        listing = read(path)
    except WordListError:
        return ""
    for length in (sample.words.length, sample.words.length + 1):
        try:
            quick = Listing("quick", listing.data).of_length(length)
        except WordListError:
            continue
        words = [word for word in listing.words if len(word) == length]
        if quick.words != words or not all(word.isalpha() for word in words) or len(set(words)) < len(words):
            return f"words of {length} letters differ: {quick.words[:3]} and {words[:3]}"
    return ""


def read_targets(path: Path, sample: Sample) -> str:
    """Read the targets of a list: all must be words of it."""
    try:
        words = Targets(str(path)).of(sample.words)
    except WordListError:
        return ""
    strange = [word for word in words.targets if word not in sample.words.words]
    return f"{strange[0]!r} is a target" if strange or not words.targets else ""


def read_weights(path: Path, sample: Sample) -> str:
    """Read the weights of a list: a number of at least 0 for each word, not all 0."""
    try:
        words = Weights(str(path)).of(sample.words)
    except WordListError:
        return ""
    weights = words.weights or [1]
    return "" if min(weights) >= 0 and 0 < sum(weights) <= MOST_WEIGHT else f"weights {weights}"[:200]


# Ways to damage a file


def forged(kind: str, path: Path, sample: Sample, draw: random.Random) -> bytes:
    """Replace one value in lines of JSON, or of a list."""
    text = path.read_text(encoding="utf-8")
    odd: list[Any] = [*NUMBERS, None, True, 0.5, -0.5, 1e308, float("nan"), float("inf"), "", "x",
                      "\ud800", [], {}, [[]], 10**400, "\u2028", ["a"], [1, -1]]  # fmt: skip
    lines = text.split("\n") if "}\n{" in text else [text]
    at = draw.randrange(len(lines))
    try:
        entry = json.loads(lines[at])
    except ValueError:
        words = text.split("\n")
        words[draw.randrange(len(words))] = draw.choice(ODD_LINES + ODD_WEIGHTS * (kind == "weights"))
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
    """Make a small file that needs excessive memory or time."""
    return draw.choice([b"[" * 200_000, b'{"a":' * 20_000, b"1" * 100_000, b"-" * 9 + b"1e" + b"9" * 9])


READERS = {
    "values": read_values, "tuning": read_tuning, "results": read_results, "rounds": read_rounds,
    "list": read_list, "targets": read_targets, "weights": read_weights,
}  # fmt: skip

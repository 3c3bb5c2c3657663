"""The state of a tuning and its file; tries nothing itself."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any

from gpulingo.games.catalogue import MOST_TURNS, lingo
from gpulingo.storage.fields import checked, decimal, flag, parsed_json, text, whole
from gpulingo.storage.files import file_bytes, replace_file
from gpulingo.strategies.tuned import Tuned, parsed_tuned, tuned_text

FORMAT, VERSION = "gpulingo tuning", 1
MOST_BYTES = 1 << 28  # of a file: a limit, a million trials
MOST_SECONDS = 1e12  # of a trial: a limit of what is believed


FIELDS = {
    "number": whole(), "change": text, "opening": text,
    "mean_points": decimal(0, lingo(MOST_TURNS).points(1)), "kept": flag, "seconds": decimal(0, MOST_SECONDS),
}  # fmt: skip


class TuningError(ValueError):
    """A work file that cannot be read, or is of another tuning."""


@dataclass(frozen=True)
class Trial:
    """One iteration.

    Attributes:
        number: 0, 1, .. change: what was tried, in words. opening: the first guess.
        mean_points: over the whole list. kept: whether that is more than before.
        seconds: wall time.
    """

    number: int
    change: str
    opening: str
    mean_points: float
    kept: bool
    seconds: float


@dataclass(frozen=True)
class Tuning:
    """A tuning after some iterations.

    Attributes:
        best: what has most mean points so far.
        fit: what was fitted last.
        reach: how far the next change goes.
        trials: of all iterations.
    """

    best: Tuned
    fit: Tuned
    reach: float
    trials: tuple[Trial, ...]


def write_tuning(tuning: Tuning, path: str | os.PathLike[str]) -> None:
    """Write a tuning in place of what the file held; there is never half a file.

    Raises:
        OSError: the file cannot be written.
    """
    replace_file(os.fspath(path), tuning_text(tuning).encode())


def read_tuning(path: str | os.PathLike[str]) -> Tuning:
    """Read a tuning.

    Raises:
        TuningError: no such file, or what `write_tuning` would not write; one line that names the file.
    """
    remedy = "name a file that `gpulingo tune --resume` wrote, or a new one"
    try:
        return parsed_tuning(file_bytes(path, MOST_BYTES))
    except OSError as error:
        raise TuningError(f"cannot read the tuning {path} ({error.strerror}): {remedy}") from None
    except ValueError as error:
        raise TuningError(f"the tuning {path} {error}: {remedy}") from None


def tuning_text(tuning: Tuning) -> str:
    """A tuning as JSON; each number comes back as it was."""
    entry = {
        "format": FORMAT,
        "version": VERSION,
        "best": tuned_text(tuning.best),
        "fit": tuned_text(tuning.fit),
        "reach": tuning.reach,
        "trials": [asdict(trial) for trial in tuning.trials],
    }
    return json.dumps(entry, ensure_ascii=False, indent=1) + "\n"


def parsed_tuning(data: str | bytes) -> Tuning:
    """The tuning of a text, or of what a file holds; the twin of `tuning_text`.

    Raises:
        ValueError: what is wrong with it, to be read after the name of the file.
    """
    entry: Any = parsed_json(data)
    if not isinstance(entry, dict) or entry.get("format") != FORMAT or entry.get("version") != VERSION:
        raise ValueError(f"is not of format {FORMAT!r}, version {VERSION}")
    reach, trials = entry.get("reach"), entry.get("trials")
    if type(reach) is not float or not 0 <= reach < 1e9 or not isinstance(trials, list) or not trials:
        raise ValueError("has no reach or no trials")
    parsed = [_trial(number, trial) for number, trial in enumerate(trials)]
    tuned = {name: _tuned(entry.get(name), name) for name in ("best", "fit")}
    same = [(values.length, values.words, values.fingerprint, values.turns) for values in tuned.values()]
    if same[0] != same[1]:
        raise ValueError("has tuned values of two lists")
    return Tuning(tuned["best"], tuned["fit"], reach, tuple(parsed))


def _trial(number: int, trial: Any) -> Trial:
    """The trial of that number, checked."""
    try:
        record = checked(trial, FIELDS | {"number": whole(number, number)})
    except ValueError as error:
        raise ValueError(f"has a trial {number} that {error}") from None
    return Trial(**record)


def _tuned(entry: Any, name: str) -> Tuned:
    """Tuned values, checked."""
    try:
        return parsed_tuned(str(entry))
    except ValueError:
        raise ValueError(f"has no tuned values as {name}") from None

"""What a strategy does over a whole list, as numbers, and the file that keeps such results; plays nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.trees.container import replace_file

if TYPE_CHECKING:
    from gpulingo.play.simulate import Simulation


class ResultsError(ValueError):
    """A file of results that cannot be read or holds something else."""


@dataclass(frozen=True)
class Result:
    """One strategy over the words of one length.

    Attributes:
        length: letters a word. words: of the list, each a target.
        list: where it comes from. fingerprint: of it, 64 hex digits.
        strategy: its name. device: where it was searched. opening: the first guess.
        turns: words found on turn 1, 2, .. lost: words not found.
        mean_points: over the list, 0 to 100 x turns.
        seconds: wall time of the turns. kernel_seconds: the part of it inside `rank` and `split`.
        pairs: of guess and candidate evaluated.
    """

    length: int
    words: int
    list: str
    fingerprint: str
    strategy: str
    device: str
    opening: str
    turns: tuple[int, ...]
    lost: int
    mean_points: float
    seconds: float
    kernel_seconds: float
    pairs: int

    @property
    def found_by(self) -> tuple[float, ...]:
        """Share of the words, 0 to 1, found by turn 1, 2, .."""
        return tuple(found / self.words for found in accumulate(self.turns))

    @property
    def worst_turn(self) -> int | None:
        """The turn by which every word is found; None when some are lost."""
        if self.lost:
            return None
        return max(turn for turn, count in enumerate(self.turns, 1) if count)


KINDS: dict[str, type] = {
    "length": int, "words": int, "list": str, "fingerprint": str, "strategy": str, "device": str,
    "opening": str, "lost": int, "mean_points": float, "seconds": float,
    "kernel_seconds": float, "pairs": int,
}  # fmt: skip


def result_of(simulation: Simulation) -> Result:
    """The numbers of a simulation."""
    words, made = simulation.wordlist, simulation.made
    return Result(
        length=words.length,
        words=len(words),
        list=words.source,
        fingerprint=words.fingerprint,
        strategy=simulation.strategy,
        device=str(simulation.device),
        opening=simulation.opening,
        turns=tuple(simulation.turns),
        lost=simulation.lost,
        mean_points=simulation.mean_points,
        seconds=made.seconds,
        kernel_seconds=made.kernel_seconds,
        pairs=made.pairs,
    )


def result_text(result: Result) -> str:
    """A result as one JSON object, without a newline."""
    return json.dumps(asdict(result), ensure_ascii=False)


def parsed_result(text: str) -> Result:
    """The result of a JSON object; the twin of `result_text`. Keys that it does not know are left out.

    Raises:
        ValueError: what is wrong with it, to be read after the name of the file.
    """
    try:
        entry: Any = json.loads(text)
    except ValueError:
        raise ValueError("is no JSON") from None
    if not isinstance(entry, dict):
        raise ValueError("is no JSON object")
    if missing := [field.name for field in fields(Result) if field.name not in entry]:
        raise ValueError(f"has no {missing[0]}")
    for name, kind in KINDS.items():
        value = entry[name]
        fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits or (kind is not str and not 0 <= value < 1 << 62):
            raise ValueError(f"has {name} {str(value)[:40]!r}, expected {kind.__name__}")
    turns = entry["turns"]
    if not isinstance(turns, list) or not all(type(count) is int and count >= 0 for count in turns):
        raise ValueError(f"has turns {str(turns)[:40]!r}, expected whole numbers")
    if sum(turns) + entry["lost"] != entry["words"] or not turns or not entry["words"]:
        raise ValueError("has found and lost words that do not make up its words")
    return Result(**{name: entry[name] for name in KINDS}, turns=tuple(turns))


def write_results(path: str | os.PathLike[str], results: Iterable[Result]) -> None:
    """Write results, one JSON object a line, in place of what the file held.

    Raises:
        OSError: the file cannot be written.
    """
    replace_file(os.fspath(path), "".join(f"{result_text(one)}\n" for one in results).encode())


def read_results(path: str | os.PathLike[str]) -> list[Result]:
    """Read results, as `gpulingo compare --out` and `gpulingo simulate --json` write them.

    Raises:
        ResultsError: no such file, or a line that is no result; one line that names both.
    """
    remedy = "name a file that `gpulingo compare --out` wrote"
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ResultsError(f"cannot read results {path} ({error.strerror}): {remedy}") from None
    except UnicodeDecodeError:
        raise ResultsError(f"results {path} are not UTF-8 text: {remedy}") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(parsed_result(line))
        except ValueError as error:
            raise ResultsError(f"line {number} of {path} {error}: {remedy}") from None
    if not found:
        raise ResultsError(f"{path} holds no results: {remedy}")
    return found

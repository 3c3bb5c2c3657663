"""Tuned strategies: values fitted to one list, with their pool, as a small text file.

`tuning` fits them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

from gpulingo.games.catalogue import LINGO, MOST_TURNS, lingo
from gpulingo.games.marks import LONGEST
from gpulingo.storage.faults import REMOVE, TUNE, TUNE_FOR, TUNE_LIST, Complain, Fault, refuse, warned
from gpulingo.storage.fields import Check, checked, decimal, fingerprint, one_of, or_none, parsed_json, whole
from gpulingo.storage.files import FOLDERS, SHORT, VALUES, file_name, locked, parsed_file, replace_file
from gpulingo.strategies.objectives import RULES, SCALE, LeftKnots, Pool, Ranking, fitted_table
from gpulingo.tensors.objective import RISING, Objective, perfect_split
from gpulingo.trees.stored import stored_paths
from gpulingo.trees.values import Values
from gpulingo.words.listing import WordList

FORMAT, VERSION = "gpulingo values", 1
# Limits of accepted values, and of a file.
MOST_WORDS, MOST_BONUS, MOST_BYTES = 1 << 26, 1 << 40, 1 << 24


@dataclass(frozen=True)
class Tuned:
    """Result of `gpulingo tune` for one list; values are in units of 1/SCALE turn."""

    length: int
    words: int
    fingerprint: str
    turns: int
    knots: dict[int, LeftKnots]  # for 2 to turns - 1 turns left, (size, value) by ascending size
    bonus: int  # of a guess that is a candidate
    opening: int
    pool: Pool
    seed: int
    mean_points: float  # over the list, by the greatest rank on every turn

    def objective(self, largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
        """Expected points by the fitted values."""
        if turns_left > self.turns:
            what = f"tuned values are for rounds of {self.turns} turns, this one has {turns_left} left"
            raise Fault(what, TUNE_FOR, length=self.length, turns=turns_left)
        after = max(turns_left - 1, 0)
        return Objective(fitted_table(self.knots, largest, after, payoff)[after], bonus=self.bonus)

    def strategy(self, opening: bool = True) -> Ranking:
        """Return the strategy of these values, with their opening or the one of greatest rank."""
        return Ranking("tuned", self.objective, pool=self.pool, opening=self.opening if opening else None)


def tuned_name(length: int, fingerprint: str, turns: int = 5) -> str:
    return file_name(lingo(turns).code, length, fingerprint, VALUES)


def get_tuned(
    wordlist: WordList, folders: Iterable[str] = FOLDERS, turns: int = 5, *, report: Complain = warned
) -> Tuned | None:
    """Return the tuned values of most mean points in the folders for a list and `turns` turns, or None.

    `report` receives a fault of each file that is damaged or of another list.
    """
    kept, faults = stored_tuned(wordlist, folders, turns)
    if faults and not kept:
        raise faults[0]
    best = next(iter(kept), "")
    for fault in faults:
        report(Fault(fault, REMOVE, best=best))
    return kept.get(best)


def stored_tuned(
    wordlist: WordList, folders: Iterable[str] = FOLDERS, turns: int = 5
) -> tuple[dict[str, Tuned], list[Fault]]:
    """Return the tuned values in folders, path -> values, and a fault of each file that cannot be used.

    The most mean points come first, then the order of the folders.
    """
    kept: dict[str, Tuned] = {}
    faults = []
    for path in stored_paths(wordlist, lingo(turns), folders, VALUES):
        try:
            tuned = read_tuned(path)
        except Fault as error:
            faults.append(error)
            continue
        if (tuned.fingerprint, tuned.words) != (wordlist.fingerprint, len(wordlist)):
            theirs, ours = tuned.fingerprint[:SHORT], wordlist.fingerprint[:SHORT]
            faults.append(untuned(f"{path} is for list {theirs}, this list is {ours}", wordlist, turns))
        elif tuned.turns == turns:
            kept[path] = tuned
    return dict(sorted(kept.items(), key=lambda entry: -entry[1].mean_points)), faults


def write_tuned(tuned: Tuned, path: str | os.PathLike[str]) -> None:
    replace_file(os.fspath(path), tuned_text(tuned).encode())


def read_tuned(path: str | os.PathLike[str]) -> Tuned:
    """Read tuned values; a Fault names the file and what is wrong with it, in one line."""
    return parsed_file(path, MOST_BYTES, parsed_tuned, "tuned values", TUNE_LIST)


def tuned_at(path: str | os.PathLike[str]) -> Tuned | None:
    """Return the tuned values at a path, if they are sound."""
    try:
        return read_tuned(path)
    except ValueError:
        return None


def write_better(tuned: Tuned, path: str | os.PathLike[str], values: Values, report: Complain) -> Tuned:
    """Write tuned values, unless better ones stand there; return those that stand there then."""
    with locked(path):
        before = tuned_at(path)
        if before is None or before.mean_points <= tuned.mean_points:
            write_tuned(tuned, path)
            return tuned
    had, new = map(values.of_mean, (before.mean_points, tuned.mean_points))
    less = f"{values.unit.better} than the {values.beside(new)} that were found"
    report(f"{os.fspath(path)} has {values.text(had)}, {less}: its values stay")
    return before


def tuned_text(tuned: Tuned) -> str:
    """Return tuned values as JSON, one key per line: the same values give the same text."""
    keys = {"format": FORMAT, "version": VERSION, "game": LINGO} | asdict(tuned)
    return "{\n" + ",\n".join(f'"{key}": {json.dumps(value)}' for key, value in keys.items()) + "\n}\n"


def parsed_tuned(data: str | bytes) -> Tuned:
    """Return the tuned values of a file's content, the inverse of `tuned_text`; errors follow its name."""
    record = checked(parsed_json(data, plural=True), FIELDS, plural=True)
    opening, words, points, turns = (record[name] for name in ("opening", "words", "mean_points", "turns"))
    refuse({
        f"have opening {opening}, expected an index of {words} words": opening >= words,
        f"have mean_points {points} of {turns} turns": points > lingo(turns).points(1),
    }, ValueError)  # fmt: skip
    values = {"knots": _knots(record["knots"], turns), "pool": Pool(**record["pool"])}
    return Tuned(**{field.name: (record | values)[field.name] for field in fields(Tuned)})


def _pool(value: Any) -> str:
    try:
        checked(value, {"rule": one_of(*RULES), "words": or_none(whole(1)), "seed": whole()})
    except ValueError:
        return f"a rule of {', '.join(RULES)}, words from 1 on or null, a seed"
    return ""


# Checks of a file's fields; knots, and relations between fields, are checked separately.
FIELDS: dict[str, Check] = {
    "format": one_of(FORMAT), "version": one_of(VERSION), "game": one_of(LINGO),
    "length": whole(1, LONGEST), "words": whole(1, MOST_WORDS), "fingerprint": fingerprint,
    "turns": whole(1, MOST_TURNS), "knots": lambda value: "", "bonus": whole(0, MOST_BONUS),
    "opening": whole(), "pool": _pool, "seed": whole(0, 1 << 63), "mean_points": decimal(),
}  # fmt: skip


def _knots(entry: Any, turns: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the knots of every number of turns left, checked for what `fitted_table` requires."""
    if not isinstance(entry, dict) or list(entry) != [str(left) for left in range(2, turns)]:
        raise ValueError(f"have not the knots of 2 to {turns - 1} turns left")
    knots: dict[int, tuple[tuple[int, int], ...]] = {}
    for left, rows in enumerate(entry.values(), 2):
        if type(rows) is not list or any(
            type(row) is not list or [type(number) for number in row] != [int, int] for row in rows
        ):
            raise ValueError(f"have knots of {left} turns left that are not pairs of whole numbers")
        pairs = [(2, perfect_split(2, left) * SCALE), *((size, value) for size, value in rows)]
        for (size, value), (after, more) in pairwise(pairs):
            if not (size < after <= MOST_WORDS and value <= more <= after * left * SCALE):
                raise ValueError(f"have a knot {[after, more]} of {left} turns left that is out of order")
        knots[left] = tuple(pairs[1:])
    return knots


def untuned(what: str, words: WordList, turns: int) -> Fault:
    """Return the fault that a list has no such values."""
    remedy = TUNE if turns == lingo().turns else TUNE_FOR
    return Fault(what, remedy, length=words.length, turns=turns)

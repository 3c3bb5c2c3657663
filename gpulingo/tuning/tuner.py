"""Tune a strategy to a list: values fitted to searches, then changed at random; better ones are stored.

Every trial is played against the whole list, as is each pool of words to search.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from gpulingo.games.catalogue import MOST_TURNS, lingo
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.optimise.lookahead import KnownValues, Lookahead, SetHash
from gpulingo.report.charts import STYLE, time_chart
from gpulingo.storage import fields
from gpulingo.storage.faults import TUNING_FILE
from gpulingo.storage.files import parsed_file
from gpulingo.strategies.build import build, played
from gpulingo.strategies.objectives import (
    RULES,
    SCALE,
    Knots,
    LeftKnots,
    ObjectiveOf,
    Pool,
    Ranking,
    fitted_table,
    value_table,
)
from gpulingo.strategies.strategy import Choice, Position, first_position
from gpulingo.strategies.tuned import Tuned, parsed_tuned, tuned_text
from gpulingo.tensors.arrays import CPU, Device, add_at, array_of, is_gpu, like, namespace
from gpulingo.tensors.clock import clock
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import RISING, Objective, Progress, perfect_split, stacked
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.values import Values
from gpulingo.words.listing import WordList

FORMAT, VERSION = "gpulingo tuning", 1
MOST_BYTES = 1 << 28  # a limit of a file: a million trials
MOST_SECONDS = 1e12  # a limit of the seconds of a trial in a file
FIELDS = {
    "number": fields.whole(), "change": fields.text, "opening": fields.text, "kept": fields.flag,
    "mean_points": fields.decimal(0, lingo(MOST_TURNS).points(1)), "seconds": fields.decimal(0, MOST_SECONDS),
}  # fmt: skip
FEWEST_TURNS = 3  # with two the number of classes is exact, and there is nothing to tune
# Schedule and size of changes: together they gave the results in docs/strategies.md, by
# `gpulingo tune --length N --seed 1 --time SECONDS`; none was varied alone.
FITS, FITTED_AGAIN = (2, 3), 25  # the first trials that are fits; later every 25th
SWEPT = range(4, 10)  # trials of the openings of greatest rank, one after the other
REACH, LEAST, FURTHEST = 0.3, 0.05, 0.6  # size of a change, as a logarithm: at first, at least, at most
DRAWN = 20  # openings of greatest rank, from which one is drawn
BONUSES, OPENED, MIXED = 0.12, 0.27, 0.4  # draws from 0 to 1 below these give a change of that kind
NEAR = (0.5, 1.0, 2.0, 8.0)  # widths of a change of values, as a logarithm of the size
PLAIN, FITTED = 1, "fitted values"  # the trial that is `parts`; name of a fit
BY_RANK = -1  # instead of an opening: the one of greatest rank
TOGETHER = 16  # trials that are played together on a GPU
# Guesses to expand: openings, and after them on every turn except the last two. A fit of the starting
# values gained 0.08 points at 5 letters and lost 0.40 at 4: `gpulingo tune --length 4 --seed 1`, trials 2, 3.
OPENINGS, WIDTH = 4, 2
FEW = 12  # sizes up to which each has a knot; file formats do not depend on it
GROWTH = 1.25  # from there the size grows by this factor from knot to knot: 36 knots at 50,655 words
Key = tuple[object, ...]  # turns left, and the values that then order guesses
ACROSS, DOWN = 64, 14  # characters of the picture of pools
ALL = "all"
ENTRY_BYTES = 200  # approximate size of a stored guess: a tuple and a dict entry of CPython
Check = Callable[[], None]  # called often; may raise


@dataclass(frozen=True)
class Trial:
    number: int
    change: str  # description
    opening: str
    mean_points: float
    kept: bool  # whether its mean points are at least those before
    seconds: float  # wall time


@dataclass(frozen=True)
class Tuning:
    """A tuning after some iterations."""

    best: Tuned  # the values of most mean points
    fit: Tuned  # the values fitted last
    reach: float  # size of the next change
    trials: tuple[Trial, ...]


def read_tuning(path: str | os.PathLike[str]) -> Tuning:
    """Return the tuning of a file; Fault: no such file, or not what `tuning_text` writes."""
    return parsed_file(path, MOST_BYTES, parsed_tuning, "the tuning", TUNING_FILE)


@dataclass(frozen=True)
class TunedList:
    """A list to tune to, with settings. Two of one fingerprint and equal settings are equal."""

    wordlist: WordList = field(compare=False)  # all words are targets
    fingerprint: str
    turns: int = 5
    seed: int = 0  # the same seed gives the same trials
    device: Device = CPU
    memory: int = MEMORY  # bytes for stored sets

    def continued(self, path: Path) -> Tuning | None:
        """Return the tuning of a file, if there is one; ValueError: it is of another list or seed."""
        if not path.exists():
            return None
        tuning = read_tuning(path)
        for name in ("fingerprint", "turns", "seed"):
            if (theirs := getattr(tuning.best, name)) != (value := getattr(self, name)):
                raise ValueError(f"{path} is of {name} {theirs}, not {value}: name another file")
        return tuning


def tuning_text(tuning: Tuning) -> str:
    """Return a tuning as JSON, which preserves every number exactly."""
    entry = {"format": FORMAT, "version": VERSION, "best": tuned_text(tuning.best),
             "fit": tuned_text(tuning.fit), "reach": tuning.reach,
             "trials": [asdict(trial) for trial in tuning.trials]}  # fmt: skip
    return json.dumps(entry, ensure_ascii=False, indent=1) + "\n"


def parsed_tuning(data: str | bytes) -> Tuning:
    """Return the tuning of a text; the inverse of `tuning_text`. ValueError: to follow the file name."""
    entry: Any = fields.parsed_json(data)
    if not isinstance(entry, dict) or entry.get("format") != FORMAT or entry.get("version") != VERSION:
        raise ValueError(f"is not of format {FORMAT!r}, version {VERSION}")
    reach, trials = entry.get("reach"), entry.get("trials")
    if type(reach) is not float or not 0 <= reach < 1e9 or not isinstance(trials, list) or not trials:
        raise ValueError("has no reach or no trials")
    parsed, tuned = [], {}
    for number, trial in enumerate(trials):
        try:
            parsed.append(Trial(**fields.checked(trial, FIELDS | {"number": fields.whole(number, number)})))
        except ValueError as error:
            raise ValueError(f"has a trial {number} that {error}") from None
    for name in ("best", "fit"):
        try:
            tuned[name] = parsed_tuned(str(entry.get(name)))
        except ValueError:
            raise ValueError(f"has no tuned values as {name}") from None
    if len({(value.length, value.words, value.fingerprint, value.turns) for value in tuned.values()}) > 1:
        raise ValueError("has tuned values of two lists")
    return Tuning(**tuned, reach=reach, trials=tuple(parsed))


class Tuner:
    """Trials on one list."""

    def __init__(self, of: TunedList) -> None:
        self.wordlist, self.game, self.seed = of.wordlist, lingo(of.turns), of.seed
        self.table: WordTable = table_of(of.wordlist, self.game).to(of.device)
        self.together = TOGETHER if is_gpu(self.table.device) else 1  # most trials played together
        self._hash, self._most = SetHash(self.table.words), of.memory // ENTRY_BYTES
        # Hash and check of a set -> its guess; above `_most` all are dropped, and searched again.
        self._guesses: dict[Key, dict[tuple[int, int], int]] = {}
        self._ranked: dict[Key, list[int]] = {}  # the openings of greatest rank for the last values

    def begun(self, check: Check = lambda: None) -> Tuning:
        """Trial 0: the starting values, with the opening of greatest rank; an error of `check` ends it."""
        started, wordlist, game = clock(), self.wordlist, self.game
        values = value_table(len(wordlist), game.turns)
        knots = {left: [(size, int(values[left, size])) for size in range(3, len(wordlist) + 1)]
                 for left in range(2, game.turns)}  # fmt: skip
        start = Tuned(
            length=wordlist.length, words=len(wordlist), fingerprint=wordlist.fingerprint, turns=game.turns,
            knots=on_knots(knots, len(wordlist), game.turns), bonus=SCALE, opening=BY_RANK, pool=Pool(),
            seed=self.seed, mean_points=0.0,
        )  # fmt: skip
        (first,) = self._played([start], check)
        opening = wordlist[first.opening]
        trial = Trial(0, "starting values", opening, first.mean_points, True, clock() - started)
        return Tuning(first, first, REACH, (trial,))

    def after(self, tuning: Tuning, check: Check = lambda: None, most: int = 1) -> Tuning:
        """Return the tuning after one more trial, or at most `most`, played together with the same results.

        Each is drawn as if none of those before it were kept; trials after the first kept one are dropped.
        """
        started = clock()
        changes = self._changes(tuning, check, min(most, self.together))
        played = self._played([change for _, change in changes], check)
        seconds = (clock() - started) / len(changes)
        for (text, _), values in zip(changes, played, strict=True):
            before, tuning = tuning.best, self._with(tuning, text, values, seconds)
            if tuning.best != before:
                break
        keys = {key_of(tuning.best, left) for left in range(2, self.game.turns)}
        self._guesses = {key: guesses for key, guesses in self._guesses.items() if key in keys}
        return tuning

    def _changes(self, tuning: Tuning, check: Check, most: int) -> list[tuple[str, Tuned]]:
        """Return the next changes, at least one, assuming that none of them is kept; as text and values."""
        changes: list[tuple[str, Tuned]] = []
        while len(changes) < most:
            number = len(tuning.trials)
            if changes and _is_fit(number):  # it takes as long as many trials, and might be dropped
                break
            text, change = self._change(tuning, check)
            changes.append((text, change))
            if number == PLAIN:  # its opening is not known yet
                break
            tuning = self._with(tuning, text, replace(change, mean_points=-1.0), 0.0)
        return changes

    def _with(self, tuning: Tuning, text: str, played: Tuned, seconds: float) -> Tuning:
        number, gain = len(tuning.trials), played.mean_points - tuning.best.mean_points
        best = played if gain >= 0 else tuning.best  # on ties the newer, so that the climb leaves plateaus
        reach, fit = tuning.reach, tuning.fit
        if text == FITTED:
            fit = played
        elif number != PLAIN:
            reach = min(FURTHEST, reach * 1.3) if gain > 0 else max(LEAST, reach * 0.96)
        opening = self.wordlist[played.opening]
        trial = Trial(number, text, opening, played.mean_points, gain > 0, seconds)
        return Tuning(best, fit, reach, (*tuning.trials, trial))

    def _played(self, some: Sequence[Tuned], check: Check) -> list[Tuned]:
        """Return the values with their mean points and openings, which only one alone may have BY_RANK."""
        game, first = self.game, first_position(self.table, self.game)
        sets, many = first.frontier.sets, len(some)
        copies = first.take(like(np.tile(np.arange(sets), many), self.table.letters))
        rows = like(np.repeat(np.arange(many), sets), self.table.letters)
        position = replace(copies, rows=rows, history=None)
        credits = like(np.zeros(many, np.int64), rows)
        firsts: list[int] = []
        levels = played(position, lambda reached: self._choice(some, reached, check))
        for turn, level in enumerate(levels):
            check()
            firsts = firsts or level.guesses.tolist()
            rows = rows if turn == 0 else rows[level.parents]
            add_at(credits, rows, level.hits * game.payoff[game.turns - turn])
        words = self.wordlist.total_weight
        return [
            replace(tuned, opening=opening, mean_points=game.points_of(value, words))
            for tuned, opening, value in zip(some, firsts, credits.tolist(), strict=True)
        ]

    def _choice(self, some: Sequence[Tuned], position: Position, check: Check) -> Choice:
        """Return guesses of all sets at once, each by the values of its row, looked up if stored."""
        rows = position.rows
        assert rows is not None
        if position.turn == 1 and some[0].opening != BY_RANK:
            return Choice(like(np.array([tuned.opening for tuned in some], np.int32), rows)[rows])

        def objective(largest: int, left: int, payoff: Sequence[int] = RISING, /) -> Objective:
            assert current.rows is not None
            return stacked([tuned.objective(largest, left, payoff) for tuned in some], current.rows)

        current, ranking = position, Ranking("tuned", objective, pool=some[0].pool)
        if position.names_words or position.turn == 1:
            return ranking.choose(current, lambda pairs: check())
        if sum(map(len, self._guesses.values())) > self._most:
            self._guesses = {}
        known = [self._guesses.setdefault(key_of(tuned, position.turns_left), {}) for tuned in some]
        sums = map(tuple, self._hash.of(position.frontier).tolist())
        wanted = list(zip(rows.tolist(), sums, strict=True))
        new: dict[tuple[int, object], int] = {}  # each set once for values that guess alike
        for place, (row, key) in enumerate(wanted):
            if key not in known[row]:
                new.setdefault((id(known[row]), key), place)
        if new:
            current = position.take(like(np.array(list(new.values())), rows))
            guesses = ranking.choose(current, lambda pairs: check()).guesses.tolist()
            for place, guess in zip(new.values(), guesses, strict=True):
                row, key = wanted[place]
                known[row][key] = guess
        return Choice(like(np.array([known[row][key] for row, key in wanted], np.int32), rows))

    def _change(self, tuning: Tuning, check: Check) -> tuple[str, Tuned]:
        best, number = tuning.best, len(tuning.trials)
        if number == PLAIN:
            knots = revalued(best.knots, lambda left, row: [most(left, size) for size, _ in row])
            # The values of `parts` use the opening of `parts`.
            change = replace(best, knots=knots, bonus=0, opening=BY_RANK)
            return "no loss and no bonus, which is parts", change
        if _is_fit(number):
            order = (tuning.fit if number in FITS else best).objective
            return FITTED, replace(best, knots=fitted(self.table, self.game, order, lambda pairs: check()))
        if number in SWEPT:
            tried = {trial.opening for trial in tuning.trials}
            for opening in self._openings(best):
                if (word := self.wordlist[opening]) not in tried:
                    return f"opening {word}", replace(best, opening=opening)
        return self._random_change(tuning)

    def _random_change(self, tuning: Tuning) -> tuple[str, Tuned]:
        """Return a change of the bonus, the opening, the values towards the fit, or those near one size."""
        # One generator per trial: an interrupted tuning continues alike.
        draw = Random(f"{self.seed} {len(tuning.trials)}")
        best, kind, factor = tuning.best, draw.random(), math.exp(draw.gauss(0, tuning.reach))
        if kind < BONUSES:
            bonus = min(round(max(best.bonus, SCALE // 16) * factor), 8 * SCALE)
            return f"bonus {bonus / SCALE:.3f}", replace(best, bonus=bonus)
        if kind < OPENED or self.game.turns == FEWEST_TURNS:
            opening = draw.choice(self._openings(best))
            return f"opening {self.wordlist[opening]}", replace(best, opening=opening)
        if kind < MIXED:
            share = min(1.0, abs(draw.gauss(0, 2 * tuning.reach)))
            knots = revalued(best.knots, lambda left, row: mixed(row, tuning.fit.knots[left], share))
            return f"{share:.3f} towards the fit", replace(best, knots=knots)
        # With all turns left values are not used, because the opening is fixed.
        left, near = draw.randrange(2, self.game.turns - 1), draw.choice(NEAR)
        middle = math.exp(draw.uniform(math.log(3), math.log(max(4, self.table.words / 20))))
        changed = {left: best.knots[left]}
        knots = best.knots | revalued(changed, lambda left, row: bent(left, row, middle, near, factor))
        text = f"{left} left, sets of about {middle:.0f}: loss x {factor:.3f}"
        return text, replace(best, knots=knots)

    def _openings(self, tuned: Tuned) -> list[int]:
        table, key = self.table, key_of(tuned, self.game.turns)
        if key not in self._ranked:
            objective = tuned.objective(table.words, self.game.turns, self.game.payoff)
            ranked = rank(table, whole(table), table.pool, objective, min(DRAWN, table.words))
            self._ranked = {key: ranked.guesses[0].tolist()}
        return self._ranked[key]


tuner_of = lru_cache(maxsize=1)(Tuner)  # a process keeps its stored sets from change to change


def _is_fit(number: int) -> bool:
    return number in FITS or number % FITTED_AGAIN == 0


def revalued(knots: Knots, values: Callable[[int, LeftKnots], Iterable[int]]) -> dict[int, LeftKnots]:
    """Return knots of other values at the same sizes, raised if they would fall and cut to the most of a set.

    `values` gets the turns left and their knots.
    """
    rows: dict[int, LeftKnots] = {}
    for left, row in knots.items():
        cut = [min(value, most(left, size)) for (size, _), value in zip(row, values(left, row), strict=True)]
        rising = list(accumulate(cut, max, initial=most(left, 2)))[1:]
        rows[left] = tuple((size, value) for (size, _), value in zip(row, rising, strict=True))
    return rows


def mixed(row: LeftKnots, other: LeftKnots, share: float) -> list[int]:
    """Values between those of two rows, at the same sizes: a share of 0 is the first, 1 the second."""
    pairs = zip(row, other, strict=True)
    return [value + round((after - value) * share) for (_, value), (_, after) in pairs]


def bent(left: int, row: LeftKnots, middle: float, near: float, factor: float) -> Iterator[int]:
    """Yield values whose loss, the difference to the most, is multiplied, less so away from a size.

    `near` is the width of the change around the size `middle`, as a logarithm of the size.
    """
    for size, value in row:
        share = math.exp(-(((math.log(size) - math.log(middle)) / near) ** 2))
        yield most(left, size) - round((most(left, size) - value) * factor**share)


class ValueSampler(Lookahead):
    """A search that sums up the values of all sets it meets, including those of guesses not chosen."""

    def __init__(
        self, table: WordTable, game: Game, widths: Mapping[int, int], order: ObjectiveOf,
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        super().__init__(table, game, widths, order, progress=progress)
        shape = (game.turns + 1, table.words + 1)  # by turns left and size; in credits, and in sets
        self.sums, self.counts = (like(np.zeros(shape, np.int64), table.letters) for _ in range(2))

    def values(self, front: Frontier, left: int) -> KnownValues:
        values, guesses = super().values(front, left)
        add_at(self.sums[left], front.sizes, values)
        add_at(self.counts[left], front.sizes, namespace(values).ones_like(values))
        return values, guesses

    def means(self, left: int) -> list[tuple[int, int]]:
        """(mean size, mean value) of sets of similar size, by ascending size; at least two rows."""
        sums, counts = array_of(self.sums[left]), array_of(self.counts[left])
        words = np.arange(len(sums)) * counts
        # The least value of three words, if no such set was met.
        points = {3: most(left, 2)}
        for low, high in pairwise(knot_sizes(sums.shape[0])):
            if count := int(counts[low:high].sum()):
                size = round(int(words[low:high].sum()) / count)
                points[size] = int(sums[low:high].sum()) * SCALE // count
        return sorted(points.items())


def knot_sizes(largest: int) -> list[int]:
    """Return the sizes with a knot: 3, 4, .., then by a factor, to the first that is at least `largest`."""
    sizes = [3]
    while sizes[-1] < largest:
        sizes.append(sizes[-1] + 1 if sizes[-1] < FEW else int(sizes[-1] * GROWTH))
    return sizes


def fitted(
    table: WordTable, game: Game, order: ObjectiveOf, progress: Progress | None = None
) -> dict[int, LeftKnots]:
    """Return knots at `knot_sizes` for 2 to turns - 1 turns left, from one search; `order` ranks guesses."""
    turns = game.turns
    widths = dict.fromkeys(range(3, turns), WIDTH) | {turns: OPENINGS}
    search = ValueSampler(table, game, widths, order, progress)
    search.choose(first_position(table, game))
    return on_knots({left: search.means(left) for left in range(2, turns)}, table.words, turns)


def on_knots(knots: Knots, largest: int, turns: int) -> dict[int, LeftKnots]:
    """Return the same values with knots at `knot_sizes`."""
    sizes = knot_sizes(largest)
    table = fitted_table(knots, sizes[-1], turns - 1)
    rows = {left: [(size, 0) for size in sizes] for left in range(2, turns)}
    return revalued(rows, lambda left, row: table[left, sizes].tolist())


def most(left: int, size: int) -> int:
    """Return an upper bound of the value of a set, in units of 1/SCALE credit."""
    return perfect_split(size, left) * SCALE


def key_of(tuned: Tuned, left: int) -> Key:
    """Return the values that guesses with `left` turns depend on; with two turns none, as these are exact."""
    return (left,) if left <= 2 else (left, tuned.knots[left - 1], tuned.bonus)


@dataclass(frozen=True)
class PoolTrial:
    """A whole list played with one pool."""

    pool: Pool  # words searched, in addition to the candidates of each set
    words: int  # of the pool
    mean_points: float  # over the list
    seconds: float  # wall time of the turns, including the choice of the pool
    pairs: int  # of guess and candidate evaluated

    @property
    def rule(self) -> str:
        """Name of the rule; `all` if no rule is needed."""
        return ALL if self.pool.words is None else self.pool.rule


def pools_of(tuned: Tuned, sizes: Sequence[int]) -> list[Pool]:
    """Return the whole list as a pool, then every rule with every smaller size."""
    pools = [Pool(rule, size, tuned.seed) for rule in RULES for size in sizes if size < tuned.words]
    return [Pool(seed=tuned.seed), *pools]


def pool_trial(
    of: TunedList, tuned: Tuned, *pools: Pool, report: Callable[[], None] = lambda: None
) -> PoolTrial:
    """Play a list with pools, and return the result of the last: those before load the kernels.

    An error that `report` raises ends the work.
    """
    for pool in pools:
        strategy = replace(tuned, pool=pool).strategy()
        play = build(of.wordlist, strategy, lingo(of.turns), device=of.device,
                     report=lambda turn, pairs, most: report())  # fmt: skip
    words = len(of.wordlist) if pool.words is None else pool.words
    return PoolTrial(pool, words, play.tree.mean_points, play.seconds, play.pairs)


def best_pool(tuned: Tuned, trials: Sequence[PoolTrial]) -> Tuned:
    """Return the values with the pool of most mean points; on ties the first, which is the whole list."""
    best = max(trials, key=lambda trial: trial.mean_points)
    return replace(tuned, pool=best.pool, mean_points=best.mean_points)


def picture(trials: Sequence[PoolTrial], values: Values) -> str:
    """Return points or guesses against time as text; a trial is its rule's first letter, * without one."""
    low, high = (bound(trial.mean_points for trial in trials) for bound in (min, max))
    longest = max(trial.seconds for trial in trials)
    rows = [[" "] * ACROSS for _ in range(DOWN)]
    for trial in trials:
        x = round((ACROSS - 1) * trial.seconds / max(longest, 1e-9))
        y = round((DOWN - 1) * (high - trial.mean_points) / max(high - low, 1e-9))
        rows[y][x] = "*" if trial.rule == ALL else trial.rule[0]
    figures = {DOWN - 1: low, 0: high}
    marks = {y: values.figure_text(values.figure(values.of_mean(end))) for y, end in figures.items()}
    lines = [f"{marks.get(y, ''):>8} |{''.join(row)}".rstrip() for y, row in enumerate(rows)]
    lines += [f"{'':8} +{'-' * ACROSS}", f"{'':8}  0{f'{longest:.2f} s':>{ACROSS - 1}}"]
    names = ", ".join(f"{rule[0]} {rule}" for rule in RULES)
    return "\n".join([f"{values.unit.name} against seconds", *lines, f"{'':8}  {names}, * the whole list"])


def picture_svg(tuned: Tuned, trials: Sequence[PoolTrial], values: Values) -> str:
    """Return points or guesses against time as an SVG file that loads no other."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for trial in trials:
        figure = values.figure(values.of_mean(trial.mean_points))
        lines.setdefault(trial.rule, []).append((trial.seconds, figure))
    title = f"{tuned.length} letters, {tuned.words:,} words: {values.unit.name} against seconds, by pool"
    head = f"<title>{title}</title><style>{STYLE.read_text(encoding='utf-8')}</style>"
    return time_chart(lines, values.unit).replace(">", f">{head}", 1) + "\n"

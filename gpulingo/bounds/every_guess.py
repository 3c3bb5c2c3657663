"""Openings bounded by values of their classes, which a search of every guess finds or limits.

Or by three-turn values of their classes. A class is searched only as deep as its opening needs: the credits
that the opening may have above the guaranteed values of its classes are shared out, most of them to the
classes that take longest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

import numpy as np

from gpulingo.bounds.automorphisms import automorphisms
from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.formulas import counts_classes, three_bound
from gpulingo.bounds.partitions import largest_first, opening_classes, split_by_each
from gpulingo.bounds.state import BoundState
from gpulingo.games.game import Game
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.tensors.arrays import Array, Tensor, add_at, array_of, like, namespace, offsets_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress, perfect_split
from gpulingo.tensors.operations import most_classes, rank
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable

MOST_PAIRS = 1 << 62  # no limit
BYTES, FEWEST_BYTES = 16, 1 << 24  # of a table: per pair of guess and target, and at least

TURNS = 3
SMALL = 50  # smaller classes are always searched to their exact values
# A cost model for the order of work; no bound rests on it. Fitted to 143 classes of openings of 4 and 5
# letters of the pit's list, in an arbitrary unit of time. A class has n words, a guaranteed value v and a
# two-turn value q, so its value is between v and n + q, a range of y v credits:     v is about PART n^BY_SIZE
# q^BY_TWO;     a search down to the fraction x of the range takes         n^RISE min(y, WIDE)^STEEP (e^(k (1
# - x)) - 1) / (e^k - 1),   k = FALL y^BEND;     and before that EACH + BY_WORD n for its labels and its first
# guesses.
PART, BY_SIZE, BY_TWO = 1.48, 0.457, 0.643
RISE, STEEP, WIDE, FALL, BEND = 1.2, 0.9, 0.6, 3.0, 0.3
EACH, BY_WORD = 15, 0.15


Result = TypeVar("Result", bound="Exhausted | Valued | Opened | _Classes")  # with the pairs evaluated


@dataclass(frozen=True)
class Exhausted:
    """Result of a search of every guess after an opening, which has at most `bound` credits."""

    opening: int
    bound: int
    closed: bool  # whether the bound is at the goal or exact
    evidence: Evidence
    pairs: int
    search: ValueSearch  # which has stored values of the classes


class Searches:
    """One value search per thread, with `memory` bytes in total; ValueError: the game is not searched."""

    def __init__(self, table: WordTable, game: Game, memory: int) -> None:
        self.free: SimpleQueue[ValueSearch] = SimpleQueue()
        self.ended, swaps = Event(), automorphisms(table)
        # A table soon uses all its memory, because sets hash to any place; a short list has few sets.
        most = max(FEWEST_BYTES, BYTES * table.pool.shape[0] * table.targets.shape[0])
        share = min(memory // threads(), most)
        self._every = [
            ValueSearch(table, game.payoff, share, legal=game.legal, within=game.ruled_left, swaps=swaps)
            for _ in range(threads())
        ]
        for search in self._every:
            self.free.put(search)

    def of(
        self, state: BoundState, openings: Sequence[int], goal: int, limit: int, progress: Progress | None
    ) -> list[Exhausted]:
        """Bound openings in parallel, until the goal is reached or a class has taken its limit of pairs."""
        if not ranks_alone(state.game, state.table):
            search = exhausted if counts_classes(state.game, state.table) else searched
            items = [partial(search, state, opening, goal, limit, self.ended) for opening in openings]
            return self.each(items, progress)
        results, every = [], np.array(openings)
        values = in_three_turns(state.counting_table, state.game, every, goal, progress)
        for opening, value in zip(openings, values.tolist(), strict=True):
            rows = state.evidence.rows(np.array([opening]))
            rows.bounds[0] = min(int(rows.bounds[0]), value)
            results.append(Exhausted(opening, value, True, rows, 0, self._every[0]))
        return results

    def values(
        self, sets: Frontier, left: int, floors: Sequence[int], progress: Progress | None,
        past: Sequence[int] | None = None, limit: int = MOST_PAIRS,
    ) -> list[Valued]:  # fmt: skip
        """Return the value of each set, if it is above the set's floor; small sets are searched first.

        `past` are the guesses whose feedback left each of the sets; None: unknown.
        """

        def valued(number: int, search: ValueSearch) -> Valued:
            members = array_of(sets.candidates(number))
            return search.value(members, left, floors[number], limit, past=past)

        order = sets.sizes_here.argsort(stable=True)
        values = self.each([partial(valued, number) for number in order.tolist()], progress)
        return [values[place] for place in order.argsort().tolist()]

    def after_each(
        self, openings: Sequence[int], turns: int, floor: int, progress: Progress | None
    ) -> list[Opened]:
        """Return the value of all targets after each opening, if it is above a floor."""
        return self.each([methodcaller("after", opening, turns, floor) for opening in openings], progress)

    def each(
        self, items: Sequence[Callable[[ValueSearch], Result]], progress: Progress | None
    ) -> list[Result]:
        """Run functions of a search in parallel; `ended` asks them to return early with any result.

        `progress` may raise to stop all.
        """
        report = progress or (lambda pairs: None)
        self.ended.clear()

        def run(item: Callable[[ValueSearch], Result]) -> Result:
            search = self.free.get()
            try:
                return item(search)
            finally:
                self.free.put(search)

        works = [partial(run, item) for item in items]
        return shared(works, lambda result: report(result.pairs), lambda: report(0), self._stop)

    def _stop(self) -> None:
        self.ended.set()
        for search in self._every:
            search.stop()


def searched(
    state: BoundState, opening: int, goal: int, limit: int, ended: Event, search: ValueSearch
) -> Exhausted:
    """Bound an opening by a search of its own value, if classes are not counted."""
    opened = search.after(opening, state.game.turns, goal, 0 if ended.is_set() else limit)
    rows = state.evidence.rows(np.array([opening]))
    rows.bounds[0] = bound = min(int(rows.bounds[0]), opened.value)
    return Exhausted(opening, bound, opened.complete or bound <= goal, rows, opened.pairs, search)


def exhausted(
    state: BoundState, opening: int, goal: int, limit: int, ended: Event, search: ValueSearch
) -> Exhausted:
    """Bound an opening by values of its classes, the smallest class first, until it is low enough."""
    sets, left = opening_classes(state.table, opening), state.game.turns - 1
    bounds = perfect_split(sets.sizes, left)
    if (counted := state.evidence.evaluated.get(opening)) is not None:
        bounds = np.minimum(bounds, state.by_two(sets.sizes, counted.two))
    values, total = bounds.tolist(), int(state.credits[opening] + bounds.sum())
    closed, pairs = True, 0
    for number in sets.sizes_here.argsort(stable=True).tolist():
        if total <= goal or ended.is_set():
            break
        floor = max(values[number] - (total - goal), -1)
        result = search.value(sets.candidates(number), left, floor, limit, past=[opening])
        pairs += result.pairs
        if result.value < 0:
            closed = False
            break
        value = min(result.value, values[number])
        total -= values[number] - value
        values[number] = value
    rows = state.evidence.rows(np.array([opening]))
    searched = {}
    if total <= rows.bounds[0]:  # otherwise its evidence so far is stronger
        rows.bounds[0], searched[opening] = total, np.array(values)
    return Exhausted(opening, total, closed or total <= goal, replace(rows, searched=searched), pairs, search)


class Weighed:
    """A class for the cost model, by its guaranteed value, its lowest bound, and the bound by counts."""

    def __init__(self, size: int, least: int, most: int, top: int) -> None:
        self.size, self.least = size, least
        self.slack, self.whole = max(0, most - least), max(1, top - least)  # credits up to each bound
        # Rate at which a search becomes cheaper the less deep it goes; its cost without the factor for depth.
        self.fall = FALL * (self.whole / least) ** BEND
        self.scale = size**RISE * min(self.whole / least, WIDE) ** STEEP / (math.exp(self.fall) - 1)

    def time(self, share: float) -> float:
        """Return the approximate cost of a search down to `share` credits above the least value."""
        down = math.exp(self.fall * max(0.0, 1 - share / self.whole)) - 1
        return self.scale * down + EACH + BY_WORD * self.size


def bounded_in_three_turns(
    searches: Searches, state: BoundState, openings: Sequence[int], goal: int, progress: Progress | None
) -> Evidence:
    """Bound openings by three turns, side by side, as far down as a goal in credits if that is possible."""
    assert state.game.turns > TURNS, state.game
    items = [partial(_lowered, state, opening, goal, searches.ended) for opening in openings]
    results = searches.each(items, progress)
    bounds = dict[int, Array]()
    for opening, classes in zip(openings, results, strict=True):
        sizes = classes.sets.sizes
        three = three_bound(sizes, classes.values, state.left)
        bounds[opening] = np.minimum(state.by_size(sizes), three)
    values = {opening: classes.values for opening, classes in zip(openings, results, strict=True)}
    return replace(state.lowered(bounds), three_turns=values)


def may_reach(state: BoundState, opening: int, goal: int) -> bool:
    """Return False if three turns are unlikely to bring an opening with counted classes to a goal."""
    counted, left = state.evidence.evaluated.get(opening), state.game.turns - 1
    if counted is None:
        return True
    sizes, most = counted.partition.sizes, perfect_split(counted.partition.sizes, TURNS)
    about = np.minimum((PART * sizes**BY_SIZE * counted.two**BY_TWO).astype(np.int64).clip(min=1), most)
    least = three_bound(sizes, np.where(sizes > 2, about, most), left)
    bounds = np.minimum(state.by_size(sizes), least)
    return state.sum(opening, state.with_known(opening, bounds)) <= goal


def _lowered(state: BoundState, opening: int, goal: int, ended: Event, search: ValueSearch) -> _Classes:
    """Search classes of an opening as far as its bound needs to come to the goal."""
    classes = _Classes(state, opening, search)
    order = classes.sets.sizes_here.argsort(stable=True).tolist()
    large = [number for number in order if int(classes.sets.sizes[number]) >= SMALL]
    for number in order[: len(order) - len(large)]:
        classes.search(number, -1)
    while large and classes.bound > goal and not ended.is_set():
        rest = classes.to_search(large, goal)
        while not ended.is_set() and not classes.sure.keys() >= set(rest):
            for number in rest:
                if number not in classes.sure and not ended.is_set():
                    classes.bracket(number)
            # The new brackets may show that fewer classes suffice, or that more are needed.
            rest = classes.to_search(large, goal)
        for place, number in enumerate(rest):
            if not ended.is_set():
                classes.search(number, classes.floor(rest[place:], goal))
        large = [number for number in large if number not in rest]
    search.forget()
    return classes


class _Classes:
    """The C classes of an opening with [C] int64 bounds of their three-turn values, lowered by searches."""

    def __init__(self, state: BoundState, opening: int, search: ValueSearch) -> None:
        self._search, self._credits = search, int(state.credits[opening])
        self.sets = opening_classes(state.table, opening)
        sizes = self.sets.sizes
        before, evaluated = state.evidence.three_turns.get(opening), state.evidence.evaluated.get(opening)
        split = perfect_split(sizes, TURNS)
        self.values = split if before is None else np.minimum(split, before)
        self._later = (state.game.turns - 1 - TURNS) * sizes
        self._known = state.with_known(opening, state.by_size(sizes))
        self._two = None if evaluated is None else evaluated.two
        self.sure, self.pairs = dict[int, int](), 0

    @property
    def _tops(self) -> Array:
        """[C] int64: upper bounds of the classes in three turns, as low as all evidence implies."""
        return np.minimum(self.values, self._known - self._later)

    @property
    def bound(self) -> int:
        return int((self._tops + self._later).sum() + self._credits)

    def search(self, number: int, floor: int) -> None:
        """Lower the bound of a class to its value, or to the floor if that is higher."""
        value = int(self.values[number])
        result = self._search.value(self.sets.candidates(number), TURNS, min(floor, value - 1))
        self.pairs += result.pairs
        if result.value >= 0:  # negative: stopped, or too large
            # A result below the floor depends on earlier searches; the floor does not.
            self.values[number] = min(value, max(result.value, floor))

    def bracket(self, number: int) -> None:
        """Find a guaranteed value of a class, and an upper bound from counts alone."""
        least, most = self._search.bracket(self.sets.candidates(number), TURNS)
        self.sure[number] = max(1, least)
        if 0 <= most < int(self._tops[number]):
            self.values[number] = most

    def to_search(self, numbers: Sequence[int], goal: int) -> list[int]:
        if self._two is None and not self.sure.keys() >= set(numbers):
            return list(numbers)
        return [numbers[place] for place in to_search(*self._weighed(numbers, goal))]

    def floor(self, numbers: Sequence[int], goal: int) -> int:
        spare, classes = self._weighed(numbers, goal)
        return classes[0].least + int(shares(spare, classes)[0]) if spare > 0 else -1

    def _weighed(self, numbers: Sequence[int], goal: int) -> tuple[int, list[Weighed]]:
        """Return the credits to spare, if all other classes stay, above the least values of these; and them.

        A guaranteed value that is not known yet is estimated.
        """
        sizes, tops, classes = self.sets.sizes.tolist(), self._tops.tolist(), list[Weighed]()
        for number in numbers:
            size, most = sizes[number], tops[number]
            least, top = self.sure.get(number, 1), most
            if self._two is not None:
                two = int(self._two[number])
                top = max(most, size + two)
                if number not in self.sure:
                    least = max(1, min(int(PART * size**BY_SIZE * two**BY_TWO), most))
            classes.append(Weighed(size, least, most, top))
        return goal - self.bound + sum(part.slack for part in classes), classes


def to_search(spare: int, classes: Sequence[Weighed]) -> list[int]:
    """Return the places of the classes to search; the others keep their upper bounds.

    Classes are left out in the order of spare credits per unit of time saved, lowest first, as many as make
    the total time least.
    """
    cheap = sorted(range(len(classes)), key=lambda place: classes[place].slack / classes[place].time(0))
    best, least = list(range(len(classes))), math.inf
    for count in range(len(classes) + 1):
        if spare < 0:
            break
        rest = sorted(cheap[count:])
        some = [classes[place] for place in rest]
        time = sum(part.time(share) for part, share in zip(some, shares(spare, some), strict=True))
        if time < least:
            best, least = rest, time
        if count < len(classes):
            spare -= classes[cheap[count]].slack
    return best


def shares(spare: int, classes: Sequence[Weighed]) -> list[float]:
    """Return the share of each class in the credits that all may have above their least values.

    The total time is least if one more credit saves the same time in every class; but no class gets more
    than the difference between its least and its most.
    """
    if spare <= 0 or not classes:
        return [0.0] * len(classes)
    # Logarithm of the time that one more credit saves in each: this at its top, `fall` more at its least.
    logs = [math.log(part.scale * part.fall / part.whole) for part in classes]

    def shares_at(level: float) -> list[float]:
        rows = zip(logs, classes, strict=True)
        return [min(max(0.0, part.whole * (1 - (level - log) / part.fall)), part.slack) for log, part in rows]

    low, high = min(logs), max(log + part.fall for log, part in zip(logs, classes, strict=True))
    for _ in range(60):
        level = (low + high) / 2
        low, high = (low, level) if sum(shares_at(level)) <= spare else (level, high)
    return shares_at(high)


RANKED_TURNS = 3  # in which the value of a class after an opening is one ranking
OPENINGS = 64  # whose classes are counted in one call
STEPS = 16  # counts of the classes of an opening, the largest first, each of as many words


def ranks_alone(game: Game, table: WordTable) -> bool:
    """Return True if rankings give the values of openings."""
    return game.turns == RANKED_TURNS and game.bonus > 0 and game.legal == "any" and table.weights is None


def in_three_turns(
    table: WordTable, game: Game, openings: Tensor, floor: int, progress: Progress | None = None
) -> Tensor:
    """Bound openings by counts of their classes, the largest first, until each bound is at most a floor.

    With two turns left the value of a class is one ranking of all guesses, so that of an opening is a sum.
    Most need no ranking: the most classes that a guess makes of each class bound the words found.

    Args:
        game: one of `ranks_alone`. openings: [K] int64. floor: credits.
    Returns:
        [K] int64 credits, exact if above the floor: then the classes are ranked.
    """
    (last, second, now), xp = game.payoff[1:], namespace(table.letters)
    itself = xp.isin(like(openings, table.letters), table.targets) * now
    parted = split_by_each(table, openings)
    classes, sizes, owners = parted.frontier, parted.frontier.sizes, parted.parents
    order = largest_first(sizes)
    order = order[xp.argsort(owners[order], stable=True)]
    words = add_at(itself * 0, owners, sizes)
    larger = offsets_of(sizes[order])[:-1] - offsets_of(words)[:-1][owners[order]]
    step = xp.empty_like(sizes)
    step[order] = larger * STEPS // table.targets.shape[0]
    values = last * sizes + second - last

    def open_classes() -> Tensor:
        return (sizes > 2) & (add_at(itself + 0, owners, values) > floor)[owners]

    for number in range(STEPS):
        if (part := xp.nonzero((step == number) & open_classes())[0]).shape[0]:
            two = most_classes(table, classes.take(part), progress)
            values[part] = last * xp.minimum(two, sizes[part]) + second - last
    if (part := xp.nonzero(open_classes())[0]).shape[0]:
        worth = np.full(int(sizes[part].max()) + 1, last)
        worth[0] = 0
        objective = Objective(worth, second - last)
        values[part] = rank(table, classes.take(part), table.pool, objective, progress=progress).ranks[:, 0]
    return like(add_at(itself, owners, values), openings)

"""Openings bounded by values of their classes, which a search of every guess finds or limits.

Or by three-turn values of their classes. A class is searched only as deep as its opening needs.
"""

from __future__ import annotations

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
from gpulingo.solvers.words.value import NO_LIMIT, ValueSearch
from gpulingo.tensors.arrays import Array, Tensor, add_at, array_of, like, namespace, offsets_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress, perfect_split
from gpulingo.tensors.operations import most_classes, rank
from gpulingo.tensors.outcomes import Lowered, Opened, Valued
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable

BYTES, FEWEST_BYTES = 16, 1 << 24  # of a table: per pair of guess and target, and at least

TURNS = 3

Result = TypeVar("Result", bound="Exhausted | Valued | Opened | Lowered")  # with the pairs evaluated


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
        """Bound openings in parallel, each to the goal or until it has taken its limit of pairs."""
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
        past: Sequence[int] | None = None, limit: int = NO_LIMIT,
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
    """Bound an opening by values of its classes, until it is low enough."""
    sets, left = opening_classes(state.table, opening), state.left
    bounds = perfect_split(sets.sizes, left)
    if (counted := state.evidence.evaluated.get(opening)) is not None:
        bounds = np.minimum(bounds, state.by_two(sets.sizes, counted.two))
    excess, limit = state.sum(opening, bounds) - goal, 0 if ended.is_set() else limit
    lowered = search.lowered(sets, left, bounds, excess, limit, past=[opening])
    total, rows = state.sum(opening, lowered.bounds), state.evidence.rows(np.array([opening]))
    searched = {}
    if total <= rows.bounds[0]:  # otherwise its evidence so far is stronger
        rows.bounds[0], searched[opening] = total, lowered.bounds
    closed = lowered.complete or total <= goal
    return Exhausted(opening, total, closed, replace(rows, searched=searched), lowered.pairs, search)


def bounded_in_three_turns(
    searches: Searches, state: BoundState, openings: Sequence[int], goal: int, progress: Progress | None
) -> Evidence:
    """Bound openings by three turns, side by side, as far down as a goal in credits if that is possible."""
    assert state.game.turns > TURNS, state.game
    items = [partial(_lowered, state, opening, goal, searches.ended) for opening in openings]
    found = dict(zip(openings, searches.each(items, progress), strict=True))
    bounds = dict[int, Array]()
    for opening, classes in found.items():
        sizes = opening_classes(state.table, opening).sizes
        bounds[opening] = np.minimum(state.by_size(sizes), three_bound(sizes, classes.bounds, state.left))
    three_turns = {opening: classes.bounds for opening, classes in found.items()}
    return replace(state.lowered(bounds), three_turns=three_turns)


def _lowered(state: BoundState, opening: int, goal: int, ended: Event, search: ValueSearch) -> Lowered:
    """Bound the values of an opening's classes in three turns, until the opening is at the goal."""
    sets = opening_classes(state.table, opening)
    split, later = perfect_split(sets.sizes, TURNS), (state.left - TURNS) * sets.sizes
    values = np.minimum(split, state.evidence.three_turns.get(opening, split))
    # What is known of more turns bounds the opening, but no value in three turns.
    tops = np.minimum(values, state.with_known(opening, state.by_size(sets.sizes)) - later)
    excess, limit = state.sum(opening, tops + later) - goal, 0 if ended.is_set() else NO_LIMIT
    lowered = search.lowered(sets, TURNS, tops, excess, limit)
    return replace(lowered, bounds=np.where(lowered.bounds < tops, lowered.bounds, values))


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

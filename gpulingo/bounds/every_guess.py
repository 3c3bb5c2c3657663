"""Openings bounded by the values of their classes, which a search of every guess finds or keeps below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Protocol, TypeVar

import torch
from torch import Tensor

from gpulingo.bounds.automorphisms import automorphisms
from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.formulas import counts_classes
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.games.game import Game
from gpulingo.solvers.words.value import ValueSearch, value_search
from gpulingo.strategies.objectives import perfect_split
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable

MOST_PAIRS = 1 << 62  # no limit
BYTES, FEWEST_BYTES = 16, 1 << 24  # of a table, for each guess of each target, and at least


class Counted(Protocol):
    """Result of a search, with the pairs of guess and candidate that it evaluated."""

    @property
    def pairs(self) -> int: ...


Result = TypeVar("Result", bound=Counted)


@dataclass(frozen=True)
class Exhausted:
    """Result of a search of every guess after an opening, which has at most `bound` credits."""

    opening: int
    bound: int
    closed: bool  # whether the bound is as low as was asked for, or the value of the best strategy
    evidence: Evidence
    pairs: int
    search: ValueSearch  # that knows the classes


class Searches:
    """A value search for every thread.

    Args:
        table: the words.
        game: legality and payoffs.
        memory: bytes that all of them may take.
    Raises:
        ValueError: no such game is searched.
    """

    def __init__(self, table: WordTable, game: Game, memory: int) -> None:
        self.free: SimpleQueue[ValueSearch] = SimpleQueue()
        self._ended, swaps = Event(), automorphisms(table)
        # A table takes all its memory soon, as sets stand anywhere in it; a short list has few of them.
        most = max(FEWEST_BYTES, BYTES * table.pool.shape[0] * table.targets.shape[0])
        share = min(memory // threads(), most)
        self._every = [
            value_search(table, game.payoff, share, legal=game.legal, within=game.ruled_left, swaps=swaps)
            for _ in range(threads())
        ]
        for search in self._every:
            self.free.put(search)

    def of(
        self, state: BoundState, openings: Sequence[int], goal: int, limit: int, progress: Progress | None
    ) -> list[Exhausted]:
        """Bound openings, side by side.

        Args:
            state: what is known of them.
            goal: credits that are low enough.
            limit: pairs of guess and candidate that a class may take.
            progress: told the pairs evaluated.
        """
        search = exhausted if counts_classes(state.game, state.table) else searched
        return self.each([partial(search, state, opening, goal, limit) for opening in openings], progress)

    def values(
        self,
        sets: Frontier,
        left: int,
        floors: Sequence[int],
        progress: Progress | None,
        past: Sequence[int] | None = None,
        limit: int = MOST_PAIRS,
    ) -> list[Valued]:
        """Return the value of each set, if it is above the floor of the set; small ones first.

        Args:
            limit: pairs of guess and candidate that a set may take.
            past: the guesses whose feedback left each of the sets; None: unknown.
        """

        def valued(number: int, search: ValueSearch, ended: Event) -> Valued:
            members = sets.candidates(number).cpu()
            return search.value(members, left, floors[number], limit, past=past)

        order = sets.sizes.argsort(stable=True).tolist()
        values = self.each([partial(valued, number) for number in order], progress)
        by_number = dict(zip(order, values, strict=True))
        return [by_number[number] for number in range(sets.sets)]

    def best(
        self, members: Tensor, left: int, legal: Tensor | None = None, past: Sequence[int] | None = None
    ) -> Valued:
        """Return the value of one set and a best guess; see `ValueSearch.value`."""
        search, legal = self.free.get(), None if legal is None else legal.cpu()
        try:
            return search.value(members.cpu(), left, -1, MOST_PAIRS, legal, past)
        finally:
            self.free.put(search)

    def after_each(
        self,
        openings: Sequence[int],
        turns: int,
        floors: Sequence[int],
        progress: Progress | None,
        done: Callable[[int, Opened], None] | None = None,
    ) -> list[Opened]:
        """The value of all targets after each of some openings, if it is above the floor of the opening."""

        def opened(opening: int, floor: int, search: ValueSearch, ended: Event) -> Opened:
            return search.after(opening, turns, floor, MOST_PAIRS)

        pairs = zip(openings, floors, strict=True)
        return self.each([partial(opened, *pair) for pair in pairs], progress, done)

    def each(
        self,
        items: Sequence[Callable[[ValueSearch, Event], Result]],
        progress: Progress | None,
        done: Callable[[int, Result], None] | None = None,
    ) -> list[Result]:
        """Run functions of a search side by side.

        Args:
            items: the event says that they are to end, whatever they return then.
            progress: told the pairs evaluated; may raise to end all.
            done: called with the place of each item and its result as soon as that is there.
        """
        report = progress or (lambda pairs: None)
        self._ended.clear()

        def numbered(place: int) -> tuple[int, Result]:
            search = self.free.get()
            try:
                return place, items[place](search, self._ended)
            finally:
                self.free.put(search)

        def ended(result: tuple[int, Result]) -> None:
            if done:
                done(*result)
            report(result[1].pairs)

        works = [partial(numbered, place) for place in range(len(items))]
        results = shared(works, ended, waiting=lambda: report(0), stop=self._stop)
        return [result for _, result in results]

    def _stop(self) -> None:
        self._ended.set()
        for search in self._every:
            search.stop()


def values_hold(
    searches: Searches,
    sets: Frontier,
    left: int,
    values: list[int],
    progress: Progress | None = None,
    past: Sequence[int] | None = None,
) -> bool:
    """Return True if no strategy has more of any set than its value; sets too large to search do not pass.

    Args:
        past: see `Searches.values`.
    """
    results = searches.values(sets, left, values, progress, past)
    return all(0 <= each.value <= value for each, value in zip(results, values, strict=True))


def searched(
    state: BoundState, opening: int, goal: int, limit: int, search: ValueSearch, ended: Event
) -> Exhausted:
    """Return the search's own value of an opening, where the classes are not counted."""
    opened = search.after(opening, state.game.turns, goal, 0 if ended.is_set() else limit)
    rows = state.evidence.rows(torch.tensor([opening]))
    rows.bounds.clamp_(max=opened.value)
    bound = int(rows.bounds)
    return Exhausted(opening, bound, opened.complete or bound <= goal, rows, opened.pairs, search)


def exhausted(
    state: BoundState, opening: int, goal: int, limit: int, search: ValueSearch, ended: Event
) -> Exhausted:
    """Bound an opening by the values of its classes, the smallest first, until it is low enough."""
    sets, left = opening_classes(state.table, opening), state.game.turns - 1
    bounds = perfect_split(sets.sizes, left)
    if (counted := state.evidence.evaluated.get(opening)) is not None:
        bounds = bounds.minimum(state.class_bounds.by_two(sets.sizes, counted.two))
    values, total = bounds.tolist(), int(state.credits[opening] + bounds.sum())
    closed, pairs = True, 0
    for number in sets.sizes.argsort(stable=True).tolist():
        if total <= goal or ended.is_set():
            break
        floor = max(values[number] - (total - goal), -1)
        result = search.value(sets.candidates(number).cpu(), left, floor, limit, past=[opening])
        pairs += result.pairs
        if result.value < 0:
            closed = False
            break
        value = min(result.value, values[number])
        total -= values[number] - value
        values[number] = value
    rows = state.evidence.rows(torch.tensor([opening]))
    searched = {}
    if total <= int(rows.bounds):  # else what it rests on until now says more
        rows.bounds.fill_(total)
        searched[opening] = torch.tensor(values)
    return Exhausted(opening, total, closed or total <= goal, replace(rows, searched=searched), pairs, search)

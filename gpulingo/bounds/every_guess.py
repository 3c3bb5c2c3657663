"""Openings bounded by the values of their classes, which a search of every guess finds or keeps below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeVar

import torch
from torch import Tensor

from gpulingo.bounds.automorphisms import automorphisms
from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.formulas import counts_classes
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.games.game import Game
from gpulingo.solvers.value import ValueSearch, value_search
from gpulingo.strategies.objectives import perfect_split
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable

MOST_PAIRS = 1 << 62  # no limit
BYTES, FEWEST_BYTES = 16, 1 << 24  # of a table, for each guess of each target, and at least
Found = TypeVar("Found", "Exhausted", Valued, Opened)


@dataclass(frozen=True)
class Exhausted:
    """Result of a search of every guess after an opening.

    Attributes:
        opening: its index.
        bound: credits: no strategy that begins with it has more.
        closed: whether the bound is as low as was asked for, or equals the value of the best strategy.
        evidence: of the bound.
        pairs: of guess and candidate evaluated.
        search: that knows the classes.
    """

    opening: int
    bound: int
    closed: bool
    evidence: Evidence
    pairs: int
    search: ValueSearch


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
        items = [partial(self._of_one, state, opening, goal, limit) for opening in openings]
        return self._shared(items, progress)

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
        order = sets.sizes.argsort(stable=True).tolist()
        one = partial(self.value, left=left, limit=limit, past=past)
        items = [partial(one, sets.candidates(number), floor=floors[number]) for number in order]
        found = dict(zip(order, self._shared(items, progress), strict=True))
        return [found[number] for number in range(sets.sets)]

    def each(
        self, items: Sequence[Callable[[ValueSearch, Event], Any]], progress: Progress | None
    ) -> list[Any]:
        """Run functions of a search side by side; each answer ends with the pairs evaluated.

        The event says that they are to end, whatever they answer then.
        """
        report = progress or (lambda pairs: None)
        self._ended.clear()

        def asked(item: Callable[[ValueSearch, Event], Any]) -> Any:
            search = self.free.get()
            try:
                return item(search, self._ended)
            finally:
                self.free.put(search)

        works = [partial(asked, item) for item in items]
        return shared(works, lambda found: report(found[-1]), waiting=lambda: report(0), stop=self._stop)

    def after_each(
        self,
        openings: Sequence[int],
        turns: int,
        floors: Sequence[int],
        progress: Progress | None,
        done: Callable[[int, Opened], None] | None = None,
    ) -> list[Opened]:
        """The value of all targets after each of some openings, if it is above the floor of the opening.

        Args:
            done: called with the place of each opening and what was found as soon as that is there.
        """
        pairs = zip(openings, floors, strict=True)
        items = [partial(self.after, opening, turns, floor) for opening, floor in pairs]
        return self._shared(items, progress, done)

    def _shared(
        self,
        items: Sequence[Callable[[], Found]],
        progress: Progress | None,
        done: Callable[[int, Found], None] | None = None,
    ) -> list[Found]:
        """Return what items find, side by side; `progress` decides whether to continue."""
        report = progress or (lambda pairs: None)
        self._ended.clear()

        def numbered(place: int) -> tuple[int, Found]:
            return place, items[place]()

        def ended(result: tuple[int, Found]) -> None:
            if done:
                done(*result)
            report(result[1].pairs)

        works = [partial(numbered, place) for place in range(len(items))]
        results = shared(works, ended, waiting=lambda: report(0), stop=self._stop)
        return [found for _, found in results]

    def _stop(self) -> None:
        """End what is searched now."""
        self._ended.set()
        for search in self._every:
            search.stop()

    def value(
        self,
        members: Tensor,
        left: int,
        floor: int = -1,
        limit: int = MOST_PAIRS,
        legal: Tensor | None = None,
        past: Sequence[int] | None = None,
    ) -> Valued:
        """Return the value of one set; see `solvers.value.ValueSearch`."""
        search, legal = self.free.get(), None if legal is None else legal.cpu()
        try:
            return search.value(members.cpu(), left, floor, limit, legal, past)
        finally:
            self.free.put(search)

    def best(
        self, members: Tensor, left: int, legal: Tensor | None = None, past: Sequence[int] | None = None
    ) -> Valued:
        """Return the value of one set and a best guess."""
        return self.value(members, left, legal=legal, past=past)

    def after(self, opening: int, turns: int, floor: int, limit: int = MOST_PAIRS) -> Opened:
        """Return the value of all targets after one opening; see `solvers.value.ValueSearch`."""
        search = self.free.get()
        try:
            return search.after(opening, turns, floor, limit)
        finally:
            self.free.put(search)

    def _of_one(self, state: BoundState, opening: int, goal: int, limit: int) -> Exhausted:
        find = exhausted if counts_classes(state.game, state.table) else searched
        search = self.free.get()
        try:
            return find(search, state, opening, goal, limit, self._ended)
        finally:
            self.free.put(search)


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
    found = searches.values(sets, left, values, progress, past)
    return all(0 <= each.value <= value for each, value in zip(found, values, strict=True))


def searched(
    search: ValueSearch, state: BoundState, opening: int, goal: int, limit: int, ended: Event
) -> Exhausted:
    """Return the search's own value of an opening, where the classes are not counted."""
    found = search.after(opening, state.game.turns, goal, 0 if ended.is_set() else limit)
    rows = state.evidence.rows(torch.tensor([opening]))
    rows.bounds.clamp_(max=found.value)
    bound = int(rows.bounds)
    return Exhausted(opening, bound, found.complete or bound <= goal, rows, found.pairs, search)


def exhausted(
    search: ValueSearch, state: BoundState, opening: int, goal: int, limit: int, ended: Event
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
        found = search.value(sets.candidates(number).cpu(), left, floor, limit, past=[opening])
        pairs += found.pairs
        if found.value < 0:
            closed = False
            break
        value = min(found.value, values[number])
        total -= values[number] - value
        values[number] = value
    rows = state.evidence.rows(torch.tensor([opening]))
    searched = {}
    if total <= int(rows.bounds):  # else what it rests on until now says more
        rows.bounds.fill_(total)
        searched[opening] = torch.tensor(values)
    return Exhausted(opening, total, closed or total <= goal, replace(rows, searched=searched), pairs, search)

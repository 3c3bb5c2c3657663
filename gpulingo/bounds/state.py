"""State of a search for bounds of a list: the evidence of all openings, and caches for finding more.

Functions of `counting` and `every_guess` read a state and return evidence for some openings; only
`BoundState.apply` changes the evidence. So copies of a state can bound openings, for example on other
machines: their results are joined in any order, and no bound falls below what its recorded evidence gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from threading import Lock

import numpy as np

from gpulingo.bounds.automorphisms import automorphisms, orbits
from gpulingo.bounds.certificate import Evidence, of_sizes
from gpulingo.bounds.formulas import (
    check_game,
    check_table,
    count_bound,
    opening_credits,
    opening_size_bounds,
    size_bound,
    three_bound,
)
from gpulingo.bounds.partitions import Evaluated, bounds_by_parts, largest_first, opening_classes
from gpulingo.bounds.supersets import MEMORY, SupersetCounts, Supersets
from gpulingo.games.game import Game
from gpulingo.tensors.arrays import Array, array_of, parts_of, wide
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.wordtable import WordTable


class ClassBounds:
    """Upper bounds of the classes of openings by all evidence of a state except searches, read as it grows.

    Bounds that do not fit into `memory` bytes are computed again each time.
    """

    def __init__(self, state: BoundState, memory: int) -> None:
        self.left, self.most_classes = state.game.turns - 1, int(state.classes.max())
        self._state, self._evidence, self.memory, self._bytes = state, state.evidence, memory, 0
        self._lock = Lock()  # several threads use the cache
        self._cached: dict[int, Array] = {}  # opening -> [C] int16 or int32
        # Openings with neighbours that were read from a file: none is in the cache at first.
        self._forgotten = np.array(sorted(self._evidence.neighbours), np.int64)
        self._recalled: set[int] = set()  # those of them in the cache, without bounds by supersets

    def by_size(self, sizes: Array) -> Array:
        return size_bound(sizes, self.most_classes, self.left)

    def by_two(self, sizes: Array, two: Array) -> Array:
        """Return [C] int64: bounds of classes from upper bounds of their two-turn values."""
        return np.minimum(count_bound(sizes, two, self.left), self.by_size(sizes))

    def by_counts(self, evaluated: Evaluated) -> Array:
        """Return [C] int64: bounds of the classes of an opening, all of which were counted."""
        sizes, three = evaluated.partition.sizes, evaluated.three
        bounds = self.by_two(sizes, evaluated.two)
        if three is None or self.left < 3:
            return bounds
        return np.minimum(bounds, three_bound(sizes, three, self.left))

    def by_supersets(self, classes: Frontier) -> Array:
        """Return [C] int64: bounds of classes by the supersets that hold them."""
        return self.by_two(classes.sizes, self._state.supersets.bounds(classes))

    def sum(self, opening: int, bounds: Array) -> int:
        """Return the bound of an opening from the [C] int64 bounds of its classes."""
        return int(self._state.credits[opening] + bounds.sum())

    def of(
        self, opening: int, sizes: Array, *, classes: Frontier | None = None, by_size: Array | None = None
    ) -> Array:
        """[C] int64: bounds of an opening's classes, summing to at most its bound unless a search gave that.

        `by_size` are their bounds by size, or by supersets too, if they are already computed.
        """
        cached = self._cached.get(opening)
        if cached is not None and opening not in self._recalled:
            return cached.astype(np.int64)
        by_size = self.by_size(sizes) if by_size is None else by_size
        bounds = self._computed(opening, sizes, by_size) if cached is None else np.minimum(cached, by_size)
        above = self.sum(opening, bounds) > int(self._evidence.bounds[opening])
        if above:  # its bound rests on supersets too
            classes = classes or opening_classes(self._state.table, opening)
            bounds = np.minimum(bounds, self.by_supersets(classes))
        if above or opening in self._evidence.neighbours or opening in self._evidence.counted:
            self.keep(opening, bounds)
        return bounds

    def keep(self, opening: int, bounds: Array | None) -> None:
        """Cache the [C] bounds of an opening's classes if there is room; None: forget them."""
        most = int(bounds.max()) if bounds is not None and bounds.shape[0] else 0
        with self._lock:
            self._recalled.discard(opening)
            before = self._cached.pop(opening, None)
            self._bytes -= 0 if before is None else before.nbytes
            if bounds is not None:
                small = bounds.astype(narrowest(most, "int16", "int32"))
                if self._bytes + small.nbytes <= self.memory:
                    self._cached[opening] = small
                    self._bytes += small.nbytes

    def recall(self, above: Array, progress: Progress | None = None) -> None:
        """Compute again what neighbours from a file give for [W] bool openings; each neighbour once."""
        wanted = above[self._forgotten]
        named: dict[int, list[int]] = {}
        for opening in self._forgotten[wanted].tolist():
            for other in self._evidence.neighbours[opening] if opening not in self._cached else ():
                named.setdefault(other, []).append(opening)
        recalled: dict[int, Array] = {}
        for other, forgotten in named.items():
            evaluated = self._evidence.evaluated[other]
            counts, sizes, bounds = bounds_by_parts(
                self._state.counts.table, forgotten, evaluated, self.left, progress=progress
            )
            columns = (parts_of(column, counts) for column in (sizes, self.by_size(sizes), bounds))
            for opening, its_sizes, by_size, by_parts in zip(forgotten, *columns, strict=True):
                if opening not in recalled:
                    recalled[opening] = self._alone(opening, its_sizes, by_size)
                recalled[opening] = np.minimum(recalled[opening], by_parts).astype(np.int32)
        for opening, bounds in recalled.items():
            self.keep(opening, bounds)
        self._recalled |= recalled.keys() & self._cached.keys()
        self._forgotten = self._forgotten[~wanted]

    def joined(self, new: Evidence) -> dict[int, Array | None]:
        """Return the cache entries to change once evidence is applied; None: bounds to compute again."""
        keep: dict[int, Array | None] = {}
        whole = new.evaluated.keys() | new.three_turns.keys()  # their bounds may be lower than those cached
        for opening in new.openings.tolist():
            bounds, cached = new.class_bounds.get(opening), self._cached.get(opening)
            if bounds is not None and cached is not None and opening not in self._recalled:
                keep[opening] = np.minimum(cached, bounds)
            elif bounds is not None and not _says_more(self._evidence, new, opening):
                keep[opening] = bounds
            elif bounds is not None or opening in whole or _says_more(new, self._evidence, opening):
                keep[opening] = None
        return keep

    def _computed(self, opening: int, sizes: Array, by_size: Array) -> Array:
        """Return [C] int64: bounds of an opening's classes by all evidence except supersets."""
        bounds = self._alone(opening, sizes, by_size)
        for other in self._evidence.neighbours.get(opening, ()):
            evaluated = self._evidence.evaluated[other]
            *_, by_parts = bounds_by_parts(self._state.counts.table, [opening], evaluated, self.left)
            bounds = np.minimum(bounds, by_parts)
        return bounds

    def _alone(self, opening: int, sizes: Array, by_size: Array) -> Array:
        """[C] int64: bounds of an opening's classes by size and by its own counts and values."""
        three = self._evidence.three_turns.get(opening)
        if three is not None and self.left >= 3:
            by_size = np.minimum(by_size, three_bound(sizes, three, self.left))
        evaluated, counted = self._evidence.evaluated.get(opening), self._evidence.counted.get(opening)
        if evaluated is not None:
            return np.minimum(by_size, self.by_counts(evaluated))
        if counted is None:
            return by_size
        bounds, largest = by_size.copy(), largest_first(sizes)[: counted.shape[0]]
        bounds[largest] = np.minimum(bounds[largest], self.by_two(sizes[largest], counted))
        return bounds


def _says_more(evidence: Evidence, other: Evidence, opening: int) -> bool:
    return (
        not set(evidence.neighbours.get(opening, ())) <= set(other.neighbours.get(opening, ()))
        or len(evidence.counted.get(opening, ())) > len(other.counted.get(opening, ()))
        or (opening in evidence.evaluated and opening not in other.evaluated)
        or (opening in evidence.three_turns and opening not in other.three_turns)
    )


class BoundState:
    """Evidence of all W openings of a list, on the CPU; classes are counted on the table's device.

    Args:
        game: with at least 3 turns; ValueError: the formulas do not hold for it, or for the table.
        classes: [W] int64, the classes that each opening makes of all targets.
        evidence: of all openings, in order; its columns change in place.
        memory: bytes for counts of supersets, and as many again for bounds of classes.
        alone: whether bounds may rest on counts of supersets, which other processes do not have.
    """

    def __init__(
        self,
        table: WordTable,
        game: Game,
        classes: Array,
        evidence: Evidence,
        *,
        memory: int = MEMORY,
        alone: bool = True,
    ) -> None:
        check_game(game)
        check_table(table, game)
        self.counts = SupersetCounts(table, memory)
        self.supersets = self.counts.supersets if alone else Supersets(self.counts.constraints)
        self.table, self.game, self.classes = table.here, game, classes
        self.credits = opening_credits(self.table, game)  # [W] int64
        self.evidence = replace(
            evidence, supersets=self.supersets.two.keys(), class_bounds={},
            neighbours={opening: list(others) for opening, others in evidence.neighbours.items()},
            searched=dict(evidence.searched), evaluated=dict(evidence.evaluated),
            counted=dict(evidence.counted), three_turns=dict(evidence.three_turns),
        )  # fmt: skip
        self.first = np.arange(table.words)  # [W] int64, the first of each opening's orbit, of equal value
        if len(evidence.automorphisms):  # one opening of each orbit is bounded
            others, self.first = self.first, orbits(self.table, evidence.automorphisms)
            self.evidence.bounds[self.first != others] = 0
        self.class_bounds = ClassBounds(self, memory)
        self.given: Array | None = None  # [W] int64, bounds with a proof of their own
        self.tightened = np.zeros_like(evidence.bounds)  # amount of evidence when each was last tightened

    @property
    def bound(self) -> int:
        """Upper bound over all strategies and openings."""
        return int(self.lowest.max())

    def lowered(self, bounds: Mapping[int, Array]) -> Evidence:
        """Return evidence of openings with these [C] bounds of their classes, without what they rest on."""
        rows = self.evidence.rows(np.array(list(bounds), np.int64))
        rows.bounds[:] = np.minimum(rows.bounds, [self.class_bounds.sum(*entry) for entry in bounds.items()])
        return replace(rows, class_bounds={opening: row.astype(np.int32) for opening, row in bounds.items()})

    @property
    def lowest(self) -> Array:
        """[W] int64: for every opening the lower of its bound here and the one given."""
        return self.evidence.bounds if self.given is None else np.minimum(self.evidence.bounds, self.given)

    def apply(self, new: Evidence) -> None:
        """Merge evidence of some openings with what is known; of each the smaller bound wins.

        Evidence is recorded before a bound is lowered, so that an interrupt never leaves a bound without it.
        """
        for key in new.supersets:
            self.counts.require(key)
        class_bounds = self.class_bounds.joined(new)
        rows, all_of = new.openings, self.evidence
        lower = dict(zip(rows.tolist(), (new.bounds <= all_of.bounds[rows]).tolist(), strict=True))
        all_of.looked[rows] = np.maximum(all_of.looked[rows], new.looked)
        all_of.two_guesses[rows] |= new.two_guesses
        for opening, others in new.neighbours.items():
            known = all_of.neighbours.setdefault(opening, [])
            known += [other for other in others if other not in known]
        for opening, counted in new.counted.items():
            if len(counted) > len(all_of.counted.get(opening, ())) and opening not in all_of.evaluated:
                all_of.counted[opening] = counted
        for opening, evaluated in new.evaluated.items():
            before = all_of.evaluated.get(opening)
            if before is None or before.three is None or evaluated.three is not None:
                all_of.evaluated[opening] = evaluated
            all_of.counted.pop(opening, None)
        for opening, values in new.three_turns.items():
            all_of.three_turns[opening] = np.minimum(all_of.three_turns.get(opening, values), values)
        all_of.searched.update({opening: new.searched[opening] for opening in new.searched if lower[opening]})
        for opening, bounds in class_bounds.items():
            self.class_bounds.keep(opening, bounds)
        all_of.bounds[rows] = np.minimum(all_of.bounds[rows], new.bounds)


def bound_state(
    table: WordTable,
    game: Game,
    progress: Progress | None = None,
    memory: int = MEMORY,
    *,
    alone: bool = True,
) -> BoundState:
    """Return a state whose bounds of openings, one of each orbit, use class sizes alone; see `BoundState`."""
    check_game(game)
    classes = wide(class_counts(table, table.targets, progress))
    bounds = opening_size_bounds(table, game, classes, progress)
    evidence = replace(of_sizes(array_of(bounds)), automorphisms=automorphisms(table))
    return BoundState(table, game, array_of(classes), evidence, memory=memory, alone=alone)

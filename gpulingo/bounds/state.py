"""State of a search for bounds of a list: the evidence of all openings, and counts for finding more.

Functions of `counting` and `every_guess` read a state and return evidence for some openings; only
`BoundState.apply` changes the evidence. So copies of a state can bound openings, for example on other
machines: their results are joined in any order, and no bound falls below what its recorded evidence gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gpulingo.bounds import formulas
from gpulingo.bounds.automorphisms import automorphisms, orbits
from gpulingo.bounds.certificate import Evidence, of_sizes
from gpulingo.games.game import Game
from gpulingo.tensors.arrays import Array, array_of, wide
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.wordtable import WordTable


class BoundState:
    """Evidence of all W openings of a list, on the CPU; classes are counted on the table's device.

    At first bounds of openings, one of each orbit, use class sizes alone.

    Args:
        game: with at least 3 turns; ValueError: the formulas do not hold for it, or for the table.
    Attributes:
        table: on the CPU. counting_table: on the device that counts classes.
        classes: [W] int64, the classes that each opening makes of all targets.
        credits: [W] int64, see `opening_credits`.
        evidence: of all openings, in order; it changes in place.
        first: [W] int64, the first of each opening's orbit, of equal value.
        given: [W] int64, bounds with a proof of their own.
    """

    def __init__(self, table: WordTable, game: Game, progress: Progress | None = None) -> None:
        formulas.check_game(game, table)
        classes = wide(class_counts(table, table.targets, progress))
        bounds = array_of(formulas.opening_size_bounds(table, game, classes, progress))
        self.counting_table, self.table = table, table.here
        self.game, self.classes = game, array_of(classes)
        self.left, self.most_classes = game.turns - 1, int(classes.max())
        self.credits, generators = formulas.opening_credits(self.table, game), automorphisms(table)
        self.first = orbits(self.table, generators)
        bounds[self.first != np.arange(table.words)] = 0
        self.evidence = replace(of_sizes(bounds), automorphisms=generators)
        self.given: Array | None = None

    @property
    def bound(self) -> int:
        """Upper bound over all strategies and openings."""
        return int(self.lowest.max())

    def lowered(self, bounds: Mapping[int, Array]) -> Evidence:
        """Return evidence of openings with these [C] bounds of their classes, without what they rest on."""
        lowest = {opening: self.with_known(opening, row) for opening, row in bounds.items()}
        rows = self.evidence.rows(np.array(list(lowest), np.int64))
        rows.bounds[:] = np.minimum(rows.bounds, [self.sum(*entry) for entry in lowest.items()])
        return replace(rows, class_bounds={opening: row.astype(np.int32) for opening, row in lowest.items()})

    def by_size(self, sizes: Array) -> Array:
        return formulas.size_bound(sizes, self.most_classes, self.left)

    def by_two(self, sizes: Array, two: Array) -> Array:
        """Return [C] int64: bounds of classes from upper bounds of their two-turn values."""
        return np.minimum(formulas.count_bound(sizes, two, self.left), self.by_size(sizes))

    def sum(self, opening: int, bounds: Array) -> int:
        """Return the bound of an opening from the [C] int64 bounds of its classes."""
        return int(self.credits[opening] + bounds.sum())

    def with_known(self, opening: int, bounds: Array) -> Array:
        """Return [C] int64: the lower of these bounds of an opening's classes and the known ones."""
        return np.minimum(bounds, self.evidence.class_bounds.get(opening, bounds))

    @property
    def lowest(self) -> Array:
        """[W] int64: for every opening the lower of its bound here and the one given."""
        return self.evidence.bounds if self.given is None else np.minimum(self.evidence.bounds, self.given)

    def apply(self, new: Evidence) -> None:
        """Merge evidence of some openings with what is known; of each the smaller bound wins.

        Evidence is recorded before a bound is lowered, so that an interrupt never leaves a bound without it.
        """
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
        for opening, bounds in new.class_bounds.items():
            lowest = np.minimum(all_of.class_bounds.get(opening, bounds), bounds)
            kind = narrowest(int(lowest.max(initial=0)), "int16", "int32")
            all_of.class_bounds[opening] = lowest.astype(kind)
        all_of.bounds[rows] = np.minimum(all_of.bounds[rows], new.bounds)

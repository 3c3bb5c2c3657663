"""Bounds of openings and what they rest on, as columns: what certificates write and tasks hand back."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

import torch
from torch import Tensor

from gpulingo.bounds.partitions import Evaluated
from gpulingo.words.shown import brief


@dataclass(frozen=True, eq=False)
class Evidence:
    """Bounds of K openings, and what they rest on.

    Attributes:
        openings: [K] int64, distinct; those of a whole list are all W words.
        bounds: [K] int64 credits: no strategy that begins with the opening has more; 0 of words that may not
            be guessed, and while they are searched of openings that an automorphism maps to an earlier one.
        looked: [K] int32: number of classes, from the largest down (equal sizes by pattern), that rest on the
            most classes that any guess makes of them.
        two_guesses: [K] bool: rests on two more guesses.
        neighbours: opening -> others whose classes bound its own.
        searched: opening -> [C] int64 credits, by pattern; no strategy has more of a class, and it rests on
            them alone.
        three_turns: opening -> [C] int64 credits, by pattern; with three turns left no strategy has more of a
            class.
        supersets: their counts bound the classes inside them, of all openings.
        evaluated: opening -> its classes as they were counted, all of them; no certificate has this.
        counted: opening -> [K] int32, what two turns find of its K largest classes; a certificate has those
            of openings that are to be lowered further, a search those of openings that are not evaluated.
        automorphisms: [K, N + A] int64, of the list; those of evidence of a whole list.
        class_bounds: opening -> [C] int32, the least bounds of its classes by all of this except searches; no
            certificate has this.

    >>> from gpulingo import solve
    >>> solve(["dents", "dozes", "reads"]).certificate.evidence
    Evidence(3 openings, bound 13 credits)
    """

    openings: Tensor
    bounds: Tensor
    looked: Tensor
    two_guesses: Tensor
    neighbours: Mapping[int, list[int]] = field(default_factory=dict)
    searched: Mapping[int, Tensor] = field(default_factory=dict)
    supersets: Set[tuple[int, ...]] = frozenset()
    evaluated: Mapping[int, Evaluated] = field(default_factory=dict)
    counted: Mapping[int, Tensor] = field(default_factory=dict)
    class_bounds: Mapping[int, Tensor] = field(default_factory=dict)
    three_turns: Mapping[int, Tensor] = field(default_factory=dict)
    automorphisms: Tensor = field(default_factory=lambda: torch.empty((0, 0), dtype=torch.int64))

    def __repr__(self) -> str:
        bound = f", bound {self.bound:,} credits" if len(self.openings) else ""
        return brief("Evidence", f"{len(self.openings):,} openings{bound}")

    @property
    def bound(self) -> int:
        """No strategy that begins with one of them has more."""
        return int(self.bounds.max())

    def rows(self, places: Tensor) -> Evidence:
        """Return a copy of the columns at [M] int64 places, without what the mappings have of them."""
        columns = (self.openings[places], self.bounds[places], self.looked[places])
        return Evidence(*columns, self.two_guesses[places])

    @property
    def complete(self) -> Tensor:
        """[M] int64: openings of which no class is left to count."""
        return torch.tensor(list(self.evaluated), dtype=torch.int64)


def of_sizes(bounds: Tensor, automorphisms: Tensor | None = None) -> Evidence:
    """Evidence of all W openings whose [W] int64 bounds rest on the sizes of their classes alone."""
    nothing = torch.zeros_like(bounds)
    openings = torch.arange(bounds.shape[0], device=bounds.device)
    columns = openings, bounds, nothing.to(torch.int32), nothing.bool()
    return Evidence(*columns) if automorphisms is None else Evidence(*columns, automorphisms=automorphisms)

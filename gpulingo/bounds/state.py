"""State of a search for bounds of a list: evidence of all openings, and what speeds up finding more.

Functions of `counting`, `neighbours`, `two_guesses` and `every_guess` read a state and return evidence for
some openings; `BoundState.apply` is the one place where the evidence changes. So openings can be bounded by
copies of a state, for example on other machines: their results are joined in any order, and no bound becomes
smaller than what all that is noted for it gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from gpulingo.bounds.automorphisms import automorphisms, orbits
from gpulingo.bounds.class_bounds import ClassBounds
from gpulingo.bounds.evidence import Evidence, of_sizes
from gpulingo.bounds.formulas import check_game, check_table, opening_credits, opening_size_bounds
from gpulingo.bounds.supersets import MEMORY, Constraints, Key, SupersetCounts, Supersets
from gpulingo.games.game import Game
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.wordtable import WordTable


class BoundState:
    """Evidence of all W openings of a list. It lies on the CPU; classes are counted where the table lies.

    Args:
        table: the words.
        game: with at least 3 turns.
        classes: [W] int64, that each opening makes of all targets.
        evidence: of all openings in their order; new knowledge is added to its columns.
        two: superset -> words that two turns find of it at most; of all that the evidence names.
        memory: bytes that counts of supersets may take, and bounds of classes as many more.
        counts: counts sets instead of its own; what it knows of supersets bounds nothing here.
    Attributes:
        credits: [W] int64, what each opening itself counts.
        table: the words, on the CPU.
        class_bounds: bounds of the classes of openings.
        supersets: those that were counted.
        counts: counts what two turns find of sets.
        first: [W] int64, the first opening of the orbit of each, which has the same value.
        given: [W] int64, bounds that rest on something else, or None.
        tightened: [W] int64, how much was learnt when each opening was last tightened; see `tightening`.
    Raises:
        ValueError: no bounds are known of such a game or table.
    """

    def __init__(
        self,
        table: WordTable,
        game: Game,
        classes: Tensor,
        evidence: Evidence,
        *,
        two: Mapping[Key, int] | None = None,
        memory: int = MEMORY,
        counts: SupersetCounts | None = None,
    ) -> None:
        check_game(game)
        check_table(table, game)
        self.supersets = Supersets(counts.constraints if counts else Constraints(table), two or {})
        self.counts = counts or SupersetCounts(table, self.supersets, memory)
        self.table, self.game, self.classes = table.to("cpu"), game, classes
        self.credits = opening_credits(self.table, game)
        self._neighbours = {opening: list(others) for opening, others in evidence.neighbours.items()}
        self._searched, self._evaluated = dict(evidence.searched), dict(evidence.evaluated)
        self._counted, self._three_turns = dict(evidence.counted), dict(evidence.three_turns)
        self.evidence = Evidence(
            *(evidence.openings, evidence.bounds, evidence.looked, evidence.two_guesses),
            *(self._neighbours, self._searched, self.supersets.two.keys(), self._evaluated),
            counted=self._counted,
            three_turns=self._three_turns,
            automorphisms=evidence.automorphisms,
        )
        self.first = torch.arange(table.words)
        if len(evidence.automorphisms):  # one opening of each orbit is bounded
            others, self.first = self.first, orbits(self.table, evidence.automorphisms)
            self.evidence.bounds[self.first != others] = 0
        self.class_bounds = ClassBounds(
            self.table, self.counts.table, game.turns - 1, int(classes.max()),
            evidence=self.evidence, supersets=self.supersets, credits=self.credits, memory=memory,
        )  # fmt: skip
        self.given: Tensor | None = None
        self.tightened = torch.zeros_like(evidence.bounds)

    @property
    def bound(self) -> int:
        """No strategy has more, whatever its opening."""
        return int(self.lowest.max())

    @property
    def expanded(self) -> Evidence:
        """The evidence, where all openings of an orbit have the bound of the first."""
        return replace(self.evidence, bounds=self.evidence.bounds[self.first])

    @property
    def lowest(self) -> Tensor:
        """[W] int64: of every opening the lower of its bounds here and among those that are given."""
        return self.evidence.bounds if self.given is None else self.evidence.bounds.minimum(self.given)

    def apply(self, new: Evidence) -> None:
        """Join evidence of some openings with what is known; of each the smaller bound wins.

        Evidence is recorded before a bound is lowered, so that an interrupt never leaves a bound without.
        """
        for key in new.supersets:
            self.counts.require(key)
        class_bounds = self.class_bounds.joined(new)
        rows, all_of = new.openings, self.evidence
        lower = dict(zip(rows.tolist(), (new.bounds <= all_of.bounds[rows]).tolist(), strict=True))
        all_of.looked[rows] = all_of.looked[rows].maximum(new.looked)
        all_of.two_guesses[rows] |= new.two_guesses
        for opening, others in new.neighbours.items():
            known = self._neighbours.setdefault(opening, [])
            known += [other for other in others if other not in known]
        for opening, counted in new.counted.items():
            if len(counted) > len(self._counted.get(opening, ())) and opening not in self._evaluated:
                self._counted[opening] = counted
        for opening, evaluated in new.evaluated.items():
            known_three = opening in self._evaluated and self._evaluated[opening].three is not None
            if evaluated.three is not None or not known_three:
                self._evaluated[opening] = evaluated
            self._counted.pop(opening, None)
        for opening, values in new.three_turns.items():
            known_values = self._three_turns.get(opening, values)
            self._three_turns[opening] = known_values.minimum(values)
        self._searched |= {opening: values for opening, values in new.searched.items() if lower[opening]}
        for opening, bounds in class_bounds.items():
            self.class_bounds.keep(opening, bounds)
        all_of.bounds[rows] = all_of.bounds[rows].minimum(new.bounds)


def bound_state(
    table: WordTable,
    game: Game,
    progress: Progress | None = None,
    memory: int = MEMORY,
    *,
    counts: SupersetCounts | None = None,
    by_orbit: bool = True,
) -> BoundState:
    """Return a state that knows of openings what the sizes of their classes say; see `BoundState`.

    Args:
        by_orbit: bound one opening of each orbit of the list's automorphisms.
    Raises:
        ValueError: no bounds are known of such a game or table.
    """
    check_game(game)
    classes = class_counts(table, table.targets, progress).long()
    bounds = opening_size_bounds(table, game, classes, progress)
    evidence = of_sizes(bounds.cpu(), automorphisms(table) if by_orbit else None)
    return BoundState(table, game, classes.cpu(), evidence, memory=memory, counts=counts)

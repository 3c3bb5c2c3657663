"""Bounds of the classes of every opening that was asked about: a cache, which can be computed again."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.formulas import count_bound, size_bound, three_bound
from gpulingo.bounds.partitions import Evaluated, bounds_by_parts, opening_classes
from gpulingo.bounds.supersets import Supersets
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable


class ClassBounds:
    """What the classes of openings are worth at most, by all but counts of some of an opening's own classes.

    That is: by their sizes, by neighbours and supersets, and by counts where all classes were counted.

    Args:
        table: the words.
        left: turns left after the opening.
        most_classes: that any guess makes of all targets.
        evidence: of all openings; its `neighbours` and `evaluated` are read here as they grow.
        supersets: those that are counted by now.
    """

    def __init__(
        self, table: WordTable, left: int, most_classes: int, *, evidence: Evidence, supersets: Supersets
    ) -> None:
        self.table, self.left, self.most_classes = table, left, most_classes
        self.supersets = supersets
        self._neighbours: Mapping[int, list[int]] = evidence.neighbours
        self._evaluated: Mapping[int, Evaluated] = evidence.evaluated
        self._cached: dict[int, Tensor] = {}  # opening -> [C] int32
        # Openings with neighbours that were read from a file: none of them is in the cache at first.
        self._forgotten = torch.tensor(sorted(evidence.neighbours), dtype=torch.int64, device=table.device)
        # [W] bool: its bound may rest on supersets that its class bounds do not include yet.
        self._unaware = torch.full((table.words,), len(supersets.two) > 0)
        self._all_cached = len(supersets.two) > 0

    def by_size(self, sizes: Tensor) -> Tensor:
        """[C] int64: bounds of classes of which only the size is known."""
        return size_bound(sizes, self.most_classes, self.left)

    def by_two(self, sizes: Tensor, two: Tensor) -> Tensor:
        """[C] int64: bounds of classes of which two turns find at most so much."""
        return count_bound(sizes, two, self.left).minimum(self.by_size(sizes))

    def by_counts(self, evaluated: Evaluated) -> Tensor:
        """[C] int64: bounds of the classes of an opening, all of which were counted."""
        sizes, three = evaluated.partition.sizes, evaluated.three
        bounds = self.by_two(sizes, evaluated.two)
        if three is None or self.left < 3:
            return bounds
        return bounds.minimum(three_bound(sizes, three, self.left))

    def by_supersets(self, classes: Frontier) -> Tensor:
        """[C] int64: bounds of classes by the supersets that hold them."""
        return self.by_two(classes.sizes, self.supersets.bounds(classes))

    def of(
        self, opening: int, sizes: Tensor, *, classes: Frontier | None = None, by_size: Tensor | None = None
    ) -> Tensor:
        """Bounds of the classes of an opening.

        Args:
            opening: its index. sizes: [C] int64, of its classes.
            classes: and their members, where they are at hand.
            by_size: [C] int64, their bounds by size, where they are at hand.
        Returns:
            [C] int64.
        """
        if opening in self._cached:
            bounds = self._cached[opening].long()
        else:
            bounds = self._alone(opening, self.by_size(sizes) if by_size is None else by_size)
            openings = torch.tensor([opening], device=self.table.device)
            for other in self._neighbours.get(opening, ()):
                evaluated = self._evaluated[other]
                bounds = bounds.minimum(bounds_by_parts(self.table, openings, evaluated, self.left)[2])
        if self._unaware[opening]:
            self._unaware[opening] = False
            bounds = bounds.minimum(self.by_supersets(classes or opening_classes(self.table, opening)))
        if self.keeps(opening):
            self._cached[opening] = bounds.to(torch.int32)
        return bounds

    def keeps(self, opening: int) -> bool:
        """Whether bounds of its classes are worth their memory: where neighbours or supersets say more."""
        return opening in self._neighbours or self._all_cached

    def recall(self, above: Tensor, progress: Progress | None = None) -> None:
        """Compute again what neighbours read from a file say of classes, each neighbour asked once.

        Args:
            above: [W] bool, the openings that are about to be bounded.
            progress: called with pairs evaluated.
        """
        asked = above[self._forgotten]
        named: dict[int, list[int]] = {}
        for opening in self._forgotten[asked].tolist():
            for other in self._neighbours[opening] if opening not in self._cached else ():
                named.setdefault(other, []).append(opening)
        recalled: dict[int, Tensor] = {}
        for other, forgotten in named.items():
            openings, evaluated = torch.tensor(forgotten, device=self.table.device), self._evaluated[other]
            counts, sizes, bounds = bounds_by_parts(
                self.table, openings, evaluated, self.left, progress=progress
            )
            columns = (self.by_size(sizes).split(counts), bounds.split(counts))
            for opening, by_size, by_parts in zip(forgotten, *columns, strict=True):
                before = recalled[opening] if opening in recalled else self._alone(opening, by_size)
                recalled[opening] = before.minimum(by_parts).to(torch.int32)
        self._cached.update(recalled)
        self._forgotten = self._forgotten[~asked]

    def join(self, new: Evidence) -> None:
        """Take over what evidence says that is about to be applied, or forget what it makes outdated."""
        for opening in new.openings.tolist():
            bounds, cached = new.class_bounds.get(opening), self._cached.get(opening)
            more = set(new.neighbours.get(opening, ())) - set(self._neighbours.get(opening, ()))
            fewer = set(self._neighbours.get(opening, ())) - set(new.neighbours.get(opening, ()))
            if bounds is not None and (cached is not None or not fewer):
                self._cached[opening] = bounds if cached is None else cached.minimum(bounds)
            elif more or bounds is not None:  # computed again from all neighbours when it is asked for
                self._cached.pop(opening, None)
                self._unaware[opening] = True

    def _alone(self, opening: int, by_size: Tensor) -> Tensor:
        """[C] int64: bounds of the classes of an opening by their sizes, and by counts of all of them."""
        evaluated = self._evaluated.get(opening)
        return by_size if evaluated is None else by_size.minimum(self.by_counts(evaluated))

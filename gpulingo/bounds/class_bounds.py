"""The least bounds of the classes of openings: a cache of what evidence says, which can be computed again."""

from __future__ import annotations

from threading import Lock

import torch
from torch import Tensor

from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.formulas import count_bound, size_bound, three_bound
from gpulingo.bounds.partitions import Evaluated, bounds_by_parts, largest_first, opening_classes
from gpulingo.bounds.supersets import Supersets
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable


class ClassBounds:
    """Upper bounds of the classes of openings, by all evidence except searches.

    Args:
        table: the words, on the CPU. counted: the same where classes are counted.
        left: turns left after the opening.
        most_classes: that any guess makes of all targets.
        evidence: of all openings; it is read here as it grows.
        supersets: those counted so far.
        credits: [W] int64, what each opening itself counts.
        memory: bytes that bounds may take; what does not fit is computed again each time.
    """

    def __init__(
        self,
        table: WordTable,
        counted: WordTable,
        left: int,
        most_classes: int,
        *,
        evidence: Evidence,
        supersets: Supersets,
        credits: Tensor,
        memory: int,
    ) -> None:
        self.table, self.left, self.most_classes = table, left, most_classes
        self._counted = counted
        self.supersets, self.credits, self.memory = supersets, credits, memory
        self._evidence, self._bytes = evidence, 0
        self._lock = Lock()  # several threads ask
        self._cached: dict[int, Tensor] = {}  # opening -> [C] int16 or int32
        # Openings with neighbours that were read from a file: none of them is in the cache at first.
        self._forgotten = torch.tensor(sorted(evidence.neighbours), dtype=torch.int64)
        self._recalled: set[int] = set()  # of these those in the cache, without what supersets say

    def by_size(self, sizes: Tensor) -> Tensor:
        """Return [C] int64: bounds of classes of which only the size is known."""
        return size_bound(sizes, self.most_classes, self.left)

    def by_two(self, sizes: Tensor, two: Tensor) -> Tensor:
        """Return [C] int64: bounds of classes of which two turns find at most `two`."""
        return count_bound(sizes, two, self.left).minimum(self.by_size(sizes))

    def by_counts(self, evaluated: Evaluated) -> Tensor:
        """Return [C] int64: bounds of the classes of an opening, all of which were counted."""
        sizes, three = evaluated.partition.sizes, evaluated.three
        bounds = self.by_two(sizes, evaluated.two)
        if three is None or self.left < 3:
            return bounds
        return bounds.minimum(three_bound(sizes, three, self.left))

    def by_supersets(self, classes: Frontier) -> Tensor:
        """Return [C] int64: bounds of classes by the supersets that hold them."""
        return self.by_two(classes.sizes, self.supersets.bounds(classes))

    def sum(self, opening: int, bounds: Tensor) -> int:
        """Return the bound of an opening from the [C] int64 bounds of its classes."""
        return int(self.credits[opening] + bounds.sum())

    def of(
        self, opening: int, sizes: Tensor, *, classes: Frontier | None = None, by_size: Tensor | None = None
    ) -> Tensor:
        """Bounds of the classes of an opening, which give no more than its bound unless a search gave that.

        Args:
            opening: its index. sizes: [C] int64, of its classes.
            classes: and their members, where they are at hand.
            by_size: [C] int64, their bounds by size, or by supersets too, where they are at hand.
        Returns:
            [C] int64.
        """
        cached = self._cached.get(opening)
        if cached is not None and opening not in self._recalled:
            return cached.long()
        by_size = self.by_size(sizes) if by_size is None else by_size
        bounds = self._computed(opening, sizes, by_size) if cached is None else cached.minimum(by_size)
        above = self.sum(opening, bounds) > int(self._evidence.bounds[opening])
        if above:  # it rests on supersets too
            bounds = bounds.minimum(self.by_supersets(classes or opening_classes(self.table, opening)))
        if above or opening in self._evidence.neighbours or opening in self._evidence.counted:
            self.keep(opening, bounds)
        return bounds

    def keep(self, opening: int, bounds: Tensor | None) -> None:
        """Keep the [C] bounds of the classes of an opening, if there is room, or forget them."""
        most = int(bounds.max()) if bounds is not None and bounds.shape[0] else 0
        with self._lock:
            self._recalled.discard(opening)
            before = self._cached.pop(opening, None)
            self._bytes -= 0 if before is None else before.nbytes
            if bounds is not None:
                small = bounds.to(narrowest(most, torch.int16, torch.int32))
                if self._bytes + small.nbytes <= self.memory:
                    self._cached[opening] = small
                    self._bytes += small.nbytes

    def recall(self, above: Tensor, progress: Progress | None = None) -> None:
        """Compute again what neighbours read from a file say of classes, each neighbour asked once.

        Args:
            above: [W] bool, the openings that are about to be bounded.
            progress: called with pairs evaluated.
        """
        asked = above[self._forgotten]
        named: dict[int, list[int]] = {}
        for opening in self._forgotten[asked].tolist():
            for other in self._evidence.neighbours[opening] if opening not in self._cached else ():
                named.setdefault(other, []).append(opening)
        recalled: dict[int, Tensor] = {}
        for other, forgotten in named.items():
            openings = torch.tensor(forgotten)
            evaluated = self._evidence.evaluated[other]
            counts, sizes, bounds = bounds_by_parts(
                self._counted, openings, evaluated, self.left, progress=progress
            )
            columns = (sizes.split(counts), self.by_size(sizes).split(counts), bounds.split(counts))
            for opening, its_sizes, by_size, by_parts in zip(forgotten, *columns, strict=True):
                if opening not in recalled:
                    recalled[opening] = self._alone(opening, its_sizes, by_size)
                recalled[opening] = recalled[opening].minimum(by_parts).to(torch.int32)
        for opening, bounds in recalled.items():
            self.keep(opening, bounds)
        self._recalled |= recalled.keys() & self._cached.keys()
        self._forgotten = self._forgotten[~asked]

    def joined(self, new: Evidence) -> dict[int, Tensor | None]:
        """Return what to keep, by opening, once evidence is applied: None for bounds to compute again."""
        keep: dict[int, Tensor | None] = {}
        for opening in new.openings.tolist():
            bounds, cached = new.class_bounds.get(opening), self._cached.get(opening)
            if bounds is not None and cached is not None and opening not in self._recalled:
                keep[opening] = cached.minimum(bounds)
            elif bounds is not None and not self._knows_more(opening, new):
                keep[opening] = bounds
            elif bounds is not None or self._says_more(opening, new):
                keep[opening] = None
        return keep

    def _knows_more(self, opening: int, new: Evidence) -> bool:
        """Return True if more is known of an opening here than evidence says of it."""
        known = self._evidence
        return (
            not set(known.neighbours.get(opening, ())) <= set(new.neighbours.get(opening, ()))
            or len(known.counted.get(opening, ())) > len(new.counted.get(opening, ()))
            or (opening in known.evaluated and opening not in new.evaluated)
            or (opening in known.three_turns and opening not in new.three_turns)
        )

    def _says_more(self, opening: int, new: Evidence) -> bool:
        """Return True if evidence says more of an opening than is known here."""
        known = self._evidence
        return (
            not set(new.neighbours.get(opening, ())) <= set(known.neighbours.get(opening, ()))
            or len(new.counted.get(opening, ())) > len(known.counted.get(opening, ()))
            or opening in new.evaluated
            or opening in new.three_turns
        )

    def _computed(self, opening: int, sizes: Tensor, by_size: Tensor) -> Tensor:
        """Return [C] int64: bounds of the classes of an opening by all but supersets."""
        bounds = self._alone(opening, sizes, by_size)
        openings = torch.tensor([opening])
        for other in self._evidence.neighbours.get(opening, ()):
            evaluated = self._evidence.evaluated[other]
            bounds = bounds.minimum(bounds_by_parts(self._counted, openings, evaluated, self.left)[2])
        return bounds

    def _alone(self, opening: int, sizes: Tensor, by_size: Tensor) -> Tensor:
        """[C] int64: bounds of the classes of an opening by their sizes and by what is known of each."""
        three = self._evidence.three_turns.get(opening)
        if three is not None and self.left >= 3:
            by_size = by_size.minimum(three_bound(sizes, three, self.left))
        evaluated, counted = self._evidence.evaluated.get(opening), self._evidence.counted.get(opening)
        if evaluated is not None:
            return by_size.minimum(self.by_counts(evaluated))
        if counted is None:
            return by_size
        bounds, largest = by_size.clone(), largest_first(sizes)[: counted.shape[0]]
        bounds[largest] = bounds[largest].minimum(self.by_two(sizes[largest], counted.long()))
        return bounds

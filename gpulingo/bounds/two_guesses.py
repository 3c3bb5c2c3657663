"""Bounds by two more guesses, from what two turns find of every class of every opening.

A class of one guess inside a class of another is part of both, so two turns find no more of it than of
either. That bounds what three turns find of a class by one pass over all guesses, where all openings have
been evaluated: P x P x T pairs, once.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from gpulingo.bounds.counting import by_counts
from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import greatest_capped
from gpulingo.tensors.outcomes import CappedClasses


def table_bytes(words: int) -> int:
    """Bytes that the classes of all words by all openings take, here and where they were evaluated."""
    return 4 * words * words


class TwoGuesses:
    """Two-turn counts of all classes of all openings.

    Args:
        state: what is known; every opening was evaluated.
    """

    def __init__(self, state: BoundState) -> None:
        self.state = state
        table, evaluated = state.counts.table, state.evidence.evaluated
        widest = max(counted.two.shape[0] for counted in evaluated.values()) + 1
        small = narrowest(widest - 1, torch.uint8, torch.int16, torch.int32)
        classes = torch.zeros(table.words, table.words, dtype=small, device=table.device)
        caps = torch.zeros(table.words, widest, dtype=torch.int32, device=table.device)
        for opening, counted in evaluated.items():
            count = counted.two.shape[0]
            classes[opening, table.targets.long()] = counted.partition.ids.to(small).to(table.device)
            caps[opening, :count] = counted.two.to(torch.int32)
            caps[opening, count] = 2  # the opening itself, alone
        self._capped = CappedClasses(classes, caps)
        self._most = 1 + int(caps.sum(1).max())  # that three turns find of all targets

    def evaluate(self, opening: int, progress: Progress | None = None) -> Evidence:
        """Bound an opening by what two more guesses can make of its classes."""
        counted = self.state.evidence.evaluated[opening]
        classes = opening_classes(self.state.table, opening)
        there = self._capped.caps.device
        three = greatest_capped(self._capped, classes.to(there), counted.two.to(there), progress)
        three = three.to(classes.members.device).clamp(max=self._most)
        rows = by_counts(self.state, {opening: replace(counted, three=three)})
        return replace(rows, two_guesses=torch.ones_like(rows.two_guesses))

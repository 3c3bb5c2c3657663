"""Bounds by two more guesses, from what two turns find of every class of every opening.

A class of one guess inside a class of another is part of both, so two turns find no more of it than of
either. That bounds what three turns find of a class by one pass over all guesses, where the classes of all
openings have been looked at: W**3 pairs, once.
"""

from __future__ import annotations

import torch

from gpulingo.bounds.evidence import OpeningBounds
from gpulingo.bounds.partitions import split_whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import greatest_capped
from gpulingo.tensors.outcomes import CappedClasses


def table_bytes(words: int) -> int:
    """Bytes that the classes of all words by all openings take, here and where they were seen."""
    return 4 * words * words


class Twofold:
    """What two turns find, for all classes of all openings.

    Args:
        held: bounds, every opening of which was seen in whole.
    """

    def __init__(self, held: OpeningBounds) -> None:
        self.held = held
        words = held.table.words
        wide = max(seen.found.shape[0] for seen in held.seen.values()) + 1
        small = torch.uint8 if wide <= 1 << 8 else torch.int16 if wide <= 1 << 15 else torch.int32
        classes = torch.empty(words, words, dtype=small, device=held.table.device)
        caps = torch.zeros(words, wide, dtype=torch.int32, device=held.table.device)
        for opening, seen in held.seen.items():
            count = seen.found.shape[0]
            classes[opening] = seen.parted.ids.to(small)
            caps[opening, :count] = seen.found.to(torch.int32)
            caps[opening, count] = 2  # the opening itself, alone
        self.capped = CappedClasses(classes, caps)
        self.most = 1 + int(caps.sum(1).max())  # that three turns find of the whole list

    def lower(self, opening: int, progress: Progress | None = None) -> None:
        """Bound an opening by what two more guesses can make of its classes."""
        front = split_whole(self.held.table, opening).frontier
        found = self.held.seen[opening].found
        three = greatest_capped(self.capped, front, found, progress)
        self.held.keep_three(opening, three.clamp(max=self.most))

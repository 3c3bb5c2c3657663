"""Openings that tell nearly the same: which they are, and bounds by the classes of such a neighbour."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.partitions import bounds_by_parts
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable

# Openings left by `python benchmarks/bounds.py 7 --gap 10 --every 3 --limit 40 --set neighbours.NAME=VALUE`,
# the pit's list; as it is 3,778.
SAMPLED = 64  # words whose neighbourhoods are compared; with 1 4,516, with 512 4,830
OTHERS = 4096  # words that may be in them; with 512 3,874
NEAREST = 512  # the neighbourhood holds one word in so many; with 64 3,878, with 4096 4,411
# A fiftieth of the way to the goal is worth recording. CPU seconds of `benchmarks/bounds.py 5 --gap 55`:
# 11.6, with 1 17.5, with 1000000 11.6.
PART = 50


def bounded_by(
    state: BoundState,
    openings: Tensor,
    other: int,
    goal: int | None = None,
    *,
    progress: Progress | None = None,
) -> Evidence:
    """Bound the classes of openings by those of another that was evaluated.

    Args:
        state: what is known.
        openings: [G] int64, without the other. other: its index.
        goal: what brings a bound neither there nor a good part of the way is left out.
        progress: called with pairs evaluated.
    Returns:
        Evidence of those of the openings that were lowered.
    """
    evidence, class_bounds = state.evidence, state.class_bounds
    class_bounds.recall(state.lowest > (0 if goal is None else goal), progress)
    counts, sizes, by_parts = bounds_by_parts(
        state.counts.table, openings, evidence.evaluated[other], class_bounds.left, progress=progress
    )
    columns = (column.split(counts) for column in (sizes, class_bounds.by_size(sizes), by_parts))
    lowered: dict[int, int] = {}
    neighbours: dict[int, list[int]] = {}
    lower_bounds: dict[int, Tensor] = {}
    for opening, its_sizes, by_size, by_other in zip(openings.tolist(), *columns, strict=True):
        bounds = class_bounds.of(opening, its_sizes, by_size=by_size).minimum(by_other)
        least, bound = class_bounds.sum(opening, bounds), int(evidence.bounds[opening])
        enough = goal is None or least <= goal or (bound - least) * PART >= bound - goal
        if least < bound and enough and opening not in evidence.searched:
            others = evidence.neighbours.get(opening, [])
            neighbours[opening] = others if other in others else [*others, other]
            lowered[opening], lower_bounds[opening] = least, bounds.to(torch.int32)
    rows = evidence.rows(torch.tensor(list(lowered), dtype=torch.int64))
    rows.bounds[:] = torch.tensor(list(lowered.values()), dtype=torch.int64)
    return replace(rows, neighbours=neighbours, class_bounds=lower_bounds)


def by_letters(table: WordTable, openings: Tensor) -> Tensor:
    """Return [K] int64 openings, those of the same letters side by side: supersets serve the next ones."""
    letters = np.sort(table.letters.cpu().numpy()[openings.cpu().numpy()], axis=1)
    return openings[torch.from_numpy(np.lexsort(letters.T[::-1]).copy()).to(openings.device)]


class Nearness:
    """Distance between openings: estimated conditional entropy of one word's feedback given the other's.

    A guess, not a bound: letters are taken one by one, as if they were independent.

    Args:
        table: the words.
    """

    def __init__(self, table: WordTable) -> None:
        self._letters = table.letters.cpu().long()
        self._places = torch.arange(table.length)
        alphabet = int(self._letters.max()) + 1
        placed = torch.stack([column.bincount(minlength=alphabet) for column in self._letters.T])
        having = torch.zeros(table.words, alphabet).scatter_(1, self._letters, 1).mean(0)
        # A letter at a place tells whether a word has it, and if so, whether it is there.
        self._where = having * _bits(placed / table.words / having.clamp(min=1e-9))
        self._both = _bits(having) + self._where

    def nearest(self, word: int, others: Tensor) -> Tensor:
        """Return [M] int64 other words on the CPU, those first that add least to this one."""
        return others[self.conditional_bits(word, others).sort(stable=True).indices]

    def densest(self, words: Tensor, draw: torch.Generator) -> int:
        """Return the one of [M] int64 words on the CPU in the densest neighbourhood, of a sample."""
        if words.shape[0] <= NEAREST:
            return int(words[0])
        drawn = words[torch.randperm(words.shape[0], generator=draw)]
        others = drawn[:OTHERS]
        count = max(1, others.shape[0] // NEAREST)
        sampled = drawn[:SAMPLED].tolist()
        reach = [float(self.conditional_bits(word, others).kthvalue(count + 1).values) for word in sampled]
        return int(drawn[reach.index(min(reach))])

    def conditional_bits(self, word: int, others: Tensor) -> Tensor:
        """Return [M] float32: bits that [M] int64 other words on the CPU add to this one."""
        letters = self._letters[word]
        bits = self._both.clone()
        bits[:, letters] = self._where[:, letters]
        bits[self._places, letters] = 0
        return bits[self._places, self._letters[others]].sum(1)


def _bits(chance: Tensor) -> Tensor:
    """Return the mean bits of information in a yes or no, where yes has this chance."""
    chance = chance.clamp(0, 1)
    return -(torch.xlogy(chance, chance) + torch.xlogy(1 - chance, 1 - chance)) / math.log(2)

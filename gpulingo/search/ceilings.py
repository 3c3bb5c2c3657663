"""What two turns find of classes, with less work where much was counted before.

No guess makes more classes of a set than of a larger one that holds it. The words of a class of an opening
have letters in common ("no e", "an s", "a t in the third place"), and all words of the list of which some of
that is true hold this class and classes of many other openings. The classes that every word makes of such a
larger set are counted once, when as much work was spent on classes inside it, and are ceilings from then on:
guesses are tried from the highest down, until none is above the best. What is found is the same as without.
"""

from __future__ import annotations

from itertools import combinations
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.classes import class_counts, count_dtype, most_classes
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.paircodes import Array
from gpulingo.words.encode import WordTable

Key = tuple[int, ...]

MEMORY = 1 << 29  # bytes of ceilings that are kept
MOST = 1 << 14  # ceilings that are kept
SMALLEST = 100  # for smaller sets no ceilings are looked for
COMMON = 0.85  # what more of the list has in common tells little
FACTS = 8  # the rarest ones that a set has in common
TOGETHER = 4  # of them that a larger set has in common, at most
ROWS = 8  # ceilings taken for a set, of its smallest larger sets
WANTED = 20  # larger sets that a set asks for, the smallest
SMALLER = 0.87  # it must be so much smaller than the smallest that is counted


class Ceilings:
    """Finds what two turns find, and remembers ceilings.

    Args:
        table: the words of a list.
        memory: bytes of ceilings to keep.
    Attributes:
        seconds: spent on counting larger sets.
    """

    def __init__(self, table: WordTable, memory: int = MEMORY) -> None:
        self.table, self.seconds = table, 0.0
        letters = table.letters.cpu().numpy()
        alphabet = len(table.alphabet)
        placed = np.stack([letters == x for x in range(alphabet)])  # [A, W, N]
        held = placed.any(2)
        true = np.concatenate([held, ~held, placed.transpose(2, 0, 1).reshape(-1, table.words)])  # [F, W]
        self._sizes = true.sum(1)
        # A letter in its place says that it is held.
        self._says = np.concatenate([np.full(2 * alphabet, -1), np.tile(np.arange(alphabet), table.length)])
        self._words, self._facts = np.packbits(true, axis=1), np.packbits(true.T, axis=1)
        self._rows: dict[Key, int] = {}  # larger set -> its row of the ceilings
        self._counts: dict[Key, int] = {}  # larger set -> words
        self._spent: dict[Key, int] = {}  # larger set -> pairs evaluated for sets inside it
        kind = count_dtype(table.words)
        rows = min(MOST, max(1, memory // (table.words * kind.itemsize)))
        self._ceilings = torch.empty(rows, table.words, dtype=kind)

    @property
    def kept(self) -> int:
        """How many larger sets were counted."""
        return len(self._rows)

    def first_two(self, sets: Frontier, more: bool = False, progress: Progress | None = None) -> Tensor:
        """The most that two turns find of every set: classes of a guess, one more for a candidate.

        Args:
            sets: S sets.
            more: count the classes of more larger sets, where as much was spent inside them.
            progress: called with pairs evaluated since the last call.
        Returns:
            [S] int64.
        """
        if self.table.device.type != "cpu":
            return most_classes(self.table, sets, self._ceilings, [], progress)[0]
        larger = self._larger(sets)
        rows = [torch.tensor(some, dtype=torch.int64) for some, _ in larger]
        found, pairs = most_classes(self.table, sets, self._ceilings, rows, progress)
        more = more and self.kept < self._ceilings.shape[0]
        for (_, wanted), spent in zip(larger, pairs.tolist(), strict=True) if more else ():
            for key in wanted:
                if key not in self._rows:
                    self._spent[key] = self._spent.get(key, 0) + spent
                    if self._spent[key] >= self._size(key) * self.table.words:
                        self._count(key, progress)
        return found

    def _larger(self, sets: Frontier) -> list[tuple[list[int], list[Key]]]:
        """For each set the rows of ceilings to take, and the larger sets of which it wants some."""
        common = np.bitwise_and.reduceat(self._facts[sets.members.numpy()], sets.offsets[:-1].numpy(), axis=0)
        large = (sets.sizes > SMALLEST).tolist()
        return [self._of(row) if is_large else ([], []) for row, is_large in zip(common, large, strict=True)]

    def _of(self, common: Array) -> tuple[list[int], list[Key]]:
        """The same for a set of which these facts are true."""
        true = np.flatnonzero(np.unpackbits(common)[: len(self._sizes)])
        said = {self._says[fact] for fact in true}
        telling = [x for x in true.tolist() if self._sizes[x] < COMMON * self.table.words and x not in said]
        rarest = sorted(sorted(telling, key=lambda fact: self._sizes[fact])[:FACTS])
        keys = [key for count in range(1, TOGETHER + 1) for key in combinations(rarest, count)]
        order = sorted((self._size(key), key) for key in keys)
        rows = [self._rows[key] for _, key in order if key in self._rows]
        smallest = next((size for size, key in order if key in self._rows), self.table.words)
        wanted = [key for size, key in order if size < SMALLER * smallest and key not in self._rows]
        return rows[:ROWS], wanted[:WANTED]

    def _size(self, key: Key) -> int:
        """Words of a larger set."""
        if key not in self._counts:
            self._counts[key] = int(np.bitwise_count(self._of_words(key)).sum())
        return self._counts[key]

    def _of_words(self, key: Key) -> Array:
        """The words of a larger set, a bit each."""
        return np.bitwise_and.reduce(self._words[list(key)], axis=0)

    def _count(self, key: Key, progress: Progress | None) -> None:
        """Count the classes of a larger set, while there is room."""
        row = len(self._rows)
        if row < self._ceilings.shape[0]:
            begun = perf_counter()
            members = np.flatnonzero(np.unpackbits(self._of_words(key))[: self.table.words])
            counts = class_counts(self.table, torch.from_numpy(members.astype(np.int32)), progress)
            self._ceilings[row] = counts
            self._rows[key] = row
            del self._spent[key]
            self.seconds += perf_counter() - begun

"""What two turns find of classes, with less work where much was counted before.

No guess makes more classes of a set than of a larger one that holds it. The words of a class of an opening
have letters in common ("no e", "an s", "a t in the third place"), and all words of the list of which some of
that is true hold this class and classes of many other openings. The classes that every word makes of such a
larger set are counted once, when as much work was spent on classes inside it, and are ceilings from then on:
guesses are tried from the highest down, until none is above the best. What is found is the same as without.
"""

from __future__ import annotations

from itertools import combinations

import torch
from torch import Tensor

from gpulingo.bounds.constraints import Key
from gpulingo.bounds.supersets import LargerSets
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import backend_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import class_counts, most_classes
from gpulingo.tensors.outcomes import count_dtype
from gpulingo.tensors.wordtable import WordTable

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
        larger: told what two turns find of every set that is counted.
        memory: bytes of ceilings to keep.
    Attributes:
        seconds: spent on counting larger sets.
    """

    def __init__(self, table: WordTable, larger: LargerSets, memory: int = MEMORY) -> None:
        self.table, self.larger, self.facts, self.seconds = table, larger, larger.facts, 0.0
        self._rows: dict[Key, int] = {}  # larger set -> its row of the ceilings
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
        if not backend_of(self.table.device).uses_ceilings:
            none = [torch.empty(0, dtype=torch.int64)] * sets.sets
            return most_classes(self.table, sets, self._ceilings, none, progress)[0]
        larger = self._larger(sets)
        rows = [torch.tensor(some, dtype=torch.int64) for some, _ in larger]
        found, pairs = most_classes(self.table, sets, self._ceilings, rows, progress)
        more = more and self.kept < self._ceilings.shape[0]
        for (_, wanted), spent in zip(larger, pairs.tolist(), strict=True) if more else ():
            for key in wanted:
                if key not in self._rows:
                    self._spent[key] = self._spent.get(key, 0) + spent
                    needed = self.facts.size(key) * self.table.words
                    if self._spent[key] >= needed or key in self.larger.found:  # it was worth it before
                        self.count(key, progress)
        return found

    def count(self, key: Key, progress: Progress | None = None) -> None:
        """Count the classes of a larger set, while there is room, where ceilings are used."""
        row = len(self._rows)
        used = backend_of(self.table.device).uses_ceilings
        if row < self._ceilings.shape[0] and used and key not in self._rows:
            begun = clock()
            members = self.facts.members(key)
            counts = class_counts(self.table, members, progress)
            self._ceilings[row] = counts
            self._rows[key] = row
            self._spent.pop(key, None)
            found = counts.to(torch.int64)
            found[members.long()] += 1
            self.larger.add(key, int(found.max()))
            self.seconds += clock() - begun

    def _larger(self, sets: Frontier) -> list[tuple[list[int], list[Key]]]:
        """For each set the rows of ceilings to take, and the larger sets of which it wants some."""
        common = self.facts.common(sets)
        large = (sets.sizes > SMALLEST).tolist()
        return [
            self._of(self.facts.listed(row)) if is_large else ([], [])
            for row, is_large in zip(common, large, strict=True)
        ]

    def _of(self, true: list[int]) -> tuple[list[int], list[Key]]:
        """The same for a set of which these facts are true."""
        sizes, most = self.facts.sizes, COMMON * self.table.words
        said = {self.facts.says[fact] for fact in true}
        telling = [fact for fact in true if sizes[fact] < most and fact not in said]
        rarest = sorted(sorted(telling, key=lambda fact: sizes[fact])[:FACTS])
        keys = [key for count in range(1, TOGETHER + 1) for key in combinations(rarest, count)]
        order = sorted((self.facts.size(key), key) for key in keys)
        rows = [self._rows[key] for _, key in order if key in self._rows]
        smallest = next((size for size, key in order if key in self._rows), self.table.words)
        wanted = [key for size, key in order if size < SMALLER * smallest and key not in self._rows]
        return rows[:ROWS], wanted[:WANTED]

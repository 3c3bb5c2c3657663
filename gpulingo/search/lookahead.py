"""Look ahead: the guesses of greatest rank are played out, all sets of a frontier together, the best kept.

With guesses in the order of the number of their classes the search knows a bound for each guess that it
left out, so it knows how far from the best its values can be, and where they are the best. With another
order, that of a value table say, it finds better values sooner, without a bound. How sets are told apart is
in `identity`, how guesses are played out in `playout`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from gpulingo.bounds.formulas import capped, most
from gpulingo.search.expand import Values, played
from gpulingo.search.transpositions import Identities, Known
from gpulingo.strategies.objectives import ObjectiveOf, parts
from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.outcomes import Ranked
from gpulingo.tensors.wordtable import WordTable

MOST_KNOWN = 10_000_000  # sets with two turns left that are remembered
KNOWN = 300  # bytes that a remembered set takes, about


class Lookahead:
    """A search, and the strategy it finds.

    Args:
        table: the words; each is a target and each may be guessed.
        widths: turns left -> guesses to play out for each set; 1 where none is given.
        order: which guesses come first; None: by number of classes, with bounds.
        name: of the strategy.
        seed: of the identities of sets.
        most_known: sets with two turns left to remember; then they are forgotten, and searched again at need.
    """

    def __init__(
        self,
        table: WordTable,
        widths: Mapping[int, int],
        order: ObjectiveOf | None = None,
        *,
        name: str = "lookahead",
        seed: int = 0,
        most_known: int = MOST_KNOWN,
    ) -> None:
        self.table, self.widths, self.order, self.name = table, dict(widths), order, name
        self.identities = Identities(table.words, seed)
        self.known: dict[int, Known] = {}
        self.most_known = most_known
        self.pairs = 0
        self.progress: Progress | None = None

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets, as a strategy; the table is the search's own."""
        self.progress = progress or self.progress
        before = self.pairs
        found = self.values(frontier, left)
        return Choice(found.guesses, self.pairs - before)

    def values(self, front: Frontier, left: int) -> Values:
        """Values of all sets of a frontier with `left` turns left."""
        sizes = front.sizes
        if left == 1:
            return Values(torch.ones_like(sizes), torch.ones_like(sizes), front.firsts)
        lower = most(sizes, left)  # right for one word and for two
        upper, guesses = lower.clone(), front.firsts.clone()
        large = (sizes > 2).nonzero().squeeze(1)
        if large.shape[0]:
            found = self._distinct(front.take(large), left)
            lower[large], upper[large], guesses[large] = found.lower, found.upper, found.guesses
        return Values(lower, upper, guesses)

    def _distinct(self, front: Frontier, left: int) -> Values:
        """Each distinct set once, and those known not at all."""
        sums = self.identities.of(front)
        _, first, inverse = np.unique(sums[:, 0], return_index=True, return_inverse=True)
        if left == 2 and len(self.known.get(left, ())) > self.most_known:
            del self.known[left]
        known = self.known.setdefault(left, Known())
        rows = sums[first].tolist()
        if not np.array_equal(sums[first][inverse], sums):
            raise RuntimeError("two candidate sets have one identity: search again with another --seed")
        entries = [known.get(identity, check) for identity, check in rows]
        new = [at for at, entry in enumerate(entries) if entry is None]
        if new:
            found = self._searched(front.take(torch.from_numpy(first[new]).to(front.members.device)), left)
            columns = (found.lower.tolist(), found.upper.tolist(), found.guesses.tolist())
            for at, *entry in zip(new, *columns, strict=True):
                entries[at] = kept = (entry[0], entry[1], entry[2])
                known.put(rows[at][0], rows[at][1], kept)
        held = torch.tensor(entries, dtype=torch.int64)[torch.from_numpy(inverse)].to(front.members.device)
        return Values(held[:, 0], held[:, 1], held[:, 2].to(torch.int32))

    def _searched(self, front: Frontier, left: int) -> Values:
        """Values of sets of more than two words."""
        sizes = front.sizes
        ranked = self._rank(front, None, parts(int(sizes.max()), 2), 1)
        first, guesses = ranked.ranks[:, 0], ranked.guesses[:, 0].clone()
        # All classes of one word, or all but one pair: the best there is, as no other guess does the former.
        lower = most(sizes, left) - (sizes + 1 - first)
        upper = lower.clone()
        rest = (first < sizes).nonzero().squeeze(1)
        if rest.shape[0]:
            some = front.take(rest)
            found = self._two_left(some) if left == 2 else self._more_left(some, left)
            lower[rest], upper[rest], guesses[rest] = found.lower, found.upper, found.guesses
        return Values(lower, upper, guesses)

    def _two_left(self, front: Frontier) -> Values:
        """With two turns left the number of classes, one more for a candidate, is the value."""
        ranked = self._rank(front, self.table.pool, parts(int(front.sizes.max()), 2), 1)
        return Values(ranked.ranks[:, 0], ranked.ranks[:, 0], ranked.guesses[:, 0])

    def _more_left(self, front: Frontier, left: int) -> Values:
        """Play out the first guesses of an order."""
        sizes = front.sizes
        largest, width = int(sizes.max()), min(self.widths.get(left, 1), self.table.words)
        if self.order is not None:
            ranked = self._rank(front, self.table.pool, self.order(largest, left), width)
            beyond = most(sizes, left) - 1  # that a candidate parts the set into single words is ruled out
            bounds = beyond[:, None].expand(ranked.guesses.shape)
        else:
            # One guess more, to know the bound of those that are not played.
            ranked = self._rank(front, self.table.pool, parts(largest, 2), min(width + 1, self.table.words))
            classes = ranked.ranks[:, :1].minimum(sizes[:, None])
            bounds = capped(sizes[:, None], ranked.ranks, classes, left)
            beyond = bounds[:, -1] if width < self.table.words else torch.zeros_like(sizes)
        tried = ranked.guesses[:, :width]
        return played(self.table, front, left, tried, bounds, beyond, self.values)

    def _rank(self, front: Frontier, pool: Tensor | None, objective: Objective, width: int) -> Ranked:
        ranked = rank(self.table, front, pool, objective, width, progress=self.progress)
        self.pairs += ranked.pairs
        return ranked

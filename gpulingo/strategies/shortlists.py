"""A short list of guesses for each candidate set, ranked by splitting the sets with one column at a time."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.strategies.letters import greatest, letter_copies, summed
from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import WordTable

BLOCK = 1 << 24  # keys of sets x words held at once, 8 bytes each


@dataclass(frozen=True)
class Shortlists:
    """Of each set the words richest in its candidates' letters, and as many candidates drawn by lot.

    A word is worth the copies that the candidates have of its letters, each distinct letter counted once.

    Attributes:
        draws: on the CPU, so that every device draws the same.
        width: words of each kind.
        consistent: richest candidates instead of richest words.
    """

    draws: torch.Generator
    width: int = 25
    consistent: bool = False

    def choose(
        self, table: WordTable, frontier: Frontier, objective: Objective, progress: Progress | None = None
    ) -> Choice:
        """The listed guess of greatest rank for every set; ties as in `rank`."""
        lots = torch.rand(frontier.members.shape[0], dtype=torch.float64, generator=self.draws)
        drawn = greatest(frontier, lots.to(table.device), self.width)
        return best_listed(table, frontier, torch.cat([self._richest(table, frontier), drawn], 1), objective,
                           progress)  # fmt: skip

    def _richest(self, table: WordTable, frontier: Frontier) -> Tensor:
        """[S, width] int32, of equal worth the earlier word first."""
        copies = letter_copies(table)
        held = (copies > 0).double()  # float64 holds these whole numbers exactly, and multiplies matrices
        counts = summed(frontier, copies[frontier.members.long()]).double()
        if self.consistent:
            worth = (held[frontier.members.long()] * counts[frontier.owners]).sum(1)
            return greatest(frontier, worth, self.width)
        indices = torch.arange(table.words, dtype=torch.float64, device=table.device)
        found = []
        for some in counts.split(max(1, BLOCK // table.words)):
            # No two keys are equal, because topk takes any of equal ones.
            keys = (some @ held.T) * table.words - indices
            found.append(keys.topk(min(self.width, table.words), 1).indices)
        return torch.cat(found).to(torch.int32)


def best_listed(table: WordTable, frontier: Frontier, guesses: Tensor, objective: Objective,
                progress: Progress | None = None) -> Choice:  # fmt: skip
    """Of each set the guess of greatest rank on its own list; candidates first on ties, then list order.

    Args:
        table: the words all indices point into.
        frontier: S candidate sets.
        guesses: [S, K] int32, K at least 1; the same word may stand in a row more than once.
        objective: a sum over classes.
        progress: told about pairs.
    """
    worth = objective.table.to(table.device)
    best, top, inside = guesses[:, 0], None, None
    for column in guesses.T:
        parted = split(table, frontier, column)
        # The found word is a class of its own, which `split` leaves out.
        ranks = parted.hits * (worth[1] + objective.bonus)
        ranks.index_add_(0, parted.parents, worth[parted.frontier.sizes])
        if progress:
            progress(frontier.members.shape[0])
        if top is None or inside is None:
            best, top, inside = column, ranks, parted.hits
            continue
        earlier = (parted.hits > inside) | ((parted.hits == inside) & (column < best))
        better = (ranks > top) | ((ranks == top) & earlier)
        best, top = torch.where(better, column, best), torch.where(better, ranks, top)
        inside = torch.where(better, parted.hits, inside)
    return Choice(best, guesses.shape[1] * frontier.members.shape[0])

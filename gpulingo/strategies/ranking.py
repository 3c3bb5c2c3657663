"""The strategy that ranks guesses by an objective: of the whole pool, of a part of it, or the candidates."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from gpulingo.strategies.objectives import SCALE_FREE, ObjectiveOf, two_turns, weighed
from gpulingo.strategies.pools import Pool
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True)
class Ranking:
    """The guess of greatest rank.

    The last turn guesses the first candidate, of words with weights the heaviest. The turn before is exact
    whatever the objective: there the classes of a guess, or the heaviest words of these, are what it yields
    (`two_turns`).

    Attributes:
        name: of the strategy.
        objective: for the size of the largest set, the turns left and the payoff.
        exact: rank by `two_turns` with two turns left; without, by the objective, as on the turns before.
        pool: the words that are searched, beside the candidates of each set; None: all that are legal.
        opening: index of the first guess; None: that of greatest rank.
    """

    name: str
    objective: ObjectiveOf
    exact: bool = True
    pool: Pool | None = None
    opening: int | None = None
    _members: dict[WordTable, Tensor] = field(default_factory=dict, repr=False, compare=False)

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        table, frontier = position.table, position.frontier
        if position.names_words or frontier.sets == 0:
            return Choice(position.likeliest())
        if self.opening is not None and position.turn == 1:
            self.objective(1, position.turns_left)  # which refuses more turns than it has values for
            return Choice(torch.full_like(frontier.firsts, self.opening))
        objective = self._objective(position)
        part = None if position.pool is None or self.pool is None else self.members(table, self.pool)
        if part is None or part.shape[0] == table.pool.shape[0]:
            searched = rank(table, frontier, position.pool, objective, progress=progress)
            return Choice(searched.guesses[:, 0], searched.pairs)
        position.shared_pool()  # which refuses one for each set
        searched = rank(table, frontier, part, objective, progress=progress)
        own = rank(table, frontier, None, objective, progress=progress)
        # A candidate of equal rank comes first, and of the candidates `own` has the first.
        better = searched.ranks[:, 0] > own.ranks[:, 0]
        guesses = torch.where(better, searched.guesses[:, 0], own.guesses[:, 0])
        return Choice(guesses, searched.pairs + own.pairs)

    def _objective(self, position: Position) -> Objective:
        """Return the objective of a position."""
        largest = position.largest
        if self.exact and position.decided_by_classes:
            return two_turns(largest, position.payoff)
        if self.exact and position.decided_by_heaviest:
            return two_turns(largest, position.payoff, heaviest=True)
        if position.table.weights is None or self.objective in SCALE_FREE:
            return self.objective(largest, position.turns_left, position.payoff)
        total, targets = position.weight
        words = max(largest * targets // total + 1, int(position.frontier.sizes_here.max()))
        return weighed(self.objective(words, position.turns_left, position.payoff), largest, total, targets)

    def members(self, table: WordTable, pool: Pool) -> Tensor:
        """Return [P] int32, ascending: the words of a pool, chosen once for a table."""
        if table not in self._members:
            self._members.clear()
            self._members[table] = pool.members(table)
        return self._members[table]

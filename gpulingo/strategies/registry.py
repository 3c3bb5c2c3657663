"""Strategies by name, and the one that ranks the vocabulary by an objective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch

from gpulingo.strategies.baselines import Choice, Letters, Random
from gpulingo.strategies.objectives import BY_NAME, ObjectiveOf, loaded_objective, parts
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.rank import rank
from gpulingo.words.encode import WordTable

NAMES = (*BY_NAME, "letters", "random")


class Strategy(Protocol):
    """A way to choose the guess of every candidate set.

    `choose` gets the word table, a frontier on the same device, the turns left including this one, and a
    function to tell the pairs evaluated to.
    """

    @property
    def name(self) -> str: ...

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice: ...


@dataclass(frozen=True)
class Ranking:
    """The guess of greatest rank, of the whole vocabulary or of the candidates.

    The last turn guesses the first candidate. The turn before is exact whatever the objective: there the
    number of classes, one more for a candidate, is the number of words that will be found (counting turns).

    Attributes:
        name: of the strategy.
        objective: for the size of the largest set and the turns left.
        consistent: guess candidates only.
    """

    name: str
    objective: ObjectiveOf
    consistent: bool = False

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once."""
        if left <= 1 or frontier.sets == 0:
            return Choice(frontier.firsts)
        largest = int(frontier.sizes.max())
        objective = (parts if left == 2 else self.objective)(largest, left)
        pool = None if self.consistent else torch.arange(table.words, dtype=torch.int32, device=table.device)
        ranked = rank(table, frontier, pool, objective, progress=progress)
        return Choice(ranked.guesses[:, 0], ranked.pairs)


def named(name: str, *, consistent: bool = False, seed: int = 0) -> Strategy:
    """The strategy of that name.

    Args:
        name: one of NAMES, or `module:function` for a user's objective.
        consistent: guess candidates only.
        seed: of the random strategy.
    Raises:
        ValueError: there is none, or it cannot be loaded.
    """
    if name == "letters":
        return Letters()
    if name == "random":
        return Random(torch.Generator().manual_seed(seed), "random" if seed == 0 else f"random seed {seed}")
    if name not in BY_NAME and ":" not in name:
        raise ValueError(f"no strategy {name!r}: use {', '.join(NAMES)} or module:function")
    objective = BY_NAME.get(name) or loaded_objective(name)
    return Ranking(f"{name} consistent" if consistent else name, objective, consistent)

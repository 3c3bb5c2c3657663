"""Rollout: of the letters that most candidates hold, the one that is best when the rest is rolled out.

Source: D. Bertsekas, rollout algorithms: one-step improvement of a base rule, here `frequency`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import torch

from gpulingo.games.game import Game
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import WordTable

NAME = re.compile(r"rollout(?:-([0-9]{1,2})-([0-9]{1,3}))?")
LEVELS, WIDTH = 5, 3  # as usual
MOST_LEVELS = 9
MEMORY = 1 << 28  # bytes for the values of sets


@dataclass(frozen=True)
class Rollout:
    """The letter of most value, where letters so far ahead are compared and the rest is rolled out.

    Attributes:
        levels: letters on every path that are the best of several, 1 or more; those after them are what most
            candidates hold.
        width: number of letters to compare, those that most candidates hold.
    """

    levels: int = LEVELS
    width: int = WIDTH

    @property
    def name(self) -> str:
        """Name of the strategy, in the form that `named_rollout` reads."""
        usual = (self.levels, self.width) == (LEVELS, WIDTH)
        return "rollout" if usual else f"rollout-{self.levels}-{self.width}"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets, one after the other."""
        from gpulingo.solvers.letters import (
            letter_search,  # imports the compiler, which a stored tree needs not
        )

        search = letter_search(position.table, position.payoff, MEMORY)
        guesses = []
        for number in range(position.frontier.sets):
            members = position.frontier.candidates(number).cpu()
            guesses.append(search.tree(members, position.turns_left, self.levels, self.width).guess[0])
        return Choice(torch.stack(guesses).to(position.table.device))

    def whole_tree(self, table: WordTable, game: Game) -> LetterTree:
        """Its tree, from all targets on."""
        from gpulingo.solvers.letters import letter_search

        search = letter_search(table, game.payoff, MEMORY)
        return search.tree(table.targets.cpu(), game.turns, self.levels, self.width)


def named_rollout(name: str) -> Rollout | None:
    """Return the rollout of a name, `rollout` or `rollout-LEVELS-WIDTH`; None for any other name.

    Raises:
        ValueError: no levels or width, or more levels than 9.

    >>> named_rollout("rollout-1-5")
    Rollout(levels=1, width=5)
    """
    found = NAME.fullmatch(name)
    if found is None:
        return None
    levels, width = (int(number) for number in found.groups(default="0")) if found[1] else (LEVELS, WIDTH)
    if not 1 <= levels <= MOST_LEVELS or width < 1:
        raise ValueError(f"strategy {name!r}, expected 1 to {MOST_LEVELS} levels and a width of 1 or more")
    return Rollout(levels, width)

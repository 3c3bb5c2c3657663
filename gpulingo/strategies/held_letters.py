"""Strategies that guess the letter which most candidates hold, as hangman is usually played.

A letter that splits no candidates is skipped: it is free or a wasted miss, and the words that are found do
not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.games.game import Game
from gpulingo.strategies.letters import summed
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.features import letter_copies, letter_places
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import WordTable

LOWEST = torch.iinfo(torch.int64).min


def held(copies: Tensor) -> Tensor:
    """1 for a letter that a word holds, however often."""
    return copies.clamp(max=1)


def squared(copies: Tensor) -> Tensor:
    """The square of how often a word holds a letter."""
    return copies * copies


@dataclass(frozen=True)
class HeldLetters:
    """The letter that counts most among the candidates, of those that split them.

    Attributes:
        name: of the strategy.
        count: value of a letter by its copies in a word: [..] int64 of [..] int64.
        by_list: on ties take the letter that counts most over the whole list of targets; without it, and on
            further ties, the first.
    """

    name: str
    count: Callable[[Tensor], Tensor]
    by_list: bool = False

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        table, frontier = position.table, position.frontier
        members = frontier.members.long()
        counts, places = self._counts(table)[members], letter_places(table)[members]  # [M, A]
        sums = summed(frontier, counts)  # [S, A]
        firsts = places[frontier.offsets[:-1]][frontier.owners]
        parting = summed(frontier, (places != firsts).long()) > 0
        best = torch.where(parting, sums, LOWEST)
        best_sum = best.max(1, keepdim=True).values
        before = torch.where(best == best_sum, self._before(table), LOWEST)
        return Choice((table.words + before.argmax(1)).int())

    def whole_tree(self, table: WordTable, game: Game) -> LetterTree:
        """Return the tree that `choose` leads to from all targets on, made at once."""
        # Imports the compiler, which `choose` does without.
        from gpulingo.solvers.letters import most_held_tree

        return most_held_tree(table, game.turns, self._counts(table), self._before(table))

    def _counts(self, table: WordTable) -> Tensor:
        """[W, A] int64, what each letter counts in each word; a target counts as often as it weighs."""
        counts = self.count(letter_copies(table))
        return counts if table.weights is None else counts * table.weights[:, None]

    def _before(self, table: WordTable) -> Tensor:
        """[A] int64, of letters that count alike the one with most is taken."""
        sums = self._counts(table)[table.targets.long()].sum(0)
        return sums if self.by_list else torch.zeros_like(sums)


def quiz() -> HeldLetters:
    """The letter whose squared number of copies, summed over the candidates, is greatest.

    On ties the one that has most in the whole list. Source: the quiz's guesser.
    """
    return HeldLetters("quiz", squared, by_list=True)


def frequency() -> HeldLetters:
    """The letter that most candidates hold."""
    return HeldLetters("frequency", held)

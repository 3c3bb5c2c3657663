"""Strategies based on letters: of candidates, which they guess, or of letters to guess, as in hangman.

If letters are guessed, a letter that splits no candidates is skipped: it costs nothing or a wasted miss,
and does not change which words are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpulingo.games.game import Game
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.arrays import Tensor, array_of, as_type, like, namespace, wide
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.frontier import Frontier, greatest, summed
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import WordTable, letter_copies, letter_places

if TYPE_CHECKING:
    from gpulingo.solvers.letters.value import LetterSearch

LetterValue = Callable[[Tensor, Tensor, Tensor], Tensor]
LOWEST = np.iinfo(np.int64).min
NAME = re.compile(r"rollout(?:-([0-9]{1,2})-([0-9]{1,3}))?")
LEVELS, WIDTH = 5, 3  # defaults
MOST_LEVELS = 9
MEMORY = 1 << 28  # bytes for the values of sets


# Source of "histogram" and "statistician": chinese-perl-goth.pl and statistician.rb of noirotm/lingo.
VALUES: dict[str, LetterValue] = {
    "letters": lambda holds, holders, copies: (holds * holders).sum(1),
    "histogram": lambda holds, holders, copies: (holds * copies).sum(1),
    "distinct": lambda holds, holders, copies: holds.sum(1),
    "statistician": lambda holds, holders, copies: holds.sum(1) * (holds * copies).sum(1),
}


@dataclass(frozen=True)
class Letters:
    """The candidate whose letters have most value.

    Attributes:
        value: of each candidate, [M] int64, from [M, A] int64 columns: 1 if it has the letter, number of
            candidates of its set that have it, and number of copies that they have.
        draws: for random ties; None: the first in list order.
    """

    name: str
    value: LetterValue
    draws: Draw | None = None

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        frontier = position.frontier
        copies = letter_copies(position.table)[frontier.members]  # [M, A]
        holds = wide(copies > 0)
        sums = (summed(frontier, counts)[frontier.owners] for counts in (holds, copies))  # each [M, A]
        values = self.value(holds, *sums)
        if self.draws is not None:
            order = like(self.draws.order(values.shape[0]), values)
            order = order[namespace(values).argsort(frontier.owners[order], stable=True)]
            values = values[order]
            # Unchecked, because a shuffled set does not ascend; only `greatest` uses it.
            frontier = Frontier.unchecked(frontier.members[order], frontier.offsets, frontier.below)
        return Choice(greatest(frontier, values))


@dataclass(frozen=True)
class Random:
    """Any candidate, each as likely."""

    draws: Draw
    name: str = "random"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        frontier, sizes = position.frontier, position.frontier.sizes
        shares = like(self.draws.shares(frontier.sets), sizes)
        places = namespace(sizes).minimum(wide(shares * sizes), sizes - 1)
        return Choice(frontier.members[frontier.offsets[:-1] + places])


@dataclass(frozen=True)
class HeldLetters:
    """The letter that counts most among the candidates, of those that split them; on ties the first."""

    name: str
    count: Callable[[Tensor], Tensor]  # value of a letter by its copies in a word: [..] int64 -> [..] int64
    by_list: bool = False  # on ties take the letter of greatest count over all targets of the list

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        table, frontier = position.table, position.frontier
        members, xp = frontier.members, namespace(frontier.members)
        counts, places = self._counts(table)[members], letter_places(table)[members]  # [M, A]
        sums = summed(frontier, counts)  # [S, A]
        firsts = places[frontier.offsets[:-1]][frontier.owners]
        parting = summed(frontier, wide(places != firsts)) > 0
        best = xp.where(parting, sums, LOWEST)
        best_sum = xp.max(best, axis=1)[:, None]
        before = xp.where(best == best_sum, self._before(table), LOWEST)
        return Choice(as_type(table.words + xp.argmax(before, axis=1), "int32"))

    def whole_tree(self, table: WordTable, game: Game) -> LetterTree:
        """Return the tree of `choose` from all targets on, built at once."""
        # This imports the compiler, which `choose` does not need.
        from gpulingo.solvers.letters.value import most_held_tree

        return most_held_tree(table, game.turns, self._counts(table), self._before(table))

    def _counts(self, table: WordTable) -> Tensor:
        """[W, A] int64, count of each letter in each word; a target counts by its weight."""
        counts = self.count(letter_copies(table))
        return counts if table.weights is None else counts * table.weights[:, None]

    def _before(self, table: WordTable) -> Tensor:
        """[A] int64: on ties of the count, the letter of greatest number here is taken."""
        sums = self._counts(table)[table.targets].sum(0)
        return sums if self.by_list else namespace(sums).zeros_like(sums)


@dataclass(frozen=True)
class LetterRollout:
    """The letter of most value, where letters so far ahead are compared and the rest is rolled out.

    Source: D. Bertsekas, rollout algorithms: one-step improvement of a base rule, here `frequency`.
    """

    levels: int = LEVELS  # letters on every path that are the best of several, at least 1; then the base rule
    width: int = WIDTH  # number of letters to compare, the most common ones

    @property
    def name(self) -> str:
        """Name of the strategy, in the form that `named_rollout` reads."""
        usual = (self.levels, self.width) == (LEVELS, WIDTH)
        return "rollout" if usual else f"rollout-{self.levels}-{self.width}"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        search = _searched(position.table, position.game)
        guesses = []
        for number in range(position.frontier.sets):
            members = array_of(position.frontier.candidates(number))
            guesses.append(search.tree(members, position.turns_left, self.levels, self.width).guess[0])
        return Choice(like(np.array(guesses, np.int32), position.table.letters))

    def whole_tree(self, table: WordTable, game: Game) -> LetterTree:
        search = _searched(table, game)
        return search.tree(array_of(table.targets), game.turns, self.levels, self.width)


def _searched(table: WordTable, game: Game) -> LetterSearch:
    """Return a search for the payoff, on ties for the fewest misses."""
    # These import the compiler, which a stored tree does not need.
    from gpulingo.solvers.letters.value import LetterSearch
    from gpulingo.solvers.payoffs import total_weight

    return LetterSearch(table, game.tie_broken(total_weight(table)).payoff, MEMORY)


def named_rollout(name: str) -> LetterRollout | None:
    """Return the rollout of a name, `rollout` or `rollout-LEVELS-WIDTH`; None for any other name."""
    match = NAME.fullmatch(name)
    if match is None:
        return None
    levels, width = (int(number) for number in match.groups(default="0")) if match[1] else (LEVELS, WIDTH)
    if not 1 <= levels <= MOST_LEVELS or width < 1:
        raise ValueError(f"strategy {name!r}, expected 1 to {MOST_LEVELS} levels and a width of 1 or more")
    return LetterRollout(levels, width)

"""Equal candidate sets recur from trial to trial: each is searched once for the same values."""

from __future__ import annotations

import torch

from gpulingo.search import MEMORY
from gpulingo.search.transpositions import SetHash
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.strategies.tuned import Tuned
from gpulingo.tensors.objective import Progress

Key = tuple[object, ...]  # turns left and the values that order guesses then
Guesses = dict[tuple[int, int], int]  # hash and check of a set -> its guess
ENTRY_BYTES = 200  # that a remembered guess takes, about: a tuple and a dict entry of CPython


def key_of(tuned: Tuned, left: int) -> Key:
    """What the guesses with so many turns left depend on; with two nothing, as they are exact."""
    return (left,) if left <= 2 else (left, tuned.knots[left - 1], tuned.bonus)


class Memo:
    """Guesses of sets for several values.

    Args:
        words: of the list.
        memory: bytes that they may take; then all are forgotten, and searched again at need.
    """

    def __init__(self, words: int, memory: int = MEMORY) -> None:
        self.hash, self.most = SetHash(words), memory // ENTRY_BYTES
        self._guesses: dict[Key, Guesses] = {}

    def guesses(self, tuned: Tuned, left: int) -> Guesses:
        """Guesses of sets with so many turns left; to be added to."""
        if sum(map(len, self._guesses.values())) > self.most:
            self._guesses = {}
        return self._guesses.setdefault(key_of(tuned, left), {})

    def keep(self, tuned: Tuned) -> None:
        """Forget what other values than these have guessed."""
        keys = {key_of(tuned, left) for left in range(2, tuned.turns)}
        self._guesses = {key: guesses for key, guesses in self._guesses.items() if key in keys}


class Memoised:
    """The strategy of tuned values, which looks every set up before it is searched.

    Args:
        tuned: the values.
        memo: of the same list.
        opening: whether the first guess is that of the values; else the one of greatest rank.
    """

    name = "tuned"

    def __init__(self, tuned: Tuned, memo: Memo, opening: bool) -> None:
        self.tuned, self.memo = tuned, memo
        self.strategy = tuned.strategy(opening)

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        frontier = position.frontier
        if position.turns_left <= 1 or position.turn == 1 or frontier.sets == 0:
            return self.strategy.choose(position, progress)
        known = self.memo.guesses(self.tuned, position.turns_left)
        rows = [(key, check) for key, check in self.memo.hash.of(frontier).tolist()]
        new = [place for place, row in enumerate(rows) if row not in known]
        pairs = 0
        if new:
            asked = position.take(torch.tensor(new, device=frontier.members.device))
            choice = self.strategy.choose(asked, progress)
            known.update(zip((rows[place] for place in new), choice.guesses.tolist(), strict=True))
            pairs = choice.pairs
        guesses = [known[row] for row in rows]
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=position.table.device), pairs)

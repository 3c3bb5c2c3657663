"""Equal candidate sets recur from trial to trial: each is searched once for the same values."""

from __future__ import annotations

import torch

from gpulingo.search.transpositions import Identities
from gpulingo.strategies.pools import Pooled
from gpulingo.strategies.strategy import Choice
from gpulingo.strategies.tuned import Tuned
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable

Key = tuple[object, ...]  # turns left and the values that order guesses then
Guesses = dict[tuple[int, int], int]  # identity and check of a set -> its guess
MEMORY, KNOWN = 4 << 30, 200  # bytes; those that a remembered set takes, about


def key_of(tuned: Tuned, left: int) -> Key:
    """What the guesses with so many turns left depend on; with two nothing, as they are exact."""
    return (left,) if left <= 2 else (left, tuned.knots[left - 1], tuned.bonus)


class Memory:
    """Guesses of sets for several values.

    Args:
        words: of the list.
        most: sets to remember; then all are forgotten, and searched again at need.
    """

    def __init__(self, words: int, most: int = MEMORY // KNOWN) -> None:
        self.identities, self.most = Identities(words), most
        self._held: dict[Key, Guesses] = {}

    def of(self, tuned: Tuned, left: int) -> Guesses:
        """Guesses of sets with so many turns left; to be added to."""
        if sum(map(len, self._held.values())) > self.most:
            self._held = {}
        return self._held.setdefault(key_of(tuned, left), {})

    def keep(self, tuned: Tuned) -> None:
        """Forget what other values than these have guessed."""
        keys = {key_of(tuned, left) for left in range(2, tuned.turns)}
        self._held = {key: guesses for key, guesses in self._held.items() if key in keys}


class Remembering:
    """The strategy of tuned values, which looks every set up before it is searched.

    Args:
        tuned: the values.
        memory: of the same list.
        opening: index of the first guess, or None.
    """

    name = "tuned"

    def __init__(self, tuned: Tuned, memory: Memory, opening: int | None) -> None:
        self.tuned, self.memory = tuned, memory
        self.strategy = Pooled(self.name, tuned.objective, tuned.pool, opening)

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once."""
        if left <= 1 or left == self.tuned.turns or frontier.sets == 0:
            return self.strategy.choose(table, frontier, left, progress)
        held = self.memory.of(self.tuned, left)
        rows = [(identity, check) for identity, check in self.memory.identities.of(frontier).tolist()]
        new = [at for at, row in enumerate(rows) if row not in held]
        pairs = 0
        if new:
            some = frontier.take(torch.tensor(new, device=frontier.members.device))
            chosen = self.strategy.choose(table, some, left, progress)
            held.update(zip((rows[at] for at in new), chosen.guesses.tolist(), strict=True))
            pairs = chosen.pairs
        guesses = torch.tensor([held[row] for row in rows], dtype=torch.int32, device=table.device)
        return Choice(guesses, pairs)

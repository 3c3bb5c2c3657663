"""Equal candidate sets recur from trial to trial: each is searched once for the same values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from gpulingo.search import MEMORY
from gpulingo.search.transpositions import SetHash
from gpulingo.strategies.ranking import Ranking
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.strategies.tuned import Tuned
from gpulingo.strategies.values import RISING
from gpulingo.tensors.objective import Objective, Progress, stacked

Key = tuple[object, ...]  # turns left and the values that order guesses then
Guesses = dict[tuple[int, int], int]  # hash and check of a set -> its guess
ENTRY_BYTES = 200  # that a remembered guess takes, about: a tuple and a dict entry of CPython


def key_of(tuned: Tuned, left: int) -> Key:
    """The values that guesses with `left` turns depend on; with two turns none, as they are exact."""
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
        """Guesses of sets with `left` turns; to be added to."""
        if sum(map(len, self._guesses.values())) > self.most:
            self._guesses = {}
        return self._guesses.setdefault(key_of(tuned, left), {})

    def keep(self, tuned: Tuned) -> None:
        """Forget what other values than these have guessed."""
        keys = {key_of(tuned, left) for left in range(2, tuned.turns)}
        self._guesses = {key: guesses for key, guesses in self._guesses.items() if key in keys}


class Memoised:
    """The strategies of several tuned values, each set looked up before it is searched.

    Args:
        tuned: the values, of one list and as many turns.
        memo: of the same list.
        opening: if True the first guess is that of the values, otherwise the one of greatest rank.
    """

    def __init__(self, tuned: Sequence[Tuned], memo: Memo, opening: bool) -> None:
        self.tuned, self.memo, self.opening = tuned, memo, opening

    def begun(self, position: Position) -> Position:
        """A position before the first guess, its sets once for each of the values, one after the other."""
        sets, numbers = position.frontier.sets, torch.arange(len(self.tuned), device=position.table.device)
        copies = position.take(torch.arange(sets, device=numbers.device).repeat(len(numbers)))
        return replace(copies, rows=numbers.repeat_interleave(sets), history=None)

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once, each by the values of its row."""
        assert position.rows is not None
        if position.turn == 1 and self.opening:
            openings = torch.tensor([each.opening for each in self.tuned], dtype=torch.int32)
            return Choice(openings.to(position.table.device)[position.rows])
        if position.names_words or position.turn == 1:
            return self._searched(position, progress)
        known = [self.memo.guesses(each, position.turns_left) for each in self.tuned]
        sums = map(tuple, self.memo.hash.of(position.frontier).tolist())
        wanted = list(zip(position.rows.tolist(), sums, strict=True))
        new: dict[tuple[int, object], int] = {}  # each set once for values that guess alike
        for place, (row, key) in enumerate(wanted):
            if key not in known[row]:
                new.setdefault((id(known[row]), key), place)
        pairs = 0
        if new:
            places = list(new.values())
            choice = self._searched(
                position.take(torch.tensor(places, device=position.table.device)), progress
            )
            for place, guess in zip(places, choice.guesses.tolist(), strict=True):
                row, key = wanted[place]
                known[row][key] = guess
            pairs = choice.pairs
        guesses = [known[row][key] for row, key in wanted]
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=position.table.device), pairs)

    def _searched(self, position: Position, progress: Progress | None) -> Choice:
        """The guesses of greatest rank."""

        def objective(largest: int, left: int, payoff: Sequence[int] = RISING, /) -> Objective:
            assert position.rows is not None
            return stacked([each.objective(largest, left, payoff) for each in self.tuned], position.rows)

        return Ranking("tuned", objective, pool=self.tuned[0].pool).choose(position, progress)

"""A strategy that loses no word, by a best-first search.

Classes are searched one by one, each up to a limit, and the next is always of the guess with fewest words so
far in classes that the limit left open. Open classes of the best guess are searched in the same way."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from heapq import heappop, heappush

import numpy as np

from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.threads import alone
from gpulingo.tensors.wordtable import WordTable

# By depth: guesses to compare, those of most classes, and most pairs per class. On the 12,972 words of
# Wordle's pool, 6 turns, 40 openings give a solution after 21 G pairs; limits of a quarter take 8 times as
# many searches, and openings in their order alone 118 G.
PLAN = ((40, 1 << 26), (400, 1 << 25))
Seeking = Generator[None, None, int | None]  # each step searches a class; returns the guess


class NoneLost:
    """Sets whose words can all be found, and the guesses for that; for one thread at a time.

    Args:
        memory: bytes for values of sets.
        progress: called with the pairs evaluated; may raise to end the work.
    """

    def __init__(self, table: WordTable, memory: int, progress: Progress) -> None:
        self._table, self.progress = table.here, progress
        self._search = ValueSearch(table, FOUND, memory)
        self._guesses: dict[tuple[int, bytes], int] = {}

    def value(self, members: Array, left: int, floor: int, limit: int) -> Valued:
        """As `ValueSearch.value`, in a game with one credit per word found."""
        guess = self._guesses.get((left, members.tobytes()))
        if guess is not None:
            return Valued(len(members), guess, 0)
        return self._search.value(members, left, floor, limit)

    def stop(self) -> None:
        """Stop the running search, from another thread."""
        self._search.stop()

    def seek(self, members: Array, left: int, depth: int = 0) -> Seeking:
        """Find a guess after which all words of a set can be found in the turns left; None if none is found.

        Args:
            members: [n] int32, ascending. left: turns, at least three.
        """
        width, limit = PLAN[depth]
        front, table = frontier([members]), self._table
        many = min(width, table.pool.shape[0])
        ranked = rank(table, front, table.pool, classes(len(members), 1), many, progress=self.progress)
        guesses = ranked.guesses[0]
        queue: list[tuple[int, int, list[Array], list[Array]]] = []
        for place, sets in enumerate(self._classes(front, guesses)):
            heappush(queue, (0, place, [], sets))
        while queue:  # by words in hard classes, then by number of classes
            words, place, hard, rest = heappop(queue)
            if rest:
                won = self._finds(rest[0], left - 1, limit)
                yield
                if won is None:
                    hard, words = [*hard, rest[0]], words + len(rest[0])
                rest = rest[1:]
            elif not hard:
                self._guesses[left, members.tobytes()] = guess = int(guesses[place])
                return guess
            elif depth + 1 == len(PLAN) or left == 3:
                return None  # other guesses have more words in hard classes
            else:
                won = (yield from self.seek(hard[0], left - 1, depth + 1)) is not None
                words, hard = words - len(hard[0]), hard[1:]
            if won is not False:
                heappush(queue, (words, place, hard, rest))
        return None

    def _finds(self, members: Array, left: int, limit: int) -> bool | None:
        """Return True if all words of a set can be found; None if the limit was reached."""
        search = partial(self._search.value, members, left, len(members) - 1, limit)
        answer = alone(search, self._search.stop, self.progress)
        self.progress(answer.pairs)
        return True if answer.guess >= 0 else None if answer.value < 0 else False

    def _classes(self, front: Frontier, guesses: Array) -> list[list[Array]]:
        """The classes of three or more words that each guess leaves of the only set, the smallest first."""
        made = split(self._table, front.take(np.zeros(len(guesses), np.int64)), guesses)
        classes_of: list[list[Array]] = [[] for _ in guesses]
        for number, parent in enumerate(made.parents.tolist()):
            classes_of[parent].append(made.frontier.candidates(number))
        return [sorted((words for words in every if len(words) > 2), key=len) for every in classes_of]

"""`letter_search`: values of sets of words when letters are guessed and misses cost, as in `hangman`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gpulingo.solvers.letter_classes import letter_classes
from gpulingo.solvers.letter_playout import playout
from gpulingo.solvers.letter_search import known_bracket, seek_letters
from gpulingo.solvers.letter_sets import letter_sets
from gpulingo.solvers.letter_tree import grow_most_held, grow_noted
from gpulingo.solvers.payoffs import checked_payoff
from gpulingo.solvers.transpositions import new_rows
from gpulingo.tensors.features import Array
from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.outcomes import LetterTree, Valued, ValuedTree
from gpulingo.tensors.wordtable import WordTable

MOST_VALUE = 1 << 30  # credits of all targets together


class LetterSearch:
    """Search for values of sets, with what it has learnt; not for several threads at once, except `stop`.

    Sets are [n] int32 of ascending word indices on the CPU, n at least 1; lives are at most those of the
    payoff.
    """

    def __init__(self, table: WordTable, payoff: Array, memory: int) -> None:
        classes, self._patterns = letter_classes(table)
        self._sets = letter_sets(table, classes, self._patterns, payoff)
        self._known = new_rows(memory)
        self._count = np.zeros(2, np.int64)  # words of sets opened, and the most there may be
        self._places, self._letters = table.length, len(table.alphabet)

    @property
    def opened(self) -> int:
        """Words of all the sets that the last search has opened."""
        return int(self._count[0])

    def stop(self) -> None:
        """End, from another thread, what is searched now."""
        self._count[1] = -1

    def value(
        self, members: Tensor, lives: int, width: int, floor: int = -1, limit: int = 1 << 62
    ) -> int | None:
        """Return the value of a set where at each set only `width` letters are compared.

        They are those that most candidates hold, and what was best before. With the width of the alphabet it
        is the value itself.

        Args:
            width: 1 or more.
            floor: -1 or more; a value that is not above it is answered by a bound that is not.
            limit: words of the sets that may be opened; None beyond that.
        """
        n = self._put(members)
        self._count[:] = 0, limit
        value = seek_letters(self._sets, self._known, n, lives, self._places, floor, width, self._count)
        return int(value) if value >= 0 else None

    def best(
        self, members: Tensor, left: int, legal: Tensor | None = None, past: Sequence[int] | None = None
    ) -> Valued:
        """Return the value of a set and a best letter, both -1 where the search was stopped.

        Args:
            left: lives. legal, past: unused: every letter may be guessed, and any may be best.
        """
        value = self.value(members, left, self._letters)
        guess = -1 if value is None else int(self.tree(members, left, 0, 1).guess[0])
        return Valued(-1 if value is None else value, guess, self.opened)

    def bracket(self, members: Tensor, lives: int) -> tuple[int, int]:
        """Return a reached value of a set, as far as it was searched, and an upper bound of its value."""
        lower, upper = known_bracket(self._sets, self._known, self._put(members), lives, self._places)
        return int(lower), int(upper)

    def playout(self, members: Tensor, lives: int, levels: int, width: int) -> int:
        """Return a set's value if the first letters are the best of `width`, the others what most words hold.

        Args:
            levels: number of letters on every path that are compared so, 0 or more.
        """
        n = self._put(members)
        return int(playout(self._sets, self._known, 0, 0, n, n, lives, levels, width, 0))

    def tree(self, members: Tensor, lives: int, levels: int, width: int) -> ValuedTree:
        """Return the tree of the search's best letters, otherwise of the choices of `playout`."""
        n = self._put(members)
        playout(self._sets, self._known, 0, 0, n, n, lives, levels, width, 1)
        rows, value = _grown(grow_noted, (self._sets, self._known), self._patterns, n, lives)
        return ValuedTree(rows[0], rows[1], rows[2], rows[3], value)

    def _put(self, members: Tensor) -> int:
        """Make the members the set that is searched, and return how many there are."""
        self._sets.members[: members.shape[0]] = members.numpy()
        return members.shape[0]


def most_held_tree(table: WordTable, lives: int, counts: Tensor, before: Tensor) -> LetterTree:
    """The tree of guessing the letter that is counted most among the candidates, of those that part them.

    Played set by set as any strategy, the same tree of 49,004 words takes 10 CPU seconds instead of 0.4.

    Args:
        table: of feedback `positions`. lives: 1 or more.
        counts: [W, A] int64, 0 or more: what each letter of the alphabet counts in each word, 0 where the
            word lacks it.
        before: [A] int64: of letters that are counted alike the one with most here is guessed, then the
            first.
    """
    table, n = table.to("cpu"), table.targets.shape[0]
    classes, patterns = letter_classes(table)
    sets = letter_sets(table, classes, patterns, np.array([0] + [1] * lives, np.int64))
    sets.members[:n] = table.targets.numpy()
    space = sets, counts.cpu().numpy(), before.cpu().numpy()
    return LetterTree(*_grown(grow_most_held, space, patterns, n, lives)[0])


def _grown(
    grow: Any, space: tuple[Any, ...], patterns: Array, n: int, lives: int
) -> tuple[list[Tensor], int]:
    """Return the arrays of a tree that `grow` makes, see `LetterTree`, and its value."""
    size = 2 * n + 1
    kinds = np.int32, patterns.dtype, np.int32, np.uint8
    arrays = tuple(np.zeros(size, kind) for kind in kinds)
    nodes, value = grow(space, patterns, n, lives, arrays, np.zeros((size, 3), np.int64))
    ends = nodes, nodes, nodes + 1, nodes
    return [torch.from_numpy(row[:end].copy()) for row, end in zip(arrays, ends, strict=True)], int(value)


def letter_search(table: WordTable, payoff: Sequence[int], memory: int) -> LetterSearch:
    """Return a search for values of sets of words to a guesser of letters, the target drawn by lot.

    The value of a set with k lives is the most, over the letters, of the sum of its classes' values, with k
    lives where the letter is in the words and k - 1 where it is not. A set of one word has the value
    `payoff[k]` times its weight, one with no life left 0.

    Args:
        table: the words, of at most 39 letters.
        payoff: credits of a word found with 0, 1, .. lives left; the first is 0, they never fall.
        memory: bytes for what is known of sets; when full, sets of few words are replaced.
    Raises:
        ValueError: the payoff falls, pays for a lost word, or all words together pass 2^30; longer words.

    >>> from gpulingo.tensors.wordtable import encode
    >>> table = encode(["dents", "dozes", "reads", "tents"])
    >>> letter_search(table, [0, 1, 1], 1 << 20).value(table.targets, lives=1, width=26)
    3
    """

    code_dtype(table.length)  # which refuses words whose places do not fit
    return LetterSearch(table.to("cpu"), checked_payoff(table, payoff, MOST_VALUE), memory)

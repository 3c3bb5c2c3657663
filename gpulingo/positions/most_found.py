"""The guesser of letters that finds most words, or takes fewest misses, when the target is drawn by lot.

Few letters are compared at every set first, then more and more: whenever it ends there is a best tree so far,
and once all letters have been compared that tree is proven to be best.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Event

from gpulingo.games.game import Game
from gpulingo.positions.revealed import revealed_bound
from gpulingo.solvers.letters import letter_search
from gpulingo.tensors.clock import clock
from gpulingo.tensors.outcomes import ValuedTree
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 12)  # letters that are compared at each set, before all are
LEVELS, BESIDE = 1, 4  # of the playouts that choose letters of sets that no search has noted
MEMORY = 1 << 30
LIMITS = (10**5, 10**6, 10**7)  # words of sets opened for a part of the targets, of which a bound is made
CLOSE = 200  # of the value a part so small is no longer halved


@dataclass(frozen=True)
class Searched:
    """Progress of a search.

    Attributes:
        width: letters that are compared at each set.
        value: credits of the best tree, summed over the targets.
        bound: no guesser has more.
        opened: words of all sets that were opened.
        seconds: since the search began.
    """

    width: int
    value: int
    bound: int
    opened: int
    seconds: float


Often = Callable[[Searched], None]


class _Ended(Exception):
    """The search was stopped."""


class MostFound:
    """The search, and what it knows whenever it ends.

    Args:
        table: the words; its targets are the candidates.
        game: its turns are the lives, its payoff counts: `hangman` or `hangman_misses`.
        memory: bytes; see `letters.letter_search`.
    Attributes:
        value: credits of a tree that was found, summed over the targets.
        bound: no guesser has more.
        width: letters that were compared at each set, of the last search that ended; 0: none did.
        opened: words of all sets that were opened.
    Raises:
        ValueError: misses do not cost, or the payoff is not one that is searched for.

    >>> from gpulingo import encode
    >>> from gpulingo.games.catalogue import hangman
    >>> search = MostFound(encode(["dents", "dozes", "reads", "tents"]), hangman(1), memory=1 << 20)
    >>> search.run()
    >>> search.value, search.bound, search.optimal
    (3, 3, True)
    """

    def __init__(self, table: WordTable, game: Game, memory: int = MEMORY) -> None:
        if not game.counts_misses or game.opponent != "chance":
            raise ValueError(f"game {game.code} is not of letters for a target drawn by lot: use hangman")
        self._table, self._lives, self._ended = table, game.turns, Event()
        self._targets = table.targets.cpu()
        self._search = letter_search(table, game.payoff, memory)
        self.value = self._search.playout(self._targets, self._lives, 0, 1)
        self.bound = self._search.bracket(self._targets, self._lives)[1]
        self.width, self.opened = 0, 0

    @property
    def optimal(self) -> bool:
        """Return True if no guesser has more than the tree that was found."""
        return self.value == self.bound

    def run(
        self,
        seconds: float | None = None,
        widths: tuple[int, ...] = WIDTHS,
        often: Often = lambda searched: None,
    ) -> None:
        """Search until the best is proven or the time is over.

        Args:
            seconds: it may take, half of them for few letters; None: as many as it needs.
            widths: letters that are compared at each set, one search after the other; then all are.
            often: told how far it is now and then; may raise to end it.
        """
        self._ended.clear()
        began, letters = clock(), len(self._table.alphabet)
        ends = None if seconds is None else began + seconds
        half = None if seconds is None else began + seconds / 2  # the other one is for the bound
        for width in [width for width in widths if width < letters]:
            if half is None or clock() < half:
                self._seek(width, self.value, partial(self._tell, often, width, began, ends, half))
        tell = partial(self._tell, often, letters, began, ends)
        for limit in LIMITS:
            self._reveal(limit, tell)
        while not self.optimal and not self._ended.is_set():
            gap = self.bound - self.value
            # A floor far above the value is soon proven, and what is learnt by it helps with the next.
            floor = self.value + (gap // 2 if gap > self.value // CLOSE else 0)
            value = self._seek(letters, floor, tell)
            if value is not None:
                self.bound = max(self.value, min(self.bound, value))

    def _reveal(self, limit: int, tell: Callable[[], None]) -> None:
        """Lower the bound by parts of the targets, unless there is no need or no time."""

        def pause() -> None:
            self.opened += self._search.opened
            if self._ended.is_set():
                raise _Ended

        if self.optimal or self._ended.is_set():
            return
        reveal = partial(revealed_bound, self._search, self._table, self._lives, limit, often=pause)
        with suppress(_Ended):
            self.bound = max(self.value, min(self.bound, shared([reveal], waiting=tell, stop=self.stop)[0]))
            tell()

    def _seek(self, width: int, floor: int, tell: Callable[[], None]) -> int | None:
        """Search among `width` letters for more than the floor, unless there is no need or no time."""
        if self.optimal or self._ended.is_set():
            return None
        items = [partial(self._search.value, self._targets, self._lives, width, floor)]
        value = shared(items, waiting=tell, stop=self._search.stop)[0]
        self.opened += self._search.opened
        lower, upper = self._search.bracket(self._targets, self._lives)
        self.value, self.bound = max(self.value, lower), min(self.bound, upper)
        if value is not None:
            self.width = max(self.width, width if floor <= self.value else 0)
            tell()
        return value

    def stop(self) -> None:
        """End, from another thread, what is searched now."""
        self._ended.set()
        self._search.stop()

    def tree(self) -> ValuedTree:
        """The best tree; a table too small for all of it may have lost a part, which playouts replace."""
        return self._search.tree(self._targets, self._lives, LEVELS, BESIDE)

    def _tell(
        self, often: Often, width: int, began: float, ends: float | None, part: float | None = None
    ) -> None:
        """Say how far the search is, and end it when its time is over, or this part of it."""
        often(Searched(width, self.value, self.bound, self.opened + self._search.opened, clock() - began))
        if self._ended.is_set() or (ends is not None and clock() >= ends):
            self.stop()
        elif part is not None and clock() >= part:
            self._search.stop()

"""First guesses that always find the word in time, whatever an adversary does who knows the strategy.

Whether all words can be found within one guess, two, three, and so on, is asked of every first guess, until
some can.
"""

from __future__ import annotations

from collections.abc import Callable

from gpulingo.bounds.every_guess import Searches
from gpulingo.games.catalogue import MOST_TURNS, find_game
from gpulingo.games.game import Game
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.threads import threads
from gpulingo.tensors.wordtable import WordTable

TOGETHER = 8  # first guesses for each thread between two looks at the time
Often = Callable[[int, int, int], None]


class FirstGuesses:
    """The search, and what it knows whenever it ends.

    Args:
        table: the words.
        game: of which only what is legal counts.
        memory: bytes that remembered sets may take.
        turns: search only this number of guesses; None: the fewest that are enough for some.
    Attributes:
        at_least: no strategy always finds the word with fewer guesses.
        openings: indices of first guesses that are enough with `at_least` guesses, of those that were asked.
        done: whether all first guesses were asked.
    Raises:
        ValueError: no such game is searched.

    >>> from gpulingo import encode, lingo
    >>> found = FirstGuesses(encode(["dents", "dozes", "reads"]), lingo(), memory=1 << 20)
    >>> found.run()
    >>> found.at_least, found.openings
    (2, [0, 1, 2])
    """

    def __init__(self, table: WordTable, game: Game, memory: int, turns: int | None = None) -> None:
        self.table, self.game, self.memory = table, game, memory
        self.at_least, self._fixed = turns or 1, turns is not None
        self.openings: list[int] = []
        self.done = False
        counts = class_counts(table, table.targets).long()
        order = counts.sort(descending=True, stable=True).indices.tolist()
        self._order = [opening for opening in order if int(counts[opening]) > 0]

    def run(self, often: Often = lambda done, total, guesses: None) -> None:
        """Search to the end.

        Args:
            often: called now and then with the first guesses searched, their total, and the number of
                guesses; may raise to end the search.
        """
        while True:
            self._ask(often)
            if self.openings or self._fixed or self.at_least == MOST_TURNS:
                break
            self.at_least += 1
        self.done = True

    def _ask(self, often: Often) -> None:
        """Ask every first guess whether it is enough with `at_least` guesses."""
        turns, everything = self.at_least, self.table.targets.shape[0]
        game = find_game(f"{self.game.name}-found", turns)
        searches = Searches(self.table, game, self.memory)
        done, block = 0, TOGETHER * threads()

        def waiting(pairs: int) -> None:
            often(done, len(self._order), turns)

        for first in range(0, len(self._order), block):
            some = self._order[first : first + block]
            found = searches.after_each(some, turns, [everything - 1] * len(some), waiting)
            self.openings += [
                opening for opening, each in zip(some, found, strict=True) if each.value == everything
            ]
            if any(each.value < 0 or not each.complete for each in found):
                raise ValueError(f"{self.table.words} words are too many to be searched: use fewer")
            done += len(some)
            waiting(0)
        self.openings.sort()

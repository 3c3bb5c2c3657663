"""First guesses against a host, by the number of guesses within which a round can end: one, two, three, more.

Against a host that keeps the largest class nothing is random, so this is a search for shortest paths; first
guesses after which the host keeps the same class are searched once. Against an adversary that knows the
strategy, each first guess is tested for whether all words can be found in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from typing import Any

import numpy as np

from gpulingo.bounds.every_guess import Searches
from gpulingo.games.catalogue import MOST_TURNS, find_game
from gpulingo.games.game import Game
from gpulingo.solvers.hosts.lines import MOST_GUESSES, LineSearch
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.outcomes import Lines
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.wordlist import WordList

Often = Callable[[int, int, int], None]
Summary = tuple[dict[str, Any], str, list[dict[str, Any]]]  # JSON fields, a sentence, a row for each opening
TOGETHER = 8  # first guesses for each thread between two looks at the time


class LineSolver:
    """The search, with its results so far: no line has fewer than `at_least` guesses, one has `at_most`;
    `openings` are the first guesses of lines of `at_least` guesses, with the number of these lines.

    >>> from gpulingo import encode
    >>> solver = LineSolver(encode(["dents", "dozes", "reads"]), memory=1 << 20)
    >>> solver.run()
    >>> solver.at_least, solver.openings, solver.line(0)
    (2, {0: 1, 1: 1, 2: 1}, [0, 2])
    """

    def __init__(self, table: WordTable, memory: int) -> None:
        self.table, self._targets = table, array_of(table.targets)
        self._search, self._ended = LineSearch(table, memory), Event()
        self._known: dict[tuple[bytes, int], Lines] = {}  # what `_shortest` returned for a set and a limit
        self.at_least, self.at_most, self.done = 1, self.greedy(), False
        self.openings: dict[int, int] = {}
        sizes = self._search.kept(self._targets).sizes
        self.kept = dict(zip(table.pool.tolist(), sizes.tolist(), strict=True))

    def run(
        self,
        often: Often = lambda done, total, guesses: None,
        check: Callable[[], None] = lambda: None,
        only: int | None = None,
    ) -> None:
        """Search to the end, all lines or those that begin with `only` one guess; `often` is called with the
        words of the classes searched, their total and the length of the lines, `check` while classes are
        listed before that; both may raise to end it.
        """
        self._ended.clear()
        if self._targets.shape[0] == 1:
            self.openings, self.done = {int(self._targets[0]): 1}, True
            return
        classes = list[tuple[list[int], Array]]()
        if only is not None:
            kept = self._search.after(self._targets, only)
            self.at_most, classes = self.greedy(only), [([only], kept)]
            if kept.shape[0] == self._targets.shape[0]:  # it tells nothing: the best lines follow
                return
        for listed in self._classes(self._targets) if only is None else ():
            check()
            classes.append(listed)
        total = sum(kept.shape[0] for _, kept in classes)
        while not self.openings:
            self.at_least += 1
            self._search_openings(classes, lambda done: often(done, total, self.at_least))
        self.at_most, self.done = self.at_least, True

    def line(self, opening: int) -> list[int]:
        """Return the guesses of one shortest line that begins with an opening of `openings`."""
        if self.at_least == 1:
            return [opening]
        line, members = [opening], self._search.after(self._targets, opening)
        for guesses in range(self.at_least - 2, 0, -1):  # after the next one
            (begins, *_), members = next(
                (group, kept) for group, kept in self._classes(members)
                if self._shortest(kept, guesses).guesses == guesses
            )  # fmt: skip
            line.append(begins)
        return line + members.tolist()

    def summary(self, words: WordList, top: int | None) -> Summary:
        """Return what is known, with the `top` openings of most lines; None: all."""
        least, most, openings = self.at_least, self.at_most, self.openings
        order = sorted(openings, key=lambda opening: (-openings[opening], opening))
        line, lines = [words[guess] for guess in self.line(order[0])] if order else [], sum(openings.values())
        entry = {"at_least": least, "at_most": most, "line": line}
        entry |= {"openings": len(openings), "lines": lines, "complete": self.done}
        rows = [
            {"opening": words[own], "lines": openings[own], "kept": self.kept[own]} for own in order[:top]
        ]
        if not openings:
            bounds = f"at least {least}, at most {most}" if least < most else str(least)
            return entry, f"{bounds} guesses; no first guess that leads there is known yet", rows
        prefix = "" if self.done else "at least "
        leading = f"{prefix}{len(openings):,} of {len(words):,} first guesses lead there"
        by = f"by {prefix}{lines:,} lines; one is {', '.join(line)}"
        return entry, f"{least} guesses; {leading}, {by}", rows

    def greedy(self, opening: int | None = None) -> int:
        """Return the guesses of a line, maybe after an opening, whose guesses leave the fewest candidates."""
        pool, members, guesses = self.table.pool, self._targets, 1
        if opening is not None:
            members, guesses = self._search.after(members, opening), 2
        while members.shape[0] > 1:
            best = int(self._search.kept(members).sizes.argmin())  # on ties the first
            members = self._search.after(members, int(pool[best]))
            guesses += 1
        return guesses

    def _search_openings(self, classes: list[tuple[list[int], Array]], often: Callable[[int], None]) -> None:
        """Search for lines of `at_least` guesses that begin with the guesses of all groups."""
        done = 0

        def tell(opened: tuple[int, dict[int, int]]) -> None:
            nonlocal done
            done += opened[0]
            self.openings |= opened[1]
            if self.openings:
                self.at_most = self.at_least
            often(done)

        items = [partial(self._opened, group, kept, self.at_least - 1) for group, kept in classes]
        shared(items, tell, lambda: often(done), self._ended.set)

    def _opened(self, group: list[int], kept: Array, limit: int) -> tuple[int, dict[int, int]]:
        """Return the number of words kept after each guess of a group, and the lines that begin with each."""
        lines = self._shortest(kept, limit)
        return kept.shape[0], dict.fromkeys(group, lines.lines) if lines.guesses else {}

    def _shortest(self, members: Array, limit: int) -> Lines:
        """Return the shortest lines that end the round from a set, if they have at most `limit` guesses."""
        if limit <= MOST_GUESSES:
            return self._search.shortest(members, limit)
        key = members.tobytes(), limit
        if key not in self._known:
            lines = self._shortest(members, limit - 1)
            for group, kept in () if lines.guesses else self._classes(members):
                if self._ended.is_set():
                    raise TimeIsUp
                lines = lines.joined(self._shortest(kept, limit - 1).after(len(group)))
            self._known[key] = lines
        return self._known[key]

    def _classes(self, members: Array) -> Iterator[tuple[list[int], Array]]:
        """The classes that the host may keep of a set, smallest first, and the guesses that lead to each."""
        pool, kept = self.table.pool, self._search.kept(members)
        groups: dict[int, list[int]] = {}
        for place, first in enumerate(kept.first.tolist()):
            if kept.sizes[place] < members.shape[0]:
                groups.setdefault(first, []).append(int(pool[place]))
        for first in sorted(groups, key=lambda first: int(kept.sizes[first])):
            yield groups[first], self._search.after(members, int(pool[first]))


class FirstGuesses:
    """The search, with its results so far: no strategy always finds the word with fewer than `at_least`
    guesses; `openings` are first guesses for which that many are enough, of those tested.

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
        counts = array_of(class_counts(table, table.targets)).astype(np.int64)
        order = np.argsort(-counts, kind="stable").tolist()
        self._order = [opening for opening in order if int(counts[opening]) > 0]

    def run(self, often: Often = lambda done, total, guesses: None, *, only: int | None = None) -> None:
        """Search to the end, all first guesses or `only` one; `often` is called with the first guesses
        searched, their total, and the number of guesses, and may raise to end the search.
        """
        self._order = self._order if only is None else [only]
        self._ask(often)
        while not (self.openings or self._fixed or self.at_least == MOST_TURNS):
            self.at_least += 1
            self._ask(often)
        self.done = True

    def summary(self, words: WordList, top: int | None) -> Summary:
        """Return what is known, with the first `top` openings that are enough; None: all."""
        openings, least = self.openings, self.at_least
        entry = {"opponent": "adversary", "at_least": least, "at_most": least if openings else None}
        entry |= {"openings": len(openings), "complete": self.done}
        prefix = "" if self.done else "at least "
        enough = f"{prefix}{len(openings):,} of {len(words):,} first guesses are enough"
        rows = [{"opening": words[opening]} for opening in openings[:top]]
        return entry, f"within {least} guesses {enough}", rows

    def _ask(self, often: Often) -> None:
        """Test for every first guess whether `at_least` guesses are enough."""
        turns, everything = self.at_least, self.table.targets.shape[0]
        game = find_game(f"{self.game.name}-found", turns)
        searches = Searches(self.table, game, self.memory)
        done, block = 0, TOGETHER * threads()

        def waiting(pairs: int) -> None:
            often(done, len(self._order), turns)

        for first in range(0, len(self._order), block):
            some = self._order[first : first + block]
            results = searches.after_each(some, turns, everything - 1, waiting)
            self.openings += [
                opening for opening, each in zip(some, results, strict=True) if each.value == everything
            ]
            if any(result.value < 0 or not result.complete for result in results):
                raise ValueError(f"{self.table.words} words are too many to be searched: use fewer")
            done += len(some)
            waiting(0)
        self.openings.sort()

"""The best guesses after a history: of few words in numpy, which takes no torch; otherwise by `outlooks`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

import numpy as np

from gpulingo.advice.outlook import EXACT, PLAYED, Alike, GuessStats
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.optimise.deadline import Deadline, OutOfTime, answered, stopped_at
from gpulingo.positions.rolled_out import (
    FEW,
    FIRST,
    MEMORY,
    TRIED,
    WARM,
    Progress,
    Rollout,
    best_of,
    found_text,
    warm_words,
)
from gpulingo.solvers.payoffs import is_searched
from gpulingo.solvers.words.few import Choose, FewWords
from gpulingo.tensors.wordtable import Array
from gpulingo.words.wordlist import WordList

PAIRS = 1 << 28  # pairs of guess and word left; with more, not all guesses are ranked


def outlooks(
    words: WordList,
    game: Game,
    history: Sequence[tuple[str, str]],
    *,
    letter: str = "",
    count: int = 10,
    seconds: float = 2.0,
    device: str = "auto",
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> tuple[list[GuessStats], str]:
    """Return the best guesses after a history, the best first, and how they were found.

    See `positions.outlooks.outlooks`, which has the same result where both search to the end.
    """
    if device in ("auto", "cpu") and _is_plain(words, game, history):
        few = _few(words, game, history)
        if 0 < len(few.members) <= FEW and len(few.members) * len(words) <= PAIRS:
            _warm(game)
            search = _Search(few, words, game, count, Deadline(seconds, stop), progress)
            search.run()
            return search.answer()
    from gpulingo.positions import outlooks

    options: dict[str, Any] = {"letter": letter, "device": device, "progress": progress, "stop": stop}
    return outlooks.outlooks(words, game, history, count=count, seconds=seconds, **options)


def _is_plain(words: WordList, game: Game, history: Sequence[tuple[str, str]]) -> bool:
    """Return True for a game of marks by chance in which any word is legal, with two turns or more."""
    plain = game.opponent == "chance" and game.shows_marks and game.legal == "any" and not game.given
    left = game.turns - len(history)
    return (
        plain
        and left > 1
        and words.weights is None
        and is_searched(game.payoff)
        and not Alike(words, game).several
    )


def _few(words: WordList, game: Game, history: Sequence[tuple[str, str]]) -> FewWords:
    strange = sorted({guess for guess, _ in history}.difference(words.words))
    ids = range(len(words)) if words.target_ids is None else words.target_ids
    pattern = feedback_of(game).pattern
    known = [(guess, pattern(marks)) for guess, marks in history]
    targets = np.array(ids, np.int32)
    return FewWords([*words.words, *strange], len(words), targets, known, payoff=game.payoff, memory=MEMORY)


class _Search:
    """The search of one set, with its results so far."""

    def __init__(
        self,
        few: FewWords,
        words: WordList,
        game: Game,
        count: int,
        deadline: Deadline,
        progress: Progress | None = None,
    ) -> None:
        self.few, self.words, self.game, self.count = few, words, game, count
        self.deadline, self._progress = deadline, progress
        self.found: list[Rollout] = []  # may have several of one guess

    def run(self) -> None:
        """Search for the best guess, roll guesses out, and search for the values of the best of them."""
        if self.deadline.stopped():
            return
        self._search_all(self.deadline.part(FIRST))
        if self.deadline.stopped() and not self.found:
            self.deadline = Deadline(0)  # who stops it gets guesses too
        if self.count > 1 or not self.found:
            self._report()
            with suppress(OutOfTime):
                self._add(self.few.ranked(max(self.count, TRIED)), self.few.parts, self.deadline.patient())
                if self.deadline.left:
                    self._report()
                    self._search_all(self.deadline)

    def answer(self) -> tuple[list[GuessStats], str]:
        """Return the best guesses so far, and how they were found."""
        best, total = self._best_so_far(), len(self.few.members)
        stats = [rollout.stats(self.words[rollout.guess], total) for rollout in best]
        return stats, found_text(best, self.game, "parts")

    def _report(self) -> None:
        if self._progress is not None and self.found:
            self._progress(*self.answer())

    def _best_so_far(self) -> list[Rollout]:
        return best_of(self.found, self.game)[: self.count]

    def _search_all(self, deadline: Deadline) -> None:
        few = self.few

        def best(members: Array, offsets: Array, left: int) -> Array:
            return few.best(partial(answered, few.search, deadline.check), members, offsets, left)

        with suppress(OutOfTime), stopped_at(few.search, deadline):
            (first,) = best(few.members, np.array([0, len(few.members)]), few.left).tolist()
            for guess in dict.fromkeys([first, *(rollout.guess for rollout in self._best_so_far())]):
                self._add([guess], best, deadline, EXACT)

    def _add(self, guesses: Sequence[int], choose: Choose, deadline: Deadline, by: str = PLAYED) -> None:
        """Add rollouts of guesses; an exact one is better than another of the same guess."""
        deadline.check()
        exact = {rollout.guess for rollout in self.found if rollout.exact}
        rows = self.few.rolled_out([guess for guess in guesses if guess not in exact], choose)
        self.found += [Rollout(*row, by == EXACT, by) for row in rows]


@cache
def _warm(game: Game) -> None:
    """Load kernels by a search of a few words, so that search time is not spent on it."""
    words = warm_words()
    _Search(_few(words, game, []), words, game, 3, Deadline(WARM)).run()

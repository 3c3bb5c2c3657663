"""Search for the best guesses of a position: rolled out, looked ahead of, searched to the end.

Every phase asks one deadline; small sets are searched to the end first, which ends soon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from torch import Tensor

from gpulingo.advice.outlook import AHEAD, AMONG, EXACT, PLAYED, Alike, GuessStats, limit_text
from gpulingo.optimise.every_guess import Deadline, EveryGuess, OutOfTime, stopped_at
from gpulingo.optimise.lookahead import Lookahead
from gpulingo.positions.playout import Played, best_of, blocks, guesses_of, is_large, played, ranked
from gpulingo.positions.set_values import set_weights
from gpulingo.solvers.letters import MOST_VALUE, LetterSearch, letter_search
from gpulingo.solvers.payoffs import is_searched
from gpulingo.solvers.value import ValueSearch, value_search
from gpulingo.strategies.registry import named, usual_name
from gpulingo.strategies.strategy import Position, Strategy
from gpulingo.tensors.clock import clock
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.operations import START

WIDTH = 10  # guesses of each set that a lookahead expands
TOGETHER = 5  # guesses that are followed up by it at once
TRIED = 50  # guesses that are rolled out
MANY = 5040  # guesses that are ranked where symmetries map many to one
SMALL = 400  # words of a set that is searched to the end before anything is looked ahead of
OUT, LOOK = 0.4, 0.5  # of the time that is left: for playing out, then of larger sets for looking ahead
LARGE = 0.25  # of the time for playing out such sets as `is_large` says: each guess takes long
HOPELESS = 4000  # words of a set that a search does not get through in some seconds
PATIENT = 30.0  # seconds from which on such sets are searched, and still larger ones looked ahead of
MEMORY = 1 << 28  # bytes that what is known of sets may take
OFTEN = 0.2  # seconds between two reports of progress
ROLLED = "of the guesses of most classes, each rolled out by {name}"
SEARCHED = "by a search of every guess: proven best"
Progress = Callable[[list[GuessStats], str], None]


class Search:
    """The search of one position, and what it knows whenever it ends.

    Args:
        position: of one set.
        names: of all guesses.
        count: guesses that are wanted.
        deadline: that every phase asks.
        progress: see `outlooks`.
        alike: the symmetries of the position.
    Attributes:
        found: guesses that were followed up, some more than once.
    """

    def __init__(
        self,
        position: Position,
        names: Sequence[str],
        count: int,
        deadline: Deadline,
        progress: Progress | None = None,
        alike: Alike | None = None,
    ) -> None:
        self.position, self.names, self.count, self.alike = position, names, count, alike
        self.deadline, self._progress, self._told = deadline, progress, clock()
        self.game, self.size = position.game, int(position.frontier.sizes_here[0])
        self.strategy: Strategy = named(usual_name(self.game), game=self.game)
        self.found: list[Played] = []
        self._total = int(set_weights(position))

    def run(self) -> None:
        """Search until the best guesses are proven or the deadline is over."""
        small = self.size <= SMALL
        self.play_out(self.deadline.part(LARGE if is_large(self.position) else OUT))
        if self.position.names_words or not self.found:
            self.found = [replace(own, exact=True, by=EXACT) for own in self.found]  # nothing follows
            return
        hurried = self.deadline.left < PATIENT
        if small and self.deadline.left:
            self.search_all(self.deadline)
        if not self.proven() and not (hurried and is_large(self.position)):
            self.look_ahead(self.deadline if small else self.deadline.part(LOOK))
        if not small and not (hurried and self.size > HOPELESS):
            self.search_all(self.deadline)

    def best(self) -> list[Played]:
        """Return the best guesses so far."""
        best = best_of(self.found, self.game)
        alike = self.alike
        return (alike.one_of_each(best, lambda own: self.names[own.guess]) if alike else best)[: self.count]

    def answer(self) -> tuple[list[GuessStats], str]:
        """Return the best guesses so far, and how they were found."""
        best = self.best()
        return [self._outlook(own) for own in best], self.how(best)

    def proven(self) -> bool:
        """Return True if nothing more can be said of the best guesses."""
        return all(own.exact for own in self.best())

    def how(self, best: Sequence[Played]) -> str:
        """Return how guesses were found: some by lookahead, the others by rollouts of the named strategy."""
        if not best:
            return "stopped before the first guess was rolled out"
        if best[0].exact:
            return SEARCHED if all(own.exact for own in best) else f"{SEARCHED}; {limit_text(self.game)}"
        by, name, looking = {own.by for own in best}, self.strategy.name, f"a lookahead of {WIDTH} guesses"
        if AMONG in by:
            name += " among the words left" if by == {AMONG} else ", some among the words left alone"
        name = looking if by == {AHEAD} else f"{name} or {looking}" if AHEAD in by else name
        return f"{ROLLED.format(name=name)}: {limit_text(self.game)}"

    def play_out(self, deadline: Deadline) -> None:
        """Follow guesses up by the strategy: quickly as many as are wanted, then better as there is time."""
        patient, among = deadline.patient().check, self._among()
        large = among is not self.position and is_large(self.position)  # where no time is enough for more
        try:
            guesses = self._ranked(max(self.count, TRIED), patient)
            if among is not self.position and not large:
                first = guesses[: self.count]
                self._add(played(among, first, self.strategy, by=AMONG, progress=patient))
            check = patient  # one is rolled out well, whatever it takes
            where, by = (among, AMONG) if large else (self.position, PLAYED)
            for block in blocks(self.position, guesses):
                rows = played(where, block, self.strategy, by=by, progress=check)
                again = {own.guess for own in rows}  # better now than among the words left
                self.found = [own for own in self.found if own.guess not in again]
                self._add(rows)
                check = deadline.check if len(self.found) >= self.count else patient
                check()
        except OutOfTime:
            pass

    def look_ahead(self, deadline: Deadline) -> None:
        """Follow the best guesses up by a lookahead, where the game has one."""
        widths = dict.fromkeys(range(3, self.position.turns_left), WIDTH)
        try:
            ahead = Lookahead(self.position.table, self.game, widths, progress=deadline.check)
        except ValueError:
            return
        best = [own.guess for own in best_of(self.found, self.game)[: 2 * self.count]]
        try:
            for block in guesses_of(best, self.position).split(TOGETHER):
                deadline.check()
                self._add(played(self.position, block, ahead, by=AHEAD, progress=deadline.check))
        except OutOfTime:
            pass

    def search_all(self, deadline: Deadline) -> None:
        """Search for the best guess of all, then follow the best so far up as well as can be."""
        search = None if deadline.over() else self._every_guess()
        if search is None:
            return
        position, perfect = self.position, EveryGuess(search, deadline.check, "search")
        try:
            with stopped_at(search, deadline):
                first = int(perfect.choose(position).guesses[0])
                for guess in dict.fromkeys([first, *(own.guess for own in self.best())]):
                    words = not self.game.counts_misses
                    by = EXACT if words else PLAYED
                    (own,) = played(position, guesses_of([guess], position), perfect, by=by)
                    if words:
                        self._add([own])
                    elif own.credits(self.game) == perfect.value_after(position, guess):
                        self._add([replace(own, exact=True, by=EXACT)])
        except OutOfTime:
            pass

    def _every_guess(self) -> ValueSearch | LetterSearch | None:
        """Return the search of every guess; None: this game has no such search."""
        position, game, table, legal = self.position, self.game, self.position.table, self.game.legal
        if game.counts_misses:
            searched = self._total * max(game.payoff) < MOST_VALUE and not game.payoff[0]
            return letter_search(table, game.payoff, MEMORY) if searched else None
        if legal == "candidates" or not is_searched(game.payoff):
            return None
        if legal == START and isinstance(position.pool, Frontier):  # the same guesses on every turn
            legal, pool = "any", position.pool.members
            table = table.with_sets(position.frontier.members, pool, table.weights)
        return value_search(table, game.payoff, MEMORY, legal=legal, within=game.ruled_left)

    def _among(self) -> Position:
        """The position where only candidates follow a guess, which every game allows that asks for words."""
        words = not self.position.table.guesses_letters and self.position.pool is not None
        return replace(self.position, pool=None, hinted=None) if words else self.position

    def _ranked(self, count: int, progress: Callable[[int], None]) -> Tensor:
        """Return the guesses of most classes."""
        if self.alike is None or not self.alike.several:
            return ranked(self.position, count, progress)
        guesses = ranked(self.position, MANY, progress).tolist()
        return guesses_of(self.alike.one_of_each(guesses, lambda own: self.names[own])[:count], self.position)

    def _add(self, rows: Sequence[Played]) -> None:
        """Take guesses, and tell who watches."""
        self.found += rows
        self._tell()

    def _tell(self) -> None:
        """Tell who watches the best so far, if that was not done just now."""
        if self._progress is not None and clock() - self._told >= OFTEN:
            self._progress(*self.answer())
            self._told = clock()

    def _outlook(self, own: Played) -> GuessStats:
        """Return a guess for an answer."""
        name = self.names[own.guess]
        return GuessStats(
            name, own.turns, self._total, classes=own.classes, largest=own.largest, target=own.target,
            exact=own.exact, by=own.by, alike=self.alike.first(name)[1] if self.alike else 1,
        )  # fmt: skip

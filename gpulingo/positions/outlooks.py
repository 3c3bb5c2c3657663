"""The best guesses of a position, with their values: by rollouts, by lookahead, by complete search.

All phases share one deadline; small sets are searched completely first, which is quick. Against a host
without a word in mind guesses are compared by what they force. A host that keeps the largest class has no
choice, so the shortest line of guesses is searched; against an adversary, the fewest guesses within which
every word can be found.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.answer import SHOWN
from gpulingo.advice.outlook import AHEAD, AMONG, EXACT, PLAYED, Alike, GuessStats, found_text, limit_text
from gpulingo.games.catalogue import MOST_TURNS, find_game
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.positions.rollout import (
    MEMORY,
    best_of,
    blocks,
    classes_after,
    guesses_of,
    is_large,
    position_of,
    ranked,
    repeated,
    rollouts,
    stats_of,
)
from gpulingo.solvers.payoffs import FOUND, total_weight
from gpulingo.solvers.solver import SearchOfSets, solver
from gpulingo.solvers.words.value import EVER, ValueSearch
from gpulingo.strategies.registry import follower
from gpulingo.strategies.strategy import Position, Strategy
from gpulingo.tensors.arrays import cut
from gpulingo.tensors.clock import Deadline, OutOfTime, clock, stopped_at
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.advice.several import BoardsAnswer

FEW = 200  # words of a set that is searched before any rollout
TRIED = 50  # guesses that are rolled out
FIRST = 0.2  # share of the time for the search before them
WARM = 5.0  # most seconds of the warm-up search of a few words, which takes some hundredths
WIDTH = 10  # guesses of each set that a lookahead expands
TOGETHER = 5  # guesses in one lookahead
MANY = 5040  # guesses that are ranked where symmetries map many to one
SMALL = 400  # words of a set that is searched completely before any lookahead
OUT, LOOK = 0.4, 0.5  # shares of the remaining time: for rollouts, then for lookahead in larger sets
LARGE = 0.25  # share for rollouts if `is_large`: each guess takes long
HOPELESS = 4000  # words of a set that is too large for a search of some seconds
PATIENT = 30.0  # from this many seconds such sets are searched, and still larger ones get a lookahead
OFTEN = 0.2  # seconds between two reports of progress
HOSTS = {  # and the strategies of rollouts against them
    "largest": ("a host who keeps the largest class", "followed by what leaves fewest words"),
    "adversary": ("a host who keeps what takes most guesses", "rolled out by parts"),
}
RULED = "as if the host kept what takes most guesses"
Progress = Callable[[list[GuessStats], str], None]


class PositionSearch:
    """The search of one position, with its results so far."""

    def __init__(
        self,
        position: Position,
        words: WordList,
        count: int,
        deadline: Deadline,
        progress: Progress | None = None,
        history: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.position, self.game, self.count = position, position.game, count
        self.names, self.alike = guess_names(self.game, words.words), Alike(words, self.game, history)
        self.deadline, self._progress, self._reported = deadline, progress, inf
        self.size = int(position.frontier.sizes_here[0])
        self.strategy: Strategy = follower(self.game, position.table.weights is not None)
        self.found: list[GuessStats] = []  # may have several of one guess
        self._searched = self.game.tie_broken(total_weight(position.table))

    def run(self) -> None:
        """Search until the best guesses are proven or the deadline is over."""
        small = self.size <= SMALL
        if self.size <= FEW and not self.deadline.stopped():
            self.search_all(self.deadline.part(FIRST))
            if self.count == 1 and all(rollout.exact for rollout in self.best()) and self.found:
                return
            if self.deadline.stopped() and not self.found:
                self.deadline = Deadline(0)  # who stops it gets guesses too
        self._reported = -OFTEN  # nothing is told of a search that proves the answer at once
        self.roll_out(self.deadline.part(LARGE if is_large(self.position) else OUT))
        if self.position.names_words or not self.found:
            self.found = [replace(rollout, exact=True, by=EXACT) for rollout in self.found]  # it ends
            return
        hurried = self.deadline.left < PATIENT
        if small and self.deadline.left:
            self.search_all(self.deadline)
        proven = all(rollout.exact for rollout in self.best())
        if not proven and not (hurried and is_large(self.position)):
            self.look_ahead(self.deadline if small else self.deadline.part(LOOK))
        if not small and not (hurried and self.size > HOPELESS):
            self.search_all(self.deadline)

    def best(self) -> list[GuessStats]:
        """Return the best guesses so far."""
        best = best_of(self.found, self.game)
        return self.alike.one_of_each(best, lambda rollout: self.names[rollout.number])[: self.count]

    def answer(self) -> tuple[list[GuessStats], str]:
        """Return the best guesses so far, and how they were found."""
        best = self.best()
        named = [(rollout, self.names[rollout.number]) for rollout in best]
        answer = [replace(rollout, guess=name, alike=self.alike.first(name)[1]) for rollout, name in named]
        return answer, self.how(best)

    def how(self, best: Sequence[GuessStats]) -> str:
        """Return how guesses were found: some by lookahead, the others by rollouts of the named strategy."""
        by, looking = {rollout.by for rollout in best}, f"a lookahead of {WIDTH} guesses"
        name = self.strategy.name
        if AMONG in by:
            name += " among the words left" if by == {AMONG} else ", some among the words left alone"
        name = looking if by == {AHEAD} else f"{name} or {looking}" if AHEAD in by else name
        return found_text(best, self.game, name)

    def roll_out(self, deadline: Deadline) -> None:
        """Roll out guesses by the strategy: quickly as many as are wanted, then better as time allows."""
        patient, among = deadline.patient().check, self.position
        if not among.table.guesses_letters and among.pool is not None:  # which every game of words allows
            among = replace(among, pool=None, hinted=None)  # only candidates as later guesses
        large = among is not self.position and is_large(self.position)  # then there is no time for more
        with suppress(OutOfTime):
            most = max(self.count, TRIED)
            guesses = ranked(self.position, MANY if self.alike.several else most, self.strategy, patient)
            if self.alike.several:
                unlike = self.alike.one_of_each(guesses.tolist(), self.names.__getitem__)
                guesses = guesses_of(unlike[:most], self.position)
            if among is not self.position and not large:
                rows = rollouts(among, guesses[: self.count], self.strategy, by=AMONG, progress=patient)
                self._add(rows)
                rows.sort(key=lambda row: (row.order(self.game), row.number))
                best = [rollout.number for rollout in rows]
                guesses = guesses_of([*best, *guesses[self.count :].tolist()], self.position)
            check = patient  # one is always rolled out well, whatever the time
            where, by = (among, AMONG) if large else (self.position, PLAYED)
            for block in blocks(self.position, guesses):
                rows = rollouts(where, block, self.strategy, by=by, progress=check)
                again = {rollout.number for rollout in rows}  # now with all legal guesses, for better values
                self.found = [row for row in self.found if row.exact or row.number not in again]
                self._add(rows)
                check = deadline.check if len(self.found) >= self.count else patient
                check()

    def look_ahead(self, deadline: Deadline) -> None:
        """Look ahead after the best guesses, if the game has a lookahead."""
        from gpulingo.optimise.lookahead import Lookahead, is_searchable

        table, widths = self.position.table, dict.fromkeys(range(3, self.position.turns_left), WIDTH)
        if not is_searchable(self.game, table):
            return
        ahead = Lookahead(table, self.game, widths, progress=deadline.check)
        best = [rollout.number for rollout in best_of(self.found, self.game)[: 2 * self.count]]
        with suppress(OutOfTime):
            for block in cut(guesses_of(best, self.position), TOGETHER):
                deadline.check()
                self._add(rollouts(self.position, block, ahead, by=AHEAD, progress=deadline.check))

    def search_all(self, deadline: Deadline) -> None:
        """Search for the best guess of all, then find exact values after the best so far."""
        search = None if deadline.over() else self._every_guess
        if search is None:
            return
        position, best = self.position, EveryGuess(search, deadline.check, "search")
        with suppress(OutOfTime), stopped_at(search.stop, deadline):
            first = int(best.choose(position).guesses[0])
            for guess in dict.fromkeys([first, *(rollout.number for rollout in self.best())]):
                words = not self.game.counts_misses
                by = EXACT if words else PLAYED
                (rollout,) = rollouts(position, guesses_of([guess], position), best, by=by)
                if words:
                    self._add([rollout])
                elif -rollout.order(self._searched)[0] == best.value_after(position, guess):
                    self._add([replace(rollout, exact=True, by=EXACT)])

    @cached_property
    def _every_guess(self) -> SearchOfSets | None:
        game, table = self._searched, self.position.table
        return solver(table, game, MEMORY if self.size > FEW else MEMORY // 8)  # they need little

    def _add(self, rows: Sequence[GuessStats]) -> None:
        self.found += rows
        self._report()

    def _report(self) -> None:
        """Report the best guesses so far, at most every OFTEN seconds."""
        if self._progress is not None and clock() - self._reported >= OFTEN:
            self._progress(*self.answer())
            self._reported = clock()


class HostSearch(PositionSearch):
    """The search of a position against a host; a rollout's `turns` has all words on the last turn."""

    at_least: int  # lower bound of the guesses of any line
    most: dict[int, int]  # guess -> number of guesses that is enough after it
    least: dict[int, int]  # guess -> lower bound of that number

    def run(self) -> None:
        """Search until the best guess is proven or the deadline is over."""
        self.at_least, self.most, self.least, self._largest = min(self.size, 2), {}, {}, dict[int, int]()
        self._reported = -OFTEN
        largest = self.game.opponent == "largest" and self.game.legal == "any"
        self._by_lines = largest and not is_large(self.position)  # there are few enough to try all
        with suppress(OutOfTime):
            self.deadline.patient().check()
            if self.size == 1:
                self._know(int(self.position.frontier.members[0]), 1)
            elif self._by_lines:
                self._follow_lines()
            else:
                self._find_all()

    def best(self) -> list[GuessStats]:
        """Return the best guesses so far: fewest guesses, then fewest words left in the worst case."""
        targets = set(self.position.frontier.members.tolist())
        ranked, turns = list[tuple[int, bool, bool, int, int]](), list[list[int]]()
        for guess, most in self.most.items():
            may_need_less = most != max(self.at_least, self.least.get(guess, 0))
            ranked.append((most, may_need_less, guess not in targets, self._largest[guess], guess))
        ranked = sorted(ranked)[: self.count]
        for most, *_ in ranked:  # all words on the round's last turn
            last = min(self.position.turn + most - 1, self.game.turns)
            turns.append([self.size * (turn == last) for turn in range(1, self.game.turns + 1)])
        row = guesses_of([guess for *_, guess in ranked], self.position)
        best = stats_of(repeated(self.position, row), row, turns)
        return [
            stats if may_need_less else replace(stats, exact=True, by=EXACT)
            for stats, (_, may_need_less, *_) in zip(best, ranked, strict=True)
        ]

    def how(self, best: Sequence[GuessStats]) -> str:
        if not best:
            return super().how(best)
        host, followed = HOSTS[self.game.opponent]
        if best[0].exact:
            return found_text(best, self.game, "", f"by a search against {host}: proven best")
        ruled = self.game.opponent == "largest" and not self._by_lines
        return f"{RULED if ruled else f'against {host}, each {followed}'}: {limit_text(self.game)}"

    def _know(self, guess: int, most: int, *, least: int = 0, largest: int = 1) -> None:
        """Record bounds of the guesses needed after a first guess, and the most words that it may leave."""
        self.most[guess] = min(most, self.most.get(guess, most))
        self.least[guess] = max(least, self.least.get(guess, 0))
        self._largest.setdefault(guess, largest)
        self._report()

    def _add(self, rows: Sequence[GuessStats]) -> None:
        """Add rollouts: each gives an upper bound of the turns that its guess needs."""
        for rollout in rows:
            last = max(turn for turn, count in enumerate(rollout.turns, 1) if count)
            self._know(rollout.number, last - self.position.turn + 1, largest=rollout.largest)
        self.found += rows

    def _follow_lines(self) -> None:
        """Find the shortest lines, starting from lines whose every guess leaves the fewest words."""
        from gpulingo.positions.lines import LineSolver

        table, history = self.position.table, self.position.history
        past = set() if history is None else set(history.guesses[0].tolist())
        solver = LineSolver(table.with_sets(self.position.frontier.members, table.pool).to("cpu"), MEMORY)
        kept = {guess: size for guess, size in solver.kept.items() if guess not in past and size < self.size}
        stopped = self.deadline.patient()
        for guess in sorted(kept, key=lambda guess: (kept[guess], guess))[: self.count]:
            stopped.check()
            self._know(guess, solver.greedy(guess), largest=kept[guess])

        def often(done: int, total: int, guesses: int) -> None:
            self.at_least = guesses
            self.deadline.check()
            if len(solver.openings.keys() - past) >= 2 * self.count:  # the smallest classes came first
                raise OutOfTime

        try:
            solver.run(often, self.deadline.check)
        finally:
            for guess in solver.openings.keys() - past:
                self._know(guess, solver.at_least, largest=kept[guess])
        for guess in self.most.keys() - solver.openings.keys():
            self.least[guess] = solver.at_least + 1

    def _find_all(self) -> None:
        """Find the number of guesses in which every word can be found, from the guesses of most classes."""
        self.roll_out(self.deadline.part(OUT))
        if self.size > HOPELESS and self.deadline.left < PATIENT:
            return
        tried = [rollout.number for rollout in self.best()]
        proves, guesses, first = self.game.opponent == "adversary", self.at_least - 1, -1
        waits, search = max(0, self.game.since - self.position.turn), None  # turns before the rule binds
        while first < 0:
            guesses += 1
            self.at_least = guesses if proves else self.at_least
            if search is None or waits:
                search = None  # frees its memory before the next one takes some
                search = ValueSearch(
                    self.position.table, FOUND, MEMORY, legal=self.game.legal,
                    within=guesses - waits if waits else EVER,
                )  # fmt: skip
            with stopped_at(search.stop, self.deadline):
                first = self._first(search, self.position, guesses)
        assert search is not None
        self._know(first, guesses)
        with stopped_at(search.stop, self.deadline):
            for guess in tried:
                after = classes_after(self.position, guess)
                if all(self._first(search, position, guesses - 1) >= 0 for position in after):
                    self._know(guess, guesses)
                elif proves:
                    self._know(guess, self.most[guess], least=guesses + 1)

    def _first(self, search: ValueSearch, position: Position, guesses: int) -> int:
        """Return the first guess of a strategy that finds all of a set within `guesses`; -1 without one."""
        self.deadline.check()
        members = position.frontier.candidates(0)
        count = members.shape[0]
        if count == 1:
            return int(members[0])
        valued = search.value(members, guesses, count - 1, legal=position.allowed_of(0))
        if valued.value < 0:  # stopped
            raise OutOfTime
        return valued.guess if valued.value == count else -1


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

    Args:
        history: guesses, words of the list or not, with marks that fit some target; a turn is left.
        letter: first letter of the target, in games that give it.
        count: number of guesses; of guesses that a symmetry maps to each other one counts.
        seconds: of the search; `count` guesses are rolled out however long that takes.
        progress: called now and then with the same result for the best so far.
        stop: set by another thread to end the search early, maybe before the first rollout.
    """
    position = position_of(words, game, history, letter, device)
    hopeless = int(position.frontier.sizes_here[0]) > HOPELESS
    kind = PositionSearch if game.opponent == "chance" else HostSearch
    _load(kind, game, device, words.weights is not None, 0 if hopeless else WARM)
    search = kind(position, words, count, Deadline(seconds, stop), progress, history)
    search.run()
    return search.answer()


def most_guesses(words: WordList, game: Game, opening: int) -> int:
    """Return a number of guesses that is enough after an opening, by a rollout without a limit of turns."""
    game = find_game(game.name, MOST_TURNS)
    position = position_of(words, game, [], "", "cpu")
    strategy = follower(game, weighed=words.weights is not None)
    (row,) = rollouts(position, guesses_of([opening], position), strategy)
    return max(turn for turn, count in enumerate(row.turns, 1) if count)


@cache
def _load(kind: type[PositionSearch], game: Game, device: str, weighed: bool, seconds: float) -> None:
    """Load modules and kernels by a short search of a few words, so that search time is not spent on it."""
    words = WordList("warm", ["".join(letters) for letters in product("abc", repeat=3)])
    words = words.with_weights(dict.fromkeys(words.words, 2)) if weighed else words
    position = position_of(words, game, [], "a" if game.given else "", device)
    kind(position, words, 3, Deadline(seconds)).run()


def answer_boards(adviser: Adviser, parts: Sequence[str], watch: Mapping[str, Any] | None) -> BoardsAnswer:
    """Return the answer to the history of a round of several boards.

    Args:
        parts: see `read_boards`.
        watch: `stop`, an event that ends the search early, and `progress`; None: no search.
    Raises:
        NotationError: malformed. ContradictionError: no word fits a board, or no guess is left.
    """
    from gpulingo.advice.several import read_boards, stand  # here: few need them
    from gpulingo.positions.boards import BoardsSearch

    answer, limits = stand(adviser, read_boards(parts, adviser)), adviser.question.limits
    if all(answer.found):
        raise ContradictionError("every board is found: there is nothing left to guess")
    if answer.turn > answer.game.turns:
        raise ContradictionError(f"{answer.game.code} allows no more guesses")
    if watch is not None:
        search = BoardsSearch(answer, adviser, Deadline(limits.seconds, watch.get("stop")))
        search.run(limits.top or SHOWN // 2, unfit=limits.unfit, progress=watch.get("progress"))
        answer.final = True
    return answer

"""Best guesses against a host without a word in mind, by the guesses it forces, not by what is likely.

A host that keeps the largest class has no choice, so the shortest line of guesses is searched; against one
that keeps what takes most guesses, the fewest guesses within which every word can be found.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from gpulingo.advice.outlook import EXACT, PLAYED, Order, limit_text, order
from gpulingo.optimise.every_guess import OutOfTime, stopped_at
from gpulingo.positions.lines import LineSolver
from gpulingo.positions.outlook_search import HOPELESS, MEMORY, OUT, PATIENT, Search
from gpulingo.positions.playout import Played, guesses_of, is_large
from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.value import EVER, ValueSearch, value_search
from gpulingo.tensors.operations import split

HOSTS = {
    "largest": "a host who keeps the largest class",
    "adversary": "a host who keeps what takes most guesses",
}
ENDS = "by a search against {host}: proven best"
AT_MOST = {
    "largest": "against {host}, each followed by what leaves fewest words",
    "adversary": "against {host}, each rolled out by parts",
}
RULED = "as if the host kept what takes most guesses"


class HostSearch(Search):
    """The search of a position against a host.

    No guess is followed up by likelihood: `turns` have all words on the turn that ends the round.

    Attributes:
        at_least: fewest guesses of any line.
        most, least: guess -> guesses that are enough; guesses below which it is not.
    """

    at_least: int
    most: dict[int, int]
    least: dict[int, int]

    def run(self) -> None:
        """Search until the best guess is proven or the deadline is over."""
        self.at_least, self.most, self.least, self._kept = min(self.size, 2), {}, {}, dict[int, int]()
        try:
            self.deadline.patient().check()
            if self.size == 1:
                self._know(int(self.position.frontier.members[0]), 1)
            elif self._by_lines:
                self._follow_lines()
            else:
                self._find_all()
        except OutOfTime:
            pass

    @property
    def _by_lines(self) -> bool:
        """Return True if lines are searched: any word may be guessed, and all of them can be looked at."""
        largest = self.game.opponent == "largest" and self.game.legal == "any"
        return largest and not is_large(self.position)

    def best(self) -> list[Played]:
        """Return the best guesses so far: fewest guesses, then fewest words that may be left."""
        targets = set(self.position.frontier.members.tolist())
        guesses = sorted(self.most, key=lambda guess: self._order(guess, guess in targets))[: self.count]
        if not guesses:
            return []
        table, row = self.position.table, guesses_of(guesses, self.position)
        parts = split(table, self.position.take(torch.zeros_like(row, dtype=torch.int64)).frontier, row)
        classes = (torch.bincount(parts.parents, minlength=len(guesses)) + parts.hits).tolist()
        sizes = torch.ones(len(guesses), dtype=torch.int64, device=table.device)
        sizes.scatter_reduce_(0, parts.parents, parts.frontier.sizes, "amax")
        exact = [self._exact(own) for own in guesses]
        turns, how = map(self._turns, guesses), [EXACT if own else PLAYED for own in exact]
        columns = (guesses, turns, classes, sizes.tolist(), parts.hits.tolist(), exact, how)
        return [Played(*row) for row in zip(*columns, strict=True)]

    def how(self, best: Sequence[Played]) -> str:
        """Return a sentence on how guesses were found."""
        if not best:
            return super().how(best)
        opponent = self.game.opponent
        host = HOSTS[opponent]
        if best[0].exact:
            ends = ENDS.format(host=host)
            return ends if all(own.exact for own in best) else f"{ends}; {limit_text(self.game)}"
        ruled = opponent == "largest" and not self._by_lines
        return f"{RULED if ruled else AT_MOST[opponent].format(host=host)}: {limit_text(self.game)}"

    def _order(self, guess: int, target: bool) -> tuple[int, Order, int]:
        """Return a key by which the best guess comes first."""
        turns, exact = self._turns(guess), self._exact(guess)
        own = order(self.game, turns, exact=exact, target=target, largest=self._kept[guess])
        return self.most[guess], own, guess

    def _exact(self, guess: int) -> bool:
        """Return True if it is known that fewer guesses are not enough."""
        return self.most[guess] == max(self.at_least, self.least.get(guess, 0))

    def _turns(self, guess: int) -> list[int]:
        """All words, on the turn that ends the round."""
        turns = [0] * self.game.turns
        turns[min(self.position.turn + self.most[guess] - 1, self.game.turns) - 1] = self.size
        return turns

    def _know(self, guess: int, most: int, *, least: int = 0, kept: int = 1) -> None:
        """Note how many guesses are enough and necessary where one begins, and words it may leave."""
        self.most[guess] = min(most, self.most.get(guess, most))
        self.least[guess] = max(least, self.least.get(guess, 0))
        self._kept.setdefault(guess, kept)
        self._tell()

    def _add(self, rows: Sequence[Played]) -> None:
        """Add rolled-out guesses: no class needs more turns than were needed there."""
        for own in rows:
            last = max(turn for turn, count in enumerate(own.turns, 1) if count)
            self._know(own.guess, last - self.position.turn + 1, kept=own.largest)
        self.found += rows

    def _past(self) -> set[int]:
        """Guesses that were made."""
        history = self.position.history
        return set() if history is None else set(history.guesses[0].tolist())

    def _follow_lines(self) -> None:
        """Find the shortest lines, after those of which each guess leaves the fewest words."""
        table, past = self.position.table, self._past()
        solver = LineSolver(table.with_sets(self.position.frontier.members, table.pool).to("cpu"), MEMORY)
        kept = {guess: size for guess, size in solver.kept.items() if guess not in past and size < self.size}
        stopped = self.deadline.patient()
        for guess in sorted(kept, key=lambda guess: (kept[guess], guess))[: self.count]:
            stopped.check()
            self._know(guess, solver.greedy(guess), kept=kept[guess])

        def often(done: int, total: int, guesses: int) -> None:
            self.at_least = guesses
            self.deadline.check()
            if len(solver.openings.keys() - past) >= 2 * self.count:  # the smallest classes came first
                raise OutOfTime

        try:
            solver.run(often, self.deadline.check)
        finally:
            for guess in solver.openings.keys() - past:
                self._know(guess, solver.at_least, kept=kept[guess])
        for guess in self.most.keys() - solver.openings.keys():
            self.least[guess] = solver.at_least + 1

    def _find_all(self) -> None:
        """Find within how many guesses every word can be found; the guesses of most classes are tried."""
        self.play_out(self.deadline.part(OUT))
        if self.size > HOPELESS and self.deadline.left < PATIENT:
            return
        tried = [own.guess for own in self.best()]
        proves, guesses = self.game.opponent == "adversary", self.at_least
        search = self._asked_within(guesses)
        while (first := self._first_of(search, guesses)) < 0:
            guesses += 1
            self.at_least = guesses if proves else self.at_least
            if self.position.turn < self.game.since:
                del search  # its memory goes before there is another's
                search = self._asked_within(guesses)
        self._know(first, guesses)
        with stopped_at(search, self.deadline):
            for guess in tried:
                if self._is_enough(search, guess, guesses):
                    self._know(guess, guesses)
                elif proves:
                    self._know(guess, self.most[guess], least=guesses + 1)

    def _asked_within(self, guesses: int) -> ValueSearch:
        """Return a search of `guesses` guesses from here on; of any number where the rule binds already."""
        waits = self.game.since - self.position.turn
        within = guesses - waits if waits > 0 else EVER
        return value_search(self.position.table, FOUND, MEMORY, legal=self.game.legal, within=within)

    def _first_of(self, search: ValueSearch, guesses: int) -> int:
        """Return a guess that begins a strategy that finds every word within `guesses`; -1 without one."""
        self.deadline.check()
        members = self.position.frontier.candidates(0)
        with stopped_at(search, self.deadline):
            return _found_all(search, members, guesses, self.position.allowed_of(0))

    def _is_enough(self, search: ValueSearch, guess: int, guesses: int) -> bool:
        """Return True if every word can be found within `guesses` guesses that begin with this one."""
        row = guesses_of([guess], self.position)
        after = self.position.after(row, split(self.position.table, self.position.frontier, row))
        for own in range(after.frontier.sets):
            self.deadline.check()
            members = after.frontier.candidates(own)
            if _found_all(search, members, guesses - 1, after.allowed_of(own)) < 0:
                return False
        return True


def _found_all(search: ValueSearch, members: Tensor, guesses: int, legal: Tensor | None) -> int:
    """Return the first guess of a strategy that finds all of a set within `guesses`; -1 without one.

    Raises:
        OutOfTime: the search was stopped.
    """
    count = members.shape[0]
    if count == 1:
        return int(members[0])
    valued = search.value(members.cpu(), guesses, count - 1, legal=legal)
    if valued.value < 0:
        raise OutOfTime
    return valued.guess if valued.value == count else -1

"""Search for the best strategy of a list: a better incumbent from below, smaller bounds from above.

Two kinds of work take turns until both meet: openings are rolled out, the better the more widely (`stages`);
the greatest bounds are lowered (`upper_bounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import torch

from gpulingo.bounds.certificate import Certificate
from gpulingo.bounds.formulas import check_game, check_table, counts_classes
from gpulingo.games.catalogue import is_known, lingo
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.optimise.lookahead import Lookahead, is_searchable
from gpulingo.optimise.none_lost import NoneLost, Seeking
from gpulingo.optimise.openings import TOGETHER as PLAYED_TOGETHER
from gpulingo.optimise.stages import Stage, Stages, stages
from gpulingo.optimise.state import Incumbent, Problem, SolverState
from gpulingo.optimise.upper_bounds import UpperBounds
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import ObjectiveOf, parts, points
from gpulingo.strategies.ranking import Ranking
from gpulingo.strategies.strategy import Strategy
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.tensors.device import find_device, is_gpu
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.operations import rank
from gpulingo.tensors.threads import one_each, threads
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import brief, counted
from gpulingo.words.wordlist import WordList

FEWEST_TURNS = 3  # with two the number of classes is exact, and nothing is to be searched
ORDER_WIDTH = 4  # guesses to expand for each set where the two orders are compared
# How much longer bounds are worked on than openings where these cannot be closed. With 1, 3, 10 `solve
# --length 5 --time 40s --fresh` comes to bounds 259.93, 258.50, 251.36, one tree.
SHARE = 3
# Pairs that a class may take where every guess is searched, twice as many each time: a second or two.
EVERY_GUESS = 1 << 31
# Pairs of guess and target up to which a search goes straight to its end, which is minutes away: `gpulingo
# solve --game wordle` on 2,315 targets of 12,972 words takes 310 s so, and over 500 s in rounds.
SHORT = 1 << 26
MOST_MEMORY = 1 << 50  # bytes
DOUBLINGS = 12  # a limit: after so many an opening is left as it is
TOGETHER = 8  # openings that are searched side by side
# Where a search goes straight to its end: openings of greatest rank that are rolled out, and the best of them
# that are searched, before any bound is lowered.
FIRST = ((6, 1), (40, 12))


class Solver:
    """A search for the best strategy of one list.

    Args:
        wordlist: each word is a target and each may be guessed.
        game: the rules, with at least 3 turns; five of Lingo when not given.
        plan: stages in which openings are rolled out; `stages` when None.
        order: ranks guesses where openings are rolled out, unless their number of classes yields more.
        device: where the table lives. seed: of the hashes of sets.
        memory: bytes that remembered sets may take, and tables of classes; an eighth more for their counts.
        least: credits, summed over the words, below which a strategy is of no interest.
    Attributes:
        problem: what is searched. state: what is known. upper: the bounds.
        work: what is done now, in words.
    Raises:
        ValueError: too few turns, or no such game can be searched.

    >>> Solver(WordList("three words", ["dents", "dozes", "reads"]))
    Solver(lingo5, 3 words: no strategy yet)
    """

    def __init__(
        self,
        wordlist: WordList,
        game: Game | None = None,
        *,
        plan: Sequence[Stage] | None = None,
        order: ObjectiveOf = points,
        device: str | torch.device = "cpu",
        seed: int = 0,
        memory: int = MEMORY,
        least: int = 0,
    ) -> None:
        game = game or lingo()
        if game.turns < FEWEST_TURNS:
            expected = f"expected at least {FEWEST_TURNS}: `gpulingo simulate` is exact for fewer"
            raise ValueError(f"{game.turns} turns, {expected}")
        if not 0 <= memory <= MOST_MEMORY:
            raise ValueError(f"memory is {memory}, expected 0 to {MOST_MEMORY} bytes")
        table = table_of(wordlist, game).to(find_device(device))
        check_game(game)
        check_table(table, game)
        if not is_known(game):  # a certificate says its name alone
            raise ValueError(f"{game.code} is another game than the catalogue has by that name: use that one")
        self.problem = Problem(wordlist, game, table, order, seed, memory)
        plan = stages(game.turns) if plan is None else list(plan)
        counted = counts_classes(game, table)  # else every opening is searched
        self.state = SolverState(Stages(plan), exact=None if counted else True)
        self.least = least
        self.upper = UpperBounds(self.problem, self.state, self._progress)
        self._first: list[int] | None = None
        self._none_lost: NoneLost | None = None
        self._sought: Seeking | None = None  # an opening that loses no word
        self._seconds_sought = 0.0
        self._optimal = set[int]()  # openings found to have the value of the best tree
        self._closing = True  # whether the last search of every guess closed an opening
        self._check: Callable[[], None] = lambda: None
        self.work = "building a first strategy"
        self._to_the_end = False  # see `run`

    def __repr__(self) -> str:
        known = f"value {self.value:,} credits" if self.tree else "no strategy yet"
        game, words = self.problem.game, self.problem.wordlist
        return brief("Solver", f"{game.code}, {counted(len(words), 'word')}: {known}")

    @property
    def tree(self) -> Tree | None:
        """The best strategy that is known; None before there is any."""
        return self.state.incumbent.tree

    @property
    def value(self) -> int:
        """Value of the best tree, in credits summed over the words."""
        return self.state.incumbent.value

    @property
    def bound(self) -> int:
        """No strategy has more, in credits summed over the words."""
        return max(self.value, self.upper.greatest)

    def goal(self, enough: int) -> int:
        """Credits that bounds are lowered to: the value plus `enough`."""
        return self.value + enough if self.value >= self.least else self.least - 1

    def mean_points(self, value: int) -> float:
        """A value as mean points."""
        return self.problem.game.points_of(value, self.problem.wordlist.total_weight)

    def begin_with(self, tree: Tree | None, given: Certificate | None) -> None:
        """Take what others found where it is better; what is found here does not rest on it.

        Args:
            tree: of this list and game; its hits are true. given: a certificate of the same.
        """
        self.upper.begin_with(given)
        self._take(self.state.incumbent if tree is None else Incumbent.of(tree))

    def _take(self, incumbent: Incumbent) -> None:
        """Keep a strategy if it is the best."""
        if incumbent.value > self.value:
            self.state.incumbent = incumbent
        if self.upper.given is not None and self.tree is not None:
            limit = int(self.upper.given.bounds[self.tree.guess[0]])
            if min(limit, self.upper.given.bound) < self.value:  # it does not hold
                self.upper.begin_with(None)

    def run(self, check: Callable[[], None], enough: int = 0, *, straight: bool = False) -> bool:
        """Work until the bound is at most `enough` more than the value.

        Args:
            check: called often; may raise `TimeIsUp`, which ends the work.
            enough: credits, summed over the words.
            straight: lower each bound to its end at once, so the greatest sinks last; otherwise in rounds.
        Returns:
            Whether that was reached, or no strategy has the least value of interest; False: time is up, or
            nothing is left to try.
        """
        self._check, self._to_the_end, begun = check, straight, clock()
        if self.tree is None:  # so that there is a strategy, however soon the time is up
            self._take(self._built(Ranking("solve", parts), report=self._patient))
        try:
            with suppress(TimeIsUp):
                check()
                self._take_turns(enough)
            self.upper.tighten(self.value, begun, self._patient)
        except KeyboardInterrupt:
            self.upper.tighten(self.value, begun, None)
            raise
        return self.bound <= self.goal(enough)

    @property
    def optimal_openings(self) -> tuple[int, int]:
        """Openings with the value of the best tree: those that are known, and all that may have it."""
        lowest, value, known = self.upper.lowest, self.value, self._optimal
        if lowest is None or self.tree is None:
            return 0, self.problem.table.pool.shape[0]
        first = self.upper.first
        own = {*known, int(first[int(self.tree.guess[0])])}
        sure = torch.isin(first, torch.tensor(sorted(own)))[self.problem.table.pool.cpu().long()]
        return int(sure.sum()), self.upper.above(value - 1)

    def find_optimal(self, check: Callable[[], None]) -> None:
        """Find every opening of the best value, once that is proven; see `run` for `check`."""
        self._check = check
        with suppress(TimeIsUp):
            for opening in self.upper.greatest_openings(self.value - 1):
                if int(self.upper.found().first[opening]) == opening and opening not in self._optimal:
                    check()
                    if self.upper.of_opening(opening, self.value - 1)[0] >= self.value:
                        (found,) = self.upper.close([opening], self.value - 1, EVERY_GUESS << DOUBLINGS)
                        self._optimal |= {opening} if found.closed and found.bound == self.value else set()

    def _take_turns(self, enough: int) -> None:
        """Roll out openings and lower bounds, see `run`, while there is anything left to try."""
        idle = [False, False]  # whether playing, and lowering, came to its end the last time
        self.work = "bounding every opening"
        if self.upper.given is None:
            self.upper.found()
        seeking = True
        while self.bound > self.goal(enough) and not all(idle):
            self.upper.found()
            kind = int(not seeking and (idle[0] or (not idle[1] and self._owed)))
            begun = clock()
            try:
                if seeking:
                    seeking = self._seek(enough)
                else:
                    idle[kind] = not (self._lower(enough) if kind else self._play())
            finally:
                self.state.seconds[kind] += clock() - begun
            self._check()

    @property
    def _straight(self) -> bool:
        """Return True if the list is so short that a search goes straight to its end."""
        table = self.problem.table
        return table.pool.shape[0] * table.targets.shape[0] < SHORT

    @property
    def _loses(self) -> bool:
        """Return True if words are lost, in a game that only a search of every guess bounds."""
        return not self.upper.by_counts and self.tree is not None and self.tree.lost > 0

    @property
    def _owed(self) -> bool:
        """Return True if bounds are worked on next, rather than openings."""
        # A search that closes an opening finds its best strategy too.
        first = self.state.exact is None and not self.state.doubled
        if first or (self.state.exact and self._closing and not self._loses):
            return True
        playing, lowering = self.state.seconds
        return lowering < SHARE * playing

    def _seek(self, enough: int) -> bool:
        """Roll out an opening of great rank, or search every guess of some that had most; False: all done.

        Where classes are not counted, more openings are rolled out while words are lost, and for as long one
        is sought that loses none.
        """
        state = self.state
        if state.exact is False or not (self._loses or (self._straight and self.upper.by_counts)):
            return False
        if state.exact is None and state.doubled:  # the first search did not come to its end
            return False
        if self._loses and 2 * self._seconds_sought < state.seconds[0] and self._seek_none_lost():
            return True
        for played, searched in FIRST:
            stages = Stages([Stage(played, state.stages.plan[0].widths)], state.stages.played[:1])
            following = stages.next(self._openings, self._promising)
            if following is not None:
                self._play_in(*following)
                return True
            if not self.upper.by_counts:
                continue
            lowest, goal = self.upper.found().lowest, self.goal(enough)
            above = [each for each in stages.best(0)[:searched] if int(lowest[each]) > goal]
            if some := [each for each in above if each not in state.doubled][: threads()]:
                self._close(some, enough)
                state.exact = state.exact or (True if self._closing else None)
                return True
        return self._loses and self._seek_none_lost()

    def _seek_none_lost(self) -> bool:
        """Search a class of an opening that may lose no word, or roll out the one found; False: all done."""
        problem, begun = self.problem, clock()
        if self._none_lost is None:
            if not (problem.game.bonus and is_searchable(problem.game, problem.table)):
                return False
            self._none_lost = NoneLost(problem.table, problem.memory // 2, self._progress)
            self._sought = self._none_lost.seek(problem.table.targets.cpu(), problem.game.turns)
        if self._sought is None:
            return False
        self.work = "looking for an opening that loses no word"
        try:
            next(self._sought)
        except StopIteration as found:
            self._sought = None
            if found.value is not None:
                widths = self.state.stages.plan[0].widths
                lookahead = problem.lookahead(widths, problem.order, self._progress, self._none_lost)
                self.state.stages.played[0] |= self._played([found.value], lookahead)
        finally:
            self._seconds_sought += clock() - begun
        return True

    def _works(self, what: str, openings: Sequence[int]) -> None:
        """Note what is done with some openings."""
        more = f" and {len(openings) - 3:,} more" if len(openings) > 3 else ""
        names = ", ".join(self.problem.wordlist[opening] for opening in openings[:3])
        self.work = f"{what} {names}{more}"

    def _progress(self, pairs: int) -> None:
        self._check()

    def _patient(self, *done: int) -> None:
        """Progress of what must come to its end though the time be up."""
        with suppress(TimeIsUp):
            self._check()

    def _play(self) -> bool:
        """Play out an opening, on a GPU some together; False when all stages are done."""
        state = self.state
        most = PLAYED_TOGETHER if is_gpu(self.problem.table.device) else 1
        following = state.stages.next(self._openings, self._promising, most)
        if following is None or (state.exact and not self.upper.by_counts and not self._loses):
            return False
        self._play_in(*following)
        return True

    def _play_in(self, number: int, openings: list[int]) -> None:
        """Play out openings in a stage."""
        state = self.state
        if not is_searchable(self.problem.game, self.problem.table):
            for opening in openings:
                played = self._built(Ranking("solve", parts), opening=self.problem.wordlist[opening])
                state.stages.played[number][opening] = played.value
                self._take(played)
            return
        order = None if state.by_classes else self.problem.order
        lookahead = self._lookahead(state.stages.plan[number].widths, order)
        state.stages.played[number] |= self._played(openings, lookahead)

    def _promising(self, opening: int) -> bool:
        """Return True if an opening may have more than the incumbent."""
        return self.upper.lowest is None or int(self.upper.lowest[opening]) > self.value

    def _openings(self) -> list[int]:
        """Openings for the first stage: by number of classes, and by rank where that is not the way."""
        if self._first is None:
            table, stage = self.problem.table, self.state.stages.plan[0]
            count = min(stage.openings, table.pool.shape[0])
            by_classes = self.upper.by_classes(count)
            if self.state.by_classes or table.weights is not None:
                self._first = by_classes.tolist()
                return self._first
            turns = self.problem.game.turns
            objective = self.problem.order(table.words, turns, range(turns + 1))
            pool = self.upper.one_of_each_orbit
            count = min(count, len(by_classes), len(pool))
            ranked = rank(table, whole(table), pool, objective, count, progress=self._progress)
            by_classes = by_classes[:count]
            mixed = torch.stack([ranked.guesses[0].long().cpu(), by_classes], dim=1).reshape(-1)
            self._first = list(dict.fromkeys(mixed.tolist()))
        return self._first

    @one_each()
    def _played(self, openings: list[int], lookahead: Lookahead) -> dict[int, int]:
        """Search openings by a lookahead and return their values; the best tree is stored."""
        self._works("rolling out", openings)
        values = dict(zip(openings, lookahead.values_of(openings), strict=True))
        best = max(openings, key=lambda opening: values[opening])
        self._keep(best, values[best], lookahead)
        return values

    def _keep(self, opening: int, value: int, strategy: Strategy) -> None:
        """Keep the tree of a strategy if it is the best."""
        if value > self.value:
            incumbent = self._built(strategy, opening=self.problem.wordlist[opening])
            assert incumbent.value == value, f"a tree of {incumbent.value}, its search found {value}"
            self._take(incumbent)

    @one_each()
    def _built(self, strategy: Strategy, **options: Any) -> Incumbent:
        """The tree of a strategy; for `options` see `build`."""
        problem = self.problem
        return Incumbent.of(
            build(problem.wordlist, strategy, problem.game, device=problem.table.device, **options).tree
        )

    def _lower(self, enough: int) -> bool:
        """Make the greatest bounds smaller; False when that is beyond this search."""
        if not self.upper.by_counts:
            return self._search_openings(enough)
        self.work = "lowering the bounds of openings"
        if self.upper.evaluate_first():
            return True
        if self.state.exact is None:
            self._probe()
            return True
        straight = self._to_the_end or (bool(self.state.exact) and self._straight)
        if self.upper.lower(self.goal(enough), straight):
            return True
        return bool(self.state.exact) and self._search_openings(enough)

    def _search_openings(self, enough: int) -> bool:
        """Search every guess of the openings of greatest bounds; False when none is left that ends."""
        above = self.upper.greatest_openings(self.goal(enough))
        closable = (opening for opening in above if self.state.doubled.get(opening, 0) < DOUBLINGS)
        return self._close(list(islice(closable, TOGETHER)), enough)

    def _probe(self) -> None:
        """Find out whether every guess can be searched here."""
        opening, doubled = self.upper.greatest_evaluated(), self.state.doubled
        # An opening may take as long as all of its orbit.
        most = min(self.upper.openings_of_orbit.bit_length() - 1, DOUBLINGS)
        tried = min(doubled.get(opening, 0), most)
        self._works("searching every guess after", [opening])
        if self.upper.closes(opening, EVERY_GUESS << tried):
            self.state.exact = True
            self._close(self.upper.found().evidence.complete.tolist())
            return
        if tried < most:
            doubled[opening] = tried + 1
        else:
            self.state.exact = False
        if tried in (0, most):
            self._choose_order(opening)

    def _close(self, openings: list[int], enough: int = 0) -> bool:
        """Search every guess of some openings; False when no opening is left."""
        doubled = self.state.doubled
        for first in range(0, len(openings), TOGETHER):
            some = openings[first : first + TOGETHER]
            self._works("searching every guess after", some)
            goal, limit = self.goal(enough), EVERY_GUESS << max(doubled.get(opening, 0) for opening in some)
            closed = self.upper.close(some, goal, limit)
            self._closing = any(found.closed for found in closed)
            for found in closed:
                if not found.closed:
                    doubled[found.opening] = doubled.get(found.opening, 0) + 1
                elif found.bound > max(goal, self.value):  # its own best strategy
                    self._keep(found.opening, found.bound, EveryGuess(found.search, self._progress))
        return bool(openings)

    def _choose_order(self, opening: int) -> None:
        """Play an opening out in both orders, equally widely, and keep to the one that yields more."""
        widths = dict.fromkeys(range(FEWEST_TURNS, self.problem.game.turns), ORDER_WIDTH)
        orders = (None, self.problem.order)
        by_classes, by_order = (self._played([opening], self._lookahead(widths, order)) for order in orders)
        self.state.by_classes = by_classes[opening] > by_order[opening]
        self.state.stages.note(widths, by_classes if self.state.by_classes else by_order)

    def _lookahead(self, widths: Mapping[int, int], order: ObjectiveOf | None) -> Lookahead:
        return self.problem.lookahead(widths, order, self._progress)

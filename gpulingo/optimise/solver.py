"""Search for the best strategy of a list: a better tree from below, smaller bounds from above."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from gpulingo.bounds.automorphisms import swaps
from gpulingo.bounds.certificate import Certificate
from gpulingo.bounds.every_guess import OPENINGS, ranks_alone
from gpulingo.bounds.formulas import check_game, counts_classes, most_credits
from gpulingo.bounds.partitions import largest_first
from gpulingo.games.catalogue import is_known, lingo
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.optimise.lookahead import is_searchable
from gpulingo.optimise.lowering import FIRST as COUNTED_FIRST
from gpulingo.optimise.lowering import Lowering
from gpulingo.optimise.openings import TOGETHER as ROLLED_OUT_TOGETHER
from gpulingo.optimise.state import Problem, Stage, Stages, State, stages
from gpulingo.optimise.units import (
    Close,
    Evaluate,
    Found,
    Probe,
    RollOut,
    SeekNoneLost,
    UnitWorkspace,
    WorkUnit,
)
from gpulingo.storage.faults import EXACT_FOR_FEWER, Fault
from gpulingo.strategies.objectives import ObjectiveOf, Ranking, parts, points
from gpulingo.tensors.arrays import array_of, is_gpu
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.operations import rank
from gpulingo.tensors.threads import threads
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import brief, counted
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    import torch

FEWEST_TURNS = 3  # with two the number of classes is exact, and there is nothing to search
ORDER_WIDTH = 4  # guesses to expand for each set when the two orders are compared
# Time for bounds per time for rollouts, if openings cannot be closed. With 1, 3, 10 `solve --length 5
# --time 40s --fresh` comes to bounds 259.93, 258.50, 251.36, one tree.
SHARE = 3
# Pairs that a class may take in a search of every guess, doubled at each retry: a second or two.
EVERY_GUESS = 1 << 31
# Pairs of guess and target up to which a search goes straight to its end, which takes minutes: `gpulingo
# solve --game wordle` on 2,315 targets of 12,972 words takes 310 s so, and over 500 s in rounds.
SHORT = 1 << 26
MOST_MEMORY = 1 << 50  # bytes
DOUBLINGS = 12  # a limit: after so many retries an opening is given up
TOGETHER = 8  # openings searched in parallel; on a cluster one, or SEARCHED if classes are not counted
SEARCHED = 64
# Where a search goes straight to its end: openings of greatest rank to roll out, and the best of them
# to search, before any bound is lowered.
FIRST = ((6, 1), (40, 12))


class Phase(Enum):
    """Purpose of the next unit."""

    SEEK = "a good tree early, where it is near: roll out or search a few openings, lose no word"
    COUNT = "count all classes of a few openings, so that they bound others"
    PROBE = "can the largest class of the best of these be searched to the end?"
    LOWER = "lower the greatest bounds: by counts, by two more guesses, by three turns"
    CLOSE = "search every guess after the openings of greatest bounds"
    ROLL_OUT = "roll openings out, the better the more widely"


class Solver:
    """A search for the best strategy of one list.

    Args:
        wordlist: each word is a target and may be guessed.
        game: the rules, with at least 3 turns; None: Lingo with five.
        plan: stages of rollouts; None: `stages`.
        order: ranks the guesses of rollouts, unless their number of classes gives better trees.
        device: of the table. seed: of the hashes of sets.
        memory: bytes for remembered sets and tables of classes; an eighth more for searches of every
            guess.
        least: credits, summed over the words: strategies below are of no interest.
    Attributes:
        problem: what is searched. state: what is known. at: workspace of the units.
        work: text about the current work.
    Raises:
        ValueError: too few turns, or a game that cannot be searched.

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
            what = f"{game.turns} turns, expected at least {FEWEST_TURNS}"
            raise Fault(what, EXACT_FOR_FEWER)
        if not 0 <= memory <= MOST_MEMORY:
            raise ValueError(f"memory is {memory}, expected 0 to {MOST_MEMORY} bytes")
        table = table_of(wordlist, game).to(find_device(device))
        check_game(game, table)
        if not is_known(game):  # because a certificate stores only its name
            raise ValueError(f"{game.code} is another game than the catalogue has by that name: use that one")
        self.problem = Problem(wordlist, game, table, order, seed, memory)
        counted = counts_classes(game, table)  # otherwise every opening is searched
        self._symmetric = game.bonus > 0 and len(swaps(table)) > 0
        planned = Stages(stages(game.turns, self._symmetric) if plan is None else list(plan))
        self.state = State(planned, exact=None if counted else True)
        self.at = UnitWorkspace(self.problem, self.state, lambda pairs: self.check())
        self.least, self.enough, self.work = least, 0, "building a first strategy"
        self.check: Callable[[], None] = lambda: None
        self.running = dict[WorkUnit, Phase]()
        self._straight = self._many = False  # see `run`
        self._following = deque[Callable[[], WorkUnit]]()  # units that come first
        self._seeking, self._sought, self._seconds_sought = True, False, 0.0
        self._closing = True  # whether the last search of every guess closed an opening
        self._orders = dict[bool, int]()  # by classes or not -> credits of the rollout that compares them
        self._lowering: Lowering | None = None

    def __repr__(self) -> str:
        known = f"value {self.value:,} credits" if self.tree else "no strategy yet"
        game, words = self.problem.game, self.problem.wordlist
        return brief("Solver", f"{game.code}, {counted(len(words), 'word')}: {known}")

    @property
    def tree(self) -> Tree | None:
        """The best strategy known; None before there is one."""
        return self.state.tree

    @property
    def value(self) -> int:
        """Value of the best tree, in credits summed over the words."""
        return self.state.value

    @property
    def bound(self) -> int:
        """Upper bound of every strategy, in credits summed over the words."""
        lowest = self.state.lowest
        most = most_credits(self.problem.table, self.problem.game) if lowest is None else int(lowest.max())
        return max(self.value, most)

    @property
    def goal(self) -> int:
        """Credits that bounds are lowered to: the value plus the gap that is enough."""
        return self._goal(self.enough)

    def _goal(self, enough: int) -> int:
        return self.value + enough if self.value >= self.least else self.least - 1

    def above(self, value: int) -> int:
        """Number of openings with a bound above this value, in credits."""
        lowest = self.state.lowest
        return self.problem.table.pool.shape[0] if lowest is None else int((lowest > value).sum())

    @property
    def counted(self) -> int:
        """Number of openings whose classes have all been counted."""
        return 0 if self.state.bounds is None else len(self.state.bounds.evidence.evaluated)

    def mean_points(self, value: int) -> float:
        """A value as mean points."""
        return self.problem.game.points_of(value, self.problem.wordlist.total_weight)

    def begin_with(self, tree: Tree | None, given: Certificate | None) -> None:
        """Use earlier results if they are better; proofs of this search do not rest on them.

        Args:
            tree: of this list and game, verified. given: a certificate of the same.
        """
        self.state.take(given)
        self.state.offer(tree)

    def run(
        self,
        check: Callable[[], None],
        enough: int = 0,
        *,
        straight: bool = False,
        executor: Callable[[Solver], None] | None = None,
    ) -> bool:
        """Work until the bound is at most `enough` more than the value.

        Args:
            check: called often; may raise `TimeIsUp`, which ends the work.
            enough: credits, summed over the words.
            straight: lower each bound to its end at once, so that the greatest sinks last; otherwise in
            rounds. executor: runs units elsewhere, several at the same time: asks `next_unit` as soon as one
            can begin, and gives each result to `merge`; None: this process, one after the other.
        Returns:
            Whether that was reached, or no strategy reaches `least`; False: time is up, or nothing is left to
            try.
        """
        self._many = executor is not None
        self.check, self.enough, self._straight = check, enough, straight
        self.running.clear()
        if self.tree is None:  # so that there is a strategy however short the time
            self.state.offer(self.problem.tree(Ranking("solve", parts), report=self._patient))
        with suppress(TimeIsUp):
            check()
            self.work, self._seeking = "bounding every opening", True
            if executor:
                executor(self)
            while executor is None and (unit := self.next_unit()) is not None:
                began = clock()
                result = unit.run(self.at)
                self.merge(unit, result, clock() - began)
                check()
        return self.bound <= self.goal

    def next_unit(self) -> WorkUnit | None:
        """Return the next unit; None: nothing is left, or nothing until a running unit ends."""
        if self.state.given is not None and self.bound <= self.goal:
            return None  # by the given certificate
        if max(self.value, self.at.bounds.bound) <= self.goal:
            return None
        if self._following:
            return self._begun(self._following.popleft()(), Phase.CLOSE)
        if self._seeking:
            if unit := self._seek():
                return self._begun(unit, Phase.SEEK)
            self._seeking = any(phase is Phase.SEEK for phase in self.running.values())
        unit = self._lower() or self._roll_out() if self._owed else self._roll_out() or self._lower()
        if unit is None and self.state.exact is False and not self.running:  # only this can lower a bound
            unit = self._begun(self._close_left(), Phase.CLOSE)
        return unit

    def _begun(self, unit: WorkUnit | None, phase: Phase) -> WorkUnit | None:
        """Record that a unit begins, and describe it in `work`."""
        if unit is not None:
            self.running[unit] = phase
            self.work = unit.doing or "lowering the bounds of openings"
            if unit.doing and unit.openings:
                more = f" and {len(unit.openings) - 3:,} more" if len(unit.openings) > 3 else ""
                names = ", ".join(self.problem.wordlist[opening] for opening in unit.openings[:3])
                self.work = f"{unit.doing} {names}{more}"
        return unit

    def _lower(self) -> WorkUnit | None:
        """Return the next unit that lowers bounds."""
        for phase, unit_of in (
            (Phase.COUNT, self._count),
            (Phase.PROBE, self._probe),
            (Phase.LOWER, self._lower_greatest),
            (Phase.CLOSE, lambda: self._close_left() if self.state.exact else None),
        ):
            if unit := unit_of():
                return self._begun(unit, phase)
            if any(other in (phase, Phase.SEEK) for other in self.running.values()):
                return None  # the next phase needs their results
        return None

    @property
    def _is_short(self) -> bool:
        """True if the list is short enough for a search straight to its end."""
        table = self.problem.table
        return table.pool.shape[0] * table.targets.shape[0] < SHORT

    @property
    def _loses(self) -> bool:
        """True if words are lost, in a game whose bounds need a search of every guess."""
        if ranks_alone(self.problem.game, self.problem.table):  # openings are closed at once
            return False
        return not self.at.by_counts and self.tree is not None and self.tree.lost > 0

    @property
    def _owed(self) -> bool:
        """True if the next unit is for bounds, not for rollouts."""
        # A search that closes an opening also finds its best strategy.
        first = self.state.exact is None and not self.state.doubled
        if first or (self.state.exact and self._closing and not self._loses):
            return True
        rolling_out, lowering = self.state.seconds
        return lowering < SHARE * rolling_out

    @property
    def _busy(self) -> set[int]:
        """Openings whose bounds running units lower."""
        return {opening for unit in self.running if unit.bounds for opening in unit.openings}

    def _seek(self) -> WorkUnit | None:
        """Roll out an opening of high rank, or search every guess of the best ones; None: all done."""
        state = self.state
        if state.exact is False or not (self._loses or (self._is_short and self.at.by_counts)):
            return None
        if state.exact is None and state.doubled:  # the first search hit its limit
            return None
        if self._loses and 2 * self._seconds_sought < state.seconds[0] and (unit := self._seek_none_lost()):
            return unit
        for rolled_out, searched in FIRST:
            some = Stages([Stage(rolled_out, state.stages.plan[0].widths)], state.stages.values[:1])
            if following := some.next(lambda: self._openings, self._promising):
                return self._rolling_out(*following)
            lowest, passed = self.at.bounds.lowest, self._busy | state.doubled.keys()
            best = some.best(0)[:searched] if self.at.by_counts else []
            if above := [each for each in best if int(lowest[each]) > self.goal and each not in passed]:
                return self._close(above[: threads()], self.enough)
        wider = Stages(state.stages.plan[:3], state.stages.values[:3])  # few of the openings differ
        if self._loses and self._symmetric and (rest := wider.next(lambda: self._openings, self._promising)):
            return self._rolling_out(*rest)
        return self._seek_none_lost() if self._loses else None

    def _seek_none_lost(self) -> WorkUnit | None:
        """Search a class of an opening that may lose no word; None: all done, or not possible."""
        problem = self.problem
        if self._many or not (problem.game.bonus and is_searchable(problem.game, problem.table)):
            return None
        widths = tuple(sorted(self.state.stages.plan[0].widths.items()))
        return None if self._sought else SeekNoneLost((), self.value, widths, by_classes=False)

    def _count(self) -> WorkUnit | None:
        """Count the classes of the first openings, unless some were counted before."""
        if self.at.bounds.evidence.evaluated or not self.at.by_counts:
            return None
        first = tuple(self.at.most_classes(COUNTED_FIRST).tolist())
        return None if self._busy & set(first) else Evaluate(first, self.goal)

    def _probe(self) -> WorkUnit | None:
        """Test on the best of the counted openings whether a search of every guess ends within its limit."""
        if self.state.exact is not None or Phase.PROBE in self.running.values():
            return None
        bounds = self.at.bounds
        complete = bounds.evidence.complete
        opening = int(complete[bounds.lowest[complete].argmax()])
        tried = min(self.state.doubled.get(opening, 0), self._most_doubled)
        return Probe((opening,), self.goal, EVERY_GUESS << tried)

    @property
    def _most_doubled(self) -> int:
        """Most doublings of the first search's limit: an opening may take the time of its whole orbit."""
        first = self.at.bounds.first
        return min((len(first) // len(np.unique(first))).bit_length() - 1, DOUBLINGS)

    def _probed(self, opening: int, ends: bool) -> None:
        """Decide how openings are closed, from the result of the first search of every guess."""
        doubled = self.state.doubled
        tried = min(doubled.get(opening, 0), self._most_doubled)
        if ends:
            self.state.exact = True
            complete = self.at.bounds.evidence.complete.tolist()
            blocks = [complete[first : first + TOGETHER] for first in range(0, len(complete), TOGETHER)]
            self._following.extend(partial(self._close, some, 0) for some in blocks)
            return
        if tried < self._most_doubled:
            doubled[opening] = tried + 1
        else:
            self.state.exact = False
        if tried == 0:  # roll it out in both orders, equally widely, and use the better order
            widths = tuple((left, ORDER_WIDTH) for left in range(FEWEST_TURNS, self.problem.game.turns))
            for by_classes in (True, False):
                unit = partial(RollOut, (opening,), self.value, widths, by_classes, stage=-1)
                self._following.append(unit)

    def _lower_greatest(self) -> WorkUnit | None:
        """Lower the greatest bounds, see `Lowering`; None if that lowers no more."""
        if not self.at.by_counts:
            return None
        if self._lowering is None:
            self._lowering = Lowering(self.at, many=self._many)
        self._lowering.at_once = self._straight or (bool(self.state.exact) and self._is_short)
        return self._lowering.next_unit(self.goal, self._busy)

    def _close_left(self) -> WorkUnit | None:
        """Search every guess of the openings of greatest bounds; None if none is left."""
        doubled, busy = self.state.doubled, self._busy
        above = (opening for opening in self._greatest(self.goal) if opening not in busy)
        closable = (opening for opening in above if doubled.get(opening, 0) < DOUBLINGS)
        game, table = self.problem.game, self.problem.table
        together = TOGETHER if not self._many else 1 if counts_classes(game, table) else SEARCHED
        together = OPENINGS if ranks_alone(game, table) else together
        some = list(islice(closable, together))
        return self._close(some, self.enough) if some else None

    def _close(self, openings: Sequence[int], enough: int) -> WorkUnit:
        """Search every guess of some openings."""
        limit = EVERY_GUESS << max(self.state.doubled.get(opening, 0) for opening in openings)
        return Close(tuple(openings), self._goal(enough), limit, self.value)

    def _roll_out(self) -> WorkUnit | None:
        """Roll out openings of a stage, on a GPU several together; None if all stages are done."""
        most = ROLLED_OUT_TOGETHER if is_gpu(self.problem.table.device) else 1
        following = self.state.stages.next(lambda: self._openings, self._promising, most)
        if following is None or (self.state.exact and not self.at.by_counts and not self._loses):
            return None
        return self._begun(self._rolling_out(*following), Phase.ROLL_OUT)

    def _rolling_out(self, stage: int, openings: Sequence[int]) -> WorkUnit:
        widths = tuple(sorted(self.state.stages.plan[stage].widths.items()))
        return RollOut(tuple(openings), self.value, widths, self.state.by_classes, stage)

    def _promising(self, opening: int) -> bool:
        """True if an opening may have more than the best tree, and is not being rolled out."""
        if any(opening in unit.openings for unit in self.running if not unit.bounds):
            return False
        return self.state.lowest is None or int(self.state.lowest[opening]) > self.value

    @cached_property
    def _openings(self) -> list[int]:
        """Openings for the first stage: by number of classes, and by rank unless that order is not used."""
        table, stage = self.problem.table, self.state.stages.plan[0]
        count = min(stage.openings, table.pool.shape[0])
        by_classes = self.at.most_classes(count)
        if self.state.by_classes or table.weights is not None:
            return by_classes.tolist()
        turns = self.problem.game.turns
        objective = self.problem.order(table.words, turns, range(turns + 1))
        pool = self.at.one_of_each_orbit
        count = min(count, len(by_classes), len(pool))
        ranked = rank(table, whole(table), pool, objective, count, progress=self.at.progress)
        mixed = np.stack([array_of(ranked.guesses[0]), by_classes[:count]], axis=1).ravel()
        return list(dict.fromkeys(mixed.tolist()))

    def merge(self, unit: WorkUnit, result: Found, seconds: float) -> None:
        """Merge the result of a unit with what is known."""
        phase, state = self.running.pop(unit), self.state
        if result.evidence is not None:
            self.at.bounds.apply(result.evidence)
        state.offer(result.tree)
        state.seconds[phase not in (Phase.SEEK, Phase.ROLL_OUT)] += seconds
        match unit:
            case SeekNoneLost():
                self._seconds_sought += seconds
                self._sought = result.over
                state.stages.values[0] |= result.values
            case RollOut(stage=-1):
                self._orders[unit.by_classes] = result.values[unit.openings[0]]
                if len(self._orders) == 2:
                    state.by_classes = self._orders[True] > self._orders[False]
                    values = {unit.openings[0]: self._orders[state.by_classes]}
                    state.stages.note(dict(unit.widths), values)
            case RollOut():
                state.stages.values[unit.stage] |= result.values
            case Probe():
                self._probed(unit.openings[0], result.closed[unit.openings[0]])
            case Close():
                self._closing = any(result.closed.values())
                for opening in (opening for opening, is_closed in result.closed.items() if not is_closed):
                    state.doubled[opening] = state.doubled.get(opening, 0) + 1
                if self._closing:
                    state.exact = True
            case _ if self._lowering is not None:
                self._lowering.note(unit)

    def _patient(self, *done: int) -> None:
        """Progress of work that must end even when the time is up."""
        with suppress(TimeIsUp):
            self.check()

    def _greatest(self, goal: int) -> list[int]:
        """The openings whose bounds are above a goal, the greatest first."""
        lowest = self.at.bounds.lowest
        order = largest_first(lowest)
        above: list[int] = order[lowest[order] > goal].tolist()
        return above

    @property
    def optimal_openings(self) -> tuple[int, int]:
        """Number of openings known to have the value of the best tree, and of all that may have it."""
        first, lowest = self.at.first, self.state.lowest
        if lowest is None or self.tree is None:
            return 0, self.problem.table.pool.shape[0]
        known = {*self.state.optimal, int(first[int(self.tree.guess[0])])}
        sure = np.isin(first, sorted(known))[array_of(self.problem.table.pool)]
        return int(sure.sum()), int((lowest[first] >= self.value).sum())

    def find_optimal(self, check: Callable[[], None]) -> None:
        """Find every opening of the optimal value, once that is proven; see `run` for `check`."""
        self.check, goal, optimal = check, self.value - 1, self.state.optimal
        with suppress(TimeIsUp):
            for opening in self._greatest(goal):
                if int(self.at.bounds.first[opening]) == opening and opening not in optimal:
                    check()
                    if self.at.of_opening(opening, goal) >= self.value:
                        result = Close((opening,), goal, EVERY_GUESS << DOUBLINGS, self.value).run(self.at)
                        equal = int(self.at.bounds.evidence.bounds[opening]) == self.value
                        optimal |= {opening} if result.closed[opening] and equal else set()

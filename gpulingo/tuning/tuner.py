"""Tune a strategy to a list: values fitted to searches, then changed at random; what is better is kept.

Every trial is played against the whole list. Which words need be searched at all is the business of `pools`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.strategies.build import build
from gpulingo.strategies.pools import Pool
from gpulingo.strategies.tuned import Tuned
from gpulingo.strategies.values import SCALE, value_table
from gpulingo.tensors.clock import clock
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, encode
from gpulingo.tuning.fit import fitted, most, on_knots, with_values
from gpulingo.tuning.memo import KNOWN, MEMORY, Memory, Remembering
from gpulingo.tuning.state import Trial, Work
from gpulingo.words.listing import WordList

FEWEST_TURNS = 3  # with two the number of classes is exact, and nothing is to be tuned
FITS, FITTED_AGAIN = (2, 3), 25  # the first trials that are fits; later every so many
SWEPT = range(4, 10)  # trials of the openings of greatest rank, one after the other
REACH, LEAST, FURTHEST = 0.3, 0.05, 0.6  # of a change, as a logarithm: at first, at least, at most
OPENINGS = 20  # of greatest rank, from which one is drawn
BONUSES, OPENED, MIXED = 0.12, 0.27, 0.4  # draws from 0 to 1 below which a change is of that kind
NEAR = (0.5, 1.0, 2.0, 8.0)  # how wide a change of values is, as a logarithm of the size
PLAIN, FITTED = 1, "fitted values"
LeftKnots = tuple[tuple[int, int], ...]
AllKnots = dict[int, LeftKnots]
Check = Callable[[], None]  # called often; may raise


class Tuner:
    """Trials on one list.

    Args:
        wordlist: each word is a target, and each may be guessed.
        turns: of a round, at least FEWEST_TURNS.
        seed: the same seed gives the same trials.
        device: where to compute.
        check: called while a trial goes on; what it raises ends the trial.
        memory: bytes that remembered sets may take.
    """

    def __init__(
        self,
        wordlist: WordList,
        turns: int = 5,
        seed: int = 0,
        *,
        device: str | torch.device = "cpu",
        check: Check = lambda: None,
        memory: int = MEMORY,
    ) -> None:
        if turns < FEWEST_TURNS:
            raise ValueError(f"{turns} turns, expected at least {FEWEST_TURNS}: use `parts`, which is exact")
        self.wordlist, self.turns, self.seed, self.device, self.check = wordlist, turns, seed, device, check
        self.table: WordTable = encode(wordlist.words).to(device)
        self._memory = Memory(self.table.words, memory // KNOWN)

    def begun(self) -> Work:
        """Trial 0: the starting values, whose greatest rank is the opening."""
        started = clock()
        values = value_table(self.table.words, self.turns)
        knots = {left: [(size, int(values[left, size])) for size in range(3, self.table.words + 1)]
                 for left in range(2, self.turns)}  # fmt: skip
        wordlist = self.wordlist
        start = Tuned(
            length=wordlist.length, words=len(wordlist), fingerprint=wordlist.fingerprint, turns=self.turns,
            knots=on_knots(knots, len(wordlist), self.turns), bonus=SCALE, opening=0, pool=Pool(),
            seed=self.seed, mean_points=0.0,
        )  # fmt: skip
        found = self.played(start, None)
        return Work(found, found, REACH, (self._trial(0, "starting values", found, True, started),))

    def after(self, work: Work) -> Work:
        """One trial more."""
        started, number = clock(), len(work.trials)
        draw = Random(f"{self.seed} {number}")  # of its own, so that a tuning goes on as if never interrupted
        text, change = self._tried(number, work, draw)
        # The values of `parts` have an opening of their own, which is that of `parts`.
        found = self.played(change, None if number == PLAIN else change.opening)
        gain = found.mean_points - work.best.mean_points
        best = found if gain >= 0 else work.best  # of equal ones the later, or the search would not get away
        self._memory.keep(best)
        reach, fit = work.reach, work.fit
        if text == FITTED:
            fit = found
        elif number != PLAIN:
            reach = min(FURTHEST, reach * 1.3) if gain > 0 else max(LEAST, reach * 0.96)
        return Work(best, fit, reach, (*work.trials, self._trial(number, text, found, gain > 0, started)))

    def played(self, tuned: Tuned, opening: int | None) -> Tuned:
        """The same values with the mean points that they yield, and their opening."""
        strategy = Remembering(tuned, self._memory, opening)
        tree = build(self.wordlist, strategy, lingo(self.turns), device=self.device,
                     report=lambda turn, pairs, most: self.check()).tree  # fmt: skip
        return replace(tuned, mean_points=tree.mean_points, opening=int(tree.guess[0]))

    def _trial(self, number: int, change: str, found: Tuned, kept: bool, started: float) -> Trial:
        opening, seconds = self.wordlist[found.opening], clock() - started
        return Trial(number, change, opening, found.mean_points, kept, seconds)

    def _tried(self, number: int, work: Work, draw: Random) -> tuple[str, Tuned]:
        """What a trial tries, in words and in values."""
        best = work.best
        if number == PLAIN:
            return "no loss and no bonus, which is parts", replace(best, knots=lossless(best.knots), bonus=0)
        if number in FITS or number % FITTED_AGAIN == 0:
            order = (work.fit if number in FITS else best).objective
            knots = fitted(self.table, self.turns, order, lambda pairs: self.check())
            return FITTED, replace(best, knots=knots)
        if number in SWEPT:
            tried = {trial.opening for trial in work.trials}
            for opening in self._openings(best):
                if (word := self.wordlist[opening]) not in tried:
                    return f"opening {word}", replace(best, opening=opening)
        return self._changed(work, draw)

    def _changed(self, work: Work, draw: Random) -> tuple[str, Tuned]:
        """A change of the bonus, the opening, the values towards the fit, or those of about one size."""
        best, kind, factor = work.best, draw.random(), math.exp(draw.gauss(0, work.reach))
        if kind < BONUSES:
            bonus = min(round(max(best.bonus, SCALE // 16) * factor), 8 * SCALE)
            return f"bonus {bonus / SCALE:.3f}", replace(best, bonus=bonus)
        if kind < OPENED or self.turns == FEWEST_TURNS:
            opening = draw.choice(self._openings(best))
            return f"opening {self.wordlist[opening]}", replace(best, opening=opening)
        if kind < MIXED:
            share = min(1.0, abs(draw.gauss(0, 2 * work.reach)))
            knots = mixed(best.knots, work.fit.knots, share)
            return f"{share:.3f} towards the fit", replace(best, knots=knots)
        # With all turns left values are of no use, as the opening is fixed.
        left, near = draw.randrange(2, self.turns - 1), draw.choice(NEAR)
        middle = math.exp(draw.uniform(math.log(3), math.log(max(4, self.table.words / 20))))
        knots = best.knots | {left: bent(left, best.knots[left], middle, near, factor)}
        text = f"{left} left, sets of about {middle:.0f}: loss x {factor:.3f}"
        return text, replace(best, knots=knots)

    def _openings(self, tuned: Tuned) -> list[int]:
        """The words of greatest rank for the whole list."""
        objective = tuned.objective(self.table.words, self.turns)
        width = min(OPENINGS, self.table.words)
        ranked = rank(self.table, whole(self.table), self.table.pool, objective, width)
        return [int(guess) for guess in ranked.guesses[0]]


def lossless(knots: AllKnots) -> AllKnots:
    """The most that sets are worth: sums of it order guesses by the number of their classes."""
    return {left: tuple((size, most(left, size)) for size, _ in of) for left, of in knots.items()}


def mixed(knots: AllKnots, others: AllKnots, share: float) -> AllKnots:
    """Values between two, at the same sizes: a share of 0 is the first, 1 the second."""
    found = {}
    for left, of in knots.items():
        pairs = zip(of, others[left], strict=True)
        values = [value + round((other - value) * share) for (_, value), (_, other) in pairs]
        found[left] = with_values(left, [size for size, _ in of], values)
    return found


def bent(left: int, knots: LeftKnots, middle: float, near: float, factor: float) -> LeftKnots:
    """Knots whose loss, what they are short of the most, is multiplied by a factor, less so away from a size.

    Args:
        left: turns left.
        knots: at `knot_sizes`.
        middle: size with the whole factor.
        near: width of the change, as a logarithm of the size.
        factor: above 0.
    """
    values = []
    for size, value in knots:
        share = math.exp(-(((math.log(size) - math.log(middle)) / near) ** 2))
        values.append(most(left, size) - round((most(left, size) - value) * factor**share))
    return with_values(left, [size for size, _ in knots], values)

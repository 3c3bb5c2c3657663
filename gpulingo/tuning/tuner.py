"""Tune a strategy to a list: values fitted to searches, then changed at random; what is better is kept.

Every trial is played against the whole list. Which words need be searched at all is the business of `pools`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.search import MEMORY
from gpulingo.strategies.build import played
from gpulingo.strategies.pools import Pool
from gpulingo.strategies.strategy import first_position
from gpulingo.strategies.tuned import Tuned
from gpulingo.strategies.values import SCALE, Knots, LeftKnots, value_table
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import is_gpu
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.tuning.fit import fitted, most, on_knots, with_values
from gpulingo.tuning.memo import Key, Memo, Memoised, key_of
from gpulingo.tuning.state import Trial, Tuning
from gpulingo.words.listing import WordList

FEWEST_TURNS = 3  # with two the number of classes is exact, and nothing is to be tuned
# What is tried when, and how far changes go: taken together they came to what docs/strategies.md has, by
# `gpulingo tune --length N --seed 1 --time SECONDS`; none was varied alone.
FITS, FITTED_AGAIN = (2, 3), 25  # the first trials that are fits; later every so many
SWEPT = range(4, 10)  # trials of the openings of greatest rank, one after the other
REACH, LEAST, FURTHEST = 0.3, 0.05, 0.6  # of a change, as a logarithm: at first, at least, at most
OPENINGS = 20  # of greatest rank, from which one is drawn
BONUSES, OPENED, MIXED = 0.12, 0.27, 0.4  # draws from 0 to 1 below which a change is of that kind
NEAR = (0.5, 1.0, 2.0, 8.0)  # how wide a change of values is, as a logarithm of the size
PLAIN, FITTED = 1, "fitted values"  # the trial that is `parts`; what a fit is called
TOGETHER = 16  # trials that are played together on a GPU
Check = Callable[[], None]  # called often; may raise


class Tuner:
    """Trials on one list.

    Args:
        wordlist: each word is a target, and each may be guessed.
        turns: of a round, at least FEWEST_TURNS.
        seed: the same seed gives the same trials.
        device: where to compute.
        memory: bytes that remembered sets may take.
        together: trials that are played together at most; None: as many as are fast on the device.
    """

    def __init__(
        self,
        wordlist: WordList,
        turns: int = 5,
        seed: int = 0,
        *,
        device: str | torch.device = "cpu",
        memory: int = MEMORY,
        together: int | None = None,
    ) -> None:
        if turns < FEWEST_TURNS:
            raise ValueError(f"{turns} turns, expected at least {FEWEST_TURNS}: use `parts`, which is exact")
        self.wordlist, self.game, self.seed, self.device = wordlist, lingo(turns), seed, device
        self.table: WordTable = table_of(wordlist, self.game).to(device)
        self.together = together or (TOGETHER if is_gpu(self.table.device) else 1)
        self._memo = Memo(self.table.words, memory)
        self._ranked: dict[Key, list[int]] = {}  # the openings of greatest rank by the values asked for last

    def begun(self, check: Check = lambda: None) -> Tuning:
        """Trial 0: the starting values, whose greatest rank is the opening.

        Args:
            check: called during the trial; what it raises ends it.
        """
        started, wordlist, game = clock(), self.wordlist, self.game
        values = value_table(len(wordlist), game.turns, game.payoff)
        knots = {left: [(size, int(values[left, size])) for size in range(3, len(wordlist) + 1)]
                 for left in range(2, game.turns)}  # fmt: skip
        start = Tuned(
            length=wordlist.length, words=len(wordlist), fingerprint=wordlist.fingerprint, turns=game.turns,
            knots=on_knots(knots, len(wordlist), game), bonus=SCALE, opening=0, pool=Pool(),
            seed=self.seed, mean_points=0.0,
        )  # fmt: skip
        (first,) = self._played([start], False, check)
        opening, seconds = self.wordlist[first.opening], clock() - started
        trial = Trial(0, "starting values", opening, first.mean_points, True, seconds)
        return Tuning(first, first, REACH, (trial,))

    def after(self, tuning: Tuning, check: Check = lambda: None, most: int = 1) -> Tuning:
        """One trial more, or the next few, played together: the same trials as one by one.

        Each is drawn as if none of those before it were kept; what follows the first kept trial is dropped.

        Args:
            tuning: the trials so far.
            check: called during trials; what it raises ends them.
            most: trials more.
        """
        started, plain = clock(), len(tuning.trials) == PLAIN
        changes = self._changes(tuning, check, min(most, self.together))
        # The values of `parts` have an opening of their own, which is that of `parts`.
        played = self._played([change for _, change in changes], not plain, check)
        seconds = (clock() - started) / len(changes)
        for (text, _), values in zip(changes, played, strict=True):
            before, tuning = tuning.best, self._with(tuning, text, values, seconds)
            if tuning.best != before:
                break
        self._memo.keep(tuning.best)
        return tuning

    def _changes(self, tuning: Tuning, check: Check, most: int) -> list[tuple[str, Tuned]]:
        """The next changes, one at least, while none of them is kept; in words and in values."""
        changes: list[tuple[str, Tuned]] = []
        while len(changes) < most:
            number = len(tuning.trials)
            if changes and _is_fit(
                number
            ):  # which takes as long as many trials, and is dropped with the rest
                break
            draw = Random(
                f"{self.seed} {number}"
            )  # its own, so that a tuning goes on as if never interrupted
            text, change = self._change(number, tuning, draw, check)
            changes.append((text, change))
            if number == PLAIN:  # whose opening is not known yet
                break
            tuning = self._with(tuning, text, replace(change, mean_points=-1.0), 0.0)
        return changes

    def _with(self, tuning: Tuning, text: str, played: Tuned, seconds: float) -> Tuning:
        """A tuning with one trial more, of values that were played."""
        number, gain = len(tuning.trials), played.mean_points - tuning.best.mean_points
        best = played if gain >= 0 else tuning.best  # on ties the newer, or the climb stays on a plateau
        reach, fit = tuning.reach, tuning.fit
        if text == FITTED:
            fit = played
        elif number != PLAIN:
            reach = min(FURTHEST, reach * 1.3) if gain > 0 else max(LEAST, reach * 0.96)
        opening = self.wordlist[played.opening]
        trial = Trial(number, text, opening, played.mean_points, gain > 0, seconds)
        return Tuning(best, fit, reach, (*tuning.trials, trial))

    def _played(self, some: Sequence[Tuned], opening: bool, check: Check) -> list[Tuned]:
        """The same values with the mean points that they yield, and their openings: their own or by rank."""
        game, strategy = self.game, Memoised(some, self._memo, opening)
        position = strategy.begun(first_position(self.table, game))
        rows = torch.arange(len(some), device=self.table.device)
        credits = torch.zeros_like(rows)
        firsts: list[int] = []
        for turn, level in enumerate(
            played(position, lambda asked: strategy.choose(asked, lambda pairs: check()))
        ):
            check()
            firsts = firsts or level.guesses.tolist()
            rows = rows if turn == 0 else rows[level.parents]
            credits.index_add_(0, rows, level.hits * game.payoff[game.turns - turn])
        made = zip(some, firsts, credits.tolist(), strict=True)
        words = self.wordlist.total_weight
        return [
            replace(each, opening=first, mean_points=game.points_of(value, words))
            for each, first, value in made
        ]

    def _change(self, number: int, tuning: Tuning, draw: Random, check: Check) -> tuple[str, Tuned]:
        """The change of a trial, in words and in values."""
        best = tuning.best
        if number == PLAIN:
            return "no loss and no bonus, which is parts", replace(best, knots=lossless(best.knots), bonus=0)
        if _is_fit(number):
            order = (tuning.fit if number in FITS else best).objective
            return FITTED, replace(best, knots=fitted(self.table, self.game, order, lambda pairs: check()))
        if number in SWEPT:
            tried = {trial.opening for trial in tuning.trials}
            for opening in self._openings(best):
                if (word := self.wordlist[opening]) not in tried:
                    return f"opening {word}", replace(best, opening=opening)
        return self._random_change(tuning, draw)

    def _random_change(self, tuning: Tuning, draw: Random) -> tuple[str, Tuned]:
        """A change of the bonus, the opening, the values towards the fit, or those of about one size."""
        best, kind, factor = tuning.best, draw.random(), math.exp(draw.gauss(0, tuning.reach))
        if kind < BONUSES:
            bonus = min(round(max(best.bonus, SCALE // 16) * factor), 8 * SCALE)
            return f"bonus {bonus / SCALE:.3f}", replace(best, bonus=bonus)
        if kind < OPENED or self.game.turns == FEWEST_TURNS:
            opening = draw.choice(self._openings(best))
            return f"opening {self.wordlist[opening]}", replace(best, opening=opening)
        if kind < MIXED:
            share = min(1.0, abs(draw.gauss(0, 2 * tuning.reach)))
            knots = mixed(best.knots, tuning.fit.knots, share)
            return f"{share:.3f} towards the fit", replace(best, knots=knots)
        # With all turns left values are of no use, as the opening is fixed.
        left, near = draw.randrange(2, self.game.turns - 1), draw.choice(NEAR)
        middle = math.exp(draw.uniform(math.log(3), math.log(max(4, self.table.words / 20))))
        knots = best.knots | {left: bent(left, best.knots[left], middle, near, factor)}
        text = f"{left} left, sets of about {middle:.0f}: loss x {factor:.3f}"
        return text, replace(best, knots=knots)

    def _openings(self, tuned: Tuned) -> list[int]:
        """The words of greatest rank for the whole list."""
        table, key = self.table, key_of(tuned, self.game.turns)
        if key not in self._ranked:
            objective = tuned.objective(table.words, self.game.turns, self.game.payoff)
            ranked = rank(table, whole(table), table.pool, objective, min(OPENINGS, table.words))
            self._ranked = {key: ranked.guesses[0].tolist()}
        return self._ranked[key]


def _is_fit(number: int) -> bool:
    """Return True if the trial of a number is a fit."""
    return number in FITS or number % FITTED_AGAIN == 0


def lossless(knots: Knots) -> dict[int, LeftKnots]:
    """The greatest value of sets: sums of it order guesses by the number of their classes."""
    return {left: tuple((size, most(left, size)) for size, _ in row) for left, row in knots.items()}


def mixed(knots: Knots, others: Knots, share: float) -> dict[int, LeftKnots]:
    """Values between two, at the same sizes: a share of 0 is the first, 1 the second."""
    rows: dict[int, LeftKnots] = {}
    for left, row in knots.items():
        pairs = zip(row, others[left], strict=True)
        values = [value + round((other - value) * share) for (_, value), (_, other) in pairs]
        rows[left] = with_values(left, [size for size, _ in row], values)
    return rows


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

"""Standings of a match: points with their error, or words won and misses; costs and faults of players."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.match.rounds import RoundResult

T = TypeVar("T")
SURE = statistics.NormalDist().inv_cdf(0.975)  # standard errors on each side of a 95 % interval


@dataclass(frozen=True)
class MeanPoints:
    """Mean points of one length, or the sum of such means over lengths."""

    points: float
    variance: float | None  # None if one round does not give it

    @property
    def error(self) -> float | None:
        """Standard error, in points."""
        return None if self.variance is None else math.sqrt(self.variance)


@dataclass(frozen=True)
class Tally:
    """Results on some words of one player, if misses cost."""

    words: int
    misses: tuple[int, ...]  # misses[m] words were won with m misses
    lives: int  # misses that lose a word

    @property
    def won(self) -> int:
        return sum(self.misses)

    @property
    def lost(self) -> int:
        return self.words - self.won

    @property
    def share(self) -> float:
        return self.won / self.words

    @property
    def mean_misses(self) -> float:
        """Mean misses per word; a lost one, even if the player gave up or crashed, has all that lose it."""
        missed = sum(misses * count for misses, count in enumerate(self.misses))
        return (missed + self.lives * self.lost) / self.words


@dataclass(frozen=True)
class Standing:
    """One player in a match."""

    player: str
    game: Game
    results: tuple[RoundResult, ...]  # one or more, each word once
    whole: Mapping[int, int] | None = None  # length -> words drawn from, see `standings`
    leader: Mapping[str, float] = field(default_factory=dict)  # word -> points of the leader

    @cached_property
    def points(self) -> dict[str, float]:
        return {result.round.word: float(result.points) for result in self.results}

    @cached_property
    def means(self) -> dict[int, MeanPoints]:
        """Length -> mean points."""
        return _means(self.points, self.whole)

    @cached_property
    def total(self) -> MeanPoints:
        """Sum of the means over lengths."""
        return summed(self.means)

    @cached_property
    def to_leader(self) -> MeanPoints:
        """Points above the leader's on the same words, summed as in `total`; usually at most 0."""
        leader = self.leader
        paired = {word: points - leader[word] for word, points in self.points.items() if word in leader}
        return summed(_means(paired, self.whole))

    @property
    def mean_guesses(self) -> float:
        """Mean guesses per round, averaged over the lengths; a lost round counts one more than it allows."""
        return self.game.mean_guesses(self.total.points / len(self.means))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the 95 % interval of `to_leader`, by the normal distribution."""
        points, error = self.to_leader.points, self.to_leader.error
        return None if error is None else (points - SURE * error, points + SURE * error)

    @cached_property
    def tally(self) -> Tally:
        return tally(self.results, self.game)

    @cached_property
    def tallies(self) -> dict[int, Tally]:
        """Length -> tally of the words of that length, by ascending length."""
        rows = _by_length({result.round.word: result for result in self.results})
        return {length: tally(results, self.game) for length, results in rows.items()}

    @property
    def place(self) -> tuple[float, ...]:
        """Sort key of players, smallest first: by points; or by words won, and on ties misses."""
        if self.game.counts_misses:
            return -self.tally.share, self.tally.mean_misses
        return (-self.total.points,)

    @property
    def lost(self) -> int:
        return sum(not result.points for result in self.results)

    @property
    def invalid(self) -> int:
        """Guesses that were not legal: not in the list, or letters guessed before."""
        return sum(result.invalid for result in self.results)

    @property
    def failed(self) -> list[RoundResult]:
        return [result for result in self.results if result.fault]

    @property
    def lingered(self) -> int:
        return sum(result.lingered for result in self.results)

    @property
    def gave_up(self) -> int:
        """Rounds that the player ended before they were over."""
        return sum(bool(result.error) and not result.fault for result in self.results)

    def count(self, fault: str) -> int:
        return sum(result.fault == fault for result in self.results)

    @property
    def cpu(self) -> list[float]:
        return [result.cpu for result in self.results]

    @property
    def wall(self) -> list[float]:
        return [result.wall for result in self.results]

    @property
    def rate(self) -> float:
        """Words per second of the player's time, including its starts."""
        seconds = sum(self.wall)
        return len(self.results) / seconds if seconds else 0.0


def standings(
    results: Iterable[RoundResult],
    players: Sequence[str],
    whole: Mapping[int, int] | None = None,
    game: Game | None = None,
) -> list[Standing]:
    """Sum up a match, the leader first; on ties in the order of `players`, without those without results.

    `whole`: length -> number of words that the rounds were drawn from without replacement, so that a match
    over all of them has no error; None if they were not drawn.
    """
    played: dict[str, list[RoundResult]] = {player: [] for player in players}
    for result in results:
        played[result.round.player].append(result)
    rows = [Standing(player, game or lingo(), tuple(rows), whole) for player, rows in played.items() if rows]
    rows.sort(key=lambda row: row.place)
    return [replace(row, leader=rows[0].points) for row in rows]


def misses_of(result: RoundResult) -> int:
    """Misses of a round: guesses of letters that the word does not have, or that were guessed before."""
    guesses = result.guesses
    return sum(
        letter not in result.round.word or letter in guesses[:number] for number, letter in enumerate(guesses)
    )


def tally(results: Iterable[RoundResult], game: Game) -> Tally:
    counts, words = [0] * game.turns, 0
    for result in results:
        words += 1
        if result.points:
            counts[misses_of(result)] += 1
    return Tally(words, tuple(counts), game.turns)


def mean(points: Sequence[float], words: int | None = None) -> MeanPoints:
    """Return the mean points of rounds drawn without replacement from `words` words; None: no limit."""
    rounds = len(points)
    if rounds == words:
        return MeanPoints(statistics.fmean(points), 0.0)
    if rounds < 2:
        return MeanPoints(statistics.fmean(points), None)
    share = 1 - rounds / words if words else 1.0
    return MeanPoints(statistics.fmean(points), statistics.variance(points) / rounds * share)


def summed(means: Mapping[int, MeanPoints]) -> MeanPoints:
    variances = [mean.variance for mean in means.values() if mean.variance is not None]
    known = len(variances) == len(means)
    return MeanPoints(sum(mean.points for mean in means.values()), sum(variances) if known else None)


def _by_length(of_words: Mapping[str, T]) -> dict[int, list[T]]:
    lengths = sorted({len(word) for word in of_words})
    return {length: [of for word, of in of_words.items() if len(word) == length] for length in lengths}


def _means(points: Mapping[str, float], whole: Mapping[int, int] | None) -> dict[int, MeanPoints]:
    rows = _by_length(points).items()
    return {length: mean(row, None if whole is None else whole[length]) for length, row in rows}

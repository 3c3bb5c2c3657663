"""What a match says: mean points, how sure they are, who leads by how much, what players cost and broke."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.match.rounds import Result

SURE = statistics.NormalDist().inv_cdf(0.975)  # standard errors on each side of a 95 % interval


@dataclass(frozen=True)
class Mean:
    """Points of one length, or the sum of such means over lengths.

    Attributes:
        points: mean, or sum of means.
        variance: of `points`; None when one round says nothing about it.
    """

    points: float
    variance: float | None

    @property
    def error(self) -> float | None:
        """Standard error, in points."""
        return None if self.variance is None else math.sqrt(self.variance)


@dataclass(frozen=True)
class Standing:
    """One player in a match.

    Attributes:
        player: its command. game: that was played.
        means: length -> mean points.
        total: sum of the means over lengths.
        to_leader: points above the leader's on the same words, summed as `total` is; 0 or less as a rule.
        rounds, lost: how many. invalid: guesses that were no word.
        crashes, timeouts, lingered: rounds with one.
        cpu, wall: median and greatest seconds of a round.
    """

    player: str
    means: dict[int, Mean]
    total: Mean
    to_leader: Mean
    rounds: int
    lost: int
    invalid: int
    crashes: int
    timeouts: int
    lingered: int
    cpu: tuple[float, float]
    wall: tuple[float, float]
    game: Game = field(default_factory=lingo)

    @property
    def mean_guesses(self) -> float:
        """Mean guesses of a round, the mean over the lengths; a lost round counts one more than it allows."""
        return self.game.mean_guesses(self.total.points / len(self.means))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the 95 % interval of `to_leader`, by the normal distribution."""
        error = self.to_leader.error
        if error is None:
            return None
        return self.to_leader.points - SURE * error, self.to_leader.points + SURE * error


def standings(
    results: Iterable[Result],
    players: Sequence[str],
    whole: Mapping[int, int] | None = None,
    game: Game | None = None,
) -> list[Standing]:
    """Sum up a match, the leader first; equal totals in the order of `players`.

    Args:
        results: of any rounds of these players, at most one for a player and a word.
        players: those that stand in it; without a result, a player is left out.
        whole: length -> words that the rounds were drawn from without replacement, so that a match over all
            of them has no error; None when they were not drawn.
        game: that was played, lingo when not given.
    """
    own: dict[str, dict[str, Result]] = {player: {} for player in players}
    for result in results:
        own[result.round.player][result.round.word] = result
    points = {player: _points(rows) for player, rows in own.items() if rows}
    if not points:
        return []
    sums = {player: summed(_means(by_word, whole)).points for player, by_word in points.items()}
    order = sorted(points, key=lambda player: -sums[player])
    leader = points[order[0]]
    return [replace(_standing(player, own[player], leader, whole), game=game or lingo()) for player in order]


def mean(points: Sequence[float], words: int | None = None) -> Mean:
    """Mean of the points of rounds, drawn without replacement from so many words; None: from any number."""
    rounds = len(points)
    if rounds == words:
        return Mean(statistics.fmean(points), 0.0)
    if rounds < 2:
        return Mean(statistics.fmean(points), None)
    share = 1 - rounds / words if words else 1.0
    return Mean(statistics.fmean(points), statistics.variance(points) / rounds * share)


def summed(means: Mapping[int, Mean]) -> Mean:
    """Sum of independent means."""
    variances = [mean.variance for mean in means.values() if mean.variance is not None]
    known = len(variances) == len(means)
    return Mean(sum(mean.points for mean in means.values()), sum(variances) if known else None)


def _points(rows: Mapping[str, Result]) -> dict[str, float]:
    """Word -> points."""
    return {word: float(result.points) for word, result in rows.items()}


def _means(points: Mapping[str, float], whole: Mapping[int, int] | None) -> dict[int, Mean]:
    """Length -> mean points, by ascending length."""
    grouped: dict[int, list[float]] = {}
    for word, number in points.items():
        grouped.setdefault(len(word), []).append(number)
    return {
        length: mean(grouped[length], None if whole is None else whole[length]) for length in sorted(grouped)
    }


def _standing(
    player: str,
    rows: Mapping[str, Result],
    leader: Mapping[str, float],
    whole: Mapping[int, int] | None,
) -> Standing:
    """The standing of one player."""
    points = _points(rows)
    means = _means(points, whole)
    paired = {word: points[word] - leader[word] for word in points if word in leader}
    results = list(rows.values())
    return Standing(
        player, means, summed(means), summed(_means(paired, whole)),
        rounds=len(results),
        lost=sum(not result.points for result in results),
        invalid=sum(result.invalid for result in results),
        crashes=sum(result.fault == "crash" for result in results),
        timeouts=sum(result.fault == "timeout" for result in results),
        lingered=sum(result.lingered for result in results),
        cpu=_spread([result.cpu for result in results]),
        wall=_spread([result.wall for result in results]),
    )  # fmt: skip


def _spread(seconds: Sequence[float]) -> tuple[float, float]:
    """Median and maximum."""
    return statistics.median(seconds), max(seconds)

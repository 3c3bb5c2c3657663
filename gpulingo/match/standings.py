"""Standings of a match: points with their error, or words won and misses; costs and faults of players."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.match.rounds import RoundResult
from gpulingo.words.shown import counted

T = TypeVar("T")
FAULTS = {"crashes": "crash", "timeouts": "timeout"}  # what their numbers are called
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
    game: Game

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
        return self.game.mean_misses(self.misses, self.words)


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
    return Tally(words, tuple(counts), game)


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


def failure_note(standing: Standing) -> str:
    """Return the number of rounds that a player failed, and why it failed the first; empty without one."""
    failed = standing.failed
    if not failed:
        return ""
    first = failed[0]
    code = "" if first.exit is None or first.fault == "timeout" else f" (exit code {first.exit})"
    what = f"{standing.player!r} failed {len(failed):,} of {counted(len(standing.results), 'round')}"
    return f"{what}, first with {first.round.word}: {first.error}{code}"


def standing_entry(rank: int, standing: Standing) -> dict[str, Any]:
    """Return a standing as a JSON object; times in seconds."""
    entry: dict[str, Any] = {"rank": rank, "player": standing.player}
    wall = {"wall": {"median": statistics.median(standing.wall), "max": max(standing.wall)}}
    broken = {name: standing.count(fault) for name, fault in FAULTS.items()}
    if standing.game.counts_misses:
        lengths = {str(length): tally_entry(tally) for length, tally in standing.tallies.items()}
        entry |= {"game": standing.game.code, **tally_entry(standing.tally), "by_length": lengths}
        entry |= {"words_per_second": standing.rate, "cpu": sum(standing.cpu), **wall, **broken}
        return entry | {"gave_up": standing.gave_up, "repeated": standing.invalid}
    entry |= {"points": {str(length): mean.points for length, mean in standing.means.items()}}
    entry |= {"total": standing.total.points, "mean_guesses": standing.mean_guesses}
    entry |= {"standard_error": standing.total.error, "to_leader": standing.to_leader.points}
    entry |= {"interval": standing.interval, "rounds": len(standing.results), "lost": standing.lost}
    entry |= {"cpu": {"median": statistics.median(standing.cpu), "max": max(standing.cpu)}}
    return entry | wall | broken | {"lingered": standing.lingered, "invalid": standing.invalid}


def tally_entry(tally: Tally) -> dict[str, Any]:
    """Return some words for a JSON object; `misses` counts the words won by their misses."""
    entry = {"words": tally.words, "won": tally.won, "lost": tally.lost, "share": tally.share}
    return entry | {"mean_misses": tally.mean_misses, "misses": list(tally.misses)}


def standing_cells(standing: Standing, lengths: Sequence[int]) -> list[dict[str, str]]:
    """Return the cells of a standing by column, for each of several tables."""
    times = {"wall s": f"{statistics.median(standing.wall):.3f}", "wall max": f"{max(standing.wall):.3f}"}
    times |= {name: f"{standing.count(fault):,}" for name, fault in FAULTS.items()}
    if standing.game.counts_misses:
        total, tallies = standing.tally, {length: standing.tallies.get(length) for length in lengths}
        counts = {f"{missed} missed": count for missed, count in enumerate(total.misses)}
        cpu = {"CPU s": f"{sum(standing.cpu):.3f}"}
        return [
            {
                "words": f"{total.words:,}",
                "won": f"{total.won:,}",
                "won %": f"{100 * total.share:.3f}",
                "mean misses": f"{total.mean_misses:.3f}",
                "words/s": f"{standing.rate:,.1f}",
            },
            {name: f"{count:,}" for name, count in (counts | {"lost": total.lost}).items()},
            {
                f"{length} won %": "-" if tally is None else f"{100 * tally.share:.2f}"
                for length, tally in tallies.items()
            },
            cpu | times | {"gave up": f"{standing.gave_up:,}", "repeated": f"{standing.invalid:,}"},
        ]
    means = {f"{length}": standing.means.get(length) for length in lengths} | {"total": standing.total}
    error, interval = standing.total.error, standing.interval
    cpu = {"CPU s": f"{statistics.median(standing.cpu):.3f}", "CPU max": f"{max(standing.cpu):.3f}"}
    return [
        {name: "-" if mean is None else f"{mean.points:.2f}" for name, mean in means.items()},
        {
            "rounds": f"{len(standing.results):,}",
            "lost": f"{standing.lost:,}",
            "mean guesses": f"{standing.mean_guesses:.3f}",
            "error": "-" if error is None else f"{error:.2f}",
            "to leader": f"{standing.to_leader.points:.2f}",
            "95 % interval": "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}",
        },
        cpu | times | {"lingered": f"{standing.lingered:,}", "invalid": f"{standing.invalid:,}"},
    ]

"""Standings of a match: points with their error, or words won and misses; costs and faults of players."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from gpulingo.games.game import Game
from gpulingo.match.rounds import RoundResult
from gpulingo.words.shown import counted

T = TypeVar("T")
Entry = dict[str, Any]  # a JSON object; times in seconds
FAULTS = {"crashes": "crash", "timeouts": "timeout"}  # what their numbers are called
SURE = statistics.NormalDist().inv_cdf(0.975)  # standard errors on each side of a 95 % interval


def by_player(results: Iterable[RoundResult], players: Iterable[str]) -> dict[str, list[RoundResult]]:
    """Return player -> its results, one or more, in the order of `players`."""
    played: dict[str, list[RoundResult]] = {player: [] for player in players}
    for result in results:
        played[result.round.player].append(result)
    return {player: rows for player, rows in played.items() if rows}


def standings(
    played: Mapping[str, Sequence[RoundResult]], whole: Mapping[int, int] | None, game: Game
) -> list[Entry]:
    """Sum up a match, see `by_player`: the leader first, on ties in that order.

    `whole`: length -> number of words that the rounds were drawn from without replacement, so that a match
    over all of them has no error; None if they were not drawn.
    """
    if game.counts_misses:
        rows = [_by_misses(player, results, game) for player, results in played.items()]
        return sorted(rows, key=lambda row: (-row["share"], row["mean_misses"]))
    points = {
        player: {result.round.word: float(result.points) for result in results}
        for player, results in played.items()
    }
    sums = {player: means(of_player, whole) for player, of_player in points.items()}
    order, rows = sorted(played, key=lambda player: -sums[player][1]), list[Entry]()
    for player in order:
        results, (by_length, total, error), leader = played[player], sums[player], points[order[0]]
        paired = {word: own - leader[word] for word, own in points[player].items() if word in leader}
        _, ahead, spread = means(paired, whole)  # usually at most 0
        margin = None if spread is None else SURE * spread
        rows.append({
            "player": player,
            "points": by_length,
            "total": total,
            "mean_guesses": game.mean_guesses(total / len(by_length)),  # averaged over the lengths
            "standard_error": error,
            "to_leader": ahead,
            "interval": None if margin is None else (ahead - margin, ahead + margin),
            "rounds": len(results),
            "lost": sum(not result.points for result in results),
            "cpu": _median([result.cpu for result in results]),
            **_costs(results),
            "lingered": sum(result.lingered for result in results),
            "invalid": sum(result.invalid for result in results),
        })  # fmt: skip
    return rows


def _by_misses(player: str, results: Sequence[RoundResult], game: Game) -> Entry:
    rows = _by_length({result.round.word: result for result in results})
    seconds = sum(result.wall for result in results)  # including the player's starts
    return {
        "player": player,
        "game": game.code,
        **tally(results, game),
        "by_length": {length: tally(row, game) for length, row in rows.items()},
        "words_per_second": len(results) / seconds if seconds else 0.0,
        "cpu": sum(result.cpu for result in results),
        **_costs(results),
        "gave_up": sum(bool(result.error) and not result.fault for result in results),
        "repeated": sum(result.invalid for result in results),
    }


def tally(results: Sequence[RoundResult], game: Game) -> Entry:
    """Sum up some words if misses cost; `misses` counts the words won by their misses."""
    missed = [misses_of(result) for result in results if result.points]
    counts = [missed.count(misses) for misses in range(game.turns)]
    words, won = len(results), len(missed)
    return {
        "words": words, "won": won, "lost": words - won, "share": won / words,
        # A lost word, even if the player gave up or crashed, has all that lose it.
        "mean_misses": game.mean_misses(counts, words), "misses": counts,
    }  # fmt: skip


def misses_of(result: RoundResult) -> int:
    """Misses of a round: guesses of letters that the word does not have, or that were guessed before."""
    guesses = result.guesses
    return sum(
        letter not in result.round.word or letter in guesses[:number] for number, letter in enumerate(guesses)
    )


def means(
    points: Mapping[str, float], whole: Mapping[int, int] | None
) -> tuple[dict[str, float], float, float | None]:
    """Return length -> mean of the points of words, the sum of the means, and its standard error if known."""
    rows = _by_length(points)
    by_length = {length: statistics.fmean(row) for length, row in rows.items()}
    variances = list[float]()  # of the means of rounds drawn without replacement
    for length, row in rows.items():
        rounds, words = len(row), None if whole is None else whole[int(length)]
        if rounds > 1 and rounds != words:
            variances.append(statistics.variance(row) / rounds * (1 - rounds / words if words else 1.0))
        elif rounds == words:
            variances.append(0.0)
    error = math.sqrt(sum(variances)) if len(variances) == len(rows) else None
    return by_length, sum(by_length.values()), error


def _by_length(of_words: Mapping[str, T]) -> dict[str, list[T]]:
    lengths = sorted({len(word) for word in of_words})
    return {str(length): [of for word, of in of_words.items() if len(word) == length] for length in lengths}


def _median(seconds: Sequence[float]) -> Entry:
    return {"median": statistics.median(seconds), "max": max(seconds)}


def _costs(results: Sequence[RoundResult]) -> Entry:
    faults = [result.fault for result in results]
    counts = {name: faults.count(fault) for name, fault in FAULTS.items()}
    return {"wall": _median([result.wall for result in results]), **counts}


def failure_note(results: Sequence[RoundResult]) -> str:
    """Return the number of rounds that a player failed, and why it failed the first; empty without one."""
    failed = [result for result in results if result.fault]
    if not failed:
        return ""
    first = failed[0]
    code = "" if first.exit is None or first.fault == "timeout" else f" (exit code {first.exit})"
    what = f"{first.round.player!r} failed {len(failed):,} of {counted(len(results), 'round')}"
    return f"{what}, first with {first.round.word}: {first.error}{code}"


def standing_cells(standing: Entry, lengths: Sequence[str]) -> list[dict[str, str]]:
    """Return the cells of a standing by column, for each of several tables."""
    wall, cpu = standing["wall"], standing["cpu"]

    def numbers(*names: str) -> dict[str, str]:
        return {name.replace("_", " "): f"{standing[name]:,}" for name in names}

    times = {"wall s": f"{wall['median']:.3f}", "wall max": f"{wall['max']:.3f}"} | numbers(*FAULTS)
    if "misses" in standing:
        shares = {f"{length} won %": standing["by_length"].get(length) for length in lengths}
        won = {
            "won %": f"{100 * standing['share']:.3f}",
            "mean misses": f"{standing['mean_misses']:.3f}",
            "words/s": f"{standing['words_per_second']:,.1f}",
        }
        return [
            numbers("words", "won") | won,
            {f"{missed} missed": f"{count:,}" for missed, count in enumerate(standing["misses"])}
            | numbers("lost"),
            {name: "-" if row is None else f"{100 * row['share']:.2f}" for name, row in shares.items()},
            {"CPU s": f"{cpu:.3f}"} | times | numbers("gave_up", "repeated"),
        ]
    points = {length: standing["points"].get(length) for length in lengths} | {"total": standing["total"]}
    error, interval = standing["standard_error"], standing["interval"]
    to_others = {
        "mean guesses": f"{standing['mean_guesses']:.3f}",
        "error": "-" if error is None else f"{error:.2f}",
        "to leader": f"{standing['to_leader']:.2f}",
        "95 % interval": "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}",
    }
    cpu_times = {"CPU s": f"{cpu['median']:.3f}", "CPU max": f"{cpu['max']:.3f}"}
    return [
        {name: "-" if mean is None else f"{mean:.2f}" for name, mean in points.items()},
        numbers("rounds", "lost") | to_others,
        cpu_times | times | numbers("lingered", "invalid"),
    ]

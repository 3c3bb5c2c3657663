"""The standings of a match on stdout: points, or words won and misses; what players cost and broke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from gpulingo.cli.tables import NONE, print_table
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.match.standings import Mean, Standing, Tally

    Tables = Mapping[tuple[str, ...], Sequence[list[str]]]


def print_standings(standings: Sequence[Standing], game: Game) -> None:
    """The standings in a game as tables, the leader first."""
    tables = _of_misses(standings, game.turns) if game.counts_misses else _of_guesses(standings)
    for number, (columns, cells) in enumerate(tables.items()):
        if number:
            print()
        rows = [
            [str(rank), standing.player, *row]
            for rank, (standing, row) in enumerate(zip(standings, cells, strict=True), 1)
        ]
        print_table(["rank", "player", *columns], rows, left=["player"], shorten=["player"], keys=2)


def failure_note(standing: Standing) -> str:
    """The number of rounds that a player failed, and why it failed the first; empty without one."""
    failed = standing.failed
    if not failed:
        return ""
    first = failed[0]
    code = "" if first.exit is None or first.fault == "timeout" else f" (exit code {first.exit})"
    seen = f"{standing.player!r} failed {len(failed):,} of {counted(len(standing.results), 'round')}"
    return f"{seen}, first with {first.round.word}: {first.error}{code}"


def standing_entry(rank: int, standing: Standing) -> dict[str, Any]:
    """A standing as a JSON object; times in seconds."""
    entry: dict[str, Any] = {"rank": rank, "player": standing.player}
    wall = {"wall": {"median": median(standing.wall), "max": max(standing.wall)}}
    broken = {"crashes": standing.count("crash"), "timeouts": standing.count("timeout")}
    if standing.game.counts_misses:
        lengths = {str(length): _tally_entry(tally) for length, tally in standing.tallies.items()}
        entry |= {"game": standing.game.code, **_tally_entry(standing.tally), "by_length": lengths}
        entry |= {"words_per_second": standing.rate, "cpu": sum(standing.cpu), **wall, **broken}
        return entry | {"gave_up": standing.gave_up, "repeated": standing.invalid}
    entry |= {"points": {str(length): mean.points for length, mean in standing.means.items()}}
    entry |= {"total": standing.total.points, "mean_guesses": standing.mean_guesses}
    entry |= {"standard_error": standing.total.error, "to_leader": standing.to_leader.points}
    entry |= {"interval": standing.interval, "rounds": len(standing.results), "lost": standing.lost}
    entry |= {"cpu": {"median": median(standing.cpu), "max": max(standing.cpu)}}
    return entry | wall | broken | {"lingered": standing.lingered, "invalid": standing.invalid}


def _of_guesses(standings: Sequence[Standing]) -> Tables:
    """Mean points per length and their total; then errors, costs and faults."""
    lengths = sorted({length for standing in standings for length in standing.means})
    return {
        (*map(str, lengths), "total"): [
            [*(_points(standing.means.get(length)) for length in lengths), _points(standing.total)]
            for standing in standings
        ],
        ("rounds", "lost", "mean guesses", "error", "to leader", "95 % interval"): [
            _sure(standing) for standing in standings
        ],
        ("CPU s", "CPU max", "wall s", "wall max", "crashes", "timeouts", "lingered", "invalid"): [
            [*_seconds(median(standing.cpu), max(standing.cpu), median(standing.wall), max(standing.wall)),
             *_counts(standing, standing.lingered, standing.invalid)]
            for standing in standings
        ],
    }  # fmt: skip


def _of_misses(standings: Sequence[Standing], lives: int) -> Tables:
    """Words won, their misses, the share by length; then costs and faults."""
    lengths = sorted({length for standing in standings for length in standing.tallies})
    return {
        ("words", "won", "won %", "mean misses", "words/s"): [_won(standing) for standing in standings],
        (*(f"{misses} missed" for misses in range(lives)), "lost"): [
            [f"{count:,}" for count in (*standing.tally.misses, standing.tally.lost)]
            for standing in standings
        ],
        tuple(f"{length} won %" for length in lengths): [
            [_share(standing.tallies.get(length)) for length in lengths] for standing in standings
        ],
        ("CPU s", "wall s", "wall max", "crashes", "timeouts", "gave up", "repeated"): [
            [*_seconds(sum(standing.cpu), median(standing.wall), max(standing.wall)),
             *_counts(standing, standing.gave_up, standing.invalid)]
            for standing in standings
        ],
    }  # fmt: skip


def _sure(standing: Standing) -> list[str]:
    """The number of rounds of a player, and the errors of its standing."""
    error, interval = standing.total.error, standing.interval
    sure = [NONE if error is None else f"{error:.2f}", f"{standing.to_leader.points:.2f}"]
    ends = NONE if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
    rounds = [f"{len(standing.results):,}", f"{standing.lost:,}", f"{standing.mean_guesses:.3f}"]
    return [*rounds, *sure, ends]


def _won(standing: Standing) -> list[str]:
    """The words that a player won, their misses, and its pace."""
    total = standing.tally
    counts = [f"{total.words:,}", f"{total.won:,}"]
    return [*counts, f"{100 * total.share:.3f}", f"{total.mean_misses:.3f}", f"{standing.rate:,.1f}"]


def _seconds(*seconds: float) -> list[str]:
    """Times."""
    return [f"{one:.3f}" for one in seconds]


def _counts(standing: Standing, *counts: int) -> list[str]:
    """The faults and costs of a player."""
    return [f"{count:,}" for count in (standing.count("crash"), standing.count("timeout"), *counts)]


def _points(mean: Mean | None) -> str:
    """Mean points, if there are any."""
    return NONE if mean is None else f"{mean.points:.2f}"


def _share(tally: Tally | None) -> str:
    """The share of words won, if there are any."""
    return NONE if tally is None else f"{100 * tally.share:.2f}"


def _tally_entry(tally: Tally) -> dict[str, Any]:
    """Some words for a JSON object; `misses` counts the words won by their misses."""
    entry = {"words": tally.words, "won": tally.won, "lost": tally.lost, "share": tally.share}
    return entry | {"mean_misses": tally.mean_misses, "misses": list(tally.misses)}

"""The standings of a match as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpulingo.cli.tables import guesses_text, print_table
from gpulingo.match.standings import Mean, Standing

NONE = "-"  # where there is no number, such as the error of one round


def print_ranking(found: Sequence[Standing]) -> None:
    """Mean points per length and in all, the best first; then how sure that is, what it cost, what broke."""
    lengths = sorted({length for one in found for length in one.means})
    rows = []
    for rank, one in enumerate(found, 1):
        means = [_points(one.means.get(length)) for length in lengths]
        rows.append([str(rank), one.player, *means, _points(one.total)])
    _print(["rank", "player", *map(str, lengths), "total"], rows)
    print()
    columns = ["rounds", "lost", "mean guesses", "error", "to leader", "95 % interval"]
    sure = [[str(rank), one.player, *_sure(one)] for rank, one in enumerate(found, 1)]
    _print(["rank", "player", *columns], sure)
    print()
    columns = ["CPU s", "CPU max", "wall s", "wall max", "crashes", "timeouts", "lingered", "invalid"]
    cost = [[str(rank), one.player, *_cost(one)] for rank, one in enumerate(found, 1)]
    _print(["rank", "player", *columns], cost)


def entry(rank: int, one: Standing) -> dict[str, Any]:
    """A standing as a JSON object; times in seconds."""
    return {
        "rank": rank,
        "player": one.player,
        "points": {str(length): mean.points for length, mean in one.means.items()},
        "total": one.total.points,
        "mean_guesses": one.mean_guesses,
        "standard_error": one.total.error,
        "to_leader": one.to_leader.points,
        "interval": one.interval,
        "rounds": one.rounds,
        "lost": one.lost,
        "cpu": {"median": one.cpu[0], "max": one.cpu[1]},
        "wall": {"median": one.wall[0], "max": one.wall[1]},
        "crashes": one.crashes,
        "timeouts": one.timeouts,
        "lingered": one.lingered,
        "invalid": one.invalid,
    }


def _print(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print one of the tables."""
    print_table(columns, rows, left=["player"], shorten=["player"], keys=2)


def _sure(one: Standing) -> list[str]:
    """How many rounds a player had, and how sure its standing is."""
    error, interval = one.total.error, one.interval
    sure = [NONE if error is None else f"{error:.2f}", f"{one.to_leader.points:.2f}"]
    ends = NONE if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
    return [f"{one.rounds:,}", f"{one.lost:,}", guesses_text(one.mean_guesses), *sure, ends]


def _cost(one: Standing) -> list[str]:
    """What a player cost and broke."""
    times = [f"{seconds:.3f}" for seconds in (*one.cpu, *one.wall)]
    return [*times, *(f"{count:,}" for count in (one.crashes, one.timeouts, one.lingered, one.invalid))]


def _points(mean: Mean | None) -> str:
    """Mean points, if there are any."""
    return NONE if mean is None else f"{mean.points:.2f}"

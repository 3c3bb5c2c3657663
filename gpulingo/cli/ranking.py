"""The standings of a match as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpulingo.cli.tables import print_table
from gpulingo.play.standings import Mean, Standing

NONE = "-"  # where there is no number, such as the error of one round


def print_ranking(found: Sequence[Standing]) -> None:
    """Mean points per length and in all, the best first; then how sure that is, what it cost, what broke."""
    lengths = sorted({length for one in found for length in one.means})
    rows = []
    for rank, one in enumerate(found, 1):
        means = [_points(one.means.get(length)) for length in lengths]
        rows.append([str(rank), one.player, *means, _points(one.total)])
    print_table(["rank", "player", *map(str, lengths), "total"], rows, left=["player"])
    print()
    columns = [
        "rank", "player", "rounds", "lost", "error", "to leader", "95 % interval", "CPU s", "CPU max",
        "wall s", "wall max", "crashes", "timeouts", "lingered", "invalid",
    ]  # fmt: skip
    print_table(columns, [_row(rank, one) for rank, one in enumerate(found, 1)], left=["player"])


def entry(rank: int, one: Standing) -> dict[str, Any]:
    """A standing as a JSON object; times in seconds."""
    return {
        "rank": rank,
        "player": one.player,
        "points": {str(length): mean.points for length, mean in one.means.items()},
        "total": one.total.points,
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


def _row(rank: int, one: Standing) -> list[str]:
    """The second table's row of a player."""
    error, interval = one.total.error, one.interval
    sure = [NONE if error is None else f"{error:.2f}", f"{one.to_leader.points:.2f}"]
    ends = NONE if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
    times = [f"{seconds:.3f}" for seconds in (*one.cpu, *one.wall)]
    faults = [str(count) for count in (one.crashes, one.timeouts, one.lingered, one.invalid)]
    return [str(rank), one.player, f"{one.rounds:,}", f"{one.lost:,}", *sure, ends, *times, *faults]


def _points(mean: Mean | None) -> str:
    """Mean points, if there are any."""
    return NONE if mean is None else f"{mean.points:.2f}"

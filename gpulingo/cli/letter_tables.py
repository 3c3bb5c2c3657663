"""The standings of a match of hangman on stdout: words won, by misses and by length; what broke."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpulingo.cli.tables import NONE, print_table

if TYPE_CHECKING:
    from gpulingo.match.letter_standings import LetterStanding, Tally


def print_letter_standings(standings: Sequence[LetterStanding]) -> None:
    """Words won in all, their misses, the share by length, then what players cost and broke."""
    lengths = sorted({length for standing in standings for length in standing.by_length})
    lives = max((standing.game.turns for standing in standings), default=0)
    tables = {
        ("words", "won", "won %", "mean misses", "words/s"): [_won(standing) for standing in standings],
        (*(f"{misses} missed" for misses in range(lives)), "lost"): [
            [f"{count:,}" for count in (*standing.total.misses, standing.total.lost)]
            for standing in standings
        ],
        tuple(f"{length} won %" for length in lengths): [
            [_share(standing.by_length.get(length)) for length in lengths] for standing in standings
        ],
        ("CPU s", "wall s", "wall max", "crashes", "timeouts", "gave up", "repeated"): [
            _cost(standing) for standing in standings
        ],
    }
    for number, (columns, cells) in enumerate(tables.items()):
        if number:
            print()
        rows = [
            [str(rank), standing.player, *row]
            for rank, (standing, row) in enumerate(zip(standings, cells, strict=True), 1)
        ]
        print_table(["rank", "player", *columns], rows, left=["player"], shorten=["player"], keys=2)


def letter_standing_entry(rank: int, standing: LetterStanding) -> dict[str, Any]:
    """A standing as a JSON object; times in seconds."""
    lengths = {str(length): _tally_entry(tally) for length, tally in standing.by_length.items()}
    return {
        "rank": rank,
        "player": standing.player,
        "game": standing.game.code,
        **_tally_entry(standing.total),
        "by_length": lengths,
        "words_per_second": standing.rate,
        "cpu": standing.cpu,
        "wall": {"median": standing.median, "max": standing.slowest},
        "crashes": standing.count("crash"),
        "timeouts": standing.count("timeout"),
        "gave_up": standing.gave_up,
        "repeated": standing.repeated,
    }


def _tally_entry(tally: Tally) -> dict[str, Any]:
    """Some words for a JSON object; `misses` counts the words won by their misses."""
    return {
        "words": tally.words,
        "won": tally.won,
        "lost": tally.lost,
        "share": tally.share,
        "mean_misses": tally.mean_misses,
        "misses": list(tally.misses),
    }


def _won(standing: LetterStanding) -> list[str]:
    """How many words a player won, with how many misses, how fast."""
    total = standing.total
    counts = [f"{total.words:,}", f"{total.won:,}"]
    return [*counts, f"{100 * total.share:.3f}", f"{total.mean_misses:.3f}", f"{standing.rate:,.1f}"]


def _cost(standing: LetterStanding) -> list[str]:
    """What a player cost and broke."""
    times = [f"{seconds:.3f}" for seconds in (standing.cpu, standing.median, standing.slowest)]
    broken = (standing.count("crash"), standing.count("timeout"), standing.gave_up, standing.repeated)
    return [*times, *(f"{count:,}" for count in broken)]


def _share(tally: Tally | None) -> str:
    """The share of words won, if there are any."""
    return NONE if tally is None else f"{100 * tally.share:.2f}"

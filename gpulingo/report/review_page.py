"""The review of one round, or of many, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpulingo.advice.review_text import (
    GOOD_LUCK,
    MEASURES,
    entry,
    mean_rows,
    sentences,
    turn_rows,
    unread_text,
)
from gpulingo.report.frame import Making, page_text
from gpulingo.report.review_charts import MOST, means_chart, value_chart
from gpulingo.report.table import Chart, Table

if TYPE_CHECKING:
    from gpulingo.advice.review import Review, Turn

MOST_ROUNDS = 1000  # rows of a page
NUMBERS = ("left", "after", "expected", "best", "chosen", "choice", "luck", "by")
NAMES = {"X": "absent", "_": "absent", "?": "misplaced", "O": "placed"}
SIGNS = {
    "absent": "\u2013",
    "misplaced": "?",
    "placed": "\u2713",
}  # beside the colour


@dataclass(frozen=True)
class Tile:
    """A letter with what its mark says: `absent`, `misplaced` or `placed`, and the sign of it."""

    letter: str
    mark: str
    sign: str


@dataclass(frozen=True)
class Row:
    """A guess of a round: its tiles, how they are read out, and its figures by column."""

    guess: str
    tiles: Sequence[Tile]
    said: str
    figures: Sequence[tuple[str, str]]


def round_page(reviewed: Review, making: Making, source: str) -> str:
    """Return the review of a round.

    Args:
        making: what to say of the page itself. source: where the words come from.
    Returns:
        HTML that loads nothing else.
    """
    sums, *hows = sentences(reviewed)
    rows = [_row(turn, figures) for turn, figures in zip(reviewed.turns, turn_rows(reviewed), strict=True)]
    drawn = "" if len(rows) <= MOST else f" Of {len(rows)} guesses the first {MOST} are drawn."
    chart = Chart("Value from guess to guess", f"{sums}{drawn}", value_chart(reviewed))
    fields = {
        "about": [("game", reviewed.game.code), ("list", source)], "sums": sums + drawn, "hows": hows,
        "rows": rows, "columns": NUMBERS, "chart": chart, "tables": [],
    }  # fmt: skip
    return page_text("review.html", making, "gpulingo review", "A round, guess by guess", fields)


def rounds_page(
    rounds: Sequence[Review], making: Making, source: str, unread: Sequence[int] = (), lines: int = 0
) -> str:
    """Return the page of the reviews of many rounds, at least one.

    Args:
        making, source: as for one.
        unread: numbers of lines that could not be read.
        lines: number of lines.
    Returns:
        HTML that loads nothing else.
    """
    states = {state: sum(own.state == state for own in rounds) for state in ("found", "lost", "open")}
    about = [("game", rounds[0].game.code), ("list", source), ("rounds", _states(states))]
    about += [("left out", unread_text(unread, lines))] if unread else []
    means = mean_rows(rounds)
    longest = max(len(own.turns) for own in rounds)
    sentence = f"Means of {len(rounds):,} rounds; " + (
        f"the first {MOST} of {longest} guesses are drawn." if longest > MOST else "the table has the same."
    )
    fields = {
        "about": about, "sums": "", "rows": [], "columns": NUMBERS,
        "hows": ["lost by choices: against the best guess known",
                 f"{GOOD_LUCK}: by the marks, 0 on average",
                 "a round that is not over counts as what was expected then"],
        "chart": Chart("Lost and given by guess", sentence, means_chart(rounds)),
        "tables": [Table("Means and 95 % intervals", list(means[0]), [list(row.values()) for row in means]),
                   _rounds_table(rounds)],
    }  # fmt: skip
    return page_text("review.html", making, "gpulingo review", "Rounds, guess by guess", fields)


def _row(turn: Turn, figures: dict[str, str]) -> Row:
    """Return a guess as the page shows it."""
    letters = turn.guess if len(turn.guess) == len(turn.marks) else turn.guess * len(turn.marks)
    marks = [NAMES[mark] for mark in turn.marks]
    tiles = [Tile(letter, mark, SIGNS[mark]) for letter, mark in zip(letters, marks, strict=True)]
    said = ", ".join(f"{letter} {mark}" for letter, mark in zip(letters, marks, strict=True))
    cells = [(name, figures[name]) for name in NUMBERS]
    return Row(turn.guess, tiles, f"{turn.guess}: {said}", cells)


def _states(states: dict[str, int]) -> str:
    """Count the ends of rounds, as text."""
    text = f"{sum(states.values()):,}: {states['found']:,} found, {states['lost']:,} lost"
    return text + (f", {states['open']:,} not over" if states["open"] else "")


def _rounds_table(rounds: Sequence[Review]) -> Table:
    """Return a row for every round, as many as a page takes."""
    shown = rounds[:MOST_ROUNDS]
    caption = "Rounds, one a row" if len(shown) == len(rounds) else (
        f"The first {MOST_ROUNDS:,} of {len(rounds):,} rounds; the means are of all"
    )  # fmt: skip
    rows = []
    for own in shown:
        record = entry(own)
        guesses = " ".join(guess for guess, _ in own.played.guesses)
        values = [f"{record[name]:.3f}" for name in MEASURES]
        rows.append([str(own.played.line), guesses, own.state, *values])
    return Table(caption, ["line", "guesses", "end", "expected at the start", *MEASURES[1:]], rows, left=3)

"""The answer to a history: the words that are left and guesses, as text or as a JSON object."""

from __future__ import annotations

import os

from gpulingo.advice.arguments import SHOWN
from gpulingo.advice.outlook import called

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from gpulingo.advice.outlook import Outlook
    from gpulingo.games.game import Game

WIDTH = 100  # columns of text, where there is no terminal that says
COLUMNS = 6  # turns in a table, at most
SHORT = {"points": "points", "guesses": "guesses", "words": "won, %", "misses": "misses"}


class Answer:
    """What is left after a history, and what to guess.

    Attributes:
        game: that is played. turn: of the next guess; where misses cost, one more than those before it.
        source: where the words come from. left: candidates, in list order.
        guesses: the best first; none where the word is known or no turn is left.
        how: by what they were found: the kept tree, or a search.
    """

    def __init__(
        self,
        game: Game,
        turn: int,
        source: str,
        left: list[str],
        guesses: Sequence[Outlook] = (),
        how: str = "",
    ) -> None:
        self.game, self.turn, self.source, self.left = game, turn, source, left
        self.guesses, self.how = list(guesses), how

    def lines(self, every: bool = False, width: int = WIDTH) -> list[str]:
        """As text; all words that are left, or the first; a table is as wide as that if need be.

        Args:
            width: columns of text. To keep to them turns in the middle are left out.
        """
        count = f"{len(self.left):,} word{'' if len(self.left) == 1 else 's'}"
        shown = self.left if every else self.left[:SHOWN]
        more = f" .. and {len(self.left) - len(shown):,} more" if len(shown) < len(self.left) else ""
        lines = wrapped(f"{count} left of {self.source}: {' '.join(shown)}{more}", width)
        if not self.guesses:
            return lines
        return [*lines, "", *self._table(width), "", *wrapped(self.how, width)]

    def _table(self, width: int) -> list[str]:
        """The guesses as a table, of as many turns as there is room for."""
        turns = self._turns()
        while len((rows := self._rows(turns))[0]) > width and turns:
            turns.pop((len(turns) - 1) // 2)
        return rows

    def _rows(self, turns: list[int]) -> list[str]:
        """The table with some turns."""
        misses, form = self.game.costs == "miss", ".3f" if self.game.opponent == "chance" else ".0f"
        ends = [f"{turn - 1} missed" if misses else f"by {turn}" for turn in turns]
        name = SHORT[self.game.shown] if self.game.opponent == "chance" else "in all"
        heads = ["guess", name, *ends, "classes", "largest", "left"]
        rows = [
            [
                own.guess,
                f"{own.expected(self.game):{form}}{'' if own.exact else ' *'}",
                *(f"{100 * own.chances()[turn - 1]:.1f} %" for turn in turns),
                f"{own.classes:,}",
                f"{own.largest:,}",
                "yes" if own.target else "no",
            ]
            for own in self.guesses
        ]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        return [
            "  ".join(cell.ljust(width) if not place else cell.rjust(width)
                      for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
            for row in (heads, *rows)
        ]  # fmt: skip

    def _turns(self) -> list[int]:
        """The turns that are shown: of many the first and the last on which something is found."""
        if self.game.opponent != "chance":
            return []
        turns = list(range(self.turn, self.game.turns + 1))
        while len(turns) > COLUMNS and all(own.turns[turns[-1] - 1] == 0 for own in self.guesses):
            turns.pop()
        return turns if len(turns) <= COLUMNS else [*turns[: COLUMNS - 1], turns[-1]]

    def entry(self, every: bool = False) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "game": called(self.game),
            "list": self.source,
            "turn": self.turn,
            "left": len(self.left),
            "candidates": self.left if every else self.left[:SHOWN],
            "how": self.how,
            "suggestions": [own.entry(self.game) for own in self.guesses],
        }


def terminal_width(descriptor: int = 1) -> int:
    """Columns of the terminal that a file goes to; WIDTH where it goes to none."""
    try:
        return os.get_terminal_size(descriptor).columns or WIDTH
    except OSError:
        return WIDTH


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Lines of at most so many columns, but for a longer word."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]

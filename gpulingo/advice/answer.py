"""The answer to a history: the words that are left and guesses, as text or as a JSON object."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from gpulingo.advice.outlook import GuessStats, called, unit
from gpulingo.games.catalogue import guessed
from gpulingo.games.game import Game
from gpulingo.words.listing import EMBEDDED_NAME
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList

WIDTH = 100  # columns of text, where there is no terminal that says
SHOWN = 20  # words that are left, and guesses that a search tells
COLUMNS = 6  # turns in a table, at most


@dataclass(frozen=True, slots=True)
class Fit:
    """Of which words those are that fit a history.

    Attributes:
        source: where the words come from. words: how many of all words fit.
        answers: the targets that are usual, by name; empty where the user chose, or every word is one.
        every: the number of words in the list, if no answer fits and so all were looked at; otherwise 0.
        noun: what they are called.
    """

    source: str
    words: int
    answers: str = ""
    every: int = 0
    noun: str = "word"

    def counted(self, left: int) -> str:
        """The number of words left, as text."""
        if self.every:
            do = "does" if left == 1 else "do"
            return f"no answer fits; of all {self.every:,} words of {self.list_text} {left:,} {do}"
        if self.answers:
            name, space, without = self.answers.partition(" ")
            name = name if left != 1 else name.removesuffix("s")
            return f"{left:,} {name}{space}{without}, {counted(self.words, 'word')} left of {self.list_text}"
        return f"{counted(left, self.noun)} left of {self.list_text}"

    @property
    def list_text(self) -> str:
        """The list, in a sentence."""
        return f"the {self.source}" if self.source == EMBEDDED_NAME else self.source

    @property
    def condition(self) -> str:
        """The condition of the chances, if they have one."""
        return f"if the word is one of the {self.answers}" if self.answers and not self.every else ""


@dataclass(slots=True, eq=False)
class Answer:
    """The words left after a history, and guesses.

    Attributes:
        game: that is played. turn: of the next guess; where misses cost, one more than those before it.
        fit: of which words those left are. left: candidates, in list order.
        guesses: the best first; none where the word is known or no turn is left.
        how: how they were found: by the stored tree, or a search.
    """

    game: Game
    turn: int
    fit: Fit
    left: list[str]
    guesses: list[GuessStats] = field(default_factory=list)
    how: str = ""

    def __post_init__(self) -> None:
        if self.guesses and self.fit.condition and self.game.opponent == "chance":
            self.how += f"; chances hold {self.fit.condition}"

    def lines(self, every: bool = False, width: int = WIDTH) -> list[str]:
        """As text; all words that are left, or the first; a table is as wide as that if need be.

        Args:
            width: columns of text. To keep to them turns in the middle are left out.
        """
        shown = self.left if every else self.left[:SHOWN]
        more = f" .. and {len(self.left) - len(shown):,} more" if len(shown) < len(self.left) else ""
        lines = wrapped(f"{self.fit.counted(len(self.left))}: {' '.join(shown)}{more}", width)
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
        misses, form = self.game.counts_misses, ".3f" if self.game.opponent == "chance" else ".0f"
        ends = [f"{turn - 1} missed" if misses else f"by {turn}" for turn in turns]
        name = unit(self.game) if self.game.opponent == "chance" else "total"
        alike = any(own.alike > 1 for own in self.guesses)
        heads = ["guess", name, *ends, "classes", "largest", "left", *["alike"][:alike]]
        rows = [
            [
                own.guess,
                f"{own.expected(self.game):{form}}{'' if own.exact else ' *'}",
                *(f"{100 * own.chances()[turn - 1]:.1f} %" for turn in turns),
                f"{own.classes:,}",
                f"{own.largest:,}",
                "yes" if own.target else "no",
                *[f"{own.alike:,}"][:alike],
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
            "list": self.fit.source,
            "targets": "" if self.fit.every else self.fit.answers,
            "turn": self.turn,
            "left": len(self.left),
            "words_left": self.fit.words,
            "counted": self.fit.counted(len(self.left)),
            "candidates": self.left if every else self.left[:SHOWN],
            "how": self.how,
            "unit": unit(self.game),
            "suggestions": [own.entry(self.game, self.guesses[0]) for own in self.guesses],
        }


def among(words: WordList, game: Game) -> str:
    """The words that may be guessed: `the words of list.txt`, or `all codes of 4 pegs and 6 colours`."""
    source = words.source
    return source if source.startswith("all codes of ") else f"the {guessed(game)[0]}s of {source}"


def terminal_width(descriptor: int = 1) -> int:
    """Columns of the terminal that a file goes to; WIDTH where it goes to none."""
    try:
        return os.get_terminal_size(descriptor).columns or WIDTH
    except OSError:
        return WIDTH


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Lines of at most `width` columns, unless a word is longer."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]

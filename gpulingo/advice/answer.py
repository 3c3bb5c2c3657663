"""The answer to a history, as text or as JSON: the words left, and guesses with what they lead to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from gpulingo.advice.outlook import GuessStats, called
from gpulingo.games.catalogue import guessed
from gpulingo.games.game import Game
from gpulingo.games.units import UNITS
from gpulingo.trees.book import OpeningTree
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import EMBEDDED_NAME
from gpulingo.words.shown import counted, first_of
from gpulingo.words.wordlist import WordList

WIDTH = 100  # columns of text without a terminal
SHOWN = 20  # words left that are listed, and guesses of a search
COLUMNS = 6  # most turns in a table


@dataclass(frozen=True, slots=True)
class Fit:
    """The list and targets of the words that fit a history."""

    source: str
    words: int
    answers: str = ""
    every: int = 0
    noun: str = "word"
    targets: int = 0  # of the list, with `answers`

    def counted(self, left: int) -> str:
        """Return the number of words left, as text."""
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
        """Return the list's name in a sentence."""
        return f"the {self.source}" if self.source == EMBEDDED_NAME else self.source

    @property
    def condition(self) -> str:
        """Return the condition of the chances, if any."""
        return f"if the word is one of the {self.answers}" if self.answers and not self.every else ""


@dataclass(slots=True, eq=False)
class Answer:
    """The words left after a history, and the best guesses."""

    game: Game
    turn: int
    fit: Fit
    left: list[str]
    guesses: list[GuessStats] = field(default_factory=list)
    found: str = ""  # how the guesses were found
    hidden: str = ""  # note that better ones are not shown
    final: bool = True  # False: a search was left out

    def how(self, remedy: str = "") -> str:
        """Return how the guesses were found; `remedy` follows the note about hidden ones."""
        given = self.guesses and self.fit.condition and self.game.opponent == "chance"
        condition = f"; chances hold {self.fit.condition}" if given else ""
        return f"{self.found}{self.hidden}{remedy if self.hidden else ''}{condition}"

    def lines(self, every: bool = False, width: int = WIDTH, remedy: str = "") -> list[str]:
        """Return text, in `width` columns if possible; all words left, or the first; see `how`."""
        words = first_of(self.left, None if every else SHOWN)
        lines = wrapped(f"{self.fit.counted(len(self.left))}: {words}", width)
        if not self.guesses:
            return lines
        return [*lines, "", *self._table(width), "", *wrapped(self.how(remedy), width)]

    def _table(self, width: int) -> list[str]:
        """Return aligned columns; if they are too wide, without turns in the middle, at last without bits.

        If there are many turns, the first are shown, and the last on which words are found.
        """
        game, turns = self.game, list(range(self.turn, self.game.turns + 1))
        if game.opponent != "chance":
            turns = []
        while len(turns) > COLUMNS and all(stats.turns[turns[-1] - 1] == 0 for stats in self.guesses):
            turns.pop()
        if len(turns) > COLUMNS:
            turns = [*turns[: COLUMNS - 1], turns[-1]]
        ends = {f"{turn - 1} missed" if game.counts_misses else f"by {turn}": turn - 1 for turn in turns}
        name, form = (UNITS[game.shown].short, ".3f") if game.opponent == "chance" else ("total", ".0f")
        rows = [
            {
                "guess": stats.guess,
                name: f"{stats.expected(game):{form}}{'' if stats.exact else ' *'}",
                **{end: f"{100 * stats.chances()[place]:.1f} %" for end, place in ends.items()},
                "classes": f"{stats.classes:,}",
                "largest": f"{stats.largest:,}",
                "bits": f"{stats.bits:.3f}",
                "left": "yes" if stats.target else "no",
                "alike": f"{stats.alike:,}",
            }
            for stats in self.guesses
        ]
        # A letter is not a word left.
        shown = {"left": not game.guesses_letters, "alike": any(stats.alike > 1 for stats in self.guesses)}
        names, middle = [name for name in rows[0] if shown.get(name, True)], [*ends]
        widths = {name: max(map(len, [name, *(row[name] for row in rows)])) for name in names}
        while sum(widths.values()) + 2 * (len(widths) - 1) > width and "bits" in widths:
            del widths[middle.pop((len(middle) - 1) // 2) if middle else "bits"]
        lines = []
        for row in ({name: name for name in widths}, *rows):
            first, *others = (row[name].rjust(size) for name, size in widths.items())
            lines.append("  ".join([row["guess"].ljust(len(first)), *others]).rstrip())
        return lines

    def entry(self, every: bool = False, remedy: str = "") -> dict[str, Any]:
        """Return a JSON object; see `how`."""
        return {
            "game": called(self.game),
            "list": self.fit.source,
            "targets": "" if self.fit.every else self.fit.answers,
            "turn": self.turn,
            "left": len(self.left),
            "words_left": self.fit.words,
            "counted": self.fit.counted(len(self.left)),
            "candidates": self.left if every else self.left[:SHOWN],
            "how": self.how(remedy),
            "unit": UNITS[self.game.shown].short,
            "suggestions": [stats.entry(self.game, self.guesses[0]) for stats in self.guesses],
        }


def among(words: WordList, game: Game) -> str:
    """The words that may be guessed: `the words of list.txt`, `all codes of 2 pegs .., signs 1 to 6`."""
    source = words.source
    codes = f"{source}, signs {words[0][0]} to {words[len(words) - 1][0]}"  # in order
    return codes if source.startswith("all codes of ") else f"the {guessed(game)[0]}s of {source}"


def unlisted_text(guess: str, words: WordList, game: Game) -> str:
    """Return the note about a guess that the list lacks."""
    return f"{guess} is not among {among(words, game)}; its marks are taken"


def terminal_width(descriptor: int = 1) -> int:
    """Return the columns of the terminal of a file descriptor; WIDTH without one."""
    try:
        return os.get_terminal_size(descriptor).columns or WIDTH
    except OSError:
        return WIDTH


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Return lines of at most `width` columns, unless a word is longer."""
    words = " ".join(text.split())
    return wrap(words, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


BY_TREE = "by the best stored tree, {}"
BY_BOOK = "by the stored openings, {}: proven best"
BY_STARTS = "by the stored trees after each, {}"


def stored_text(trees: Sequence[tuple[str, Tree]], *, begun: bool) -> str:
    """Return how guesses of some stored trees were found; `begun`: after a first guess."""
    of_book = isinstance(trees[0][1], OpeningTree)
    how = BY_BOOK if begun and of_book else BY_STARTS if of_book or len(trees) > 1 else BY_TREE
    return how.format(" and ".join(dict.fromkeys(path.rpartition("/")[2] for path, _ in trees)))

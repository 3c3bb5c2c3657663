"""Guesses, marks and words as a person reads them: in colour at a terminal that has colours, plain elsewhere.

Colour never says anything alone: the marks are there as text too.
"""

from __future__ import annotations

from collections.abc import Mapping

from gpulingo.games.marks import lettered
from gpulingo.words.letters import joined, leave

BACKGROUNDS = {"O": "30;42", "?": "30;43", "X": "97;100"}  # placed green, misplaced yellow, absent grey
STRONG, FAINT = "1", "2"


class Paint:
    """The styles of text.

    Args:
        colour: whether the terminal has colours.
    """

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def tiles(self, guess: str, marks: str) -> str:
        """A guess with its marks, or with counts, which say nothing of any one letter.

        >>> Paint().tiles("dozes", "OXX?O")
        'd o z e s  GBBYG'
        """
        if not self.colour or not BACKGROUNDS.keys() >= set(marks):
            return f"{' '.join(joined(leave(guess)))}  {lettered(marks)}"
        letters = zip(guess.upper() if guess.isascii() else joined(leave(guess)), marks, strict=True)
        tiles = "".join(self._sign(f" {letter} ", BACKGROUNDS[mark]) for letter, mark in letters)
        return f"{tiles}  {lettered(marks)}"

    def strong(self, text: str) -> str:
        """Text that matters most."""
        return self._sign(text, STRONG)

    def faint(self, text: str) -> str:
        """Text that matters least."""
        return self._sign(text, FAINT)

    def _sign(self, text: str, code: str) -> str:
        """Text between the codes that switch a look on and off."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def paint_for(environment: Mapping[str, str]) -> Paint:
    """Colours, unless the terminal has none or the user wants none (TERM dumb or missing, NO_COLOR set).

    >>> paint_for({"TERM": "xterm"}).colour, paint_for({"TERM": "xterm", "NO_COLOR": "1"}).colour
    (True, False)
    """
    return Paint(environment.get("TERM", "dumb") not in ("", "dumb") and not environment.get("NO_COLOR"))

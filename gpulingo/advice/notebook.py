"""Reviews and guesses as HTML for notebooks: words as tiles, coloured by their marks.

Styles are inline, because a notebook has no style sheet of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.words.letters import capitals, joined, leave

COLOURS = {"O": "#3a7d44", "?": "#a67c00", "X": "#5f6368"}  # white text on each has a contrast above 3.6
PLAIN = "#44546a"  # of a guess without marks
TILE = "display:inline-block;width:1.6em;line-height:1.6em;margin:1px;text-align:center;color:#fff;"


def tiles(word: str, row: str, game: Game) -> str:
    """Return a guess as tiles; where a game shows no marks of letters, what it shows follows the word.

    Args:
        row: marks of the guess; empty: none yet.

    >>> from gpulingo.games.catalogue import lingo
    >>> tiles("ab", "OX", lingo()).count("<span")
    2
    """
    coloured = bool(row) and feedback_of(game) is marks
    colours = [COLOURS[mark] for mark in row] if coloured else [PLAIN] * len(word)
    spans = [
        f'<span style="{TILE}background:{colour}">{escape(capitals(letter))}</span>'
        for letter, colour in zip(joined(leave(word)), colours, strict=True)
    ]
    return "".join(spans) + ("" if coloured or not row else f" <code>{escape(row)}</code>")


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], caption: str) -> str:
    """Return a table of cells that are HTML already; heads and caption are text."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"

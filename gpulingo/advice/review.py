"""A round with its value before each guess, after the choice, and after the marks; as HTML for notebooks.

Whole credits over the words left, and fractions: no rounding.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from gpulingo.advice.outlook import EXACT as EXACT
from gpulingo.advice.outlook import PLAYED as PLAYED
from gpulingo.advice.outlook import TREE as TREE
from gpulingo.advice.round import Round
from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.games.units import unit_of
from gpulingo.words.letters import capitals, joined, leave
from gpulingo.words.shown import brief, counted


def shown(game: Game, credits: int, weight: int) -> Fraction:
    """Return credits of a set in the game's unit, as the mean over its words.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> shown(lingo(), 7, 2), shown(wordle(), 7, 2)
    (Fraction(350, 1), Fraction(7, 2))
    """
    if unit_of(game).rises:
        return Fraction(100 * credits, weight)
    # If fewest lost words come first, the turns are the remainder of the credits.
    rest = credits % game.bonus if game.bonus > 1 else credits
    least = game.turns if game.shown == "misses" else game.turns + 1
    return least - Fraction(rest, weight)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetValue:
    """Value of a set of candidates; all sets of a review follow one rule.

    Attributes:
        credits: summed over the candidates, each times its weight.
        weight: total weight of the candidates.
        words: number of candidates.
        how: `tree`, the value of the stored tree; `exact`, proven best; otherwise the best of some
            rollouts, a lower limit.
        best: the guess with this value; empty if there is nothing to guess.

    >>> SetValue(13, 3, 3, EXACT, "dozes")
    SetValue(3 words, 13 credits, exact: dozes)
    """

    credits: int
    weight: int
    words: int
    how: str
    best: str = ""

    def __repr__(self) -> str:
        best = f": {self.best}" * bool(self.best)
        return brief("SetValue", f"{counted(self.words, 'word')}, {self.credits:,} credits, {self.how}{best}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Turn:
    """A guess of a round, with the values around it, in the game's unit.

    Attributes:
        guess, marks: what was played.
        before, after: values of the words left before the guess and after its marks.
        chosen: credits after the choice and before its marks, summed over the words left before.
        game: the rules.

    >>> from gpulingo import review
    >>> turn = review(["dozes:?XX?O"], ["dents", "dozes", "reads"]).turns[0]
    >>> turn.guess, float(turn.expected_chosen), float(turn.expected_after), float(turn.lost)
    ('dozes', 433.3333333333333, 400.0, 0.0)
    """

    guess: str
    marks: str
    before: SetValue
    chosen: int
    after: SetValue
    game: Game

    def __repr__(self) -> str:
        lost, luck = (f"{float(value):.3f}" for value in (self.lost, self.luck))
        return brief("Turn", f"{self.guess} {self.marks}: lost {lost}, luck {luck}")

    @property
    def expected_before(self) -> Fraction:
        """Value before the guess."""
        return shown(self.game, self.before.credits, self.before.weight)

    @property
    def expected_chosen(self) -> Fraction:
        """Value after the choice, before its marks."""
        return shown(self.game, self.chosen, self.before.weight)

    @property
    def expected_after(self) -> Fraction:
        """Value after the marks."""
        return shown(self.game, self.after.credits, self.after.weight)

    @property
    def lost(self) -> Fraction:
        """The loss of the choice against the best guess known; below 0 if the choice is better."""
        less = self.expected_before - self.expected_chosen
        return less if unit_of(self.game).rises else -less

    @property
    def luck(self) -> Fraction:
        """The luck of the marks; above 0 is good."""
        more = self.expected_after - self.expected_chosen
        return more if unit_of(self.game).rises else -more


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Review:
    """A finished round with the value before and after every guess.

    start + lost - luck = result if fewer is better, start - lost + luck = result if more is.

    Attributes:
        played: the round.
        game: the rules.
        turns: its guesses.
        state: `found`, `lost`, or `open` if turns were left; the result is then the expected one.

    >>> from gpulingo import review
    >>> review(["dozes:?XX?O", "reads:OOOOO"], ["dents", "dozes", "reads"])
    Review(lingo5: found on guess 2, result 400.000, start 433.333, lost 0.000, luck -33.333)
    """

    played: Round
    game: Game
    turns: list[Turn]
    state: str

    def __repr__(self) -> str:
        end = f"found on guess {len(self.turns)}" if self.state == "found" else self.state
        parts = [f"{name} {float(getattr(self, name)):.3f}" for name in ("result", "start", "lost", "luck")]
        return brief("Review", f"{self.game.code}: {end}, {', '.join(parts)}")

    def _repr_html_(self) -> str:
        numbers = ("expected_before", "lost", "luck")
        rows = [
            [
                tiles(turn.guess, turn.marks, self.game),
                *(f"{float(getattr(turn, name)):.3f}" for name in numbers),
            ]
            for turn in self.turns
        ]
        return table(["guess", "expected", "lost", "luck"], rows, repr(self))

    @property
    def start(self) -> Fraction:
        """The expected result before the first guess."""
        return self.turns[0].expected_before

    @property
    def result(self) -> Fraction:
        """The result of the round."""
        return self.turns[-1].expected_after

    @property
    def lost(self) -> Fraction:
        """The sum of the losses of the choices."""
        return sum((turn.lost for turn in self.turns), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """The sum of the luck of the marks."""
        return sum((turn.luck for turn in self.turns), Fraction(0))

    @property
    def balanced(self) -> bool:
        """Return True if start, luck, losses and result agree exactly, as they must."""
        gained = self.luck - self.lost
        return self.result == self.start + (gained if unit_of(self.game).rises else -gained)


COLOURS = {"O": "#3a7d44", "?": "#a67c00", "X": "#5f6368"}  # white text on each has a contrast above 3.6
PLAIN = "#44546a"  # of a guess without marks
TILE = "display:inline-block;width:1.6em;line-height:1.6em;margin:1px;text-align:center;color:#fff;"


def tiles(word: str, row: str, game: Game) -> str:
    """Return a guess as tiles, plain before it has marks; in a game without marks of letters,
    its feedback follows the word.

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
    """Return a table of cells that are already HTML; heads and caption are text."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"

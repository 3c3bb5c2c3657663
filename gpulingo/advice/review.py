"""The value of a round guess by guess: before it, after choosing it, and after its marks.

All of it in whole credits over the words left and in fractions, so that nothing is rounded.
"""

from __future__ import annotations

from fractions import Fraction

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from gpulingo.advice.round import Round
    from gpulingo.games.game import Game

TREE, EXACT, PLAYED = "tree", "exact", "played out"  # how a value was found


class Worth:
    """The value of a set of candidates, by the one rule for all sets of a review.

    Attributes:
        credits: summed over the candidates, each as often as it weighs. weight: of them all.
        words: their number. how: TREE, counted in the stored tree; EXACT, proven; PLAYED, the best of some
            rollouts, so best play may do better.
        best: the guess that leads to it; empty where nothing is to guess.
    """

    __slots__ = ("best", "credits", "how", "weight", "words")

    def __init__(self, credits: int, weight: int, words: int, how: str, best: str = "") -> None:
        self.credits, self.weight, self.words, self.how, self.best = credits, weight, words, how, best


class Turn:
    """A guess of a round.

    Attributes:
        guess, marks: what was played. before, after: value of the words left before it and after its marks.
        chosen: credits after choosing it and before its marks, summed over the words left before.
    """

    __slots__ = ("after", "before", "chosen", "guess", "marks")

    def __init__(self, guess: str, marks: str, before: Worth, chosen: int, after: Worth) -> None:
        self.guess, self.marks, self.before, self.chosen, self.after = guess, marks, before, chosen, after


class Reviewed:
    """A round with the value of every turn, in the unit that the game is shown in.

    Attributes:
        played: the round. turns: its guesses. game: that was played.
        state: `found`, `lost`, or `open` where turns were left; then what is expected counts as the result.
    """

    __slots__ = ("game", "played", "state", "turns")

    def __init__(self, played: Round, game: Game, turns: list[Turn], state: str) -> None:
        self.played, self.game, self.turns, self.state = played, game, turns, state

    @property
    def start(self) -> Fraction:
        """The expected result before the first guess."""
        return before(self.turns[0], self.game)

    @property
    def result(self) -> Fraction:
        """The result of the round."""
        return after(self.turns[-1], self.game)

    @property
    def lost(self) -> Fraction:
        """The sum of the losses of the choices."""
        return sum((lost(turn, self.game) for turn in self.turns), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """The sum of the luck of the marks."""
        return sum((luck(turn, self.game) for turn in self.turns), Fraction(0))

    @property
    def balanced(self) -> bool:
        """Return True if start, luck, losses and result agree exactly, as they must."""
        gained = self.luck - self.lost
        return self.result == self.start + (gained if rises(self.game) else -gained)


def rises(game: Game) -> bool:
    """Return True if more is better in the unit that a game is shown in."""
    return game.shown in ("points", "words") or game.terms == (1, 0)


def unit(game: Game) -> str:
    """The unit that a game is shown in, as the mean over what may come."""
    if game.terms == (1, 0):
        return "won, %"
    return {"points": "points", "guesses": "guesses", "words": "won, %", "misses": "misses"}[game.shown]


def shown(game: Game, credits: int, weight: int) -> Fraction:
    """Credits of a set in the unit of the game, the mean over its words.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> shown(lingo(), 7, 2), shown(wordle(), 7, 2)
    (Fraction(350, 1), Fraction(7, 2))
    """
    if rises(game):
        return Fraction(100 * credits, weight)
    # Where fewest lost words come first, the turns are what is left of the credits.
    rest = credits % game.bonus if game.bonus > 1 else credits
    least = game.turns if game.shown == "misses" else game.turns + 1
    return least - Fraction(rest, weight)


def before(turn: Turn, game: Game) -> Fraction:
    """The expected result before a guess."""
    return shown(game, turn.before.credits, turn.before.weight)


def chosen(turn: Turn, game: Game) -> Fraction:
    """The expected result after choosing a guess."""
    return shown(game, turn.chosen, turn.before.weight)


def after(turn: Turn, game: Game) -> Fraction:
    """The expected result after the marks of a guess."""
    return shown(game, turn.after.credits, turn.after.weight)


def lost(turn: Turn, game: Game) -> Fraction:
    """The loss of the choice against the best guess known; below 0 the choice is better than that."""
    less = before(turn, game) - chosen(turn, game)
    return less if rises(game) else -less


def luck(turn: Turn, game: Game) -> Fraction:
    """The luck of the marks."""
    more = after(turn, game) - chosen(turn, game)
    return more if rises(game) else -more

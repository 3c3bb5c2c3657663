"""Units of shown values: how each is printed, and whether more is better."""

from __future__ import annotations

from dataclasses import dataclass

from gpulingo.games.game import Game

GUESSES = "mean guesses"


@dataclass(frozen=True, eq=False, repr=False)
class Unit:
    """A figure to compare between lists, its total over all targets, and how both are printed."""

    name: str  # of the figure
    counted: str  # name of the total, or of what is shown in its place
    form: str  # format of the figure
    apart: int  # decimals of the distance to a bound
    rises: bool  # whether more is better
    value: str  # sentence of a strategy's value: the figure {0}, the total {1}
    beside: str  # the same after another strategy's
    limit: str  # sentence of a bound
    gap: str  # sentence of the distance to it
    lost: str  # sentence on what lost words add to the figure
    over: str  # how figures of several lists are combined: sum, mean, or share of all words
    whole: bool = True  # whether values are whole numbers, shown with the words found on each turn
    guess: int = 1  # size of one guess
    lost_turn: bool = False  # whether a lost word counts as one more turn, and is shown next to the value

    @property
    def short(self) -> str:
        """Name of the figure without "mean"."""
        return self.name.removeprefix("mean ")

    @property
    def noun(self) -> str:
        """Name of an amount of the figure."""
        return "% of rounds" if self.short == "won, %" else self.short

    @property
    def better(self) -> str:
        return "more" if self.rises else "fewer"

    @property
    def side(self) -> str:
        """Side of the bound on which strategies are."""
        return "below" if self.rises else "above"


NO_LOSS, COUNTS = "Words that are lost bring none.", "A word that is lost counts"
LOST = Unit(
    "lost", "lost", ",.0f", 0, False, "{0} lost", "", "", "{0}",
    "Words that are lost are the whole of it.", "sum",
)  # fmt: skip
UNITS = {
    "points": Unit(
        "mean points", GUESSES, ".2f", 1, True, "{0} mean points", "{0}", "{0}", "{0} mean points",
        NO_LOSS, "sum", whole=False, guess=100,
    ),
    "guesses": Unit(
        GUESSES, "total guesses", ".4f", 4, False, "{0} mean guesses ({1} in total)", "{0} ({1})",
        "{1} guesses in total", "{0} guesses in total", f"{COUNTS} as turn {{1}}.", "mean", lost_turn=True,
    ),
    "words": Unit(
        "won, %", "won", ".3f", 3, True, "{1} words won ({0} %)", "{1}", "{1} words won", "{0} words",
        NO_LOSS, "share", guess=50,
    ),
    "misses": Unit(
        "mean misses", "total misses", ".4f", 4, False, "{0} mean misses ({1} in total)", "{0}",
        "{1} misses in total", "{0} misses in total", f"{COUNTS} {{0}} misses.", "share",
    ),
}  # fmt: skip


def unit_of(game: Game) -> Unit:
    """Return the unit of a game's mean; words won if only finding a word counts.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> unit_of(lingo()).short, unit_of(wordle()).rises
    ('points', False)
    """
    return UNITS["words" if game.terms == (1, 0) else game.shown]


def mean_of(game: Game, credits: int, weight: int) -> tuple[int, int]:
    """Return credits of a set in the game's unit, as the mean over its words: a fraction's two numbers.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> mean_of(lingo(), 7, 2), mean_of(wordle(), 7, 2)
    ((700, 2), (7, 2))
    """
    if unit_of(game).rises:
        return 100 * credits, weight
    # If fewest lost words come first, the turns are the remainder of the credits.
    rest = credits % game.bonus if game.bonus > 1 else credits
    return (game.turns + (game.shown != "misses")) * weight - rest, weight

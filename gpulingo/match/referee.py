"""A referee of our own: marks the guesses of one round, of a function or of a process.

It knows one round at a time and keeps no totals: matches are more than one round. What it tells is, byte for
byte, what the pit's own referee prints.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from gpulingo.games.catalogue import feedback_of, forbidding
from gpulingo.games.game import Game


@dataclass(frozen=True)
class Transcript:
    """What happened in one round.

    Attributes:
        target: the word to find.
        guesses: as they came, one per turn.
        marks: one per guess.
        points: 0 when the word was not found.
        error: why the player stopped, when it ended early; else empty.
        fault: crash or timeout when it ended early; else empty.
        invalid: guesses that were no word of the list, or that the game did not allow.
    """

    target: str
    guesses: tuple[str, ...]
    marks: tuple[str, ...]
    points: int
    error: str = ""
    fault: str = ""
    invalid: int = 0


History = list[tuple[str, str]]


class PlayerError(RuntimeError):
    """A player has no guess to give.

    Attributes:
        fault: crash (it cannot be started, has ended, or does not keep to lines) or timeout.
    """

    def __init__(self, text: str, fault: str = "crash") -> None:
        super().__init__(text)
        self.fault = fault


def play_round(
    guess_after: Callable[[History], str],
    target: str,
    words: Container[str],
    game: Game,
    *,
    hear: Callable[[str], object] = lambda marks: None,
    tell: Callable[[str], object] = lambda line: None,
) -> Transcript:
    """Play one round.

    Args:
        guess_after: gives the next guess after the (guess, marks) pairs so far; PlayerError when the player
            has none.
        target: the word to find.
        words: the words that may be guessed; another guess, or one that the game does not allow after those
            before it, costs a turn and gets the least marks.
        game: feedback, turns and points.
        hear: takes the marks of each guess, where the player keeps no history.
        tell: takes the lines that the pit's own referee prints, as they come.
    Returns:
        The round; 0 points when the player ends early.
    Source: PlayRound in game.go of noirotm/lingo.
    """
    history: History = []
    # Of valid guesses; a letter that is given counts as a guess of it.
    shown: History = [(target[0], "")] if game.given else []
    points = invalid = 0
    rule = feedback_of(game)
    tell(f"Starting new round, word is {target}")
    for turn in range(1, game.turns + 1):
        try:
            guess = guess_after(list(history))
        except PlayerError as ended:
            tell(f"Error: {ended}")
            return Transcript(target, *_columns(history), 0, str(ended), ended.fault, invalid)
        tell(f"Got:   {printable(guess)}")
        valid = len(guess) == len(target) and guess in words
        valid = valid and not forbidding(game, shown, guess, turn)
        invalid += not valid
        marks = rule.feedback(guess, target) if valid else rule.marks(0, len(target))
        history.append((guess, marks))
        shown += history[-1:] if valid else []
        hear(marks)
        tell(f"Sent:  {marks}")
        if valid and guess == target:
            points = game.points(turn)
            break
    tell(f"Round won with score {points}" if points else "Round lost")
    return Transcript(target, *_columns(history), points, invalid=invalid)


def total_text(points: int, rounds: int, game: Game) -> str:
    """The last line of the pit's own referee, the empty line before it included."""
    return f"\nTotal score: {points} / {game.points(1) * rounds}"


def printable(guess: str) -> str:
    """A guess for a terminal: what is not printable stands as an escape, as \\x00 does for NUL."""
    if guess.isprintable():
        return guess
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in guess)


def _columns(history: History) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Guesses and marks of a history."""
    return tuple(guess for guess, _ in history), tuple(marks for _, marks in history)

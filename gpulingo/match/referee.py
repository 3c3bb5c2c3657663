"""Our own referee: marks the guesses of one round, from a function or a process.

It handles one round and keeps no totals; a match has many rounds. Its lines about words are, byte for byte,
those of the pit's own referee; `seat` runs guessers of letters.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass

from gpulingo.advice.round import PASS, Round, RoundError
from gpulingo.games.catalogue import feedback_of, forbidding
from gpulingo.games.game import Game
from gpulingo.words.letters import equalled
from gpulingo.words.shown import FOUND, OUT, UNKNOWN, answer_of, counted, shown, shown_line

MOST_CHATTER = 100  # consecutive lines that name no letter
USUAL_TIMEOUT = 60.0  # default seconds of a round
BEGUN, GOT = "Starting new round, word is ", "Got:   "  # beginnings of lines of a transcript


@dataclass(frozen=True)
class Transcript:
    """Record of one round."""

    target: str
    guesses: tuple[str, ...]  # in the order received
    marks: tuple[str, ...]  # one per guess
    points: int  # 0 if the word was not found
    error: str = ""  # why the player stopped, if it ended early
    fault: str = ""  # crash or timeout if it could not continue
    invalid: int = 0  # guesses not in the list or not legal; letters guessed before
    ended: bool = False  # whether a guesser of letters sent its last line, and waits for the next word


History = list[tuple[str, str]]


class PlayerError(RuntimeError):
    """A player gives no guess.

    Attributes:
        fault: crash (it cannot be started, has ended, or breaks the line protocol) or timeout.

    >>> PlayerError("no guess within 10 s", "timeout").fault
    'timeout'
    """

    def __init__(self, text: str, fault: str = "crash") -> None:
        super().__init__(text)
        self.fault = fault


def play_round(
    say: Callable[[History], str],
    target: str,
    words: Container[str],
    game: Game,
    *,
    hear: Callable[[str], object] = lambda marks: None,
    tell: Callable[[str], object] = lambda line: None,
    hurry: Callable[[], object] = lambda: None,
    same: str = "",
) -> Transcript:
    """Play one round.

    If letters are guessed, the player is shown the word, first without letters, and its lines are parsed
    leniently. A letter that was guessed before is an invalid guess, because the player cannot know otherwise.
    A player loses if it says too early that it is out of guesses or has guessed the word.

    Args:
        say: returns the next guess after the (guess, marks) pairs so far; PlayerError without one.
        target: the word to find.
        words: the words that may be guessed; another guess, or one that is not legal after those
            before it, costs a turn and gets the lowest marks.
        game: feedback, turns and points.
        hear: receives the marks after each guess, if the player keeps no history.
        tell: receives the lines that the pit's own referee prints, as they come.
        hurry: called if only a guesser's last line is missing, which costs it nothing.
        same: letters that are equal, see `letters.equal_signs`; `words` have one character for them.
    Returns:
        The round; 0 points when the player ends early.
    Source: PlayRound in game.go of noirotm/lingo.
    """
    letters, rule, left = game.guesses_letters, feedback_of(game), game.turns
    history: History = []
    # Valid guesses; a given letter counts as a guess of it.
    valid: History = [(target[0], "")] if game.given else []
    error = fault = text = ""
    won = ended = False
    tell(f"{BEGUN}{target}")
    target = equalled(target, same)
    try:
        if letters:
            text = _sent(shown_line(shown(target, "")), hear, tell)
        while left and not won:
            guess = _said(say, history, tell, letters=letters)
            if letters and guess in (OUT, FOUND):
                error, ended = _early(guess, text, game.turns - left), True
                break
            guess = equalled(guess, same)
            legal = _legal(guess, target, words, game, valid, turn=len(history) + 1)
            marks = rule.feedback(guess, target) if legal else rule.marks(0, len(target))
            history.append((guess, marks))
            valid += history[-1:] if legal else []
            text = _sent(shown_line(shown(target, dict(history))) if letters else marks, hear, tell)
            won = UNKNOWN not in text if letters else legal and guess == target
            left = left if won else game.left_after(left, rule.pattern(marks))
    except PlayerError as failure:
        error, fault = str(failure), failure.fault
        tell(f"Error: {error}")
    if letters and not error:
        hurry()
        with contextlib.suppress(PlayerError):
            ended = _said(say, history, tell, letters=True) in (OUT, FOUND)
    used = game.turns - left
    points = game.points(used + 1) if won else 0
    if letters or not error:
        how = f"{used} misses" if letters else f"score {points}"
        tell(f"Round won with {how}" if won else "Round lost")
    invalid = len(history) + bool(game.given) - len(valid)
    guesses, marks = tuple(guess for guess, _ in history), tuple(marks for _, marks in history)
    return Transcript(target, guesses, marks, points, error, fault, invalid, ended)


def refereed_round(target: str, guesses: Iterable[str], words: Container[str], game: Game) -> Round:
    """Return the round of a player for review: a refused guess, or a turn that it did not use, is a pass.

    RoundError: a guess comes after the end, as in a round of another game.

    >>> from gpulingo.games.catalogue import lingo
    >>> refereed_round("to", ["zz", "do"], ["do", "to"], lingo(3)).guesses
    [('\u00b7\u00b7', 'XX'), ('do', 'XO'), ('\u00b7\u00b7', 'XX')]
    """
    rule, left, history = feedback_of(game), game.turns, History()
    valid: History = [(target[0], "")] if game.given else []
    passed = PASS * (1 if game.guesses_letters else len(target)), rule.marks(0, len(target))
    coming = iter(guesses)
    while left:
        guess = next(coming, "")
        legal = _legal(guess, target, words, game, valid, turn=len(history) + 1)
        history.append((guess, rule.feedback(guess, target)) if legal else passed)
        valid += history[-1:] if legal else []
        if guess == target or (game.guesses_letters and UNKNOWN not in shown(target, dict(history))):
            break
        left = game.left_after(left, rule.pattern(history[-1][1]))
    late = [*coming][game.guesses_letters :]  # a guesser's last line may name a letter
    if late:
        what = f"guess {len(history) + 1}, {late[0]}, comes after the end of the round in {game.code}"
        raise RoundError(what, "give the game that was played")
    return Round(history, target[0] if game.given else "", target)


def transcribed(lines: Sequence[str], game: Game) -> list[tuple[int, str, list[str]]]:
    """Return the rounds of a transcript: the number of the first line, the target and the guesses of each.

    >>> from gpulingo.games.catalogue import lingo
    >>> transcribed([f"{BEGUN}reads", f"{GOT}dozes", "Sent:  ?XX?O"], lingo())
    [(1, 'reads', ['dozes'])]
    """
    rounds = list[tuple[int, str, list[str]]]()
    for number, line in enumerate(lines, 1):
        if line.startswith(BEGUN):
            rounds.append((number, line.removeprefix(BEGUN), []))
        elif line.startswith(GOT) and rounds:
            guess = line.removeprefix(GOT)
            guess = answer_of(guess) if game.guesses_letters else guess
            rounds[-1][2].extend([guess] if guess not in ("", OUT, FOUND) else [])
    return rounds


def printable(guess: str) -> str:
    """Return a guess for a terminal: unprintable characters become escapes, such as \\x00 for NUL."""
    if guess.isprintable():
        return guess
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in guess)


def _said(
    say: Callable[[History], str], history: History, tell: Callable[[str], object], *, letters: bool
) -> str:
    """Return the next guess; for letters, that of the next line with an answer (see `answer_of`)."""
    for _ in range(MOST_CHATTER):
        line = say(list(history))
        tell(f"{GOT}{printable(line)}")
        answer = answer_of(line) if letters else line
        if answer or not letters:
            return answer
    what = f"{MOST_CHATTER} lines in a row name no letter, the last is {printable(line[:40])!r}"
    raise PlayerError(what)


def _legal(guess: str, target: str, words: Container[str], game: Game, valid: History, *, turn: int) -> bool:
    if game.guesses_letters:
        return len(guess) == 1 and all(guess != letter for letter, _ in valid)
    fits = len(guess) == len(target) and guess in words
    return fits and not forbidding(game, valid, guess, turn)


def _sent(text: str, hear: Callable[[str], object], tell: Callable[[str], object]) -> str:
    hear(text)
    tell(f"Sent:  {text}")
    return text


def _early(end: str, text: str, misses: int) -> str:
    if end == OUT:
        return f"it says that it is out of guesses after {counted(misses, 'miss')}"
    return f"it says that it has guessed the word, with {counted(text.count(UNKNOWN), 'letter')} not shown"


class Timeout:
    """The time of one player in one round, in seconds; it runs from the start."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun = time.monotonic()
        self._end = self._begun + seconds

    def cut(self, seconds: float) -> None:
        self._end = min(self._end, time.monotonic() + seconds)

    @property
    def passed(self) -> float:
        return time.monotonic() - self._begun

    @property
    def left(self) -> float:
        """Seconds left; below 0 when over."""
        return self._end - time.monotonic()

    def checked(self) -> float:
        """Seconds left; PlayerError if none are."""
        left = self.left
        if left <= 0:
            raise PlayerError(f"Player program timed out after {self.seconds:g} s", "timeout")
        return left

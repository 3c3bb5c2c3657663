"""A word of hangman with a guesser: it is shown a line, names a letter, and is shown the next line.

What it says is read leniently; how it is run is left to `letter_seat`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpulingo.match.referee import PlayerError, printable
from gpulingo.words.shown import UNKNOWN, named_letter, shown, shown_line

OUT, FOUND = "out of guesses", "guessed your word"  # what a guesser says in the end
ENDS = {OUT: OUT, FOUND: FOUND, "guessed the word": FOUND}
MOST_CHATTER = 100  # lines in a row that name no letter


@dataclass(frozen=True)
class LetterTranscript:
    """What happened to one word.

    Attributes:
        word: to be guessed.
        guesses: letters as they came.
        misses: of them that showed nothing new.
        won: whether all letters were shown.
        repeated: guesses that were made before; each is a miss.
        error: why the word ended before it was won or the lives were over; else empty.
        fault: crash or timeout where the player could not go on; else empty.
        ended: the player has said so in the end, and waits for the next word.
    """

    word: str
    guesses: tuple[str, ...]
    misses: int
    won: bool
    repeated: int = 0
    error: str = ""
    fault: str = ""
    ended: bool = False


def play_letters(
    word: str,
    lives: int,
    *,
    say: Callable[[], str],
    hear: Callable[[str], object],
    hurry: Callable[[], object] = lambda: None,
    tell: Callable[[str], object] = lambda line: None,
) -> LetterTranscript:
    """Play one word.

    A guess that shows nothing new is a miss, also one that was made before, because the player cannot know
    otherwise. A player that says it is out of guesses, or has guessed the word, before that is so has lost.

    Args:
        word: to be guessed. lives: misses that lose it.
        say: gives the player's next line; PlayerError where there is none.
        hear: takes a line for the player.
        hurry: is called where only the player's last line is missing, whose want costs it nothing.
        tell: takes lines for a log, as they come.
    """
    guesses: list[str] = []
    misses = repeated = 0
    error = fault = ""
    ended = False
    text = shown(word, "")
    tell(f"Starting new round, word is {word}")
    while text != word and misses < lives:
        try:
            if not guesses:
                _send(text, hear, tell)
            letter = _answer(say, tell)
        except PlayerError as failure:
            error, fault = str(failure), failure.fault
            tell(f"Error: {error}")
            break
        if letter in (OUT, FOUND):
            error, ended = _early(letter, text, misses), True
            break
        repeated += letter in guesses
        guesses.append(letter)
        before, text = text, shown(word, guesses)
        misses += text == before
        _send(text, hear, tell)
    if not error:
        hurry()
        try:
            ended = _answer(say, tell) in (OUT, FOUND)
        except PlayerError:
            pass
    won = text == word
    tell(f"Round won with {misses} misses" if won else "Round lost")
    return LetterTranscript(word, tuple(guesses), misses, won, repeated, error, fault, ended)


def answer_of(line: str) -> str:
    """The letter that a line names, OUT, FOUND, or nothing.

    >>> answer_of("I guess the letter 'e'."), answer_of("I'm out of guesses!"), answer_of("Hello")
    ('e', 'out of guesses', '')
    """
    lowered = line.lower()
    return next((end for words, end in ENDS.items() if words in lowered), "") or named_letter(line)


def _answer(say: Callable[[], str], tell: Callable[[str], object]) -> str:
    """The next line that says something, as `answer_of` has it.

    Raises:
        PlayerError: there is none, or too many that say nothing.
    """
    for _ in range(MOST_CHATTER):
        line = say()
        tell(f"Got:   {printable(line)}")
        if answer := answer_of(line):
            return answer
    seen = f"{MOST_CHATTER} lines in a row name no letter, the last is {printable(line[:40])!r}"
    raise PlayerError(seen)


def _send(text: str, hear: Callable[[str], object], tell: Callable[[str], object]) -> None:
    """Show the word as far as it is."""
    hear(shown_line(text))
    tell(f"Sent:  {shown_line(text)}")


def _early(end: str, text: str, misses: int) -> str:
    """What a player said too early."""
    if end == OUT:
        return f"it says that it is out of guesses after {misses} misses"
    return f"it says that it has guessed the word, of which {text.count(UNKNOWN)} letters are not shown"

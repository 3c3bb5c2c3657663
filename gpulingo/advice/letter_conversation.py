"""A round of hangman as a conversation: the program guesses letters, the user shows the word.

The same manners as in `conversation`: what is a mistake is told and asked again, and nothing is lost.
"""

from __future__ import annotations

from gpulingo.advice.told import words_line
from gpulingo.player.letter_protocol import tell_unknown
from gpulingo.player.options import LONGEST
from gpulingo.words.shown import UNKNOWN, ShownError, counted, parsed_shown, shown_line

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from gpulingo.advice.paint import Paint
    from gpulingo.player.guesser import Guesser
MOST_LINE = 1000  # characters of a line that are looked at
OVER = "The round is over: undo, again or quit."
HELP = (
    "Type the word with the letter at all its places, as _ i _ _; no where it has none. Or:",
    "  I guessed E  another letter was guessed",
    "  undo         take the last letter back, also at the end",
    "  words        20 of the words left; words all: every one",
    "  why          how many of them have the letter",
    "  again, quit  another word, or the end; Ctrl-D ends too",
)


class LetterConversation:
    """Words that the program guesses letter by letter.

    Args:
        guesser: of letters. lives: misses that lose a word. paint: how the word is shown.
        length: letters of the first word, where that is known; else 0.
    Attributes:
        guesser: where the round stands. ended: whether the user has had enough.
    """

    def __init__(self, guesser: Guesser, lives: int, paint: Paint, length: int = 0) -> None:
        self.guesser, self.lives, self.paint, self._length = guesser, lives, paint, length
        self.ended = False
        self._proposed = ""
        self._steps: list[tuple[str, str]] = []  # a letter, none at first, and the word as it was shown then

    @property
    def prompt(self) -> str:
        """What the next line is to be."""
        if self.guesser.over:
            return "undo, again or quit> "
        return f"word with {self.guesser.guess}> " if self._steps else "your word> "

    def greeting(self) -> list[str]:
        """The first lines."""
        lines = [
            f"hangman: think of a word; {self.lives} misses and I have lost. help says what can be typed."
        ]
        if not self._length:
            return [*lines, "How many letters has it? Type the number, or _ for each, as _ _ _ _."]
        return [*lines, *self._learned("", UNKNOWN * self._length)]

    def take(self, line: str) -> list[str]:
        """The answer to a line."""
        text = " ".join(line[:MOST_LINE].lower().split())
        shown = self._shown(text)
        if shown:
            return self._learned(self.guesser.guess, shown)
        command = {
            "undo": self._undone, "words": self._words, "words all": self._all_words, "why": self._why,
            "help": lambda: list(HELP), "?": lambda: list(HELP), "quit": self._quit, "exit": self._quit,
            "again": self._again,
        }.get(text)  # fmt: skip
        if command is not None:
            return command()
        if self.guesser.over:
            return [OVER]
        if not self._steps:
            return [f"Type the number of letters, 1 to {LONGEST}, or _ for each, as _ _ _ _."]
        if text.startswith(("i guessed ", "guessed ")):
            return self._guessed(text.rpartition(" ")[2])
        return [f"{self._fault(text)}: type it as {shown_line(self.guesser.shown)}, no, or help."]

    def _shown(self, text: str) -> str:
        """The word that a line shows, where it fits in what was shown before; else nothing."""
        before = self.guesser.shown
        if self.guesser.over:
            return ""
        if not self._steps:
            if text.isascii() and text.isdigit() and 1 <= len(text) <= 2 and int(text):
                return UNKNOWN * int(text)
            text = text if UNKNOWN in text else ""
        elif text == "no" and len(before) != 2:
            return before
        try:
            shown = parsed_shown(text)
        except ShownError:
            return ""
        return "" if len(shown) > LONGEST or self.guesser.fault(shown) else shown

    def _fault(self, text: str) -> str:
        """What is wrong with a line that shows no word that fits."""
        try:
            return self.guesser.fault(parsed_shown(text))
        except ShownError as error:
            return str(error)

    def _learned(self, letter: str, shown: str) -> list[str]:
        """Take what is shown after a letter."""
        self._steps.append((letter, shown))
        if letter:
            self.guesser.guess = letter
        self.guesser.learn(shown)
        self._proposed = self.guesser.guess
        return self._stand()

    def _stand(self) -> list[str]:
        """Where the round stands."""
        guesser = self.guesser
        missed = f": {' '.join(guesser.missed)}" if guesser.missed else ""
        board = f"  {self.paint.strong(shown_line(guesser.shown))}   "
        board += self.paint.faint(f"{len(guesser.missed)}/{self.lives} missed{missed}")
        if not guesser.over:
            return [
                board,
                f"{counted(len(self._left()), 'word')} left. I guess {self.paint.strong(guesser.guess)}.",
            ]
        told: list[str] = []
        tell_unknown(guesser, told.append)
        end = "Found" if guesser.found else "I have lost"
        return [board, f"{end} with {counted(len(guesser.missed), 'miss')}.", *told]

    def _left(self) -> list[str]:
        """The words that fit."""
        return self.guesser.rule.candidates(self.guesser.shown, self.guesser.missed)

    def _guessed(self, letter: str) -> list[str]:
        """Take another letter than the one proposed."""
        if len(letter) != 1 or not letter.isalpha():
            return [f"{letter[:40]!r} is no letter: type one, as I guessed e."]
        if letter in self.guesser.shown or letter in self.guesser.missed:
            return [f"{letter!r} was guessed before."]
        self.guesser.guess = letter
        return [f"You guessed {self.paint.strong(letter)}."]

    def _words(self) -> list[str]:
        """The first of the words left."""
        return [words_line(self._left())] if self._steps else ["How long is the word?"]

    def _all_words(self) -> list[str]:
        """All words left."""
        return [words_line(left, len(left))] if self._steps and (left := self._left()) else self._words()

    def _why(self) -> list[str]:
        """How many words have the letter."""
        if self.guesser.over or not self._steps:
            return [OVER if self.guesser.over else "How long is the word?"]
        left, letter = self._left(), self.guesser.guess
        count = sum(letter in word for word in left)
        return [f"{count:,} of the {counted(len(left), 'word')} left have {letter}."]

    def _undone(self) -> list[str]:
        """Take the last letter back."""
        guesser = self.guesser
        if guesser.guess != self._proposed:
            guesser.guess = self._proposed
            return self._stand()
        if len(self._steps) < 2:
            return ["There is nothing to undo."]
        self._steps.pop()
        guesser.begin()
        for letter, shown in self._steps:
            guesser.guess = letter
            guesser.learn(shown)
        self._proposed = guesser.guess
        return self._stand()

    def _again(self) -> list[str]:
        """Begin another word."""
        self.guesser.begin()
        self._steps, self._length, self._proposed = [], 0, ""
        return self.greeting()

    def _quit(self) -> list[str]:
        """End the conversation."""
        self.ended = True
        return []

"""Words that the program guesses letter by letter; the user shows the revealed letters."""

from __future__ import annotations

from collections.abc import Mapping

from gpulingo.advice.conversation import OVER, Conversation, Paint
from gpulingo.advice.notation import read_history
from gpulingo.games import positions
from gpulingo.player.guesser import Guesser, unknown_text
from gpulingo.player.question import LONGEST
from gpulingo.words.shown import UNKNOWN, counted, shown_line

LETTER_HELP = (
    "Type the word with the letter at all its places, as _ i _ _; no where it has none. Or:",
    "  I guessed E  another letter was guessed",
    "  undo         take the last letter back, also at the end",
    "  words        20 of the words left; words all: every one",
    "  why          how many of them have the letter",
    "  again, quit  another word, or the end; Ctrl-D ends too",
)


class Revealed(Conversation):
    """Words that the program guesses letter by letter."""

    is_over = f"{OVER.capitalize()}."

    def __init__(self, guesser: Guesser, paint: Paint, remedies: Mapping[str, str], length: int = 0) -> None:
        super().__init__(paint, remedies)
        self.guesser, self.lives, self._length = guesser, guesser.game.turns, length
        self._proposed, self.over = "", False

    @property
    def prompt(self) -> str:
        if self.guesser.over:
            return "undo, again or quit> "
        return f"word with {self.guesser.guess}> " if self.guesser.shown else "your word> "

    def greeting(self) -> list[str]:
        lives = counted(self.lives, "miss")
        lines = [f"hangman: think of a word; {lives} and I have lost. help says what can be typed."]
        if not self._length:
            return [*lines, "How many letters has it? Type the number, or _ for each, as _ _ _ _."]
        return [*lines, *self._learned("", UNKNOWN * self._length)]

    def _help(self) -> list[str]:
        return list(LETTER_HELP)

    def _shown(self, text: str) -> list[str] | None:
        shown = self._read(text)
        return self._learned(self.guesser.guess, shown) if shown else None

    def _other(self, text: str) -> list[str]:
        if self.over:
            return [self.is_over]
        if not self.guesser.shown:
            return [f"Type the number of letters, 1 to {LONGEST}, or _ for each, as _ _ _ _."]
        return [f"{self._fault(text)}: type it as {shown_line(self.guesser.shown)}, no, or help."]

    def _read(self, text: str) -> str:
        """Return the word that a line shows, if it fits what was revealed before; otherwise nothing."""
        before = self.guesser.shown
        if self.over:
            return ""
        if not before:
            if text.isascii() and text.isdigit() and 1 <= len(text) <= 2 and int(text):
                return UNKNOWN * int(text)
            text = text if UNKNOWN in text else ""
        elif text.lower() == "no" and len(before) != 2:
            return before
        try:
            if ":" in text or "=" in text:  # e:_e__ shows nothing of the letters before
                ((letter, row),) = read_history([text], positions, self.guesser.entered)
                known = zip(row, before, strict=True)
                text = "".join(letter if mark == positions.THERE else own for mark, own in known)
                text = text if letter == self.guesser.guess else ""
            shown = self.guesser.parsed(text)
        except ValueError:  # a text of another form or length
            return ""
        return "" if len(shown) > LONGEST or self.guesser.fault(shown) else shown

    def _fault(self, text: str) -> str:
        try:
            return self.guesser.fault(self.guesser.parsed(text))
        except ValueError as error:
            return str(error)

    def _learned(self, letter: str, shown: str) -> list[str]:
        if letter:
            self._keep()
        self.guesser.learn(shown)
        self._proposed, self.over = self.guesser.guess, self.guesser.over
        return self._stand()

    def _stand(self) -> list[str]:
        guesser = self.guesser
        missed = f": {' '.join(guesser.missed)}" if guesser.missed else ""
        board = f"  {self.paint.strong(shown_line(guesser.shown))}   "
        board += self.paint.faint(f"{len(guesser.missed)}/{self.lives} missed{missed}")
        if not guesser.over:
            return [
                board,
                f"{counted(len(self._fitting()), 'word')} left. I guess {self.paint.strong(guesser.guess)}.",
            ]
        unknown = unknown_text(guesser)
        told = [f"{unknown}: {self.remedies['teach']}"] if unknown else []
        end = "Found" if guesser.found else "I have lost"
        return [board, f"{end} with {counted(len(guesser.missed), 'miss')}.", *told]

    def _left(self) -> list[str] | None:
        """Return the words that fit; None: the length is not known."""
        return self._fitting() if self.guesser.shown else None

    def _fitting(self) -> list[str]:
        return self.guesser.quiz.candidates(self.guesser.shown, self.guesser.missed)

    def _guessed(self, letter: str) -> list[str]:
        if not self.guesser.shown:
            return self._other(letter)
        if len(letter) != 1 or not letter.isalpha():
            return [f"{letter[:40]!r} is no letter: type one, as I guessed e."]
        if letter in self.guesser.shown or letter in self.guesser.missed:
            return [f"{letter!r} was guessed before."]
        self._keep()
        self.guesser.guess = letter
        return [f"You guessed {self.paint.strong(letter)}."]

    def _expected(self, left: list[str]) -> list[str]:
        letter = self.guesser.guess
        count = sum(letter in word for word in left)
        return [f"{count:,} of the {counted(len(left), 'word')} left have {letter}."]

    def _keep(self) -> None:
        """Save the state for `undo`; another letter than the proposed one does not count."""
        if self.guesser.guess == self._proposed:
            self._states.append(self.guesser.state)

    def _restore(self, state: tuple[str, str, str]) -> None:
        self.guesser.state = state
        self._proposed, self.over = self.guesser.guess, False

    def _again(self) -> list[str]:
        self.guesser.begin()
        self._states, self._length, self._proposed, self.over = [], 0, "", False
        return self.greeting()

"""Rounds of several boards at a terminal: the program guesses, the user types the marks of every board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.answer import SHOWN, unlisted_text
from gpulingo.advice.conversation import Conversation, Paint, Session, words_line
from gpulingo.advice.notation import NoAnswer, NotationError, plain
from gpulingo.advice.several import DONE, read_boards, stand
from gpulingo.storage.faults import Fault
from gpulingo.words.shown import counted

HELP = (
    f"Type the marks of every board, separated by commas, {DONE} for a board that is found. Or:",
    "  I guessed WORD  another word was guessed",
    "  undo            take the last guess and its marks back, also at the end",
    "  words           20 of the words left on each board; words all: every one",
    "  why             what the guess is expected to lead to",
    "  again, quit     another round, or the end; Ctrl-D ends too",
)


class Boarded(Conversation):
    """Rounds of several boards."""

    session: Session

    def __init__(
        self,
        adviser: Adviser,
        paint: Paint,
        remedies: Mapping[str, str],
        worded: Callable[[Fault | str], str],
    ) -> None:
        super().__init__(paint, remedies, worded)
        self.adviser, self.game = adviser, adviser.game
        adviser.complain = self.note
        self._start(Session((), stand(adviser, read_boards([], adviser))))

    @property
    def over(self) -> bool:
        return all(self.session.left.found) or len(self.session.history) >= self.game.turns

    @property
    def prompt(self) -> str:
        return "undo, again or quit> " if self.over else f"marks of {self.session.guess}> "

    def greeting(self) -> list[str]:
        of, example = f"{self.game.boards} words", ",".join(["BYBBG", "BBBBG", DONE][: self.game.boards])
        return [
            f"{self.game.code}: think of {of} of {len(self.session.left.left[0][0])} letters.",
            f"I guess, you type the marks of every board, as {example}. help says what else you can type.",
            *self._propose(),
        ]

    def _propose(self) -> list[str]:
        parts = self.session.history
        answer = self.adviser.advised(parts)
        self.session = Session(parts, answer, answer.guesses[0].guess)
        return self._stand()

    def _stand(self) -> list[str]:
        parts, answer, guess = self.session.history, self.session.left, self.session.guess
        if all(answer.found):
            return [f"Found on turn {len(parts)} of {self.game.turns}. undo, again or quit?"]
        boards = zip(answer.left, answer.found, strict=True)
        left = ", ".join("found" if solved else f"{len(words):,}" for words, solved in boards)
        if self.over:
            return [f"The turns are over; left on the boards: {left}."]
        turn = f"Turn {answer.turn} of {self.game.turns}, words left: {left}"
        return [*self._notes(), f"{turn}. I guess {self.paint.strong(guess)}."]

    def _help(self) -> list[str]:
        return list(HELP)

    def _shown(self, text: str) -> list[str] | None:
        """Return the answer to marks of every board, or to a guess with them."""
        guess, colon, rows = plain(text).replace("=", ":").rpartition(":")
        rows = rows.replace(" ", "")
        if not colon and "," not in rows:
            return None
        if self.over:
            return [self.is_over]
        parts = (*self.session.history, f"{guess or self.session.guess}:{rows}")
        try:
            left = stand(self.adviser, read_boards(parts, self.adviser))
        except (NotationError, NoAnswer) as error:
            return [f"{error}."]
        self._move(Session(parts, left))
        return self._stand() if self.over else self._propose()

    def _other(self, text: str) -> list[str]:
        return [f"{text[:40]!r} is not understood: type marks of {self.game.boards} boards, or help"]

    def _guessed(self, word: str) -> list[str]:
        words = self.adviser.words(len(self.session.left.left[0][0]))
        if len(word) != words.length:
            return [f"{word[:40]!r} has {counted(len(word), 'letter')}, expected {words.length}"]
        if word not in words:
            self.adviser.complain(unlisted_text(word, words, self.game))
        self.session = replace(self.session, guess=word)
        return [*self._notes(), f"You guessed {self.paint.strong(word)}."]

    def _left(self) -> list[str]:
        return [word for words in self.session.left.left for word in words]

    def _words(self, most: int = SHOWN) -> list[str]:
        lines = enumerate(self.session.left.left, 1)
        return [f"board {number}: {words_line(words, most)}" for number, words in lines]

    def _expected(self, left: list[str]) -> list[str]:
        guess, answer = self.session.guess, self.session.left
        known = [row for row in answer.guesses if row.guess == guess]
        lines = [f"Expected: done by turn {row.turn:.3f}, {100 * row.won:.1f} % won." for row in known]
        return [*lines, f"{guess}: {answer.how}."] if known else [f"{guess} was not searched."]

    def _again(self) -> list[str]:
        self._start(Session((), stand(self.adviser, read_boards([], self.adviser))))
        return ["Think of other words.", *self._propose()]

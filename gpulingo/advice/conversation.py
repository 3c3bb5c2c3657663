"""A round as a conversation: the program guesses, the user types marks; a line in, lines out.

What is a mistake is told and asked again, and nothing is lost. Terminals are left to `terminal`.
"""

from __future__ import annotations

from gpulingo.advice.answer import SHOWN
from gpulingo.advice.notation import (
    VARIANT,
    NotationError,
    forms_of,
    is_shown,
    is_spelled,
    meaning_of,
    read_shown,
)
from gpulingo.advice.proposals import Proposal
from gpulingo.advice.told import expectation, lacking, words_line
from gpulingo.games.catalogue import forbidding
from gpulingo.hosts.host import RULES
from gpulingo.words.shown import counted

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from gpulingo.advice.paint import Paint
    from gpulingo.advice.proposals import Proposals

    State = tuple[list[tuple[str, str]], Proposal, bool, bool]
MOST_LINE = 1000  # characters of a line that are looked at
GUESSED = ("i guessed", "guessed", "i guess", "i played", "played")
WAS = ("it was", "was", "it is", "the word was", "the word is")
AGAIN = (
    "Nothing was taken: type the marks again, WORD MARKS to change those of an earlier guess, "
    "or it was WORD if the list may lack it."
)
OVER = "the round is over: undo, again or quit"
HELP = (
    "  I guessed WORD  another word was guessed",
    "  WORD MARKS      the same with its marks; for a word guessed before, other marks",
    "  undo            take the last guess and marks back, also at the end",
    f"  words           {SHOWN} of the words left; words all: every one",
    "  why             what the guess is expected to lead to",
    "  it was WORD     end the round",
    "  again, quit     another round, or the end; Ctrl-D ends too",
)


class Conversation:
    """Rounds that the program guesses.

    Args:
        proposals: of guesses. paint: how guesses are shown.
    Attributes:
        history: guesses and marks of the round. proposal: whose marks are asked for. over: whether the round
            is. found: whether the word was. ended: whether the user has had enough.
    """

    def __init__(self, proposals: Proposals, paint: Paint) -> None:
        self.proposals, self.paint = proposals, paint
        self.game, self.rule, self.length = proposals.game, proposals.rule, proposals.length
        self.marked = self.game.shows_marks  # else counted: a code, of which numbers are told
        self.thing = f"word of {self.length} letters" if self.marked else f"code of {self.length} signs"
        self.ended = False
        self._start()

    @property
    def prompt(self) -> str:
        """What the next line is to be."""
        if self.over:
            return "undo, again or quit> " if self.found else "the word, undo, again or quit> "
        return f"{'marks' if self.marked else 'counts'} of {self.proposal.guess}> "

    def greeting(self) -> list[str]:
        """The first lines."""
        words = self.proposals.words
        source = words.source + (f", targets {words.targets_source}" if words.targets_source else "")
        begin = f" that begins with {self.proposals.letter}" if self.proposals.letter else ""
        return [
            f"{self.game.code}: think of a {self.thing}{begin} ({source}).",
            "I guess, you type the marks: O placed, ? misplaced, X absent; or BYG, 012, squares."
            if self.marked
            else f"I guess, you type {meaning_of(self.rule)}, as {forms_of(self.rule)}.",
            "help says what else you can type.",
            *self._propose(),
        ]

    def take(self, line: str) -> list[str]:
        """The answer to a line."""
        text = " ".join(line[:MOST_LINE].split())
        lines = self._taken(text) if text else [OVER if self.over else f"type {self._wanted()}, or help"]
        return [*self.proposals.notes(), *lines]

    def _wanted(self) -> str:
        """What is to be typed."""
        return f"{self.length} marks" if self.marked else forms_of(self.rule)

    def _help(self) -> list[str]:
        """What can be typed."""
        what = f"the marks of the guess, one of {forms_of(self.rule)} per letter, as X?XXO"
        counts = f"{meaning_of(self.rule)}, as {forms_of(self.rule)}"
        return [f"Type {what if self.marked else counts}. Or:", *HELP]

    def _start(self) -> None:
        """Begin a round."""
        self.history: list[tuple[str, str]] = []
        self.proposal = Proposal("")
        self.over = self.found = False
        self._states: list[State] = []
        self._left = self.proposals.left([])

    def _taken(self, text: str) -> list[str]:
        """The answer to a line that is not empty."""
        marks = text.replace(" ", "").replace(VARIANT, "")
        if marks == "?" != self.length * "?":
            return self._help()
        may_be_word = len(marks) == self.length and is_spelled(marks, self.rule)  # as boxy
        if is_shown(marks, self.length, self.rule) and not (self.over and may_be_word):
            return [OVER] if self.over else self._marked(self.proposal.guess, marks)
        words = text.lower().split()
        command = {
            "undo": self._undone, "words": self._words, "words all": self._all_words, "why": self._why,
            "help": self._help, "quit": self._quit, "exit": self._quit, "again": self._again,
        }.get(" ".join(words))  # fmt: skip
        if command is not None:
            return command()
        phrase, word = " ".join(words[:-1]), words[-1]
        if phrase in GUESSED:
            return [OVER] if self.over else self._guessed(word)
        if phrase in WAS or (self.over and not phrase):
            return self._was(word)
        word, _, row = text.lower().replace(":", " ", 1).partition(" ")
        row = row.replace(" ", "").replace(VARIANT, "")
        if is_spelled(word, self.rule) and row and is_shown(row, self.length, self.rule):
            return self._with_marks(word, row)
        if self.marked and len(marks) == self.length and not marks.isalpha():
            return [self._refusal(marks)]
        if not self.marked:
            return [f"{self.rule.fault(text, self.length)}, or help"]
        return [f"{text[:40]!r} is not understood: type {self._wanted()}, as {forms_of(self.rule)}, or help"]

    def _refusal(self, marks: str) -> str:
        """What is wrong with marks."""
        try:
            read_shown(marks, self.proposal.guess, self.rule)
        except NotationError as error:
            return str(error)
        return ""

    def _propose(self) -> list[str]:
        """Think of the next guess, and tell it."""
        self.proposal = self.proposals.after(self.history)
        return [*self.proposals.notes(), self._asked(f"I guess {self.paint.strong(self.proposal.guess)}.")]

    def _asked(self, guess: str) -> str:
        """Where the round stands, with the guess."""
        turn = f"Turn {len(self.history) + 1} of {self.game.turns}"
        return f"{turn}, {counted(len(self._left), 'word')} left. {guess}"

    def _guessed(self, word: str) -> list[str]:
        """Take another guess than the one proposed."""
        fault = self._fault(word)
        if fault:
            return [fault]
        self._keep()
        self.proposal = Proposal(word)
        if word not in self.proposals.words:
            self.proposals.note(
                f"{word} is not among the words of {self.proposals.words.source}; its marks are taken"
            )
        return [*self.proposals.notes(), self._asked(f"You guessed {self.paint.strong(word)}.")]

    def _fault(self, word: str) -> str:
        """Why a word cannot have been guessed; empty where it can."""
        if len(word) != self.length or not is_spelled(word, self.rule):
            return f"{word[:40]!r} is no {self.thing}"
        letter = self.proposals.letter
        if self.game.legal == "start" and not word.startswith(letter):
            return f"{word} does not begin with {letter}, as every guess of {self.game.name} does"
        if before := forbidding(self.game, self.history, word):
            why = RULES[self.game.legal]
            return f"{word} {why}: {' showed '.join(before)}, so {self.game.name} does not allow it"
        return ""

    def _with_marks(self, word: str, row: str) -> list[str]:
        """Take a guess with its marks: of this turn, or other marks of one before."""
        turns = [turn for turn, (guess, _) in enumerate(self.history) if guess == word]
        if turns and (self.over or word != self.proposal.guess):
            return self._marked(word, row, turns[-1])
        if self.over:
            return [OVER]
        lines = [] if word == self.proposal.guess else self._guessed(word)
        return [*lines[:-1], *self._marked(word, row)] if word == self.proposal.guess else lines

    def _marked(self, guess: str, marks: str, turn: int | None = None) -> list[str]:
        """Take the marks of a guess; those of a turn before, from 0 on, are changed.

        Where no word fits nothing is taken, unless no turn is left: then the list may lack the word.
        """
        try:
            row = read_shown(marks, guess, self.rule)
        except NotationError as error:
            return [str(error)]
        solved = self.rule.pattern(row) == self.rule.solved(self.length)
        before = self.history if turn is None else self.history[:turn]
        after = [] if turn is None or solved else self.history[turn + 1 :]
        history = [*before, (guess, row), *after]
        left = self.proposals.left(history)
        # The word may be one that the list lacks.
        fits = all(self.rule.feedback(own, guess) == shown for own, shown in before) if solved else bool(left)
        last = len(history) == self.game.turns
        if not fits and (solved or not last or turn is not None):
            return [f"{self.proposals.contradiction(history)}.", AGAIN]
        self._keep()
        self.history, self._left, self.found = history, left, solved
        self.over = solved or last
        tiles = f"  {self.paint.tiles(guess, row)}"
        if self.over:
            return [tiles, *self._end()]
        if turn is None:
            return [tiles, *self._propose()]
        self.proposal = Proposal(self.proposal.guess)
        return [*self._board(), self._asked(f"The guess is {self.paint.strong(self.proposal.guess)}.")]

    def _end(self) -> list[str]:
        """What to say of a round that is over."""
        turn = len(self.history)
        if self.found:
            word = self.history[-1][0]
            points = f", {self.game.points(turn)} points" if self.game.shown == "points" else ""
            return [
                f"Found on turn {turn} of {self.game.turns}: {self.paint.strong(word)}{points}.",
                *lacking(word, self.proposals.words),
            ]
        if self._left:
            return [
                f"The turns are over. {self._words()[0]}",
                "Which word was it? Type it, or undo, again, quit.",
            ]
        return [
            f"The turns are over, and {self.proposals.contradiction(self.history)}.",
            "If all marks are right, the list lacks the word: to teach it, add it to a file of words "
            "and give that by --wordlist. Which word was it? Type it, or undo, again, quit.",
        ]

    def _was(self, word: str) -> list[str]:
        """End the round with the word that the user had in mind."""
        if len(word) != self.length or not is_spelled(word, self.rule):
            return [f"{word[:40]!r} is no {self.thing}"]
        if not word.startswith(self.proposals.letter):
            return [f"{word} does not begin with {self.proposals.letter}, the letter that was given"]
        for guess, row in self.history:
            shown = self.rule.feedback(guess, word)
            if shown != row:
                seen = f"{word} does not fit: {guess} would have shown {shown}, not {row}"
                return [f"{seen}; type {guess} {shown} to change it, or undo"]
        self._keep()
        self.over = True
        return [f"The word was {self.paint.strong(word)}.", *lacking(word, self.proposals.words)]

    def _words(self) -> list[str]:
        """The first of the words left."""
        return [words_line(self._left)]

    def _all_words(self) -> list[str]:
        """All words left."""
        return [words_line(self._left, len(self._left))]

    def _why(self) -> list[str]:
        """What is expected of the guess."""
        if self.over:
            return [OVER]
        turn = len(self.history) + 1
        return expectation(self.proposal, self._left, turn, game=self.game, rule=self.rule)

    def _undone(self) -> list[str]:
        """Take the last step back."""
        if not self._states:
            return ["There is nothing to undo."]
        self.history, self.proposal, self.over, self.found = self._states.pop()
        self._left = self.proposals.left(self.history)
        return [*self._board(), self._asked(f"The guess is {self.paint.strong(self.proposal.guess)}.")]

    def _keep(self) -> None:
        """Remember the state for `undo`."""
        self._states.append((self.history, self.proposal, self.over, self.found))

    def _board(self) -> list[str]:
        """The guesses so far."""
        return [f"  {self.paint.tiles(guess, row)}" for guess, row in self.history]

    def _again(self) -> list[str]:
        """Begin another round."""
        self._start()
        return ["Think of another word.", *self._propose()]

    def _quit(self) -> list[str]:
        """End the conversation."""
        self.ended = True
        return []

"""Rounds whose guesses the user answers by marks, or by counts: which letters are placed, or how many.

What is the same whatever is guessed is in `conversation`.
"""

from __future__ import annotations

from gpulingo.advice.answer import SHOWN, among
from gpulingo.advice.conversation import OVER, Conversation
from gpulingo.advice.notation import (
    FORMS,
    NotationError,
    forms_of,
    is_shown,
    is_spelled,
    meaning_of,
    pairs,
    plain,
    read_shown,
)
from gpulingo.advice.paint import Paint
from gpulingo.advice.proposals import Proposal, Proposals
from gpulingo.advice.told import expectation, lacking
from gpulingo.games.catalogue import breach, guessed
from gpulingo.games.marks import lettered
from gpulingo.words.shown import counted

State = tuple[list[tuple[str, str]], Proposal, bool, bool]

WAS = ("it was", "was", "it is", "the word was", "the word is", "the code was", "the code is")
AGAIN = (
    "Nothing was taken: type the {shown} again, {NOUN} {SHOWN} to change those of an earlier guess, "
    "or it was {NOUN} if the list may lack it."
)
HELP = (
    "  I guessed {NOUN}  another {noun} was guessed",
    "  {NOUN} {SHOWN:<11}the same with its {shown}; for a {noun} guessed before, other {shown}",
    "  undo            take the last guess and {shown} back, also at the end",
    "  {noun}s           {most} of the {noun}s left; {noun}s all: every one",
    "  why             what the guess is expected to lead to",
    "  it was {NOUN}     end the round",
    "  again, quit     another round, or the end; Ctrl-D ends too",
)


class Marked(Conversation):
    """Rounds of words, or of codes.

    Args:
        proposals: of guesses. paint: how guesses are shown.
    Attributes:
        history: guesses and marks of the round. proposal: whose marks are asked for. over: whether the round
            is. found: whether the word was. ended: whether the user has had enough.
    """

    def __init__(self, proposals: Proposals, paint: Paint) -> None:
        super().__init__(paint)
        self.proposals = proposals
        self.game, self.rule, self.length = proposals.game, proposals.rule, proposals.length
        self.marked = self.game.shows_marks  # else counted: a code, of which numbers are told
        self.noun, signs = guessed(self.game)
        self.thing = f"{self.noun} of {self.length} {signs}"
        self._start()

    @property
    def prompt(self) -> str:
        """The prompt of the next line."""
        if self.over:
            return "undo, again or quit> " if self.found else f"the {self.noun}, undo, again or quit> "
        return f"{'marks' if self.marked else self.rule.noun} of {self.proposal.guess}> "

    def greeting(self) -> list[str]:
        """The first lines."""
        words = self.proposals.words
        source = words.source + (f", targets {words.targets_source}" if words.targets_source else "")
        begin = f" that begins with {self.proposals.letter}" if self.proposals.letter else ""
        return [
            f"{self.game.code}: think of a {self.thing}{begin} ({source}).",
            "I guess, you type the marks: G placed, Y misplaced, B absent; or X?O, 012, squares."
            if self.marked
            else f"I guess, you type {meaning_of(self.rule)}, as {forms_of(self.rule, self.length)}.",
            "help says what else you can type.",
            *self._propose(),
        ]

    def _notes(self) -> list[str]:
        """The notes made while guesses were sought."""
        return self.proposals.notes()

    def _wanted(self) -> str:
        """The line that is expected next."""
        return f"{self.length} marks" if self.marked else forms_of(self.rule, self.length)

    def _help(self) -> list[str]:
        """The lines that the user can type."""
        what = f"the marks of the guess, one of {forms_of(self.rule, self.length)} per letter, as BYBBG"
        counts = f"{meaning_of(self.rule)}, as {forms_of(self.rule, self.length)}"
        return [f"Type {what if self.marked else counts}. Or:", *map(self._named, HELP)]

    def _named(self, text: str) -> str:
        """A text about words, or codes."""
        noun, shown = self.noun, "marks" if self.marked else self.rule.noun
        return text.format(noun=noun, NOUN=noun.upper(), shown=shown, SHOWN=shown.upper(), most=SHOWN)

    def _start(self) -> None:
        """Begin a round."""
        self.history: list[tuple[str, str]] = []
        self.proposal = Proposal("")
        self.over = self.found = False
        self._states: list[State] = []
        self._fit = self.proposals.left([])

    def _shown(self, text: str) -> list[str] | None:
        """The answer to marks, of which none are missing; `words` may be some where words are awaited."""
        marks = plain(text).replace(" ", "")
        if not marks:
            return [OVER if self.over else f"type {self._wanted()}, or help"]
        if marks == "?" != self.length * "?":
            return self._help()
        may_be_word = len(marks) == self.length and is_spelled(marks, self.rule)  # as boxy
        if is_shown(marks, self.length, self.rule) and not (self.over and may_be_word):
            return [OVER] if self.over else self._marked(self.proposal.guess, marks)
        return None

    def _other(self, text: str) -> list[str]:
        """The answer to the word itself, to a word with its marks, and to what is neither."""
        marks = plain(text).replace(" ", "")
        phrase, _, word = self._entered(text).rpartition(" ")
        if phrase in WAS or (self.over and not phrase):
            return self._was(word)
        found, others = pairs(text, self.rule)
        if len(found) == 1 and not others and is_spelled(found[0][0], self.rule):
            return self._with_marks(self._entered(found[0][0]), found[0][1])
        if self.marked and len(marks) == self.length and not marks.isalpha():
            return [self._refusal(marks)]
        if not self.marked:
            return [f"{self.rule.fault(text, self.length)}, or help"]
        return [f"{text[:40]!r} is not understood: type {self._wanted()}, as {FORMS}, or help"]

    def _entered(self, text: str) -> str:
        return self.proposals.words.enter(text)

    def _refusal(self, marks: str) -> str:
        """The fault of marks."""
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
        """The state of the round, with the guess."""
        turn = f"Turn {len(self.history) + 1} of {self.game.turns}"
        return f"{turn}, {counted(len(self._fit), self.noun)} left. {guess}"

    def _guessed(self, word: str) -> list[str]:
        """Take another guess than the one proposed."""
        fault = self._fault(word)
        if fault:
            return [fault]
        self._keep()
        self.proposal = Proposal(word)
        if word not in self.proposals.words:
            self.proposals.note(
                f"{word} is not among {among(self.proposals.words, self.game)}; its marks are taken"
            )
        return [*self.proposals.notes(), self._asked(f"You guessed {self.paint.strong(word)}.")]

    def _fault(self, word: str) -> str:
        """Why a word cannot have been guessed; empty where it can."""
        if len(word) != self.length or not is_spelled(word, self.rule):
            return f"{word[:40]!r} is no {self.thing}"
        broken = breach(self.game, self.history, word, self.proposals.letter)
        return f"{broken}, so {self.game.name} does not allow it" if broken else ""

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
            return [f"{self.proposals.contradiction(history)}.", self._named(AGAIN)]
        self._keep()
        self.history, self._fit, self.found = history, left, solved
        self.over = solved or last
        tiles = f"  {self.paint.tiles(guess, row)}"
        if self.over:
            return [tiles, *self._end()]
        if turn is None:
            return [tiles, *self._propose()]
        self.proposal = Proposal(self.proposal.guess)
        return self._stand()

    def _end(self) -> list[str]:
        """The lines after a round that is over."""
        turn = len(self.history)
        if self.found:
            word = self.history[-1][0]
            points = f", {self.game.points(turn)} points" if self.game.shown == "points" else ""
            return [
                f"Found on turn {turn} of {self.game.turns}: {self.paint.strong(word)}{points}.",
                *lacking(word, self.proposals.words, self.game),
            ]
        if self._fit:
            return [
                f"The turns are over. {self._words()[0]}",
                f"Which {self.noun} was it? Type it, or undo, again, quit.",
            ]
        return [
            f"The turns are over, and {self.proposals.contradiction(self.history)}.",
            f"If all marks are right, the list lacks the {self.noun}: to teach it, add it to a file of words "
            f"and give that by --wordlist. Which {self.noun} was it? Type it, or undo, again, quit.",
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
                seen = f"{word} does not fit: {guess} would have shown {lettered(shown)}, not {lettered(row)}"
                return [f"{seen}; type {guess} {lettered(shown)} to change it, or undo"]
        self._keep()
        self.over = True
        return [
            f"The {self.noun} was {self.paint.strong(word)}.",
            *lacking(word, self.proposals.words, self.game),
        ]

    def _left(self) -> list[str]:
        """The words that fit."""
        return self._fit

    def _expected(self, left: list[str]) -> list[str]:
        """The outlook of the guess."""
        turn = len(self.history) + 1
        return expectation(self.proposal, left, turn, game=self.game, rule=self.rule)

    def _stand(self) -> list[str]:
        """The guesses so far, and the one that is to be answered."""
        board = [f"  {self.paint.tiles(guess, row)}" for guess, row in self.history]
        return [*board, self._asked(f"The guess is {self.paint.strong(self.proposal.guess)}.")]

    def _restore(self, state: State) -> None:
        """Go back to a stored state."""
        self.history, self.proposal, self.over, self.found = state
        self._fit = self.proposals.left(self.history)

    def _keep(self) -> None:
        """Remember the state for `undo`."""
        self._states.append((self.history, self.proposal, self.over, self.found))

    def _again(self) -> list[str]:
        """Begin another round."""
        self._start()
        return [f"Think of another {self.noun}.", *self._propose()]

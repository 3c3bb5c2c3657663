"""Rounds in which the program guesses and the user answers, by marks or counts of one board or of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.answer import SHOWN, unlisted_text
from gpulingo.advice.conversation import OVER, Conversation, Paint, Session, words_line
from gpulingo.advice.notation import FORMS, WRITTEN, NotationError, is_spelled, pairs, plain, read_shown
from gpulingo.advice.outlook import class_sizes, measure
from gpulingo.advice.several import DONE, BoardsAnswer, read_boards, stand
from gpulingo.games.catalogue import breach, guessed
from gpulingo.games.marks import ContradictionError, lettered
from gpulingo.player.player import replaced, usable
from gpulingo.player.question import check_letter
from gpulingo.storage.faults import Fault, UsageError
from gpulingo.words.letters import enter
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList

ASKED = "Which letter does it begin with?"
FIRST_HELP = "Type the letter that the game shows, as s; or quit. Ctrl-D ends too."
WAS = ("it was", "was", "it is", "the word was", "the word is", "the code was", "the code is")
AGAIN = (
    "Nothing was taken: type the {shown} again, {NOUN} {SHOWN} to change those of an earlier guess, "
    "or it was {NOUN} if the list may lack it."
)
HELP = (
    "  I guessed {NOUN}  another {noun} was guessed",
    "  {NOUN} {SHOWN:<11}the same with its {shown}; for a {noun} guessed before, other {shown}",
    "  undo            take the last guess and {shown} back, also at the end",
    "  {noun}s           20 of the {noun}s left; {noun}s all: every one",
    "  why             what the guess is expected to lead to",
    "  it was {NOUN}     end the round",
    "  again, quit     another round, or the end; Ctrl-D ends too",
)


BOARDS_HELP = (
    f"Type the marks of every board, separated by commas, {DONE} for a board that is found. Or:",
    "  I guessed WORD  another word was guessed",
    "  undo            take the last guess and its marks back, also at the end",
    "  words           20 of the words left on each board; words all: every one",
    "  why             what the guess is expected to lead to",
    "  again, quit     another round, or the end; Ctrl-D ends too",
)


class Marked(Conversation):
    """Rounds of words, or of codes; if the game gives an unknown first letter, a round begins with it."""

    session: Session
    history = property(attrgetter("session.history"))
    left = property(attrgetter("session.left"))

    def __init__(
        self,
        adviser: Adviser,
        length: int,
        paint: Paint,
        remedies: Mapping[str, str],
        load_strategy: Callable[[WordList], Any] | None = None,  # of a named strategy, used first
        worded: Callable[[Fault | str], str] = str,
    ) -> None:
        super().__init__(paint, remedies, worded)
        self.adviser, self.length = adviser, length
        self._load_strategy = load_strategy
        adviser.complain = self.note
        self.game, self.rule, self.words = adviser.game, adviser.rule, adviser.words(length)
        self.marked = self.game.shows_marks  # otherwise a code, with counts
        self.noun, signs = guessed(self.game)
        self._of = f"of {self.length} {signs}"
        nouns = {"noun": self.noun, "shown": self.rule.noun}
        self._nouns = nouns | {name.upper(): noun.upper() for name, noun in nouns.items()}
        self._wanted = f"{length} marks" if self.marked else self.rule.forms(length)
        what = f"the marks of the guess, one of {FORMS} per letter, as BYBBG"
        what = what if self.marked else f"{self.rule.meaning}, as {self._wanted}"
        lines = [f"Type {what}. Or:", *(line.format(**self._nouns) for line in HELP)]
        self.help = lines if self.game.boards == 1 else BOARDS_HELP
        self._asks = bool(self.game.given) and not adviser.letter
        self._begin(adviser.letter)

    def _begin(self, letter: str) -> None:
        letter = self.words.enter(letter)
        check_letter(letter, self.adviser.words(self.length, wider=True).targets)
        self.adviser.letter, self._told = letter, set[str]()
        self._strategy = self._load_strategy and cache(self._load_strategy)  # None after it failed
        self.session, self._before = Session([], self._fitting([])), []

    @property
    def found(self) -> bool:
        solved = self.rule.solved(self.length)
        return bool(self.history) and self.rule.pattern(self.history[-1][1]) == solved

    @property
    def over(self) -> bool:
        return self.session.ended or self.found or len(self.history) >= self.game.turns

    @property
    def prompt(self) -> str:
        if self._asks and not self.adviser.letter:
            return "first letter> "
        if self.over:
            what = "" if self.found or self.game.boards > 1 else f"the {self.noun}, "
            return f"{what}undo, again or quit> "
        return f"{self.rule.noun} of {self.session.guess}> "

    def greeting(self) -> list[str]:
        words = self.words
        if self._asks and not self.adviser.letter:
            return [f"{self.game.code}, {self.length} letters ({words.source}): think of a word.", ASKED]
        source = words.source + (f", targets {words.targets_source}" if words.targets_source else "")
        begin = f" that begins with {self.adviser.letter}" if self.adviser.letter else ""
        return [
            f"{self.game.code}: think of a {self.noun} {self._of}{begin} ({source}).",
            "I guess, you type the marks: G placed, Y misplaced, B absent; or X?O, 012, squares."
            if self.marked
            else f"I guess, you type {self.rule.meaning}, as {self.rule.forms(self.length)}.",
            "help says what else you can type.",
            *self._propose(),
        ]

    def _fitting(self, history: Sequence[Any]) -> Any:
        return self.adviser.left(self.length, history)[1]

    def _answer(self, text: str) -> list[str]:
        letter = enter(text)
        if not self._asks or self.adviser.letter or letter in ("again", "quit", "exit"):
            return super()._answer(text)
        if len(letter) != 1 or not letter.isalpha():
            return [FIRST_HELP if letter in ("help", "?") else f"{letter[:40]!r} is no letter. {FIRST_HELP}"]
        try:
            self._begin(letter)
        except UsageError as error:
            return [f"{self.worded(error)}."]
        return self.greeting()

    def _other(self, text: str) -> list[str]:
        """Return the answer to marks, to the word itself, to a word with its marks, and to other text."""
        marks = plain(text).replace(" ", "")
        if not marks:
            return [OVER if self.over else f"type {self._wanted}, or help"]
        may_be_word = len(marks) == self.length and is_spelled(marks, self.rule)  # such as boxy
        are_marks = {*marks} <= WRITTEN.keys() if self.marked else not self.rule.fault(marks, self.length)
        if are_marks and not (self.over and may_be_word):
            return [OVER] if self.over else self._marked(marks)
        phrase, _, word = self._entered(text).rpartition(" ")
        if phrase in WAS or (self.over and not phrase):
            return self._was(word)
        marked, others = pairs(text, self.rule)
        if len(marked) == 1 and not others and is_spelled(marked[0][0], self.rule):
            return self._with_marks(self._entered(marked[0][0]), marked[0][1])
        if self.marked and len(marks) == self.length and not marks.isalpha():
            return self._marked(marks)  # which says what is wrong
        if not self.marked:
            return [f"{self.rule.fault(text, self.length)}, or help"]
        return [f"{text[:40]!r} is not understood: type {self._wanted}, as {FORMS}, or help"]

    def _entered(self, text: str) -> str:
        return self.words.entering(text, self.note)(text)

    def _next(self) -> Session:
        """Return the guess after a history that some target fits, with a turn left."""
        history = self.history
        past = {guess for guess, _ in history}
        # The strategy knows only the usual targets.
        if self._strategy is not None and self.adviser.left(self.length, history)[0] is self.words:
            with replaced(self.note, "the strategy failed", "continuing without it"):
                word = usable(self._strategy(self.words).guess(list(history)), self.words, past)
                return replace(self.session, guess=word, how="by the strategy that was named")
            self._strategy = None
        with replaced(self.note, "the search failed"):
            answer = self.adviser.answer(history)
            if answer.fit.every:
                self.note(answer.fit.counted(len(answer.left)))
            stats = answer.guesses[0]
            word = usable(stats.guess, self.words, past)
            return replace(self.session, guess=word, outlook=stats, how=answer.how())
        left = [word for word in self.left if word not in past]
        return replace(self.session, guess=(left or self.words.words)[0], how="as a word that fits")

    def _propose(self) -> list[str]:
        self.session = self._next()
        return [*self._notes(), self._asked(f"I guess {self.paint.strong(self.session.guess)}.")]

    def _asked(self, guess: str) -> str:
        return f"Turn {len(self.history) + 1} of {self.game.turns}, {self._count()}. {guess}"

    def _count(self) -> str:
        return f"{counted(len(self.left), self.noun)} left"

    def _guessed(self, word: str) -> list[str]:
        if fault := self._fault(word):
            return [fault]
        if broken := breach(self.game, self.history, word):
            return [f"{broken}, so {self.game.name} does not allow it"]
        self._move(Session(self.history, self.left, word))
        if word not in self.words:
            self.note(unlisted_text(word, self.words, self.game))
        return [*self._notes(), self._asked(f"You guessed {self.paint.strong(word)}.")]

    def _fault(self, word: str) -> str:
        is_word = len(word) == self.length and is_spelled(word, self.rule)
        return "" if is_word else f"{word[:40]!r} is no {self.noun} {self._of}"

    def _with_marks(self, word: str, row: str) -> list[str]:
        """Accept a guess with its marks: of this turn, or corrected marks of an earlier one."""
        turns = [turn for turn, (guess, _) in enumerate(self.history) if guess == word]
        if turns and (self.over or word != self.session.guess):
            return self._marked(row, turns[-1])
        if self.over:
            return [OVER]
        lines = [] if word == self.session.guess else self._guessed(word)
        return [*lines[:-1], *self._marked(row)] if word == self.session.guess else lines

    def _marked(self, marks: str, turn: int | None = None) -> list[str]:
        """Accept marks of the guess, or of an earlier turn (from 0), unless none fits and a turn is left."""
        guess = self.session.guess if turn is None else self.history[turn][0]
        try:
            row = read_shown(marks, guess, self.rule)
        except NotationError as error:
            return [str(error)]
        solved = self.rule.pattern(row) == self.rule.solved(self.length)
        before = self.history if turn is None else self.history[:turn]
        after = [] if turn is None or solved else self.history[turn + 1 :]
        history = [*before, (guess, row), *after]
        left = self._fitting(history)
        # The word may be one that the list lacks.
        fits = all(self.rule.feedback(old, guess) == shown for old, shown in before) if solved else bool(left)
        if not fits and (solved or len(history) < self.game.turns or turn is not None):
            return [f"{self.adviser.contradiction(self.length, history)}.", AGAIN.format(**self._nouns)]
        self._move(Session(history, left, self.session.guess))
        tiles = f"  {self.paint.tiles(guess, row)}"
        if self.over:
            return [tiles, *self._end()]
        return [tiles, *self._propose()] if turn is None else self._stand()

    def _end(self) -> list[str]:
        turn = len(self.history)
        if self.found:
            word = self.history[-1][0]
            points = f", {self.game.points(turn)} points" if self.game.shown == "points" else ""
            result = f"Found on turn {turn} of {self.game.turns}: {self.paint.strong(word)}{points}."
            return [result, *self._lacking(word)]
        ask = f"Which {self.noun} was it? Type it, or undo, again, quit."
        if self.left:
            return [f"The turns are over. {self._words()[0]}", ask]
        lacks = f"If all marks are right, the list lacks the {self.noun}: {self.remedies['teach']}."
        fault = self.adviser.contradiction(self.length, self.history)
        return [f"The turns are over, and {fault}.", f"{lacks} {ask}"]

    def _was(self, word: str) -> list[str]:
        if fault := self._fault(word):
            return [fault]
        if not word.startswith(self.adviser.letter):
            return [f"{word} does not begin with {self.adviser.letter}, the letter that was given"]
        for guess, row in self.history:
            shown = self.rule.feedback(guess, word)
            if shown != row:
                what = f"{word} does not fit: {guess} would have shown {lettered(shown)}, not {lettered(row)}"
                return [f"{what}; type {guess} {lettered(shown)} to change it, or undo"]
        self._move(replace(self.session, ended=True))
        return [f"The {self.noun} was {self.paint.strong(word)}.", *self._lacking(word)]

    def _lacking(self, word: str) -> list[str]:
        """The ways to add a word that the list or its targets lack."""
        words = self.words
        if word not in words:
            what = f"{word} is not among the {len(words):,} {self.noun}s {self._of} in {words.source}"
            return [f"{what}: {self.remedies['teach']}."]
        if word not in words.targets:
            return [f"{word} is not among the targets, {words.targets_source}: {self.remedies['targets']}."]
        return []

    def _expected(self) -> list[str]:
        guess, stats, left = self.session.guess, self.session.outlook, self.left
        sizes = class_sizes(self.rule, guess, left)
        made = f"{counted(len(sizes), 'class')} of the {counted(len(left), self.noun)} left"
        itself = f"it can be the {self.noun} itself" if guess in left else "it is not among them"
        lines = [f"{guess} makes {made}, the largest of {max(sizes):,}; {itself}."]
        if stats is not None:
            better = "; proven best" if stats.exact else ", or better"
            lines.append(f"Expected: {stats.expected(self.game):.3f} {measure(self.game)}{better}.")
            chances = list(enumerate(stats.chances(), 1))[len(self.history) :]
            by_turn = ", ".join(f"{100 * chance:.1f} % by turn {at}" for at, chance in chances)
            lines.append(f"Chance to find the {self.noun}: {by_turn}.")
        how = self.session.how.partition(": ")[0]
        return [*lines, f"Found {how}."] if how else lines

    def _stand(self) -> list[str]:
        board = [f"  {self.paint.tiles(guess, row)}" for guess, row in self.history]
        question = self._asked(f"The guess is {self.paint.strong(self.session.guess)}.")
        return [*board, *(self._end() if self.over else [question])]

    def _again(self) -> list[str]:
        if self._asks:
            self.adviser.letter = ""
        self.session, self._before = Session([], self._fitting([])), []
        other = "other words" if self.game.boards > 1 else f"another {self.noun}"
        return [f"Think of {other}.", *([ASKED] if self._asks else self._propose())]


class Boarded(Marked):
    """Rounds of several boards; a history is as it is written."""

    @property
    def found(self) -> bool:
        return all(self.left.found)

    def greeting(self) -> list[str]:
        of, example = f"{self.game.boards} words", ",".join(["BYBBG", "BBBBG", DONE][: self.game.boards])
        return [
            f"{self.game.code}: think of {of} of {self.length} letters.",
            f"I guess, you type the marks of every board, as {example}. help says what else you can type.",
            *self._propose(),
        ]

    def _fitting(self, history: Sequence[str]) -> BoardsAnswer:
        return stand(self.adviser, read_boards(history, self.adviser))

    def _next(self) -> Session:
        answer = self.adviser.advised(self.history)
        return Session(self.history, answer, answer.guesses[0].guess)

    def _count(self, what: str = "words left") -> str:
        boards = zip(self.left.left, self.left.found, strict=True)
        counts = ("found" if solved else f"{len(words):,}" for words, solved in boards)
        return f"{what}: {', '.join(counts)}"

    def _stand(self) -> list[str]:
        if self.found:
            return [f"Found on turn {len(self.history)} of {self.game.turns}. undo, again or quit?"]
        if self.over:
            return [f"The turns are over; {self._count('left on the boards')}."]
        return [self._asked(f"I guess {self.paint.strong(self.session.guess)}.")]

    def _other(self, text: str) -> list[str]:
        """Return the answer to marks of every board, to a guess with them, and to other text."""
        guess, colon, rows = plain(text).replace("=", ":").rpartition(":")
        rows = rows.replace(" ", "")
        if not colon and "," not in rows:
            return [f"{text[:40]!r} is not understood: type marks of {self.game.boards} boards, or help"]
        if self.over:
            return [self.is_over]
        parts = [*self.history, f"{guess or self.session.guess}:{rows}"]
        try:
            left = self._fitting(parts)
        except ContradictionError as error:
            return [f"{error}."]
        self._move(Session(parts, left))
        return self._stand() if self.over else self._propose()

    def _guessed(self, word: str) -> list[str]:
        if len(word) != self.length:
            return [f"{word[:40]!r} has {counted(len(word), 'letter')}, expected {self.length}"]
        if word not in self.words:
            self.note(unlisted_text(word, self.words, self.game))
        self._move(replace(self.session, guess=word))
        return [*self._notes(), f"You guessed {self.paint.strong(word)}."]

    def _words(self, most: int | None = SHOWN) -> list[str]:
        lines = enumerate(self.left.left, 1)
        return [f"board {number}: {words_line(words, most)}" for number, words in lines]

    def _expected(self) -> list[str]:
        guess, answer = self.session.guess, self.left
        known = [row for row in answer.guesses if row.guess == guess]
        lines = [f"Expected: done by turn {row.turn:.3f}, {100 * row.won:.1f} % won." for row in known]
        return [*lines, f"{guess}: {answer.how}."] if known else [f"{guess} was not searched."]

"""Rounds as a conversation: the user types a line, lines are printed; no meaning depends on colour alone.

A mistake is reported and asked again; nothing is lost. Words are guessed in `marked`, those of several boards
too; here are rounds where letters are guessed, and those where a host holds the word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partialmethod
from operator import attrgetter
from typing import Any

from gpulingo.advice.answer import SHOWN
from gpulingo.advice.notation import read_history
from gpulingo.advice.outlook import GuessStats
from gpulingo.games import positions
from gpulingo.games.catalogue import guessed
from gpulingo.games.marks import lettered
from gpulingo.hosts.host import Host, name_of, used_text
from gpulingo.player.guesser import Guesser, unknown_text
from gpulingo.player.question import LONGEST
from gpulingo.storage.faults import Fault
from gpulingo.words.letters import enter, joined, leave
from gpulingo.words.shown import UNKNOWN, counted, first_of, named_letter, shown_line

BACKGROUNDS = {"O": "30;42", "?": "30;43", "X": "97;100"}  # placed green, misplaced yellow, absent grey


@dataclass(frozen=True)
class Paint:
    """Styles of text."""

    colour: bool = False

    def tiles(self, guess: str, marks: str) -> str:
        """Return a guess with its marks, or with counts, which are not about single letters.

        >>> Paint().tiles("dozes", "OXX?O")
        'd o z e s  GBBYG'
        """
        if not self.colour or not BACKGROUNDS.keys() >= set(marks):
            return f"{' '.join(joined(leave(guess)))}  {lettered(marks)}"
        letters = zip(guess.upper() if guess.isascii() else joined(leave(guess)), marks, strict=True)
        tiles = "".join(self._sign(f" {letter} ", BACKGROUNDS[mark]) for letter, mark in letters)
        return f"{tiles}  {lettered(marks)}"

    def board(self, shown: str, missed: Sequence[str], lives: int) -> str:
        """Return a word with its revealed letters, and the letters missed."""
        misses = f"{len(missed)}/{lives} missed{': ' if missed else ''}{' '.join(missed)}"
        return f"  {self.strong(shown_line(shown))}   {self.faint(misses)}"

    def _sign(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    # The most and the least important texts.
    strong, faint = partialmethod(_sign, code="1"), partialmethod(_sign, code="2")


def paint_for(environment: Mapping[str, str]) -> Paint:
    """Return colours, unless the terminal has none or the user wants none (TERM dumb or unset, NO_COLOR set).

    >>> paint_for({"TERM": "xterm"}).colour, paint_for({"TERM": "xterm", "NO_COLOR": "1"}).colour
    (True, False)
    """
    return Paint(environment.get("TERM", "dumb") not in ("", "dumb") and not environment.get("NO_COLOR"))


def words_line(left: list[str], most: int | None = SHOWN, noun: str = "word") -> str:
    """Return the number of words left, or of what `noun` names, and the first of them.

    >>> words_line(["dents", "dozes", "reads"], 2)
    '3 words left: dents dozes .. and 1 more (words all)'
    """
    return f"{counted(len(left), noun)} left: {first_of(left, most, f'{noun}s all')}"


@dataclass(frozen=True, slots=True)
class Session:
    """A round as data: what was guessed, what that leaves, and the next guess, whose marks are awaited."""

    history: Sequence[Any]  # guesses with their marks, of several boards as they are written
    left: Any  # words that fit; of several boards their `BoardsAnswer`
    guess: str = ""
    outlook: GuessStats | None = None  # of the guess, if it was searched
    how: str = ""  # the way in which the guess was found
    ended: bool = False  # by the word itself


MOST_LINE = 1000  # characters of a line that are read
GUESSED = ("i guessed", "guessed", "i guess", "i played", "played")
UNKNOWN_LENGTH = "How long is the word?"
OVER = "the round is over: undo, again or quit"


class Conversation:
    """Rounds of letters or words, guessed by the program or, with a host, by the user.

    Args:
        remedies: how to `teach` a word, and how to allow all as `targets`. worded: of faults.
    """

    noun, is_over = "word", OVER
    help: Any  # lines
    session: Any  # the state of the round; undo takes the one before
    left: Any  # words that fit
    prompt: Any
    over: Any
    greeting: Callable[[], list[str]]
    # The answer to a text that is no common command; to a guess other than the proposed one; to `why`.
    _other: Callable[[str], list[str]]
    _guessed: Callable[[str], list[str]]
    _expected: Callable[[], list[str]]
    _again: Callable[[], list[str]]
    _stand: Callable[[], list[str]]  # the state of the round
    _entered: Callable[[str], str] = staticmethod(enter)

    def __init__(
        self, paint: Paint, remedies: Mapping[str, str], worded: Callable[[Fault | str], str] = str
    ) -> None:
        self.paint, self.remedies, self.worded, self.ended = paint, remedies, worded, False
        self._before, self._noted, self._told = list[Any](), list[str](), set[str]()

    def take(self, line: str) -> list[str]:
        lines = self._answer(" ".join(line[:MOST_LINE].split()))
        return [*self._notes(), *lines]

    def _answer(self, text: str) -> list[str]:
        match text.lower().replace(f"{self.noun}s", "words"):
            case "undo":
                if not self._before:
                    return ["There is nothing to undo."]
                self.session = self._before.pop()
                return self._stand()
            case "words":
                return self._words()
            case "words all":
                return self._words(None)
            case "why":
                return [self.is_over] if self.over else self._expected()
            case "again":
                return self._again()
            case "help" | "?":
                return [*self.help]
            case "quit" | "exit":
                self.ended = True
                return []
        phrase, _, guess = self._entered(text).rpartition(" ")
        if phrase in GUESSED:
            return [self.is_over] if self.over else self._guessed(guess)
        return self._other(text)

    def note(self, fault: Fault | str) -> None:
        """Add a line for the user; each is printed once."""
        if (text := self.worded(fault)) not in self._told:
            self._noted.append(text)
            self._told.add(text)

    def _notes(self) -> list[str]:
        notes, self._noted = self._noted, []
        return notes

    def _move(self, session: Any) -> None:
        self._before.append(self.session)
        self.session = session

    def _words(self, most: int | None = SHOWN) -> list[str]:
        return [words_line(self.left, most, self.noun)]


class Revealed(Conversation):
    """Words that the program guesses letter by letter."""

    is_over = f"{OVER.capitalize()}."
    help = (
        "Type the word with the letter at all its places, as _ i _ _; no where it has none. Or:",
        "  I guessed E  another letter was guessed",
        "  undo         take the last letter back, also at the end",
        "  words        20 of the words left; words all: every one",
        "  why          how many of them have the letter",
        "  again, quit  another word, or the end; Ctrl-D ends too",
    )

    def __init__(self, guesser: Guesser, paint: Paint, remedies: Mapping[str, str], length: int = 0) -> None:
        super().__init__(paint, remedies)
        self.guesser, self.lives, self._length = guesser, guesser.game.turns, length

    @property
    def session(self) -> tuple[str, str, str]:
        return self.guesser.shown, self.guesser.missed, self.guesser.guess

    @session.setter
    def session(self, session: tuple[str, str, str]) -> None:
        self.guesser.shown, self.guesser.missed, self.guesser.guess = session

    over = property(attrgetter("guesser.over"))

    @property
    def left(self) -> list[str]:
        return self.guesser.quiz.candidates(self.guesser.shown, self.guesser.missed)

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
        return [*lines, *self._learned(UNKNOWN * self._length)]

    def _answer(self, text: str) -> list[str]:
        shown = self._read(text)  # which may be a command as well
        if not self.guesser.shown and text.lower() in ("words", "words all", "why"):
            return [UNKNOWN_LENGTH]
        return self._learned(shown) if shown else super()._answer(text)

    def _other(self, text: str) -> list[str]:
        if self.over:
            return [self.is_over]
        if not self.guesser.shown:
            return [f"Type the number of letters, 1 to {LONGEST}, or _ for each, as _ _ _ _."]
        return [f"{self.guesser.read(text)[1]}: type it as {shown_line(self.guesser.shown)}, no, or help."]

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
                text = "".join(letter if mark == positions.THERE else sign for mark, sign in known)
                text = text if letter == self.guesser.guess else ""
        except ValueError:  # a text of another form or length
            return ""
        shown, fault = self.guesser.read(text)
        return "" if fault or len(shown) > LONGEST else shown

    def _learned(self, shown: str) -> list[str]:
        if self.guesser.guess:
            self._keep()
        self.guesser.learn(shown)
        return self._stand()

    def _stand(self) -> list[str]:
        guesser = self.guesser
        board = self.paint.board(guesser.shown, guesser.missed, self.lives)
        if not guesser.over:
            left = counted(len(self.left), "word")
            return [board, f"{left} left. I guess {self.paint.strong(guesser.guess)}."]
        unknown = unknown_text(guesser)
        told = [f"{unknown}: {self.remedies['teach']}"] if unknown else []
        end = "Found" if guesser.found else "I have lost"
        return [board, f"{end} with {counted(len(guesser.missed), 'miss')}.", *told]

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

    def _expected(self) -> list[str]:
        letter, left = self.guesser.guess, self.left
        count = sum(letter in word for word in left)
        return [f"{count:,} of the {counted(len(left), 'word')} left have {letter}."]

    def _keep(self) -> None:
        """Save the session for `undo`; a changed letter makes no new one."""
        if not self._before or self._before[-1][:2] != self.session[:2]:
            self._before.append(self.session)

    def _again(self) -> list[str]:
        self.guesser.begin()
        self._before, self._length = [], 0
        return self.greeting()


HOST_OVER = "The round is over: again or quit."
HOST_HELP = (
    "  left     how many {noun}s {left}, and some of them",
    "  give up  show the {noun}",
    "  again    another round",
    "  quit     the end; Ctrl-D ends too",
)


class Hosted(Conversation):
    """Rounds with a host."""

    def __init__(self, make_host: Callable[[], Host], paint: Paint, *, tell: bool = False) -> None:
        super().__init__(paint, {})
        self._make_host, self._tell, self.host = make_host, tell, make_host()
        self.letters, (self.noun, self.signs) = self.host.game.guesses_letters, guessed(self.host.game)
        self._wanted = "letter" if self.letters else f"{self.noun} of {self.host.words.length} {self.signs}"

    @property
    def prompt(self) -> str:
        if self.host.over:
            return "again or quit> "
        return "letter> " if self.letters else f"guess {len(self.host.history) + 1}> "

    def greeting(self) -> list[str]:
        host, length = self.host, self.host.words.length
        if self.letters:
            what = f"one of {counted(len(host.left), 'word')} of {length} letters"
            lives = counted(host.game.turns, "life")
            return [f"{name_of(host)}: {what}; {lives}. Type a letter; help says more.", self._shown()]
        what = f"I have a {self.noun}" if host.honest else f"I have no {self.noun} in mind yet; find one"
        what = f"I have {host.game.boards} {self.noun}s" if host.game.boards > 1 else what
        among = "each one of" if host.game.boards > 1 else "one of"
        first = f" that begins with {host.word()[0]}" if host.game.given else ""
        limit = f"; you have {counted(host.game.turns, 'guess')}" if host.honest else ""
        ask = "/help" if "help" in host.words else "help"
        told = "O is placed, ? misplaced, X absent"
        if not host.game.shows_marks:
            told = f"I tell {host.rule.meaning}, as {host.rule.example[1]}"
        return [
            f"{name_of(host)}: {what} of {length} {self.signs}{first}, {among} {len(host.left):,}{limit}.",
            f"Type your guesses: {told}. {ask} says more.",
        ]

    def _answer(self, line: str) -> list[str]:
        host, entered = self.host, self.host.words.enter
        text = entered(line)
        name = text.removeprefix("/")
        is_word = not self.letters and name in host.words  # then a command needs / before it
        commands = ["help", "again", "quit", "exit", *(() if host.over else ("left", "give up"))]
        if name in commands and (host.over or name != text or not is_word):
            if name == "left":
                return [f"{counted(len(host.left), self.noun)} left: {first_of(host.left, SHOWN)}"]
            if name == "give up":
                host.given_up = True
                many = f"It could be {counted(len(host.left), 'word')}, as"
                what = "The word is" if self.letters else self._was() if host.honest else many
                return [f"{what} {self._word()}. again or quit?"]
            return super()._answer(name)
        if name == "undo" and not self.letters and not is_word:
            return ["A guess that was marked stays: guess on."]
        if host.over:
            return [HOST_OVER]
        if not text:
            return [f"Type a {self._wanted}, or help."]
        guess = named_letter(line, entered) if self.letters else text
        fault = host.fault(guess)
        if fault and self.letters:
            return [f"{text[:40]!r}: {fault}: type another, or help."]
        return [f"{fault}: guess again; this costs nothing."] if fault else self._answered(guess)

    def _answered(self, guess: str) -> list[str]:
        host, marks = self.host, self.host.answer(guess)
        if self.letters:
            end = f"{host.over.capitalize()} with {used_text(host)}: {self._word()}. again or quit?"
            return [end if host.over else self._shown()]
        lines = [f"  {self.paint.tiles(guess, marks)}"]
        if host.found:
            points = f", {host.game.points(host.used)} points" if host.game.shown == "points" else ""
            return [*lines, f"Found in {used_text(host)}{points}. again or quit?"]
        if host.lost:
            return [*lines, f"No guess is left. {self._was()} {self._word()}. again or quit?"]
        return [*lines, f"{counted(len(host.left), self.noun)} left."] if self._tell else lines

    def _shown(self) -> str:
        host = self.host
        missed = [letter for letter, _ in host.history if letter not in host.shown]
        left = f"  {counted(len(host.left), 'word')} left" if self._tell else ""
        return self.paint.board(host.shown, missed, host.game.turns) + left

    def _word(self) -> str:
        return self.paint.strong(self.host.word())

    def _was(self) -> str:
        return f"The {self.noun} was" if self.host.game.boards == 1 else f"The {self.noun}s were"

    def _again(self) -> list[str]:
        self.host = self._make_host()
        return self.greeting()

    @property
    def help(self) -> list[str]:
        rule = self.host.rule
        marks = "" if self.letters else f" {rule.meaning[0].upper()}{rule.meaning[1:]}."
        left = "could still be meant" if self.letters else "are left"
        lines = [
            f"Type a {self._wanted}.{marks} Or:",
            *(line.format(left=left, noun=self.noun) for line in HOST_HELP),
        ]
        more = f"What may be guessed as a {self.noun} too is a guess; "
        more += "with / before it, as /left, it is a command."
        return lines if self.letters else [*lines, more]

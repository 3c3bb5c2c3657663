"""Rounds in which a host has the word and the user guesses."""

from __future__ import annotations

from collections.abc import Callable

from gpulingo.advice.conversation import MOST_LINE, Paint, words_line
from gpulingo.advice.notation import meaning_of
from gpulingo.games.catalogue import guessed
from gpulingo.hosts.host import Host, name_of, used_text
from gpulingo.words.shown import counted, named_letter, shown_line

COMMANDS = ("left", "help", "give up", "quit", "again")
HOST_OVER = "The round is over: again or quit."
HOST_HELP = (
    "  left     how many {noun}s {left}, and some of them",
    "  give up  show the {noun}",
    "  again    another round",
    "  quit     the end; Ctrl-D ends too",
)


class Hosted:
    """Rounds with a host."""

    def __init__(self, make_host: Callable[[], Host], paint: Paint, *, tell: bool = False) -> None:
        self._make_host, self.paint, self._tell = make_host, paint, tell
        self.host = make_host()
        self.letters, (self.noun, self.signs) = self.host.game.guesses_letters, guessed(self.host.game)
        self.over = self.ended = False

    @property
    def prompt(self) -> str:
        if self.over:
            return "again or quit> "
        return "letter> " if self.letters else f"guess {len(self.host.history) + 1}> "

    def greeting(self) -> list[str]:
        host, length = self.host, self.host.words.length
        if self.letters:
            what = f"one of {counted(len(host.left), 'word')} of {length} letters"
            lives = counted(host.game.turns, "life")
            return [f"{name_of(host)}: {what}; {lives}. Type a letter; help says more.", self._shown()]
        what = f"I have a {self.noun}" if host.honest else f"I have no {self.noun} in mind yet; find one"
        first = f" that begins with {host.word()[0]}" if host.game.given else ""
        limit = f"; you have {counted(host.game.turns, 'guess')}" if host.honest else ""
        ask = "/help" if "help" in host.words else "help"
        return [
            f"{name_of(host)}: {what} of {length} {self.signs}{first}, one of {len(host.left):,}{limit}.",
            f"Type your guesses: {_told(host)}. {ask} says more.",
        ]

    def take(self, line: str) -> list[str]:
        entered = self.host.words.enter
        text = " ".join(entered(line[:MOST_LINE]).split())
        name = text.removeprefix("/")
        is_word = not self.letters and name in self.host.words  # then a command needs / before it
        if name in COMMANDS and (self.over or name != text or not is_word):
            return self._done(name)
        if name == "exit" and not is_word:
            return self._done("quit")
        if name == "undo" and not self.letters and not is_word:
            return ["A guess that was marked stays: guess on."]
        if self.over:
            return [HOST_OVER]
        if not text:
            return [f"Type a {self._wanted()}, or help."]
        guess = named_letter(line[:MOST_LINE], entered) if self.letters else text
        fault = self.host.fault(guess)
        if fault and self.letters:
            return [f"{text[:40]!r}: {fault}: type another, or help."]
        return [f"{fault}: guess again; this costs nothing."] if fault else self._answered(guess)

    def _wanted(self) -> str:
        return "letter" if self.letters else f"{self.noun} of {self.host.words.length} {self.signs}"

    def _answered(self, guess: str) -> list[str]:
        host, marks = self.host, self.host.answer(guess)
        self.over = host.found or host.lost
        if self.letters:
            how = "Found" if host.found else "Lost"
            return [
                f"{how} with {used_text(host)}: {self._word()}. again or quit?"
                if self.over
                else self._shown()
            ]
        lines = [f"  {self.paint.tiles(guess, marks)}"]
        if host.found:
            points = f", {host.game.points(host.used)} points" if host.game.shown == "points" else ""
            return [*lines, f"Found in {used_text(host)}{points}. again or quit?"]
        if host.lost:
            return [*lines, f"No guess is left. The {self.noun} was {self._word()}. again or quit?"]
        return [*lines, f"{counted(len(host.left), self.noun)} left."] if self._tell else lines

    def _shown(self) -> str:
        host = self.host
        missed = " ".join(letter for letter, _ in host.history if letter not in host.shown)
        left = f"  {counted(len(host.left), 'word')} left" if self._tell else ""
        misses = f"{host.used}/{host.game.turns} missed{': ' if missed else ''}{missed}"
        return f"  {self.paint.strong(shown_line(host.shown))}   {self.paint.faint(misses)}{left}"

    def _word(self) -> str:
        return self.paint.strong(self.host.word())

    def _done(self, name: str) -> list[str]:
        if name == "quit":
            self.ended = True
            return []
        if name == "help":
            return self._help()
        if name == "again":
            self.host, self.over = self._make_host(), False
            return self.greeting()
        if self.over:
            return [HOST_OVER]
        if name == "left":
            return [words_line(self.host.left, noun=self.noun).replace(f" ({self.noun}s all)", "")]
        self.over = True
        if self.letters:
            return [f"The word is {self._word()}. again or quit?"]
        if self.host.honest:
            return [f"The {self.noun} was {self._word()}. again or quit?"]
        return [f"It could be {counted(len(self.host.left), 'word')}, as {self._word()}. again or quit?"]

    def _help(self) -> list[str]:
        meaning = meaning_of(self.host.rule)
        marks = "" if self.letters else f" {meaning[0].upper()}{meaning[1:]}."
        left = "could still be meant" if self.letters else "are left"
        lines = [
            f"Type a {self._wanted()}.{marks} Or:",
            *(line.format(left=left, noun=self.noun) for line in HOST_HELP),
        ]
        if self.letters:
            return lines
        return [
            *lines,
            f"What may be guessed as a {self.noun} too is a guess; "
            "with / before it, as /left, it is a command.",
        ]


def _told(host: Host) -> str:
    if host.game.shows_marks:
        return "O is placed, ? misplaced, X absent"
    return f"I tell {meaning_of(host.rule)}, as {host.rule.example[1]}"

"""`gpulingo play` at a terminal: which conversation the arguments ask for, and its lines in and out.

Rounds against a host are here, and those that begin with a letter; rounds that the program guesses are in
`conversation`.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gpulingo.advice.adviser import WIDTH, Adviser, terminal_width, wrapped
from gpulingo.advice.conversation import (
    MOST_LINE,
    Conversation,
    Marked,
    Paint,
    Revealed,
    paint_for,
    words_line,
)
from gpulingo.advice.notation import meaning_of
from gpulingo.games.catalogue import guessed
from gpulingo.games.rules import UsageError
from gpulingo.hosts.host import Host, MakeKeep, name_of, used_text
from gpulingo.player import protocol
from gpulingo.player.arguments import Arguments, parsed_arguments
from gpulingo.player.guesser import seated_guesser
from gpulingo.player.protocol import FAILED, complain, exit_code, write_line
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.letters import enter, leave
from gpulingo.words.listing import find_listing
from gpulingo.words.shown import counted, named_letter, shown_line
from gpulingo.words.wordlist import WordList

COMMANDS = ("left", "help", "give up", "quit", "again")
HOST_OVER = "The round is over: again or quit."
HOST_HELP = (
    "  left     how many {noun}s {left}, and some of them",
    "  give up  show the {noun}",
    "  again    another round",
    "  quit     the end; Ctrl-D ends too",
)


class Hosted:
    """Rounds that a host holds."""

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
        is_word = not self.letters and name in self.host.words  # then a command has / before it
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
        """Make a legal guess; the lines of the answer."""
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


ASKED = "Which letter does it begin with?"
FIRST_HELP = "Type the letter that the game shows, as s; or quit. Ctrl-D ends too."


class LetterFirst:
    """Rounds that begin with a letter; `begin` raises UsageError where no word begins with it."""

    def __init__(self, begin: Callable[[str], Marked], title: str) -> None:
        self._begin, self._title, self._ended = begin, title, False
        self._round: Marked | None = None

    @property
    def ended(self) -> bool:
        """Return True if the user has ended the round, with or without a letter."""
        return self._ended if self._round is None else self._round.ended

    @property
    def prompt(self) -> str:
        return "first letter> " if self._round is None else self._round.prompt

    def greeting(self) -> list[str]:
        return [f"{self._title}: think of a word.", ASKED]

    def take(self, line: str) -> list[str]:
        text = " ".join(enter(line).split())
        if self._round is not None and text != "again":
            return self._round.take(line)
        if text == "again":
            self._round = None
            return ["Think of another word.", ASKED]
        if text in ("quit", "exit"):
            self._ended = True
            return []
        if len(text) != 1 or not text.isalpha():
            return [FIRST_HELP if text in ("help", "?") else f"{text[:40]!r} is no letter. {FIRST_HELP}"]
        try:
            self._round = self._begin(text)
        except UsageError as error:
            return [f"{error}."]
        return self._round.greeting()


MOST_SEED = 10**9
AnyConversation = Conversation | Hosted | LetterFirst


@dataclass(frozen=True, slots=True)
class Loaders:
    """The loaders of searches, each called when it is needed."""

    engine: Callable[[], Any]
    search: Callable[[], Any]
    host: MakeKeep | None


def seated(words: list[str], loaders: Loaders, complain: Callable[[str], None]) -> AnyConversation:
    """The conversation that arguments ask for."""
    arguments, paint = parsed_arguments(words, terminal=True), paint_for(os.environ)
    if arguments.hosted:
        draws = _draws(arguments.seed, letters=arguments.letters)
        return Hosted(
            lambda: protocol.seated_host(arguments, loaders.host, next(draws)), paint, tell=arguments.tell
        )
    if not arguments.letters:
        return _guessing(arguments, loaders, paint, complain)
    if arguments.wordlist is not None:
        find_listing(0, arguments.wordlist, same=arguments.same)
    guesser = seated_guesser(arguments, complain)
    return Revealed(guesser, arguments.played().turns, paint, arguments.length)


def _guessing(
    asked: Arguments, loaders: Loaders, paint: Paint, complain: Callable[[str], None]
) -> Marked | LetterFirst:
    unknown, asked.top = bool(asked.played().given) and not asked.letter, 1
    asked.letter = "?" if unknown else asked.letter  # until it is asked for

    def search() -> Any:
        if not loaded:
            complain("one moment: loading the search")
            loaded.append(loaders.search())
        return loaded[0]

    loaded: list[Any] = []
    adviser = Adviser(asked, search, complain)
    own = adviser.words(asked.length)
    if asked.checkpoint:
        tree = protocol.named_tree(own, adviser.game, asked.checkpoint, complain)
        adviser.follow(asked.length, asked.checkpoint, tree)
    named = asked.strategy if asked.strategy != BEST else None
    load: Callable[[WordList], Any] | None = None
    if named is not None:
        engine = loaders.engine()
        strategy = protocol.named_strategy(named, own, adviser.game, engine)

        def load(words: WordList) -> Any:
            return engine.Searcher(words, asked.device, strategy, adviser.game, adviser.letter)

    def begin(letter: str) -> Marked:
        adviser.letter = own.enter(letter)
        if not adviser.left(asked.length, [])[1]:
            raise UsageError(f"--letter {letter}: no target begins with it: give the first letter of one")
        return Marked(adviser, asked.length, paint, load)

    title = f"{adviser.game.code}, {asked.length} letters ({own.source})"
    return LetterFirst(begin, title) if unknown else begin(adviser.letter)


def _draws(seed: int | None, *, letters: bool) -> Iterator[random.Random]:
    """The random draws of each round: for words one for all, for letters one for each."""
    draw = random.Random(seed)
    while True:
        yield random.Random(seed) if letters else draw
        seed = draw.randrange(MOST_SEED) if letters else seed


INTERRUPTED = 130
BYE = "Bye."
LEAST = 20  # columns of text, however narrow the terminal


def run(words: Sequence[str], loaders: Loaders) -> int:
    """Converse with the user at the terminal; the exit code."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        # An end at once would leave the terminal as the line editor has set it.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def work() -> int:
        try:
            return converse(seated(list(words), loaders, complain), _read, _write)
        except OSError:  # the terminal is gone
            return FAILED

    try:
        return exit_code(work, complain, named=any(word.startswith("--wordlist") for word in words))
    except KeyboardInterrupt:
        write_line(f"\n{BYE}")
        return INTERRUPTED


def converse(conversation: AnyConversation, read: Callable[[str], str], write: Callable[[str], None]) -> int:
    """Hold a conversation until the user or the input ends it; the exit code."""
    for line in conversation.greeting():
        write(line)
    while not conversation.ended:
        try:
            text = read(conversation.prompt)
        except EOFError:
            write("")
            break
        except UnicodeError:
            write("That was no text: type it again.")
            continue
        for line in conversation.take(text):
            write(line)
    write(BYE)
    return 0


def _read(prompt: str) -> str:
    """The next line, edited with the keys of the terminal where Python has them."""
    try:
        import readline  # noqa: F401  # input() uses it
    except ImportError:
        pass
    sys.stdout.flush()
    return input(leave(prompt))


def _write(line: str) -> None:
    """Write a line, folded where it is too long for the terminal and has no colours."""
    columns = max(LEAST, min(WIDTH, terminal_width()))
    if len(line) <= columns or "\x1b" in line:
        write_line(line)
        return
    for part in wrapped(line, columns):
        write_line(part)

"""`gpulingo play` at a terminal: which conversation the arguments ask for, and its lines in and out."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gpulingo.advice.adviser import WIDTH, Adviser, terminal_width, wrapped
from gpulingo.advice.conversation import Conversation, Marked, Paint, Proposals, paint_for
from gpulingo.advice.hosting import Hosted
from gpulingo.advice.revealed import Revealed
from gpulingo.games.rules import UsageError
from gpulingo.hosts.host import MakeKeep
from gpulingo.player import protocol
from gpulingo.player.arguments import Arguments, parsed_arguments
from gpulingo.player.guesser import seated_guesser
from gpulingo.player.protocol import complain, write_line
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.letters import enter, leave
from gpulingo.words.listing import MissingListError, WordListError, find_listing
from gpulingo.words.wordlist import WordList

ASKED = "Which letter does it begin with?"
HELP = "Type the letter that the game shows, as s; or quit. Ctrl-D ends too."


class LetterFirst:
    """Rounds that begin with a letter.

    Args:
        begin: makes the conversation about words that begin with a letter; raises UsageError where there is
            no such word. title: of the game.
    Attributes:
        ended: whether the user has had enough.
    """

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
            return [HELP if text in ("help", "?") else f"{text[:40]!r} is no letter. {HELP}"]
        try:
            self._round = self._begin(text)
        except UsageError as error:
            return [f"{error}."]
        return self._round.greeting()


MOST_SEED = 10**9
AnyConversation = Conversation | Hosted | LetterFirst


@dataclass(frozen=True, slots=True)
class Loaders:
    """The loaders of searches, each called when it is needed.

    Args:
        engine: of strategies. search: of outlooks. host: of the host of hangman who cheats perfectly.
    """

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
        return Marked(Proposals(adviser, asked.length, load), paint)

    title = f"{adviser.game.code}, {asked.length} letters ({own.source})"
    return LetterFirst(begin, title) if unknown else begin(adviser.letter)


def _draws(seed: int | None, *, letters: bool) -> Iterator[random.Random]:
    """The random draws of each round: for words one for all, for letters one for each."""
    draw = random.Random(seed)
    while True:
        yield random.Random(seed) if letters else draw
        seed = draw.randrange(MOST_SEED) if letters else seed


FAILED, WRONG, INTERRUPTED = 1, 2, 130
BYE = "Bye."
LEAST = 20  # columns of text, however narrow the terminal


def run(words: Sequence[str], loaders: Loaders) -> int:
    """Converse with the user at the terminal.

    Args:
        words: the arguments after `play`. loaders: of what searches.
    Returns:
        The exit code: 0, 130 where the user interrupts, 1 without a list, 2 for wrong usage.
    """
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        # An end at once would leave the terminal as the line editor has set it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return converse(seated(list(words), loaders, complain), _read, _write)
    except UsageError as error:
        complain(str(error))
        return WRONG
    except MissingListError as error:
        named = any(word.partition("=")[0] == "--wordlist" for word in words)
        complain(f"--wordlist: {error}" if named else str(error))  # as of `protocol.run`
        return WRONG if named else FAILED
    except WordListError as error:
        complain(str(error))
        return FAILED
    except KeyboardInterrupt:
        write_line(f"\n{BYE}")
        return INTERRUPTED
    except OSError:  # the terminal is gone
        return FAILED


def converse(conversation: AnyConversation, read: Callable[[str], str], write: Callable[[str], None]) -> int:
    """Hold a conversation until the user or the input ends it; the exit code.

    Args:
        read: the next line after a prompt; raises EOFError at the end. write: takes a line.
    """
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

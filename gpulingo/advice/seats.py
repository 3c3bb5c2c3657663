"""Which conversation the arguments of `gpulingo play` ask for at a terminal."""

from __future__ import annotations

import os
import random

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.arguments import Asked
from gpulingo.advice.conversation import Conversation
from gpulingo.advice.first_letter import LetterFirst
from gpulingo.advice.hosting import HostedWords
from gpulingo.advice.letter_conversation import LONGEST, LetterConversation
from gpulingo.advice.letter_hosting import HostedLetters
from gpulingo.advice.paint import paint_for
from gpulingo.advice.proposals import Proposals
from gpulingo.games.catalogue import HOSTED, LETTERS, LINGO
from gpulingo.games.rules import UsageError, under_rule
from gpulingo.hosts import letter_session, session
from gpulingo.hosts.arguments import parsed_host_arguments, whole_number
from gpulingo.hosts.honest import HonestHost
from gpulingo.hosts.letter_arguments import FLAGS as LETTER_FLAGS
from gpulingo.hosts.letter_arguments import parsed_letter_arguments
from gpulingo.player import letter_protocol, protocol
from gpulingo.player.arguments import Arguments, parsed_arguments
from gpulingo.trees.kept import BEST
from gpulingo.words.listing import read

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from gpulingo.advice.paint import Paint
    from gpulingo.hosts.letter_session import MakeKeep
    from gpulingo.words.wordlist import WordList

    class AnyConversation(Protocol):
        """A conversation."""

        @property
        def ended(self) -> bool: ...

        @property
        def prompt(self) -> str: ...

        def greeting(self) -> list[str]: ...

        def take(self, line: str) -> list[str]: ...


USUAL_LENGTH = "5"
HONEST = "honest"
MOST_SEED = 10**9


class Loaders:
    """What loads what searches, each when it is needed.

    Args:
        engine: of strategies. search: of outlooks. host: of the host of hangman who cheats perfectly.
    """

    def __init__(self, engine: Callable[[], Any], search: Callable[[], Any], host: MakeKeep | None) -> None:
        self.engine, self.search, self.host = engine, search, host


def seated(words: list[str], loaders: Loaders, complain: Callable[[str], None]) -> AnyConversation:
    """The conversation that arguments ask for.

    Raises:
        UsageError: the arguments are wrong. WordListError: a list cannot be used.
    """
    game, paint = protocol.asked_game(words), paint_for(os.environ)
    host, others = _without(words, "host")
    if game.rstrip("0123456789") in LETTERS:
        return _hosted_letters(words, loaders, paint) if host else _guessing_letters(words, paint, complain)
    if game in HOSTED:
        if host:
            raise UsageError(f"--host {host[:40]}: the host of {game} has no other: leave it out")
        return _hosted_words(words, paint)
    if host:
        if host != HONEST:
            raise UsageError(f"--host {host[:40]}: use {HONEST}, or --game hangman, absurdle or evil-wordle")
        return _honest(others, paint)
    return _guessing(words, loaders, paint, complain)


def _without(words: list[str], option: str) -> tuple[str, list[str]]:
    """The value of an option, empty where it is not given, and the other arguments."""
    others, value, rest = [], "", iter(words)
    for word in rest:
        if word == f"--{option}":
            value = next(rest, "") or "?"
        elif word.startswith(f"--{option}="):
            value = word.partition("=")[2] or "?"
        else:
            others.append(word)
    return value, others


def _guessing(
    words: list[str], loaders: Loaders, paint: Paint, complain: Callable[[str], None]
) -> Conversation | LetterFirst:
    """The program guesses."""
    length, words = _without(words, "length")
    if length or not any(word.isdigit() for word in words):
        words = [*words, length or USUAL_LENGTH]
    arguments = parsed_arguments(words)
    asked = _asked(arguments)
    unknown = bool(asked.played().given) and not asked.letter
    asked.letter = "?" if unknown else asked.letter  # until it is asked for

    def search() -> Any:
        if not loaded:
            complain("one moment: loading what searches")
            loaded.append(loaders.search())
        return loaded[0]

    loaded: list[Any] = []
    adviser = Adviser(asked, search, complain)
    own = adviser.words(arguments.length)
    if arguments.checkpoint:
        tree = protocol.named_tree(own, adviser.game, arguments.checkpoint, complain)
        adviser.follow(arguments.length, arguments.checkpoint, tree)
    named = arguments.strategy if arguments.strategy != BEST else None
    load: Callable[[WordList], Any] | None = None
    if named is not None:
        engine = loaders.engine()
        strategy = protocol.named_strategy(named, own, adviser.game, engine)

        def load(words: WordList) -> Any:
            return engine.Searcher(words, arguments.device, strategy, adviser.game, adviser.letter)

    def begin(letter: str) -> Conversation:
        adviser.letter = letter
        if not adviser.left(arguments.length, [])[1]:
            raise UsageError(f"--letter {letter}: no target begins with it: give the first letter of one")
        return Conversation(Proposals(adviser, arguments.length, load), paint)

    title = f"{adviser.game.code}, {arguments.length} letters ({own.source})"
    return LetterFirst(begin, title) if unknown else begin(adviser.letter)


def _asked(arguments: Arguments) -> Asked:
    """What advises is to be asked, of a player's arguments."""
    asked = Asked()
    asked.game, asked.rule = arguments.game or LINGO, arguments.rule()
    asked.wordlist, asked.targets, asked.without = arguments.wordlist, arguments.targets, arguments.without
    asked.letter = arguments.letter
    asked.length, asked.device, asked.search = arguments.length, arguments.device, arguments.search
    asked.top = 1
    return asked


def _guessing_letters(words: list[str], paint: Paint, complain: Callable[[str], None]) -> LetterConversation:
    """The program guesses letters."""
    length, words = _without(words, "length")
    flags = [f"--{name}" for name in LETTER_FLAGS]
    before = ["", *words]  # a number after an option is its value
    places = [
        place
        for place, word in enumerate(words)
        if word.isdigit()
        and (not before[place].startswith("--") or before[place] in flags or "=" in before[place])
    ]
    arguments = parsed_letter_arguments([word for place, word in enumerate(words) if place not in places])
    lengths = [*(words[place] for place in places), *([length] if length else [])]
    if len(lengths) > 1:
        raise UsageError(f"two word lengths, {' and '.join(lengths)}: give one")
    if arguments.wordlist is not None:
        read(arguments.wordlist)
    letters = whole_number(lengths[0], "word length", 1) if lengths else 0
    if letters > LONGEST:
        raise UsageError(f"word length {letters}, expected at most {LONGEST}")
    guesser = letter_protocol.seated_guesser(arguments, complain)
    return LetterConversation(guesser, arguments.rules().turns, paint, letters)


def _hosted_words(words: list[str], paint: Paint) -> HostedWords:
    """Absurdle or evil Wordle."""
    arguments = parsed_host_arguments(words)
    return HostedWords(lambda: session.seated_host(arguments), paint, tell=arguments.tell)


def _honest(words: list[str], paint: Paint) -> HostedWords:
    """A word is drawn."""
    seed, _ = _without(words, "seed")
    arguments = parsed_host_arguments(words)
    game = under_rule(protocol.named_game(arguments.game or LINGO), arguments.rule)
    pool = session.drawn_words(arguments, game)
    draw = random.Random(arguments.seed if seed else None)
    return HostedWords(lambda: HonestHost(pool, game, draw), paint, tell=arguments.tell)


def _hosted_letters(words: list[str], loaders: Loaders, paint: Paint) -> HostedLetters:
    """Hangman against a host."""
    seed, _ = _without(words, "seed")
    arguments = parsed_letter_arguments(words)
    draw = random.Random(arguments.seed if seed else None)

    def make() -> Any:
        host = letter_session.seated_host(arguments, loaders.host)
        arguments.seed = draw.randrange(MOST_SEED)
        return host

    if not seed:
        arguments.seed = draw.randrange(MOST_SEED)
    return HostedLetters(make, paint, tell=arguments.tell)

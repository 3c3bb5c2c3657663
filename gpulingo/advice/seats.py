"""Which conversation the arguments of `gpulingo play` ask for at a terminal."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.first_letter import LetterFirst
from gpulingo.advice.hosting import Hosted
from gpulingo.advice.marked import Marked
from gpulingo.advice.paint import Paint, paint_for
from gpulingo.advice.proposals import Proposals
from gpulingo.advice.revealed import Revealed
from gpulingo.games.rules import UsageError
from gpulingo.hosts.host import MakeKeep
from gpulingo.player import letter_protocol, protocol
from gpulingo.player.arguments import Arguments, parsed_arguments
from gpulingo.trees.kept import BEST
from gpulingo.words.listing import find_listing
from gpulingo.words.wordlist import WordList


class AnyConversation(Protocol):
    """A conversation."""

    @property
    def ended(self) -> bool: ...

    @property
    def prompt(self) -> str: ...

    def greeting(self) -> list[str]: ...

    def take(self, line: str) -> list[str]: ...


MOST_SEED = 10**9


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
    """The conversation that arguments ask for.

    Raises:
        UsageError: the arguments are wrong. WordListError: a list cannot be used.
    """
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
    guesser = letter_protocol.seated_guesser(arguments, complain)
    return Revealed(guesser, arguments.played().turns, paint, arguments.length)


def _guessing(
    asked: Arguments, loaders: Loaders, paint: Paint, complain: Callable[[str], None]
) -> Marked | LetterFirst:
    """The program guesses words."""
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

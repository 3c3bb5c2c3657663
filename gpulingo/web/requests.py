"""Parts that all views share: the setting, its word lists, checks of requests, refusals."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gpulingo.games import marks
from gpulingo.games.catalogue import ANSWERS, COMPUTED, FAMILIES, HOSTED, find_game
from gpulingo.games.game import Game
from gpulingo.player.question import ListNames
from gpulingo.positions.service import LruCache, RequestError
from gpulingo.storage import fields
from gpulingo.storage.faults import FieldError
from gpulingo.words.listing import COLOURS, EMBEDDED_NAME, Listing, WordList, find_listing
from gpulingo.words.targets import usual_of

MOST_LENGTH = marks.LONGEST  # letters
MOST_ROUNDS = 32  # guesses of a history
HARD = (*FAMILIES, *HOSTED)  # games that have a hard mode
letters = fields.whole(1, MOST_LENGTH)  # of a word
ROUND: fields.Shape = {
    "colours": (fields.whole(0, len(COLOURS)), 0),  # of codes; 0: the default number
    "hard": (fields.one_of("", "hard", "from3-hard", "from4-hard", "from5-hard"), ""),
    "history": (fields.list_of(fields.text), []),
}  # of every request about a round, in addition to its game

BUILT_IN = "built-in list"


@dataclass(frozen=True)
class Setting:
    """The user's choices at the start of the page; no request can change them."""

    load_engine: Callable[[], Any]
    names: ListNames = field(default_factory=ListNames)
    seconds: float = 2.0  # of one search
    device: str = "auto"


def game_of(name: str, rule: str = "") -> Game:
    """Return a game of the page, also one against a host, under a rule of legal guesses if it has such."""
    game = HOSTED[name]() if name in HOSTED else find_game(name)
    return game.under(rule) if rule and name in HARD else game


def asked_of(record: Any, shape: fields.Shape) -> dict[str, Any]:
    """Return a checked request, with the values of missing fields."""
    try:
        request = fields.checked(record, shape)
    except ValueError as error:
        raise RequestError(f"the request {error}") from None
    history = request.get("history", ())
    if len(history) > MOST_ROUNDS or any(len(part) > 4 * MOST_LENGTH for part in history):
        raise RequestError(f"the round is too long, expected at most {MOST_ROUNDS} guesses")
    return request


@contextmanager
def refused(what: str = "") -> Iterator[None]:
    """Turn errors in the user's input into RequestError; `what` is put before them."""
    try:
        yield
    except RequestError:
        raise
    except ValueError as error:  # errors of rounds, lists, games and devices
        field = f"{error.field}: " if isinstance(error, FieldError) else ""
        raise RequestError(f"{what}{field}{' '.join(str(error).split())}", 422) from None


def list_text(words: WordList) -> str:
    """Return the origin of words, in the page's wording."""
    return BUILT_IN if words.source == EMBEDDED_NAME else words.source


def source_text(words: WordList) -> str:
    """Return the origin of words, and of the answers among them, in the page's wording."""
    source, answers = list_text(words), words.targets_source
    kind = "its usual" if answers.startswith(ANSWERS) and source == BUILT_IN else "answers:"
    return f"{source}, {kind} {answers}" if answers else source


class Lists:
    """Lists that are read when needed; each file once."""

    def __init__(self, setting: Setting) -> None:
        self.names = setting.names
        self._by_length: LruCache[int, Listing] = LruCache(MOST_LENGTH + 1)
        self._by_source: dict[str, Listing] = {}  # one listing may serve several lengths
        self._words: LruCache[int, WordList] = LruCache(MOST_LENGTH + 1)

    @cached_property
    @refused()
    def lengths(self) -> list[int]:
        """The lengths of the words, ascending."""
        named = self.names.wordlist is not None
        numbered = [n for n in range(1, MOST_LENGTH + 1) if not named and os.path.lexists(f"wordlist{n}.txt")]
        others = next(n for n in range(1, MOST_LENGTH + 2) if n not in numbered)
        shared = [n for n in self._listing(others).lengths() if n <= MOST_LENGTH]
        if not (numbered or shared):
            fault = f"no words of 1 to {MOST_LENGTH} letters in {self._listing(others).source}"
            raise RequestError(f"{fault}: start the page with another list", 422)
        return sorted({*numbered, *shared})

    @refused()
    def every(self, length: int) -> WordList:
        return self._words.made(length, lambda: self._listing(length).of_length(length))

    @refused()
    def of_game(self, length: int, game: Game) -> WordList:
        """Return the words of a length with the user's targets, or otherwise with the game's usual ones."""
        return self.names.limited(self.every(length), usual_of(self._listing(length), game, COMPUTED))

    @refused()
    def drawn(self, length: int, game: Game) -> WordList:
        """Return the words of a length with the targets from which a host draws one."""
        self.every(length)  # a missing length is not a fault of the targets
        return self.names.drawn(self._listing(length), length, game)

    def _listing(self, length: int) -> Listing:
        def opened() -> Listing:
            listing = find_listing(length, self.names.wordlist, same=self.names.same)
            return self._by_source.setdefault(listing.source, listing)

        return self._by_length.made(length, opened)

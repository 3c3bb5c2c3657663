"""The words of the page, by length: of the named list, otherwise of the list that every command finds."""

from __future__ import annotations

import os

from gpulingo.games.catalogue import ANSWERS, DRAWN, usual_targets
from gpulingo.games.game import Game
from gpulingo.player.protocol import with_named_targets, without_past
from gpulingo.web.cache import LruCache
from gpulingo.web.requests import MOST_LENGTH, RequestError, Setting, refused
from gpulingo.words.listing import EMBEDDED_NAME, Listing, WordList, find
from gpulingo.words.targets import drawn

BUILT_IN = "built-in list"


def source_text(words: WordList) -> str:
    """Return the origin of words, and of the answers among them, in words of the page."""
    source, answers = BUILT_IN if words.source == EMBEDDED_NAME else words.source, words.targets_source
    kind = "its usual" if answers.startswith(ANSWERS) and source == BUILT_IN else "answers:"
    return f"{source}, {kind} {answers}" if answers else source


class Lists:
    """Lists that are read when they are asked for; each file once.

    Args:
        setting: what the user said when the page was started.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._by_length: LruCache[int, Listing] = LruCache(MOST_LENGTH + 1)
        self._by_source: dict[str, Listing] = {}  # one that serves several lengths is kept once
        self._words: LruCache[int, WordList] = LruCache(MOST_LENGTH + 1)

    def lengths(self) -> list[int]:
        """Return the lengths of the words, ascending.

        Raises:
            RequestError: the list has no words, or cannot be used.
        """
        named = self.setting.wordlist is not None
        own = [n for n in range(1, MOST_LENGTH + 1) if not named and os.path.lexists(f"wordlist{n}.txt")]
        others = next(n for n in range(1, MOST_LENGTH + 2) if n not in own)
        shared = [n for n in self._listing(others).lengths() if n <= MOST_LENGTH]
        if not (own or shared):
            seen = f"no words of 1 to {MOST_LENGTH} letters in {self._listing(others).source}"
            raise RequestError(f"{seen}: start the page with another list", 422)
        return sorted({*own, *shared})

    def every(self, length: int) -> WordList:
        """Return all words of a length.

        Raises:
            RequestError: no word has the length, or the list cannot be used.
        """
        listing = self._listing(length)
        with refused():
            return self._words.made(length, lambda: listing.of_length(length))

    def of_game(self, length: int, game: Game) -> WordList:
        """Return the words of a length with the user's targets, otherwise with the usual ones of a game.

        Raises:
            RequestError: no word has the length, or the list cannot be used.
        """
        words, targets = self.every(length), self.setting.targets
        if targets is None and not self._listing(length).data:
            targets = usual_targets(game)
        with refused():
            words = words if targets is None else with_named_targets(words, targets)
            return without_past(words, self.setting.without)

    def drawn(self, length: int, game: Game) -> WordList:
        """The same, but with the targets of which a host draws one.

        Raises:
            RequestError: as `of_game`.
        """
        self.every(length)
        with refused("targets: "):
            usual = usual_targets(game, DRAWN)
            words = drawn(self._listing(length), length, self.setting.targets, usual)
            return without_past(words, self.setting.without)

    def _listing(self, length: int) -> Listing:
        """Return the list that has the words of a length."""

        def found() -> Listing:
            listing = find(length, self.setting.wordlist)
            return self._by_source.setdefault(listing.source, listing)

        with refused():
            return self._by_length.made(length, found)

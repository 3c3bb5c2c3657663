"""Misses that a perfect, cheating host forces of a perfect guesser in hangman, by length.

For the embedded list they are in a file that `scripts/embed_misses` writes, with the fingerprint of the
words: the search takes half a minute, too long for a page to open, and its result never changes with the
list. For other lists each length is searched on request, and then remembered.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from gpulingo.games.catalogue import hangman
from gpulingo.storage import fields
from gpulingo.storage.files import file_bytes
from gpulingo.web.lists import Lists
from gpulingo.web.requests import RequestError, refused
from gpulingo.words.listing import WordList

FILE = Path(__file__).parent / "forced_misses.json"
MOST_BYTES = 1 << 16  # of the file
SECONDS = 20.0  # that the search of a length may take
MEMORY = 1 << 28  # bytes of it
ENTRY = {"fingerprint": fields.fingerprint, "length": fields.whole(1, 39), "misses": fields.whole(0, 64)}


class Forced:
    """Misses that a perfect host forces, length by length of a list.

    Args:
        lists: of the page.
    """

    def __init__(self, lists: Lists) -> None:
        self.lists = lists
        self._found: dict[int, tuple[int, int | None]] = {}  # length -> forced, and enough if it is known
        self._stored: dict[str, int] | None = None
        self._guard = threading.Lock()

    def told(self) -> dict[str, Any]:
        """Return the lengths of the list, and the misses of each where they are known.

        Raises:
            RequestError: the list cannot be used.
        """
        return {"lengths": [self._entry(self.lists.every(length)) for length in self.lists.lengths()]}

    def found(self, length: int, stop: threading.Event) -> dict[str, Any]:
        """Return a length with its misses, searched for where they are not known.

        Args:
            stop: set when nobody waits for it; the result is then not remembered.
        Raises:
            RequestError: there are no such words, too many different letters, or the search is stopped.
        """
        words = self.lists.every(length)
        if self._misses(words) is None:
            with refused(f"{words.source}: "):
                found = forced_misses(words, SECONDS, stop)
            if stop.is_set():
                raise RequestError("the search was stopped", 503)
            self._found[length] = found
        return self._entry(words)

    def _entry(self, words: WordList) -> dict[str, Any]:
        """Return the entry of a length; `forced` and `enough` are equal where the search came to its end."""
        forced, enough = self._misses(words) or (None, None)
        return {"length": words.length, "words": len(words), "forced": forced, "enough": enough}

    def _misses(self, words: WordList) -> tuple[int, int | None] | None:
        """Return the known misses of a length."""
        with self._guard:
            if self._stored is None:
                self._stored = stored_misses(file_bytes(FILE, MOST_BYTES)) if FILE.exists() else {}
        misses = self._stored.get(words.fingerprint)
        return self._found.get(words.length) if misses is None else (misses, misses)


def stored_misses(data: bytes) -> dict[str, int]:
    """Fingerprint of a list -> forced misses, from the bytes of the file.

    Raises:
        ValueError: it is no such file.
    """
    entries = fields.parsed_json(data)
    if not isinstance(entries, list):
        raise ValueError("is no JSON list")
    checked = [fields.checked(entry, ENTRY) for entry in entries]
    return {entry["fingerprint"]: entry["misses"] for entry in checked}


def forced_misses(
    words: WordList, seconds: float, stop: threading.Event | None = None
) -> tuple[int, int | None]:
    """The misses that a perfect host can force with words, and those that are enough for a perfect guesser.

    Args:
        seconds: that the search may take, about; what is enough is not known then.
        stop: set by another thread to end it.
    Raises:
        ValueError: more different letters than the search takes.
    """
    from functools import partial

    from gpulingo.search.forced_misses import least_misses
    from gpulingo.solvers.adversary_misses import adversary_misses
    from gpulingo.tensors.clock import clock
    from gpulingo.tensors.threads import shared
    from gpulingo.tensors.wordtable import table_of

    ends = clock() + seconds
    table = table_of(words, hangman())
    search = adversary_misses(table, MEMORY)

    def waiting() -> None:
        if clock() > ends or (stop is not None and stop.is_set()):
            search.stop()

    item = partial(least_misses, search, table.targets.numpy())
    misses = shared([item], waiting=waiting, stop=search.stop)[0]
    return misses.lower, misses.upper if misses.lower == misses.upper else None

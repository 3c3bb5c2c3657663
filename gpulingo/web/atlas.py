"""Atlas of stored or computed results, to look through: trees, bounds, the cheating host, racks.

Requests are not believed: every field is checked, a branch of a tree is named by the marks that lead to it,
and nothing names a file.
"""

from __future__ import annotations

import json
import threading
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.games.catalogue import find_game, hangman
from gpulingo.storage import fields
from gpulingo.tiles.bag import BLANK, BY_NAME, shown
from gpulingo.web.requests import (
    Answer,
    Lists,
    LruCache,
    RequestError,
    Setting,
    Work,
    asked_of,
    letters,
    refused,
)
from gpulingo.web.trees import Trees
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.tiles.best_words import Spelling

MOST_PATH = 255  # marks on the way to a branch: as many letters as a list may have
MOST_CLASSES = 100  # told at once
MOST_WORDS = 2000  # of those left
MOST_CODE = 40  # characters of a game's name
BAGS = tuple(BY_NAME)
MOST_RACK, MOST_DRAWN = 20, 7  # tiles of a rack, and of a draw
SHOWN = 10  # racks of most points
BRANCH = {
    "game": fields.text,
    "length": letters,
    "letter": fields.text,
    "path": fields.list_of(fields.text),
    "start": fields.whole(0, 1 << 24),
    "count": fields.whole(0, MOST_CLASSES),
    "words": fields.whole(0, MOST_WORDS),
    "shown": fields.text,
    "word": fields.text,
}
BRANCH_DEFAULTS = {"letter": "", "path": [], "start": 0, "count": 20, "words": 40, "shown": "", "word": ""}
LENGTH = {"length": letters}
RACK = {"rack": fields.text, "bag": fields.one_of(*BAGS), "top": fields.whole(1, 200)}
DRAWS = {"bag": fields.one_of(*BAGS), "tiles": fields.whole(1, MOST_DRAWN)}
FILE = Path(__file__).parent / "misses.json"
SECONDS = 20.0  # that the search of a length may take
MEMORY = 1 << 28  # bytes of it


class Atlas:
    """Answers of the atlas; nothing is read before it is asked for."""

    def __init__(self, setting: Setting) -> None:
        lists = Lists(setting)
        self.kept = Trees(lists)
        self.forced = Forced(lists)
        self.racks = Racks(lists, setting.device)

    def branch(self, record: Any) -> Answer:
        asked = asked_of(record, BRANCH, BRANCH_DEFAULTS)
        code, path = asked["game"], asked["path"]
        if len(path) > MOST_PATH or len(asked["letter"]) > 1 or len(code) > MOST_CODE:
            raise RequestError(f"the path is too long, expected at most {MOST_PATH} marks and one letter")
        with refused():
            walk = self.kept.walk(find_game(code), asked["length"])
        here = walk.branch(asked["letter"], path)
        return walk.told(here, **{name: asked[name] for name in ("start", "count", "words", "shown", "word")})

    def force(self, record: Any) -> Work:
        """Return work that finds the misses that a perfect host forces at hangman at a length."""
        length = asked_of(record, LENGTH, {})["length"]
        return lambda tell, stop: self.forced.found(length, stop)

    def rack(self, record: Any) -> Answer:
        asked = asked_of(record, RACK, {"bag": BAGS[0], "top": 50})
        if len(asked["rack"]) > 2 * MOST_RACK:
            raise RequestError(f"the rack is too long, expected at most {MOST_RACK} tiles")
        return self.racks.best(asked["rack"], asked["bag"], asked["top"])

    def draws(self, record: Any) -> Work:
        """Return work that sums up all draws of some tiles from a bag."""
        asked = asked_of(record, DRAWS, {"bag": BAGS[0], "tiles": 7})
        return lambda tell, stop: self.racks.draws(asked["bag"], asked["tiles"])


class Forced:
    """Misses that a perfect host forces, length by length of a list."""

    def __init__(self, lists: Lists) -> None:
        self.lists = lists
        self._found: dict[int, tuple[int, int | None]] = {}  # length -> forced, and enough if it is known

    def told(self) -> dict[str, Any]:
        """Return the lengths of the list, and the misses of each where they are known."""
        return {"lengths": [self._entry(self.lists.every(length)) for length in self.lists.lengths()]}

    def found(self, length: int, stop: threading.Event) -> dict[str, Any]:
        """Return a length with its misses, searched for where they are not known, unless it is stopped."""
        words = self.lists.every(length)
        if self._misses(words) is None:
            with refused(f"{words.source}: "):
                found = misses_bracket(words, SECONDS, stop)
            if stop.is_set():
                raise RequestError("the search was stopped", 503)
            self._found[length] = found
        return self._entry(words)

    def _entry(self, words: WordList) -> dict[str, Any]:
        """Return the entry of a length; `forced` and `enough` are equal where the search came to its end."""
        forced, enough = self._misses(words) or (None, None)
        return {"length": words.length, "words": len(words), "forced": forced, "enough": enough}

    def _misses(self, words: WordList) -> tuple[int, int | None] | None:
        misses = stored_misses().get(words.fingerprint)
        return self._found.get(words.length) if misses is None else (misses, misses)


@lru_cache
def stored_misses() -> dict[str, int]:
    """Return the misses of the embedded list, by fingerprint of the words of a length."""
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    return {entry["fingerprint"]: entry["misses"] for entry in entries}


def misses_bracket(
    words: WordList, seconds: float, stop: threading.Event | None = None
) -> tuple[int, int | None]:
    """The misses that a perfect host can force with words, and those that are enough for a perfect guesser.

    They are unknown, None, if `seconds` did not suffice.
    """
    from gpulingo.positions.adversary import least_misses
    from gpulingo.solvers.hosts.misses import adversary_misses
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


class Racks:
    """Answers on racks; the words of a bag are spelled once."""

    def __init__(self, lists: Lists, device: str) -> None:
        self.lists, self.device = lists, device
        self._spellings: LruCache[str, Spelling] = LruCache(len(BAGS))
        self._draws: LruCache[tuple[str, int], dict[str, Any]] = LruCache(len(BAGS) * MOST_DRAWN)
        self._laying = threading.Lock()

    def best(self, text: str, bag: str, top: int) -> dict[str, Any]:
        """Return the best words of a rack, at most `top`, and their points; ? or _ is a blank."""
        from gpulingo.tiles.best_words import laid

        tiles = BY_NAME[bag]
        with refused():
            rack = tiles.rack(text.replace("_", BLANK))
        if len(rack) > MOST_RACK:
            raise RequestError(f"the rack has {len(rack)} tiles, expected at most {MOST_RACK}")
        beyond = [
            f"more tiles {shown(letter)} than the bag has: {tiles.counts[tiles.kinds[letter]]}"
            for letter in tiles.beyond(rack)
        ]
        spelling = self._spelling(bag)
        with self._laying:  # a rack of blanks lays every word there is
            pairs = laid(rack, spelling)
        words = [{"word": word, "points": points} for word, points in pairs[:top]]
        return {"rack": shown(rack), "bag": bag, "words": words, "laid": len(pairs), "notes": beyond}

    def draws(self, bag: str, tiles: int) -> dict[str, Any]:
        """Return the exact summary of all draws of `tiles` tiles, computed once."""
        return self._draws.made((bag, tiles), lambda: summed_up(self._spelling(bag), tiles, self.device))

    def _spelling(self, bag: str) -> Spelling:
        from gpulingo.tiles.best_words import spelled

        def read() -> Spelling:
            lengths = [n for n in self.lists.lengths() if n <= MOST_RACK]
            words = [word for length in lengths for word in self.lists.every(length).words]
            return spelled(words, BY_NAME[bag], MOST_RACK)

        return self._spellings.made(bag, read)


def summed_up(spelling: Spelling, tiles: int, device: str = "cpu") -> dict[str, Any]:
    """Return the summary of all draws of `tiles` tiles, and the racks of most points."""
    from gpulingo.tiles.best_words import best_of
    from gpulingo.tiles.rack_table import rack_tables
    from gpulingo.tiles.summary import draw_summary

    bag = spelling.bag
    table = next(rack_tables(spelling, [tiles], device))
    done = draw_summary(table)
    best = [
        {"rack": shown(own.rack), "points": own.points, "words": list(own.words), "draws": bag.ways(own.rack)}
        for own in best_of(table.best(SHOWN), spelling)
    ]
    held = [
        {"tile": shown(tile.letter), "share": float(tile.share), "given": float(tile.given),
         "gain": None if tile.gain is None else float(tile.gain)}
        for tile in done.held
    ]  # fmt: skip
    entry = {"bag": bag.name, "tiles": tiles, "racks": done.racks, "draws": done.draws.total}
    entry |= {"expected": float(done.draws.expected), "deviation": done.draws.deviation}
    return entry | {"without_word": float(done.draws.share_without), "best": best, "held": held}

"""Racks of tiles: the best words of one, and what all draws from a bag come to."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from gpulingo.tiles.bag import BLANK, BY_NAME, shown
from gpulingo.web.cache import LruCache
from gpulingo.web.lists import Lists
from gpulingo.web.requests import RequestError, refused

if TYPE_CHECKING:
    from gpulingo.tiles.spelling import Spelling

BAGS = tuple(BY_NAME)
MOST_RACK = 20  # tiles of a rack
MOST_DRAWN = 7  # tiles that are drawn
SHOWN = 10  # racks of most points


class Racks:
    """Answers on racks; the words of a bag are spelled once.

    Args:
        lists: of the page. device: where to compute.
    """

    def __init__(self, lists: Lists, device: str) -> None:
        self.lists, self.device = lists, device
        self._spellings: LruCache[str, Spelling] = LruCache(len(BAGS))
        self._draws: LruCache[tuple[str, int], dict[str, Any]] = LruCache(len(BAGS) * MOST_DRAWN)
        self._laying = threading.Lock()

    def best(self, text: str, bag: str, top: int) -> dict[str, Any]:
        """Return the best words of a rack, and their points.

        Args:
            text: its letters; ? or _ is a blank.
            bag: its name.
            top: the most words to return.
        Raises:
            RequestError: it is no rack of the bag, or the list cannot be used.
        """
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
        """Return the exact summary of all draws of `tiles` tiles, computed once.

        Raises:
            RequestError: the list cannot be used.
        """
        return self._draws.made((bag, tiles), lambda: summed_up(self._spelling(bag), tiles))

    def _spelling(self, bag: str) -> Spelling:
        """Return the words of the list as tiles of a bag."""
        from gpulingo.tensors.device import find_device
        from gpulingo.tiles.spelling import on_device, spelled

        def read() -> Spelling:
            lengths = [n for n in self.lists.lengths() if n <= MOST_RACK]
            words = [word for length in lengths for word in self.lists.every(length).words]
            return on_device(spelled(words, BY_NAME[bag], MOST_RACK), find_device(self.device))

        return self._spellings.made(bag, read)


def summed_up(spelling: Spelling, tiles: int) -> dict[str, Any]:
    """Return the summary of all draws of `tiles` tiles, and the racks of most points."""
    from gpulingo.tiles.best_words import best_of
    from gpulingo.tiles.rack_table import rack_tables
    from gpulingo.tiles.summary import draw_summary

    bag = spelling.bag
    table = next(iter(rack_tables(spelling, [tiles])))
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

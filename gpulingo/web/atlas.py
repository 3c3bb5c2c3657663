"""Atlas of stored or computed results, to look through: trees, bounds, the cheating host, racks.

Requests are not believed: every field is checked, a branch of a tree is named by the marks that lead to it,
and nothing names a file.
"""

from __future__ import annotations

from typing import Any

from gpulingo.games.catalogue import find_game
from gpulingo.storage import fields
from gpulingo.web.forced import Forced
from gpulingo.web.lists import Lists
from gpulingo.web.racks import BAGS, MOST_DRAWN, MOST_RACK, Racks
from gpulingo.web.requests import Answer, RequestError, Setting, Work, asked_of, letters, refused
from gpulingo.web.trees import Trees

MOST_PATH = 255  # marks on the way to a branch: as many letters as a list may have
MOST_CLASSES = 100  # told at once
MOST_WORDS = 2000  # of those left
MOST_CODE = 40  # characters of a game's name
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


class Atlas:
    """Answers of the atlas; nothing is read before it is asked for.

    Args:
        setting: what the user said when the page was started.
    """

    def __init__(self, setting: Setting) -> None:
        lists = Lists(setting)
        self.kept = Trees(lists)
        self.forced = Forced(lists)
        self.racks = Racks(lists, setting.device)

    def branch(self, record: Any) -> Answer:
        """Return a branch of a tree.

        Args:
            record: what was sent, as BRANCH says.
        Raises:
            RequestError: it is something else, or there is no such branch.
        """
        asked = asked_of(record, BRANCH, BRANCH_DEFAULTS)
        code, path = asked["game"], asked["path"]
        if len(path) > MOST_PATH or len(asked["letter"]) > 1 or len(code) > MOST_CODE:
            raise RequestError(f"the path is too long, expected at most {MOST_PATH} marks and one letter")
        with refused():
            walk = self.kept.walk(find_game(code), asked["length"])
        here = walk.branch(asked["letter"], path)
        return walk.told(here, **{name: asked[name] for name in ("start", "count", "words", "shown", "word")})

    def force(self, record: Any) -> Work:
        """Return work that finds the misses that a perfect host forces at hangman at a length.

        Raises:
            RequestError: it is no request; by the work that is given, where there are no such words.
        """
        length = asked_of(record, LENGTH, {})["length"]
        return lambda tell, stop: self.forced.found(length, stop)

    def rack(self, record: Any) -> Answer:
        """Return the best words of a rack.

        Raises:
            RequestError: it is no request, or no rack of the bag.
        """
        asked = asked_of(record, RACK, {"bag": BAGS[0], "top": 50})
        if len(asked["rack"]) > 2 * MOST_RACK:
            raise RequestError(f"the rack is too long, expected at most {MOST_RACK} tiles")
        return self.racks.best(asked["rack"], asked["bag"], asked["top"])

    def draws(self, record: Any) -> Work:
        """Return work that sums up all draws of some tiles from a bag.

        Raises:
            RequestError: it is no request; by the returned work, where the list cannot be used.
        """
        asked = asked_of(record, DRAWS, {"bag": BAGS[0], "tiles": 7})
        return lambda tell, stop: self.racks.draws(asked["bag"], asked["tiles"])

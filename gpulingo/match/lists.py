"""The word lists in the players' folders: checked before every round, replaced where one is spoiled.

Players run as one user, so any of them can empty the lists of all. A list that is spoiled while others play
is found before the next round; players that read it in between get the spoiled list.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from gpulingo.match.sandbox import MatchSetup, is_list, lay_lists
from gpulingo.words.listing import WordListError


class OfPlayer(Protocol):
    """Events of one player: a round or a trial."""

    @property
    def player(self) -> str: ...


Item = TypeVar("Item", bound=OfPlayer)


class Lists:
    """The lists of a match whose folders were made for it; of others, none.

    Args:
        setup: of the match, before any player is started.
        alone: one round is played at a time, so that the player of the last one is to blame.
        tell: takes a line on the first lists that each player spoils.
    """

    def __init__(self, setup: MatchSetup, tell: Callable[[str], object], *, alone: bool) -> None:
        self._tell, self._alone, self._last = tell, alone, ""
        places = setup.workspaces.items() if setup.temporary else ()
        self._folders = {player: place.folder for player, place in places if place.folder}
        self._texts: dict[str, bytes] = {}
        for folder in list(self._folders.values())[:1]:  # all have the same
            for name in sorted(filter(is_list, os.listdir(folder))):
                with open(os.path.join(folder, name), "rb") as file:
                    self._texts[name] = file.read()
        self._states = {player: self._state(player) for player in self._folders}
        self._told: set[str] = set()

    def before(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, the lists whole before each is given."""
        for item in items:
            self.restore()
            yield item
            self._last = item.player

    def restore(self) -> None:
        """Replace what is spoiled, and report it."""
        spoiled, outcome = [], "restored"
        for player, folder in self._folders.items():
            if self._state(player) == self._states[player]:
                continue
            names = [name for name, text in self._texts.items() if not _holds(folder, name, text)]
            spoiled += [f"{name} of {player!r}" for name in names]
            if names:
                try:
                    lay_lists(folder, self._texts, os.getcwd())
                except WordListError as error:
                    outcome = str(error)
            self._states[player] = self._state(player)
        culprit = repr(self._last) if self._alone and self._last else "a player"
        if spoiled and culprit not in self._told:
            self._told.add(culprit)
            seen = spoiled[0] + (f" and {len(spoiled) - 1} more" if len(spoiled) > 1 else "")
            self._tell(f"{culprit} has changed or removed {seen}: {outcome}")

    def _state(self, player: str) -> list[tuple[int, int, int] | None]:
        """Return file states that show a touched list; no player can set the time of a change."""
        states: list[tuple[int, int, int] | None] = []
        for name in self._texts:
            try:
                status = os.lstat(os.path.join(self._folders[player], name))
                states.append((status.st_ino, status.st_size, status.st_ctime_ns))
            except OSError:
                states.append(None)
        return states


def _holds(folder: str, name: str, text: bytes) -> bool:
    """Return True if a list is there and unchanged."""
    path = os.path.join(folder, name)
    try:
        if os.path.islink(path) or not os.path.isfile(path):  # a pipe would be read for ever
            return False
        with open(path, "rb") as file:
            return file.read(len(text) + 1) == text
    except OSError:
        return False

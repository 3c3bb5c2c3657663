"""The trees stored for the lists of the page: their names, and each tree, read when it is walked."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

from gpulingo.games.catalogue import BY_NAME, find_game
from gpulingo.games.game import Game
from gpulingo.report.values import of_tree
from gpulingo.storage.files import FOLDERS, SHORT
from gpulingo.trees.kept import kept_trees, none_kept
from gpulingo.trees.text import guess_names, opening_text
from gpulingo.trees.tree import Tree
from gpulingo.web.cache import LruCache
from gpulingo.web.lists import Lists
from gpulingo.web.requests import MOST_LENGTH, RequestError
from gpulingo.web.walk import Walk
from gpulingo.words.listing import WordList

NAME = re.compile(rf"([a-z-]+[0-9]{{1,3}})-([0-9]{{1,2}})-([0-9a-f]{{{SHORT}}})\.npz")
MOST_READ = 24  # trees that are kept in memory
MOST_FILES = 1000  # of whose names no more are looked at


class Trees:
    """The stored trees, by game and length of words.

    Args:
        lists: of the page.
    """

    def __init__(self, lists: Lists) -> None:
        self.lists = lists
        self._summaries: list[dict[str, Any]] | None = None
        self._notes: list[str] = []
        self._walks: LruCache[tuple[str, int], Walk] = LruCache(MOST_READ)
        self._guard = threading.Lock()

    def told(self) -> dict[str, Any]:
        """Return the summaries of all trees; each is read once, and only its summary stays in memory.

        Raises:
            RequestError: a list cannot be used.
        """
        with self._guard:
            if self._summaries is None:
                self._summaries = [
                    summary(*found) for game, length in self._names() if (found := self._read(game, length))
                ]
            none, length = ("", 5) if self._summaries else self._none()
            return {"trees": self._summaries, "notes": list(self._notes), "none": none, "length": length}

    def walk(self, game: Game, length: int) -> Walk:
        """Return the best tree stored for a game and a length, to be walked.

        Raises:
            RequestError: no tree is stored, or there are no such words.
        """
        with self._guard:  # notes are told by another
            return self._walks.made((game.code, length), lambda: Walk(*self.best(game, length)[:2]))

    def best(self, game: Game, length: int) -> tuple[Tree, WordList, str]:
        """Return the best tree stored for a game and a length, its words, and the name of its file.

        Raises:
            RequestError: see `walk`.
        """
        found = self._read(game, length)
        if found is None:
            words = self.lists.of_game(length, game)
            raise RequestError(none_kept(words, game, instead="a list that has one"), 422)
        return found

    def _read(self, game: Game, length: int) -> tuple[Tree, WordList, str] | None:
        """Return the best tree, its words, and the name of its file; what is wrong with others is noted."""
        words = self.lists.of_game(length, game)
        trees, faults = kept_trees(words, game)
        self._notes += [fault for fault in faults if fault not in self._notes]
        for path, tree in trees.items():
            if tree.weights is None and max(tree.guess) < len(guess_names(game, words.words)):
                return tree, words, Path(path).name
        return None

    def _names(self) -> list[tuple[Game, int]]:
        """Return the games and lengths of which the name of a file says that it fits the list."""
        found: dict[tuple[int, int, int, str], Game] = {}
        order = sorted(BY_NAME, key=lambda name: not name.startswith("wordle"))
        for length, code, digits in sorted(_files()):
            try:
                game = find_game(code)
                if self.lists.of_game(length, game).fingerprint.startswith(digits):
                    place = order.index(game.name.replace(f"-from{game.since}", ""))
                    found[place, game.since, length, code] = game
            except (LookupError, ValueError):  # no such game, or no words of the length
                continue
        return [(game, length) for (*_, length, _), game in sorted(found.items(), key=lambda own: own[0])]

    def _none(self) -> tuple[str, int]:
        """Return the message that no tree is stored for any words of the list, and a usual length of them."""
        lengths = self.lists.lengths()
        length = 5 if 5 in lengths else lengths[0]
        command = f"gpulingo simulate --game wordle --length {length} --save checkpoints/"
        source = self.lists.every(length).source
        return f"No strategy is stored for {source}. The assistant still works. Make one: {command}", length


def summary(tree: Tree, words: WordList, name: str) -> dict[str, Any]:
    """Return a tree's summary, in the figures of `gpulingo prove --tree-only`."""
    values, turns = of_tree(tree), tree.turn_counts()
    value, bound, lost = tree.mean_points, tree.bound, tree.total_weight - sum(turns)
    optimal = bound is not None and bound <= value
    gap, share = "✓ proven best" if optimal else "no limit is known", 1.0
    if bound is not None and not optimal:
        low, high = sorted(abs(values.figure(own)) for own in (value, bound))
        gap, share = f"{values.distance_text(value, bound)} {values.side} the limit", low / (high or 1)
    return {
        "game": tree.game.code,
        "length": tree.length,
        "words": tree.targets,
        "file": name,
        "opening": opening_text(tree, words.words),
        "letters": [tree.letter(root) for root in range(tree.roots)] if tree.game.given else [],
        "feedback": tree.game.feedback,
        "cells": values.cells(value, lost) | values.counted_cells(turns),
        "bound": values.bound(bound),
        "gap": gap.replace("mean ", ""),
        "share": share,
        "optimal": optimal,
        "turns": turns,
        "lost": lost,
    }


def _files() -> set[tuple[int, str, str]]:
    """Return length, game and digits of the fingerprint in the names of stored files."""
    found = set()
    for folder in FOLDERS:
        try:
            names = sorted(path.name for path in Path(folder).iterdir())[:MOST_FILES]
        except OSError:
            continue
        for name in names:
            parts = NAME.fullmatch(name)
            if parts and 1 <= int(parts[2]) <= MOST_LENGTH:
                found.add((int(parts[2]), parts[1], parts[3]))
    return found

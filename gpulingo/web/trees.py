"""The trees stored for the lists of the page, each read when it is walked along a path of marks.

Words are split by the reference rule of the game, one guess after the other; the tree gives the guesses and
their outcomes.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.advice.outlook import GuessStats, turns_below
from gpulingo.advice.sentences import filled
from gpulingo.games.catalogue import BY_NAME, feedback_of, find_game
from gpulingo.games.game import Game
from gpulingo.games.marks import lettered
from gpulingo.hosts.host import classes_of
from gpulingo.report.values import of_tree
from gpulingo.storage.files import FOLDERS, SHORT
from gpulingo.trees.checkpoint import none_stored, stored_trees
from gpulingo.trees.text import guess_names, opening_text
from gpulingo.trees.tree import Tree
from gpulingo.web.requests import MOST_LENGTH, Lists, LruCache, RequestError
from gpulingo.words.letters import capitals, joined
from gpulingo.words.listing import WordList
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.hosts.host import Classes

NAME = re.compile(rf"([a-z-]+[0-9]{{1,3}})-([0-9]{{1,2}})-([0-9a-f]{{{SHORT}}})\.npz")
MOST_READ = 24  # trees that are kept in memory
MOST_FILES = 1000  # of whose names no more are looked at
MOST_PARTED = 48  # nodes whose classes are remembered
ANY = "."  # a mark that is not asked for


class Trees:
    """The stored trees, by game and length of words."""

    def __init__(self, lists: Lists) -> None:
        self.lists = lists
        self._summaries: list[dict[str, Any]] | None = None
        self._notes: list[str] = []
        self._walks: LruCache[tuple[str, int], Walk] = LruCache(MOST_READ)
        self._guard = threading.Lock()

    def told(self) -> dict[str, Any]:
        """Return the summaries of all trees; each is read once, and only its summary stays in memory."""
        with self._guard:
            if self._summaries is None:
                self._summaries = [
                    summary(*found) for game, length in self._names() if (found := self._read(game, length))
                ]
            none, length = ("", 5) if self._summaries else self._none()
            return {"trees": self._summaries, "notes": list(self._notes), "none": none, "length": length}

    def walk(self, game: Game, length: int) -> Walk:
        """Return the best tree stored for a game and a length, to be walked."""
        with self._guard:  # notes are told by another
            return self._walks.made((game.code, length), lambda: Walk(*self.best(game, length)[:2]))

    def best(self, game: Game, length: int) -> tuple[Tree, WordList, str]:
        """Return the best tree stored for a game and a length, its words, and the name of its file."""
        found = self._read(game, length)
        if found is None:
            words = self.lists.of_game(length, game)
            raise RequestError(none_stored(words, game, instead="a list that has one"), 422)
        return found

    def _read(self, game: Game, length: int) -> tuple[Tree, WordList, str] | None:
        """Return the best tree, its words, and the name of its file; what is wrong with others is noted."""
        words = self.lists.of_game(length, game)
        trees, faults = stored_trees(words, game)
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
        source = self.lists.every(length).source
        return filled("no strategy", source=source, length=length), length


def summary(tree: Tree, words: WordList, name: str) -> dict[str, Any]:
    """Return a tree's summary, in the figures of `gpulingo prove --tree-only`."""
    values, turns = of_tree(tree), tree.turn_counts()
    value, bound, lost = tree.value, tree.bound_value, tree.total_weight - sum(turns)
    optimal = bound is not None and bound <= value
    gap, share = "✓ proven best" if optimal else "no limit is known", 1.0
    if bound is not None and not optimal:
        low, high = sorted(abs(values.figure(own)) for own in (value, bound))
        gap, share = f"{values.gap_text(value, bound)} {values.unit.side} the limit", low / (high or 1)
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


@dataclass
class Branch:
    """Position of a tree after a path of marks."""

    node: int | None  # None where no guess follows
    left: list[str]  # words that are still possible
    turn: int  # of the next guess; where misses cost, one more than the misses before it
    trail: list[dict[str, Any]] = field(default_factory=list)  # guesses before, with marks and words left
    end: str = ""  # why the path ends here: `found`, `lost`, `none`, `word` (one is left), or empty


class Walk:
    """A tree and its words, against which it was checked."""

    def __init__(self, tree: Tree, words: WordList) -> None:
        self.tree, self.words, self.game = tree, words, tree.game
        self.rule = feedback_of(tree.game)
        self.names = guess_names(tree.game, words.words)
        self.optimal = tree.bound is not None and tree.bound <= tree.mean_points
        self._parted: LruCache[int, Classes] = LruCache(MOST_PARTED)

    def branch(self, letter: str, path: Sequence[str]) -> Branch:
        """Return the branch that a path of marks leads to; `letter` is empty in games that give none."""
        here = Branch(self._root(letter), [w for w in self.words.targets if w.startswith(letter)], 1)
        self._look(here)
        for row in path:
            if here.end:
                raise RequestError(f"marks {row[:40]!r} after the end of the path: leave them out")
            wrong = self.rule.fault(row, self.tree.length)
            if wrong:
                raise RequestError(wrong)
            self._go(here, row)
        return here

    def _root(self, letter: str) -> int | None:
        if bool(letter) != bool(self.game.given):
            seen = "needs the letter that is given" if self.game.given else "gives no letter"
            raise RequestError(f"{self.game.code} {seen}")
        node = self.tree.root(letter)
        if node is None:
            raise RequestError(f"no target begins with {letter[:40]!r}: use the first letter of one")
        return node

    def guess(self, node: int) -> str:
        return self.names[self.tree.guess[node]]

    def _go(self, here: Branch, row: str) -> None:
        """Take the marks of the guess of a branch."""
        assert here.node is not None
        guess, pattern = self.guess(here.node), self.rule.pattern(row)
        here.trail.append({"guess": guess, "marks": row, "left": len(here.left)})
        here.left = self.classes(here).get(row, [])
        left = self.game.left_after(self.game.turns + 1 - here.turn, pattern)
        if not here.left:
            here.end, here.node = "none", None
        elif pattern == self.rule.solved(self.tree.length):
            here.end, here.node = "found", None
        else:
            here.turn = self.game.turns + 1 - left
            here.node = self.tree.child(here.node, pattern) if left else None
            self._look(here)

    def _look(self, here: Branch) -> None:
        """See whether a path ends at a branch of which words are left."""
        if here.node is None:
            here.end = "lost" if here.left else "none"
        elif here.left == [self.guess(here.node)]:
            here.end = "word"

    def classes(self, here: Branch) -> Classes:
        """Return the classes of the words of a branch by its guess, by their marks."""
        assert here.node is not None
        guess = self.guess(here.node)
        return self._parted.made(here.node, lambda: classes_of(self.rule, guess, here.left))

    def outlook(self, here: Branch) -> GuessStats:
        """Return the outlook of following the tree in a branch."""
        turns, guess, total = [0] * self.tree.turns, "", len(here.left)
        if here.node is not None:
            turns, guess = turns_below(self.tree, here.node, here.turn), self.guess(here.node)
        elif here.end == "found":
            turns[here.turn - 1] = total
        return GuessStats(guess, turns, total, classes=0, largest=0, target=guess in here.left)

    def rows(self, here: Branch, shown: str, start: int, count: int) -> tuple[int, list[dict[str, Any]]]:
        """Return the number of replies with the marks `shown`, and some of them, the most words first."""
        if len(shown) not in (0, self.tree.length):
            raise RequestError(f"{len(shown)} marks of replies, expected {self.tree.length}")
        classes, any_ = self.classes(here), shown or ANY * self.tree.length
        fit = [row for row in classes if all(map(lambda mark, own: mark in (ANY, own), any_, row))]
        order = sorted(fit, key=lambda row: (-len(classes[row]), -self.rule.pattern(row)))
        some = order[start : start + count]
        return len(order), [self._row(Branch(here.node, here.left, here.turn), row) for row in some]

    def steps(self, here: Branch, word: str) -> list[dict[str, Any]]:
        """Return the replies of a word from a branch on, to the end of its path."""
        word = joined(word)
        if word not in here.left:
            raise RequestError(
                f"{word[:40]!r} is not among the {counted(len(here.left), 'possible answer')} here", 422
            )
        here, rows = Branch(here.node, here.left, here.turn), list[dict[str, Any]]()
        while here.node is not None and (not here.end or not rows):
            rows.append(self._row(here, self.rule.feedback(self.guess(here.node), word)))
        return rows

    def asks(self, word: str) -> str:
        """Return a sentence on the letters that the tree asks of a word."""
        steps = self.steps(self.branch("", []), word)
        letters = " ".join(capitals(step["guess"]) for step in steps)
        who = "A perfect guesser" if self.optimal else "The best strategy known"
        return f"{who} would have asked {letters}: {sum('O' not in step['marks'] for step in steps)} missed."

    def _row(self, here: Branch, row: str) -> dict[str, Any]:
        assert here.node is not None
        own: dict[str, Any] = {"guess": self.guess(here.node), "marks": row}
        self._go(here, row)
        below = self.outlook(here)
        own |= {"left": len(here.left), "next": below.guess, "end": here.end, "turns": below.turns}
        return own | {"expected": below.expected(self.game), "lost": below.total - sum(below.turns)}

    def sentence(self, here: Branch) -> str:
        """Return a sentence on what a branch comes to, or on why its path ends."""
        if here.end:
            left, (last, *_) = here.left, [*here.trail[-1:], {"marks": "", "guess": ""}]
            kind = "branch misses" if self.game.counts_misses else "branch turn"
            row = last["marks"] if self.game.guesses_letters else lettered(last["marks"])
            return filled(
                f"branch {here.end}", marks=row, guess=capitals(last["guess"]),
                word=capitals("".join(left[:1])),
                words="this word is" if len(left) == 1 else f"these {len(left):,} words are",
                found=filled(kind, turn=here.turn, misses=counted(here.turn - 1, "miss")),
            )  # fmt: skip
        value, digits = self.outlook(here).expected(self.game), 1 if self.game.shown == "words" else 2
        return filled(f"average {self.game.shown}", value=f"{value:.{digits}f}") + self.limit(not here.trail)

    def limit(self, start: bool) -> str:
        """Return the end of a sentence on an average: whether more is possible, as far as that is known."""
        if self.optimal:
            return filled("limit reached")
        bound, values = self.tree.bound_value, of_tree(self.tree, 2)
        if bound is None or not start or self.game.given:
            return filled("limit unknown")
        side = "most" if values.unit.sign > 0 else "least"
        return filled("limit", side=side, bound=values.limit(bound).removesuffix(" won"))

    def told(
        self, here: Branch, *, start: int, count: int, words: int, shown: str = "", word: str = ""
    ) -> dict[str, Any]:
        """Return a branch as the answer to a request; with a `word` its steps replace the rows of replies."""
        number, rows = 0, list[dict[str, Any]]()
        if word:
            rows = self.steps(here, word)
        elif not here.end:
            number, rows = self.rows(here, shown, start, count)
        own = self.outlook(here)
        return {
            "trail": here.trail, "end": here.end, "left": len(here.left), "turn": here.turn,
            "words": here.left[:words], "guess": own.guess or None, "say": self.sentence(here),
            "expected": own.expected(self.game) if here.left else None, "turns": own.turns,
            "lost": own.total - sum(own.turns), "class_count": number, "classes": rows,
        }  # fmt: skip

"""A tree to be walked: the branch at the end of a path of marks, from the root on.

Words are split by the reference rule of the game, one guess after the other; the tree gives the guesses and
their outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpulingo.advice.outlook import NAMES, GuessStats, turns_below
from gpulingo.games.catalogue import feedback_of
from gpulingo.hosts.host import classes_of
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree
from gpulingo.web.cache import LruCache
from gpulingo.web.requests import RequestError
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.hosts.host import Classes

MOST_PARTED = 48  # nodes whose classes are remembered
FEW = 6  # words of a class that are told with it


class Branch:
    """Position of a tree after a path of marks.

    Attributes:
        node: of the tree; None where no guess follows.
        left: the words that are still possible.
        turn: of the next guess; where misses cost, one more than the misses before it.
        trail: of each guess before: the guess, its marks, the words left before it.
        end: why the path ends here: `found`, `lost`, `none`, `word` (one is left), or empty.
    """

    def __init__(self, node: int | None, left: list[str], turn: int, trail: list[dict[str, Any]]) -> None:
        self.node, self.left, self.turn, self.trail = node, left, turn, trail
        self.end = ""


class Walk:
    """A tree and its words.

    Args:
        tree: one that was checked against the words.
    """

    def __init__(self, tree: Tree, words: WordList) -> None:
        self.tree, self.words, self.game = tree, words, tree.game
        self.rule = feedback_of(tree.game)
        self.names = guess_names(tree.game, words.words)
        self._parted: LruCache[int, Classes] = LruCache(MOST_PARTED)

    def branch(self, letter: str, path: Sequence[str]) -> Branch:
        """Return the branch that a path leads to.

        Args:
            letter: that is given, in games that give one.
            path: marks of each guess from the root on.
        Raises:
            RequestError: it continues after an end, or these are no marks.
        """
        here = Branch(self._root(letter), [w for w in self.words.targets if w.startswith(letter)], 1, [])
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
        """Return the node that a round begins with."""
        if bool(letter) != bool(self.game.given):
            seen = "needs the letter that is given" if self.game.given else "gives no letter"
            raise RequestError(f"{self.game.code} {seen}")
        node = self.tree.root(letter)
        if node is None:
            raise RequestError(f"no target begins with {letter[:40]!r}: use the first letter of one")
        return node

    def guess(self, node: int) -> str:
        """Return the guess of a node."""
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

    def rows(self, here: Branch, start: int, count: int) -> list[dict[str, Any]]:
        """Classes of a branch, the largest first: marks, words, what is guessed next and what is expected."""
        assert here.node is not None
        classes = self.classes(here)
        order = sorted(classes, key=lambda row: (-len(classes[row]), -self.rule.pattern(row)))
        rows = []
        for row in order[start : start + count]:
            below = Branch(here.node, here.left, here.turn, [])
            self._go(below, row)
            guess = None if below.node is None else self.guess(below.node)
            own = {"marks": row, "left": len(below.left), "words": below.left[:FEW], "guess": guess}
            rows.append(own | {"end": below.end, "expected": self.outlook(below).expected(self.game)})
        return rows

    def told(self, here: Branch, *, start: int, count: int, words: int) -> dict[str, Any]:
        """Return a branch as the answer to a request.

        Args:
            start, count: of the classes.
            words: the most of the words left to return.
        """
        entry: dict[str, Any] = {"trail": here.trail, "end": here.end, "left": len(here.left)}
        entry |= {"turn": here.turn, "measure": NAMES[self.game.shown], "words": here.left[:words]}
        entry |= {"guess": None, "expected": None, "turns": [], "lost": 0, "classes": [], "class_count": 0}
        if here.end == "none":
            return entry
        own = self.outlook(here)
        entry |= {"expected": own.expected(self.game), "turns": own.turns, "lost": own.total - sum(own.turns)}
        if here.node is not None:
            entry["guess"] = self.guess(here.node)
        if not here.end:
            entry |= {"class_count": len(self.classes(here)), "classes": self.rows(here, start, count)}
        return entry

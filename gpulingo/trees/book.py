"""Books: exact strategies after several first guesses of one list, in one file, and the best second guesses.

A book is a container of arrays as a checkpoint is, and is found in the same folders. Each opening is packed
by itself, so that one is read without the others. It has indices, not words:

    header   format, game, turns, length, words, targets, fingerprint
    opening  [K] the first guesses, the best first
    found    [K x turns] targets found on turn 1, 2, .. after each
    ends     [K] where the bytes of each opening end in `data`
    data     the openings: a container each, of M nodes and the C second sets, which are the root's children
      guess, pattern, hit  [M] as in `Tree`; the root's pattern is 0
      children             [M] numbers of children
      best                 [C x 5] the best guesses of each second set, the best first; then `words`
      found                [C x 5 x (turns - 1)] targets of the set found on turn 2, 3, .. after each

Numbers are stored in the fewest of 1, 2 or 4 bytes that hold the greatest possible one.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Any, ClassVar

from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.games.game import Game
from gpulingo.storage.faults import MAKE_BOOK_AGAIN, refuse
from gpulingo.storage.npz import integers, npy, pack, unpack
from gpulingo.trees.checkpoint import HEADER, checked_header, header_bytes, read_stored, write_stored
from gpulingo.trees.tree import Tree, check_nodes, turns_below
from gpulingo.words.wordlist import WordList

BEST = 5  # second guesses stored for each set
MEMBERS = ("header", "opening", "found", "ends", "data")
FIELDS = ("length", "words", "targets", "fingerprint")
NAMES = ("format", "game", "turns", *FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OpeningTree(Tree):
    """The best tree after a first guess; its bound is for strategies that begin with that guess.

    Attributes:
        best: [C x BEST] index of the best guesses of each child of the root, the best first; then `words`.
        found: [C x BEST x (turns - 1)] targets of the child's set found on turn 2, 3, .. after each.
    """

    best: Sequence[int]
    found: Sequence[int]

    @property
    def opening(self) -> int:
        """Index of the first guess."""
        return int(self.guess[0])

    def second_guesses(self, node: int) -> list[tuple[int, list[int]]]:
        """Return the best guesses of a child of the root, and the targets found on turn 1, 2, .. after each;
        [] for other nodes.
        """
        if not 1 <= node < self.first[1]:
            return []
        turns, places = self.turns - 1, range((node - 1) * BEST, node * BEST)
        return [
            (self.best[place], [0, *self.found[place * turns : (place + 1) * turns]])
            for place in places
            if self.best[place] < self.words
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """Openings of one list and game, each with its tree.

    Attributes:
        game, length, words, targets, fingerprint: as in `Tree`.
        openings: index of each first guess -> targets found on turn 1, 2, .. after it; the best first.
        data: index of each first guess -> the bytes of its opening.
    """

    game: Game
    length: int
    words: int
    targets: int
    fingerprint: str
    openings: dict[int, list[int]]
    data: dict[int, bytes]
    weights: ClassVar[None] = None  # each target counts once

    def tree(self, opening: int, *, thorough: bool = True, second: bool = True) -> OpeningTree:
        """Return the tree of a first guess.

        Args:
            thorough: check every node, as in `read_checkpoint`. second: check the second guesses.
        Raises:
            ValueError: the opening is damaged.
        """
        tree, said = self._parsed(opening), self.openings[opening]
        if (counts := tree.turn_counts()) != said:
            raise ValueError(f"finds {counts} after an opening, its index {said}")
        if thorough:
            check_nodes(tree)
        if thorough or second:
            check_best(tree)
        return tree

    def trees(self, among: Collection[int] | None = None, *, thorough: bool = True) -> list[OpeningTree]:
        """Return the trees, the best first: of some first guesses and the best one; or of all, whose second
        guesses are checked only if `thorough`.
        """
        if among is None:
            return [self.tree(opening, thorough=thorough, second=False) for opening in self.openings]
        named = {*among, *islice(self.openings, 1)}
        return [self.tree(opening, thorough=thorough) for opening in self.openings if opening in named]

    def with_trees(self, trees: Iterable[OpeningTree]) -> Book:
        """Return the book with more openings, in order; of two trees of one opening the later stays."""
        openings, data = dict(self.openings), dict(self.data)
        for tree in trees:
            openings[tree.opening], data[tree.opening] = tree.turn_counts(), self._packed(tree)
        mean = {opening: self.game.mean_points(counts, self.targets) for opening, counts in openings.items()}
        order = sorted(openings, key=lambda opening: (-mean[opening], opening))
        return replace(self, openings={opening: openings[opening] for opening in order}, data=data)

    def _kinds(self) -> dict[str, str]:
        """Return the type of each array of an opening."""
        codes = feedback_of(self.game).solved(self.length)
        caps = {"guess": self.words, "pattern": codes, "hit": 1, "children": min(codes, self.words)}
        caps |= {"best": self.words, "found": self.targets}
        widths = {"u1": 8, "u2": 16, "i4": 31, "i8": 63}  # the fewest bytes are taken
        return {
            name: next(kind for kind in widths if most < 1 << widths[kind]) for name, most in caps.items()
        }

    def _packed(self, tree: OpeningTree) -> bytes:
        children = [end - start for start, end in zip(tree.first, tree.first[1:], strict=False)]
        rows: dict[str, Sequence[int]] = {
            "guess": tree.guess, "pattern": [0, *tree.pattern[1:]], "hit": tree.hit, "children": children,
            "best": tree.best, "found": tree.found,
        }  # fmt: skip
        return pack([(name, npy(rows[name], kind)) for name, kind in self._kinds().items()])

    def _parsed(self, opening: int) -> OpeningTree:
        kinds = self._kinds()
        members = unpack(self.data[opening], tuple(kinds))
        rows: dict[str, Any] = {name: integers(members[name], kind) for name, kind in kinds.items()}
        first = array("i", accumulate(rows.pop("children"), initial=1))
        pattern = array("i" if kinds["pattern"] != "i8" else "q", rows["pattern"])
        if not pattern or {len(rows["guess"]), len(rows["hit"]), len(first) - 1} != {len(pattern)}:
            raise ValueError("has arrays of different numbers of nodes")
        if rows["guess"][0] != opening or self.game.given:
            raise ValueError("has an opening that is not the root of its tree")
        pattern[0] = -1
        sets = BEST * (first[1] - 1)
        if (len(rows["best"]), len(rows["found"])) != (sets, sets * (self.game.turns - 1)):
            raise ValueError("has second guesses of another number of sets")
        fields = {name: getattr(self, name) for name in FIELDS}
        mean = self.game.mean_points(self.openings[opening], self.targets)
        fields |= {"game": self.game, "strategy": "solve", "mean_points": mean, "bound": mean}
        return OpeningTree(**rows | {"pattern": pattern, "first": first}, **fields)


def check_best(tree: OpeningTree) -> None:
    """Check the second guesses of every set: the first is the tree's, none is better, all find its words."""
    for node in range(tree.first[0], tree.first[1]):
        of_tree, rows = turns_below(tree, node, 2), tree.second_guesses(node)
        # Words beyond those that the first guess loses are lost.
        values = [tree.game.credits_of(counts, sum(of_tree)) for _, counts in rows]
        if not rows or rows[0] != (tree.guess[node], of_tree):
            raise ValueError(f"has other second guesses than its tree at node {node}")
        if values != sorted(values, reverse=True) or len({guess for guess, _ in rows}) < len(rows):
            raise ValueError(f"has second guesses out of order at node {node}")


def new_book(words: WordList, game: Game) -> Book:
    """Return the book of a list and a game without openings."""
    return Book(game, words.length, len(words), words.target_count, words.fingerprint, {}, {})


def book_bytes(book: Book) -> bytes:
    """Return the file of a book; the inverse of `parsed_book`."""
    data = [book.data[opening] for opening in book.openings]
    rows: dict[str, tuple[Iterable[int], str]] = {
        "opening": (book.openings, "i4"),
        "found": ([count for counts in book.openings.values() for count in counts], "i4"),
        "ends": (accumulate(map(len, data)), "i4"),
        "data": (b"".join(data), "u1"),
    }
    arrays = [(name, npy(values, kind)) for name, (values, kind) in rows.items()]
    return pack([("header", header_bytes(book, FIELDS)), *arrays])


def parsed_book(data: bytes) -> Book:
    """Return the book of a file's bytes; its openings are unpacked when their trees are asked for."""
    members = unpack(data, MEMBERS)
    header = checked_header(members["header"], {name: HEADER[name] for name in NAMES})
    opening, counts, ends = (list(integers(members[name], "i4")) for name in ("opening", "found", "ends"))
    game, packed = find_game(header["game"], header["turns"]), integers(members["data"], "u1")
    starts = [0, *ends][: len(ends)]
    whole = 0 < len(opening) == len(set(opening)) == len(ends) and len(counts) == len(ends) * game.turns
    if not whole or [0, *ends] != sorted({0, *ends}) or [0, *ends][-1] != len(packed):
        raise ValueError("has an index that does not fit its openings")
    rows = {guess: counts[place * game.turns :][: game.turns] for place, guess in enumerate(opening)}
    least, most, words = min(opening), max(opening), max(map(sum, rows.values()))
    refuse({
        f"has openings {least} to {most}, its list {header['words']} words":
            least < 0 or most >= header["words"],
        f"finds more words than its {header['targets']} targets, or fewer than none":
            min(counts) < 0 or words > header["targets"],
    }, ValueError)  # fmt: skip
    parts = {guess: bytes(packed[start:end]) for guess, start, end in zip(opening, starts, ends, strict=True)}
    fields = {name: header[name] for name in FIELDS}
    return Book(game=game, openings=rows, data=parts, **fields)


def write_book(book: Book, path: str | os.PathLike[str]) -> None:
    """Write a book as `write_checkpoint` writes a tree: the same book gives the same bytes."""
    write_stored(path, book_bytes(book))


def read_book(path: str | os.PathLike[str]) -> Book:
    """Read a book; its openings are unpacked when their trees are asked for.

    Raises:
        CheckpointError: no such file, or bytes, types, shapes or an index that `write_book` does not write.
    """
    return read_stored(path, parsed_book, MAKE_BOOK_AGAIN)


def read_trees(
    path: str | os.PathLike[str], opening: int | None = None, *, among: Collection[int] | None = None,
    thorough: bool = True,
) -> list[OpeningTree]:  # fmt: skip
    """Return the trees of the book at a path, the best first, or that of an opening, if it has one.

    Args:
        among: first guesses of which trees are wanted, beside the best one; None: all.
        thorough: see `Book.tree`.
    Raises:
        CheckpointError: as in `read_book`, or one of these trees is damaged.
    """

    def parse(data: bytes) -> list[OpeningTree]:
        book = parsed_book(data)
        if opening is None:
            return book.trees(among, thorough=thorough)
        return [book.tree(opening, thorough=thorough)] if opening in book.openings else []

    return read_stored(path, parse, MAKE_BOOK_AGAIN)

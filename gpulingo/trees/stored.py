"""Strategies stored for a list: the files named for it, and the choice among them.

Every caller that needs a stored strategy uses `stored_trees`; files with other names are not found.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from stat import S_ISREG
from typing import Any, TypeVar

from gpulingo.games.game import Game
from gpulingo.storage.faults import BESIDE, NONE_STORED, REPLACE, REPLACE_BOOK, Fault
from gpulingo.storage.files import BOOK, CHECKPOINT, FOLDERS, file_name, locked
from gpulingo.trees.book import Book, OpeningTree, new_book, read_book, read_trees, write_book
from gpulingo.trees.checkpoint import CheckpointError, Words, check_fits, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

T = TypeVar("T", bound=Tree | Book)


def stored_paths(
    words: Words, game: Game, folders: Iterable[str] = FOLDERS, ending: str = CHECKPOINT
) -> list[str]:
    """Return the files that are named for a game and a list, each once, in the order of the folders."""
    name = file_name(game.code, words.length, words.fingerprint, ending)
    paths: dict[tuple[int, int], str] = {}  # by device and number: two folders may be one
    for folder in folders:
        path = os.path.normpath(os.path.join(folder, name))
        try:
            status = os.stat(path)
        except OSError:
            continue
        if S_ISREG(status.st_mode):
            paths.setdefault((status.st_dev, status.st_ino), path)
    return list(paths.values())


def tree_at(path: str | os.PathLike[str], thorough: bool = False) -> Tree | None:
    """Return the tree of the checkpoint at a path, if it is sound."""
    try:
        return read_checkpoint(path, thorough=thorough)
    except CheckpointError:
        return None


def stored_trees(
    words: Words,
    game: Game,
    folders: Iterable[str] = FOLDERS,
    *,
    thorough: bool = True,
    opening: int | None = None,
) -> tuple[dict[str, Tree], list[Fault]]:
    """Return the sound checkpoints stored for a game and a list, and the faults of others.

    Args:
        thorough: see `read_checkpoint`.
        opening: index of the first guess of a round: if a book has the best tree after it, that is
            returned.
    Returns:
        Path -> tree, the best first: by mean points, then by the lower bound, then by the order of the
            folders; and a fault for each file that is damaged or not of the list or game of its name. The
            fault names the file and says how to replace it.
    """
    trees, faults = dict[str, Tree](), list[Fault]()
    sound = partial(_sound, words, game, folders, faults)
    if opening is not None:
        books = sound(lambda path: read_trees(path, opening, thorough=thorough), BOOK)
        trees |= {path: tree for path, (tree,) in books}
    if not trees:
        files = sound(lambda path: [read_checkpoint(path, thorough=thorough)], CHECKPOINT)
        trees |= {path: tree for path, (tree,) in files}
    return dict(sorted(trees.items(), key=lambda entry: rank_of(entry[1]))), faults


def stored_openings(
    words: Words, game: Game, folders: Iterable[str] = FOLDERS, *, among: Collection[int] | None = None,
    thorough: bool = True,
) -> tuple[dict[int, tuple[str, OpeningTree]], list[Fault]]:  # fmt: skip
    """Return the trees of all sound books stored for a game and a list, and the faults of others.

    Args:
        among, thorough: see `read_trees`.
    Returns:
        Index of each first guess -> path and tree of the first book that has it, the best first; faults as in
            `stored_trees`.
    """
    faults, trees = list[Fault](), dict[int, tuple[str, OpeningTree]]()
    read = partial(read_trees, among=among, thorough=thorough)
    for path, in_file in _sound(words, game, folders, faults, read):
        for tree in in_file:
            trees.setdefault(tree.opening, (path, tree))
    return dict(sorted(trees.items(), key=lambda entry: (-entry[1][1].mean_points, entry[0]))), faults


def stored_counts(
    words: Words, game: Game, folders: Iterable[str] = FOLDERS
) -> tuple[dict[int, tuple[str, list[int]]], list[Fault]]:
    """As `stored_openings`, by the indexes of the books: path, and targets found on turn 1, 2, .."""
    faults, counts = list[Fault](), dict[int, tuple[str, list[int]]]()
    for path, (book,) in _sound(words, game, folders, faults, lambda file: [read_book(file)]):
        for opening, by_turn in book.openings.items():
            counts.setdefault(opening, (path, by_turn))
    return counts, faults


def stored_starts(
    words: Words, game: Game, *, among: Collection[int] | None = None, thorough: bool = True
) -> tuple[list[tuple[str, Tree]], list[Fault]]:
    """Return path and tree of openings of books, see `read_trees`, and of the best checkpoint, best first, on
    ties those of books; and the faults of others, see `stored_trees`.
    """
    openings, damaged = stored_openings(words, game, among=among, thorough=thorough)
    trees, faults = stored_trees(words, game, thorough=thorough)
    starts = [*openings.values(), *[*trees.items()][:1]]
    return sorted(starts, key=lambda start: rank_of(start[1])), [*faults, *damaged]


def write_opening(tree: OpeningTree, words: WordList, game: Game, folder: str) -> None:
    """Write a tree into the book of a folder, beside those that other searches wrote."""
    path = os.path.join(folder, file_name(game.code, words.length, words.fingerprint, BOOK))
    with locked(path):
        stored, _ = stored_openings(words, game, [folder])
        trees = [*(old for _, old in stored.values()), tree]
        write_book(new_book(words, game).with_trees(trees), path)


def _sound(
    words: Words, game: Game, folders: Iterable[str], faults: list[Fault],
    read: Callable[[str], list[T]], ending: str = BOOK,
) -> Iterator[tuple[str, list[T]]]:  # fmt: skip
    """Yield the paths and trees of `read` that are for the list and the game; add the faults of others."""
    replace = REPLACE_BOOK if ending == BOOK else REPLACE
    for path in stored_paths(words, game, folders, ending):
        place: Any = {"game": game, "length": words.length, "folder": os.path.dirname(path) or "."}
        named = ""  # errors of reading name the file themselves
        try:
            trees = read(path)
            named = f"{path}: "
            for tree in trees[:1]:
                check_fits(tree, words)
        except CheckpointError as error:
            faults.append(Fault(f"{named}{error.seen}", replace if error.remedy else "", **place))
            continue
        if trees and trees[0].game != game:
            what = f"checkpoint {path} is for {trees[0].game.code}, not {game.code}"
            faults.append(Fault(what, replace, **place))
        elif trees:
            yield path, trees


def none_stored(words: WordList, game: Game, faults: Iterable[Fault] = (), instead: str = "another") -> Fault:
    source = words.source + (f" with the targets of {words.targets_source}" if words.targets_source else "")
    what = f"the words of {words.length} letters in {source}"
    reason: Fault | str = f"no tree is stored for {what} and {game.name} of {game.turns} turns"
    for fault in faults:
        reason = Fault(reason, BESIDE, fault=fault)
    return Fault(reason, NONE_STORED, instead=instead)


def rank_of(tree: Tree) -> tuple[float, float]:
    """Return a sort key: of two trees of a list the better one has the smaller key."""
    return -tree.mean_points, float("inf") if tree.bound is None else tree.bound

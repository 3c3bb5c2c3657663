"""Choice among the checkpoints stored for a game and a list: most mean points, in whatever folder.

Every caller that needs a stored tree asks here. Files under other names are not searched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from stat import S_ISREG

from gpulingo.games.game import Game
from gpulingo.storage.files import CHECKPOINT, FOLDERS, file_name
from gpulingo.trees.checkpoint import CheckpointError, Words, check_fits, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

BEST = "best"  # what the tree that is used is called among strategies


def kept_paths(
    words: Words, game: Game, folders: Iterable[str] = FOLDERS, ending: str = CHECKPOINT
) -> list[str]:
    """Return the files in the folders that are named for a game and a list, each once, folder by folder.

    Args:
        ending: see `file_name`.
    """
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


def kept_trees(
    words: Words, game: Game, folders: Iterable[str] = FOLDERS, *, thorough: bool = True
) -> tuple[dict[str, Tree], list[str]]:
    """Return the whole checkpoints stored for a game and a list, and what is wrong with others.

    Args:
        thorough: see `read_checkpoint`.
    Returns:
        Path -> tree, the best first: by mean points, then by the lower bound, then by the order of the
            folders; and a line for each that is damaged or of another list or game than its name says. The
            line names it and says how to replace it.
    """
    trees: dict[str, Tree] = {}
    faults = []
    for path in kept_paths(words, game, folders):
        folder = os.path.dirname(path) or "."
        remedy = f"replace it with `gpulingo simulate --length {words.length} --save {folder}`"
        try:
            tree = read_checkpoint(path, thorough=thorough, remedy=remedy)
        except CheckpointError as error:
            faults.append(str(error))
            continue
        try:
            check_fits(tree, words)
        except CheckpointError as error:
            faults.append(f"{path}: {error}")
            continue
        if tree.game == game:
            trees[path] = tree
        else:
            faults.append(f"checkpoint {path} is for {tree.game.code}, not {game.code}; {remedy}")
    return dict(sorted(trees.items(), key=lambda entry: rank_of(entry[1]))), faults


def none_kept(words: WordList, game: Game, faults: Iterable[str] = (), instead: str = "another") -> str:
    """Return the message that no tree is stored for a list and a game.

    Args:
        faults: what is wrong with those that cannot be used.
        instead: what else may be named.
    """
    source = words.source + (f" with the targets of {words.targets_source}" if words.targets_source else "")
    what = f"the words of {words.length} letters in {source}"
    passed_over = "".join(f" ({fault})" for fault in faults)
    remedy = f"make one with `gpulingo solve`, or name {instead}"
    return f"no tree is stored for {what} and {game.name} of {game.turns} turns{passed_over}: {remedy}"


def rank_of(tree: Tree) -> tuple[float, float]:
    """Return a sort key: the better of two trees of a list has the smaller one."""
    return -tree.mean_points, float("inf") if tree.bound is None else tree.bound

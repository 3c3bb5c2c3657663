"""Which of the checkpoints that are kept for a list is used: that of most mean points, wherever it stands.

All who look for one ask here. What stands under a name of the user's own is not looked for.
"""

from __future__ import annotations

import os
from stat import S_ISREG

from gpulingo.games.catalogue import LINGO
from gpulingo.trees.checkpoint import FOLDERS, CheckpointError, check_fits, file_name, read_checkpoint

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpulingo.trees.checkpoint import Words
    from gpulingo.trees.tree import Tree

BEST = "best"  # what the tree that is used is called among strategies


def kept_paths(words: Words, folders: Iterable[str] = FOLDERS, ending: str = ".npz") -> list[str]:
    """The files that folders hold under the name of a list, each once, in the order of the folders.

    Args:
        ending: of their names: `.npz` of checkpoints, `.bounds.npz` of certificates.
    """
    name = file_name(LINGO, words.length, words.fingerprint).removesuffix(".npz") + ending
    found: dict[tuple[int, int], str] = {}  # by device and number: two folders may be one
    for folder in folders:
        path = os.path.normpath(os.path.join(folder, name))
        try:
            status = os.stat(path)
        except OSError:
            continue
        if S_ISREG(status.st_mode):
            found.setdefault((status.st_dev, status.st_ino), path)
    return list(found.values())


def kept_trees(
    words: Words, folders: Iterable[str] = FOLDERS, *, thorough: bool = True
) -> tuple[dict[str, Tree], list[str]]:
    """The whole checkpoints that are kept for a list, of any number of turns, and what is wrong with others.

    Args:
        thorough: as for `read_checkpoint`.
    Returns:
        Path -> tree, the best first: by mean points, then by the lower bound, then by the order of the
        folders; and a line for each that is damaged or of another list, which names it and says how to
        replace it.
    """
    trees: dict[str, Tree] = {}
    faults = []
    for path in kept_paths(words, folders):
        folder = os.path.dirname(path) or "."
        remedy = f"replace it with `gpulingo build --length {words.length} --folder {folder}`"
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
        trees[path] = tree
    return dict(sorted(trees.items(), key=lambda entry: rank_of(entry[1]))), faults


def rank_of(tree: Tree) -> tuple[float, float]:
    """Of two trees of a list that of the smaller rank is used."""
    return -tree.mean_points, float("inf") if tree.bound is None else tree.bound


def path_of_best(trees: dict[str, Tree], turns: int) -> str | None:
    """Of trees, the best first, the path of the one that is used for rounds of so many turns."""
    for path, tree in trees.items():
        if tree.turns == turns:
            return path
    return None

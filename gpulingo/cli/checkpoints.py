"""A checkpoint that the user names, together with its list."""

from __future__ import annotations

from pathlib import Path

from gpulingo.cli.guard import WrongUsage
from gpulingo.cli.sources import found_sources
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.lists import WordList


def opened(path: Path, wordlist: Path | None) -> tuple[Tree, WordList]:
    """The tree of a checkpoint and the words it is for.

    Raises:
        WrongUsage: there is no such file, or no list at `wordlist`. CheckpointError: it is damaged or for
            another list. WordListError: the list cannot be used.
    """
    if not path.is_file():
        raise WrongUsage(f"no checkpoint at {path}: name a file that `gpulingo build` wrote")
    tree = read_checkpoint(path)
    words = found_sources([tree.length], wordlist)[0].wordlist
    try:
        check_fits(tree, words)
    except CheckpointError as error:
        raise CheckpointError(f"{error}, or name its list with --wordlist (read: {words.source})") from None
    return tree, words

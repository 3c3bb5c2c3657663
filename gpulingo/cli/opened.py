"""A checkpoint that the user names, by its file or by the length of its words, together with its list."""

from __future__ import annotations

from pathlib import Path

from gpulingo.cli.checkpoints import kept_tree
from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.cli.lists import found_sources
from gpulingo.cli.parse import parsed_lengths
from gpulingo.games.catalogue import lingo
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList


def is_length(checkpoint: str) -> bool:
    """Whether a checkpoint is named by the length of its words: a file of such a name is named as ./5."""
    return checkpoint.isascii() and checkpoint.isdigit()


def opened(checkpoint: str, wordlist: Path | None) -> tuple[Path, Tree, WordList]:
    """A checkpoint, its tree and the words it is for.

    Args:
        checkpoint: its file, or a length: the best that is kept for the words of that length.
        wordlist: its list, unless that is where all commands look.
    Raises:
        WrongUsage: there is no such file, none is kept, or there is no list at `wordlist`.
        CheckpointError: it is damaged or for another list. WordListError: the list cannot be used.
    """
    if is_length(checkpoint):
        return _kept(checkpoint, wordlist)
    path = Path(checkpoint)
    if not path.is_file():
        raise WrongUsage(f"no checkpoint at {path}: name a file that `gpulingo build` wrote")
    tree = read_checkpoint(path)
    words = found_sources([tree.length], wordlist)[0].wordlist
    try:
        check_fits(tree, words)
    except CheckpointError as error:
        raise CheckpointError(f"{error}, or name its list with --wordlist (read: {words.source})") from None
    return path, tree, words


def _kept(length: str, wordlist: Path | None) -> tuple[Path, Tree, WordList]:
    """The best that is kept for the words of a length.

    Raises:
        WrongUsage: it is no length, or none is kept.
    """
    with wrong_usage("checkpoint"):
        numbers = parsed_lengths(length)
    words = found_sources(numbers, wordlist)[0].wordlist
    found = kept_tree(words, lingo().turns)
    if found is None:
        what = f"the words of {words.length} letters in {words.source}"
        raise WrongUsage(f"no checkpoint is kept for {what}: make one with `gpulingo solve`, or name a file")
    return Path(found[0]), found[1], words

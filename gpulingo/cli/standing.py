"""What stands where `solve` writes: trees, certificates and work files that another search has made."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from gpulingo.cli.guard import WrongUsage, tell
from gpulingo.trees.checkpoint import CheckpointError, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.lists import WordList


def standing_tree(path: Path) -> Tree | None:
    """The tree of the checkpoint that stands there, if there is a whole one."""
    try:
        return read_checkpoint(path, thorough=False)
    except CheckpointError:
        return None


def check_turns(path: Path, turns: int, change: str) -> None:
    """Refuse to replace a checkpoint of rounds of another length: its name would be the same.

    Args:
        change: what to do instead.
    Raises:
        WrongUsage: there is one.
    """
    before = standing_tree(path)
    if before is not None and before.turns != turns:
        raise WrongUsage(f"{path} is for {before.turns} turns, not {turns}: {change}")


def better_tree(path: Path, tree: Tree) -> Tree:
    """The tree that stands there, if it is for the same list and has more points, else this one."""
    before = standing_tree(path)
    same = before is not None and (before.fingerprint, before.turns) == (tree.fingerprint, tree.turns)
    if before is None or not same or before.mean_points <= tree.mean_points:
        return tree
    tell(f"{path} has {before.mean_points:.5f} mean points, more than was found: its tree stays")
    return before


def lower_bound(path: Path, words: WordList, tree: Tree, bound: float) -> float | None:
    """The bound of the certificate that stands there, in mean points, if it is lower than this one.

    Args:
        tree: that was found; where it has more points than that bound, the certificate is wrong.
    """
    from gpulingo.search.certificate import CertificateError, read_certificate

    try:
        held = read_certificate(path, words)
    except CertificateError:
        return None
    before = 100 * held.bound / len(words)
    if held.turns != tree.turns or not tree.mean_points <= before < bound:
        return None
    tell(f"{path} has bound {before:.5f}, this search came to {bound:.5f}: the certificate stays")
    return before


def put_aside(work: Path) -> None:
    """Keep the work file of an earlier search under a name that is free."""
    if work.exists():
        names = (work.with_name(work.name.replace(".work.npz", f".old{n}.work.npz")) for n in count(1))
        aside = next(name for name in names if not name.exists())
        work.replace(aside)
        tell(f"{work} of an earlier search is now {aside}: --resume would have gone on with it")

"""What stands in the folders: trees, bounds, work files and tuned values that another command has made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import destinations
from gpulingo.cli.guard import WrongUsage, tell
from gpulingo.trees.checkpoint import CheckpointError, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.lists import WordList

if TYPE_CHECKING:
    from gpulingo.strategies.objectives import ObjectiveOf


def standing_tree(path: Path) -> Tree | None:
    """The tree of the checkpoint that stands there, if there is a whole one."""
    try:
        return read_checkpoint(path, thorough=False)
    except CheckpointError:
        return None


def ranking_order(words: WordList, turns: int) -> ObjectiveOf:
    """What a search ranks guesses by: the tuned values of the list, where there are any of such rounds."""
    from gpulingo.strategies.objectives import points
    from gpulingo.strategies.tuned import TunedError, tuned_objective

    try:
        return tuned_objective(words, turns) or points
    except TunedError as error:
        tell(f"{error}; ranking by points until then")
        return points


def keep_solved(path: Path, change: str, tree: Tree | None = None) -> None:
    """Refuse to replace a tree with a bound, which `solve` found, by any but the same.

    Args:
        change: what to do instead.
        tree: that would be written; None: another.
    Raises:
        WrongUsage: there is one.
    """
    before = standing_tree(path)
    if before is not None and before.bound is not None and before != tree:
        had = f"the {before.strategy} of {before.mean_points:.3f} mean points, bound {before.bound:.3f}"
        raise WrongUsage(f"{path} is {had}, and would be lost: {change}")


def check_list(path: Path, words: WordList, change: str) -> None:
    """Refuse to replace a checkpoint of another list.

    Raises:
        WrongUsage: there is one.
    """
    before = standing_tree(path)
    if before is not None and before.fingerprint != words.fingerprint:
        theirs, ours = before.fingerprint[:12], words.fingerprint[:12]
        raise WrongUsage(f"{path} is for list {theirs}, this list is {ours}: {change}")


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


def put_aside(work: Path, path: Path) -> None:
    """Keep the work file of an earlier search under a name that is free, unless it has come to an end."""
    before = standing_tree(path)
    proven = before is not None and before.bound == before.mean_points
    if not proven and (aside := destinations.put_aside(work, ".work.npz")):
        tell(f"{work} of an earlier search is now {aside}: --resume would have gone on with it")

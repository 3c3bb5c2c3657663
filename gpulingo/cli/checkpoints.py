"""What stands in the folders: trees, bounds, work files and tuned values that another command has made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import outputs as destinations
from gpulingo.cli.errors import WrongUsage, tell
from gpulingo.games.catalogue import lingo
from gpulingo.storage.files import CERTIFICATE, WORK
from gpulingo.trees.checkpoint import CheckpointError, read_checkpoint
from gpulingo.trees.kept import kept_paths, kept_trees, rank_of
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.bounds.certificate import Certificate
    from gpulingo.search.solver import Solver
    from gpulingo.strategies.objectives import ObjectiveOf


def standing_tree(path: Path, thorough: bool = False) -> Tree | None:
    """The tree of the checkpoint that stands there, if there is a whole one."""
    try:
        return read_checkpoint(path, thorough=thorough)
    except CheckpointError:
        return None


def kept_tree(words: WordList, turns: int) -> tuple[str, Tree] | None:
    """Path and tree of the best that is kept for a list; what is wrong with others is told."""
    trees, faults = kept_trees(words, lingo(turns))
    best = next(iter(trees), None)
    for fault in faults:
        tell(f"{fault}; {f'{best} is used instead' if best else 'no other is kept for this list'}")
    return None if best is None else (best, trees[best])


def begin(solver: Solver, path: Path) -> None:
    """Let a search begin with the best tree and the lowest bounds that there are for its list."""
    from gpulingo.bounds.merge import merged

    words, turns = solver.wordlist, solver.game.turns
    found = sound_tree(words, turns, path)
    tree = None if found is None else found[1]
    certificates = kept_certificates(words, turns, tree, [path.with_suffix(CERTIFICATE)])
    if found is not None:
        tell(f"begins with {found[0]}: {found[1].mean_points:.5f} mean points")
    for name in list(certificates)[:1]:
        tell(f"begins with {name}: bound {mean_bound(certificates[name]):.5f}")
    given = merged(list(certificates.values())) if certificates else None
    solver.begin_with(tree, given)


def sound_tree(words: WordList, turns: int, path: Path) -> tuple[Path, Tree] | None:
    """The best tree that stands at a path or is kept, replayed; what is wrong with others is told."""
    from gpulingo.trees.verify import verify

    trees, faults = kept_trees(words, lingo(turns))
    for fault in faults:
        tell(f"{fault}; passed over")
    found = {Path(name): tree for name, tree in trees.items()}
    there = standing_tree(path, thorough=True)
    if there is not None:
        found = {path: there} | found
    for name, tree in sorted(found.items(), key=lambda entry: rank_of(entry[1])):
        if tree.turns == turns:
            try:
                verify(tree, words)
                return name, tree
            except CheckpointError as error:
                tell(f"{name}: {error}; passed over")
    return None


def kept_certificates(
    words: WordList, turns: int, tree: Tree | None, more: Sequence[Path] = ()
) -> dict[Path, Certificate]:
    """The certificates that are kept for a list, the lowest bound first; damaged ones are told.

    Args:
        turns: of a round. tree: that is sound; a certificate that allows less is wrong, and told.
        more: files to look at as well.
    """
    paths = {
        path.resolve(): path
        for path in [*map(Path, kept_paths(words, lingo(turns), ending=CERTIFICATE)), *more]
    }
    found = {
        path: certificate
        for path in paths.values()
        if path.is_file() and (certificate := standing_certificate(path, words, turns, tree, tell))
    }
    return dict(sorted(found.items(), key=lambda entry: entry[1].bound))


def standing_certificate(
    path: Path,
    words: WordList,
    turns: int,
    tree: Tree | None,
    told: Callable[[str], None] = lambda text: None,
) -> Certificate | None:
    """The certificate that stands there, if it is of the list and the turns and allows what a tree has."""
    from gpulingo.bounds.certificate import CertificateError, read_certificate

    try:
        found = read_certificate(path, words)
    except CertificateError as error:
        told(f"{error}; passed over")
        return None
    if found.turns != turns:
        return None
    if tree is not None:
        limit = 100 * int(found.bounds[tree.guess[0]]) / len(words)  # after the tree's opening
        if min(limit, mean_bound(found)) < tree.mean_points:
            told(f"{path} says at most {limit}, a tree has {tree.mean_points}: remove it; passed over")
            return None
    return found


def mean_bound(certificate: Certificate) -> float:
    """The bound of a certificate in mean points."""
    return 100 * certificate.bound / len(certificate.bounds)


def tell_better(path: Path, tree: Tree, words: WordList) -> None:
    """Tell in one line that what was written somewhere has less points than what is kept for its list."""
    trees, _ = kept_trees(words, tree.game, thorough=False)
    best = next(iter(trees), None)
    if best is not None and trees[best].mean_points > tree.mean_points:
        points = f"{trees[best].mean_points:.3f} mean points, {path} has {tree.mean_points:.3f}"
        tell(f"{best} is better and stays the one that is used: {points}")


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


def put_certificate_aside(path: Path, words: WordList, turns: int) -> None:
    """Keep the certificate of another list, or of rounds of another length, under a name that is free."""
    from gpulingo.bounds.certificate import CertificateError, parsed_certificate, read_arrays

    try:
        before = parsed_certificate(read_arrays(path))
    except (CertificateError, ValueError):  # none, or damaged
        return
    if (before.fingerprint, before.turns) != (words.fingerprint, turns):
        aside = destinations.put_aside(path, CERTIFICATE)
        theirs = f"list {before.fingerprint[:12]} and {before.turns} turns"
        tell(f"{path} was for {theirs}: it is now {aside}")


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


def better_tree(path: Path, tree: Tree, words: WordList) -> Tree:
    """The tree that stands there, if it is of the same list, has more points and is sound; else this one."""
    from gpulingo.trees.verify import verify

    before = standing_tree(path, thorough=True)
    same = before is not None and (before.fingerprint, before.turns) == (tree.fingerprint, tree.turns)
    if before is None or not same or before.mean_points <= tree.mean_points:
        return tree
    try:
        verify(before, words)
    except CheckpointError as error:
        tell(f"{path}: {error}; replaced")
        return tree
    tell(f"{path} has {before.mean_points:.5f} mean points, more than was found: its tree stays")
    return before


def put_aside(work: Path, path: Path) -> None:
    """Keep the work file of an earlier search under a name that is free, unless it has come to an end."""
    before = standing_tree(path)
    proven = before is not None and before.bound == before.mean_points
    if not proven and (aside := destinations.put_aside(work, WORK)):
        tell(f"{work} of an earlier search is now {aside}: --resume would have gone on with it")

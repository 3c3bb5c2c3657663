"""Existing output files, and when they may be replaced.

Also finds the checkpoint that a user names, by its file or by the length of its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.games import check_game, chosen_game
from gpulingo.cli.lists import found_sources, list_text
from gpulingo.cli.options import Stored
from gpulingo.cli.parse import parsed_lengths
from gpulingo.cli.run import put_aside
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import LINGO, repeats_colours
from gpulingo.games.game import Game
from gpulingo.report.values import MANY, Values, of_tree
from gpulingo.storage.faults import Fault
from gpulingo.storage.files import CERTIFICATE, SHORT, file_name
from gpulingo.trees.checkpoint import (
    CheckpointError,
    check_fits,
    none_stored,
    rank_of,
    read_checkpoint,
    stored_paths,
    stored_trees,
    write_checkpoint,
)
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList, colours_of

if TYPE_CHECKING:
    from gpulingo.bounds.certificate import Certificate
    from gpulingo.strategies.objectives import ObjectiveOf
    from gpulingo.strategies.tuned import Tuned

FOLDER = Path("checkpoints")  # default folder of files made for a list


def checkpoint_path(folder: Path, words: WordList, game: Game) -> Path:
    return folder / file_name(game.code, words.length, words.fingerprint)


def stored_tree(path: Path, thorough: bool = False) -> Tree | None:
    """Return the tree of the checkpoint at a path, if it is sound."""
    try:
        return read_checkpoint(path, thorough=thorough)
    except CheckpointError:
        return None


def best_stored_tree(words: WordList, game: Game) -> tuple[Path, Tree] | None:
    """Return path and tree of the best stored tree of a list; damaged ones are reported."""
    trees, faults = stored_trees(words, game)
    best = next(iter(trees), None)
    for fault in faults:
        tell(Fault(fault, f"{best} is used instead" if best else "no other is stored for this list"))
    return None if best is None else (Path(best), trees[best])


def is_length(checkpoint: str) -> bool:
    """Return True if a checkpoint is named by the length of its words; a file with such a name is ./5."""
    return checkpoint.isascii() and checkpoint.isdigit()


def opened(stored: Stored, *, gives: bool = True) -> tuple[Path, Tree, WordList]:
    """Return a checkpoint's path, its tree and its words; for a length, those of the best stored tree."""
    checkpoint, rule = stored.checkpoint, stored.hints.rule
    wordlist, weights = stored.wordlist, stored.weights
    if is_length(checkpoint):
        rules = chosen_game(stored.game or LINGO, rule=rule, gives=gives)
        with wrong_usage("checkpoint"):
            numbers = parsed_lengths(checkpoint)
        words = found_sources(numbers, wordlist, stored.targets, rules, weights, same=stored.same)[0].wordlist
        best = best_stored_tree(words, rules)
        if best is None:
            raise WrongUsage(none_stored(words, rules, instead="a file"))
        return *best, words
    path = Path(checkpoint)
    if not path.is_file():
        raise WrongUsage(f"no checkpoint at {path}: name a file that `gpulingo simulate --save` wrote")
    tree = read_checkpoint(path)
    check_game(stored.game, tree, checkpoint, rule, gives)
    colours, repeated = None, repeats_colours(tree.game)
    if repeated is not None and wordlist is None:
        colours = colours_of(tree.words, tree.length, repeated=repeated)
    usual = None if repeated is None and tree.targets == tree.words else tree.game
    lists = wordlist, stored.targets, usual, weights
    words = found_sources([tree.length], *lists, colours=colours, same=stored.same)[0].wordlist
    try:
        check_fits(tree, words)
        if weights is not None and words.weights is None and tree.weights is not None:
            raise CheckpointError(f"checkpoint has other weights than those of {weights}, which are all 1")
        if words.weights is None:
            words = words.weighed(tree.weights, "the checkpoint")
    except CheckpointError as error:
        named = "--wordlist" if tree.targets == tree.words else "--wordlist and its targets with --targets"
        seen = f"{worded(error)}, or name its list with {named} (read: {list_text(words)})"
        raise CheckpointError(seen) from None
    return path, tree, words


def sound_tree(words: WordList, game: Game, path: Path) -> tuple[Path, Tree] | None:
    """Return the best tree at a path or in the folders, verified; faulty ones are reported."""
    kept, faults = stored_trees(words, game)
    for fault in faults:
        tell(Fault(fault, "skipped"))
    trees = {Path(name): tree for name, tree in kept.items()}
    there = stored_tree(path, thorough=True)
    if there is not None:
        trees = {path: there} | trees
    for name, tree in sorted(trees.items(), key=lambda entry: rank_of(entry[1])):
        if tree.game == game:
            try:
                verify(tree, words)
                return name, tree
            except CheckpointError as error:
                tell(f"{name}: {worded(error)}; skipped")
    return None


def tell_better(path: Path, tree: Tree, words: WordList) -> None:
    trees, _ = stored_trees(words, tree.game, thorough=False)
    _tell_best(path, trees, tree.mean_points, of_tree(tree))


def tell_better_values(path: Path, tuned: Tuned, words: WordList, values: Values) -> None:
    """Report in one line that better values than the written ones are stored for their list."""
    from gpulingo.strategies.tuned import stored_tuned

    kept, faults = stored_tuned(words, turns=tuned.turns)
    for fault in faults:
        tell(Fault(fault, "skipped"))
    _tell_best(path, kept, tuned.mean_points, values)


def _tell_best(
    path: Path, kept: Mapping[str, Tree] | Mapping[str, Tuned], mean: float, values: Values
) -> None:
    for best, own in [*kept.items()][:1]:
        if own.mean_points > mean:
            better, ours = map(values.of_mean, (own.mean_points, mean))
            figures = f"{values.text(better)}, {path} has {values.beside(ours)}"
            tell(f"{best} is better and stays in use: {figures}")


def ranking_order(words: WordList, game: Game) -> ObjectiveOf:
    """Return the order of guesses in a search: by the tuned values of the list and turns, if any."""
    from gpulingo.strategies.objectives import points
    from gpulingo.strategies.tuned import get_tuned

    try:
        tuned = get_tuned(words, turns=game.turns, report=tell)
        return points if tuned is None else tuned.objective
    except Fault as error:
        tell(Fault(error, "ranking by points meanwhile"))
        return points


def check_same(path: Path, there: Tree | Tuned | None, words: WordList, game: Game, *, change: str) -> None:
    """Refuse to replace a file for another list, other turns or another game; `change` is the remedy."""
    if there is not None and there.fingerprint != words.fingerprint:
        theirs, ours = there.fingerprint[:SHORT], words.fingerprint[:SHORT]
        raise WrongUsage(f"{path} is for list {theirs}, this list is {ours}: {change}")
    if there is not None and there.turns != game.turns:
        raise WrongUsage(f"{path} is for {there.turns} turns, not {game.turns}: {change}")
    if isinstance(there, Tree) and there.game != game:
        raise WrongUsage(f"{path} is for {there.game.code}, not {game.code}: {change}")


def keep_solved(path: Path, before: Tree | None, change: str, tree: Tree | None = None) -> None:
    """Refuse to replace a tree with a bound, from `solve`, by any but the same (None: another)."""
    if before is not None and before.bound is not None and before != tree:
        values = of_tree(before)
        bound = values.bound(before.bound_value)
        solved = f"the {before.strategy} of {values.text(before.value)}, bound {bound}"
        raise WrongUsage(f"{path} is {solved}, and would be lost: {change}")


def better_tree(path: Path, tree: Tree, words: WordList) -> Tree:
    """Return the tree at the path, if it is of the same list, better and sound; otherwise this one."""
    before = stored_tree(path, thorough=True)
    same = before is not None and (before.fingerprint, before.game) == (tree.fingerprint, tree.game)
    if before is None or not same or before.mean_points <= tree.mean_points:
        return tree
    try:
        verify(before, words)
    except CheckpointError as error:
        tell(f"{path}: {worded(error)}; replaced")
        return tree
    values = of_tree(before, MANY)
    tell(f"{path} has {values.text(before.value)}, {values.unit.better} than was found: its tree stays")
    return before


def write_found(path: Path, tree: Tree, words: WordList) -> None:
    """Write the result of a search at a path that was checked before; report a better tree."""
    write_checkpoint(tree, path, form=b"")
    tell_better(path, tree, words)


def stored_certificates(
    words: WordList, game: Game, tree: Tree | None, more: Sequence[Path] = ()
) -> dict[Path, Certificate]:
    """Return the stored certificates of a list, the lowest bound first; damaged ones are reported.

    One with a bound below the value of the tree, which is sound, is wrong and reported too.
    """
    paths = {
        path.resolve(): path for path in [*map(Path, stored_paths(words, game, ending=CERTIFICATE)), *more]
    }
    certificates = {
        path: certificate
        for path in paths.values()
        if path.is_file() and (certificate := stored_certificate(path, words, game, tree))
    }
    return dict(sorted(certificates.items(), key=lambda entry: entry[1].bound))


def stored_certificate(
    path: Path, words: WordList, game: Game, tree: Tree | None, *, silent: bool = False
) -> Certificate | None:
    """Return the certificate at a path, if it is of the list and the game, and not below the tree's value."""
    from gpulingo.bounds.certificate import CertificateError, of_greatest, read_certificate
    from gpulingo.bounds.formulas import counts_classes

    fault = ""
    try:
        certificate = read_certificate(path, words)
    except CertificateError as error:
        fault = worded(error)
    else:
        if certificate.game != game:
            return None
        if certificate.fault:
            tell(f"{path} {certificate.fault}: counts are made again") if not silent else None
        if not counts_classes(game, words):
            certificate = of_greatest(certificate)
        if tree is None:
            return certificate
        after_opening = int(certificate.bounds[tree.guess[0]])
        limit = min(after_opening, certificate.bound)
        if limit >= tree.value:
            return certificate
        values = Values(game, words.total_weight, MANY)
        fault = f"{path} has bound {values.limit(limit)}, a tree {values.text(tree.value)}: remove it"
    if not silent:
        tell(f"{fault}; skipped")
    return None


def put_certificate_aside(path: Path, words: WordList, game: Game) -> None:
    """Rename a certificate of another list, game or format to a free name."""
    from gpulingo.bounds.arrays import CertificateError, read_arrays
    from gpulingo.bounds.certificate import parsed_certificate

    try:
        arrays = read_arrays(path)
    except CertificateError:  # no file, or damaged
        return
    try:
        before = parsed_certificate(arrays)
    except ValueError as error:
        tell(f"{path} {error}: it is now {put_aside(path, CERTIFICATE)}")
        return
    if (before.fingerprint, before.game) != (words.fingerprint, game):
        aside = put_aside(path, CERTIFICATE)
        theirs = f"list {before.fingerprint[:SHORT]} and {before.turns} turns"
        tell(f"{path} was for {theirs}: it is now {aside}")

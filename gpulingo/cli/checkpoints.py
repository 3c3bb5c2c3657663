"""Existing output files, and when they may be replaced.

Also finds the checkpoint that a user names, by its file or by the length of its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.advice.outlook import Order, order
from gpulingo.cli.errors import WrongUsage, tell, tell_skipped
from gpulingo.cli.games import WHERE_GIVEN, chosen_game
from gpulingo.cli.lists import found_sources, list_text
from gpulingo.cli.options import Stored
from gpulingo.cli.parse import parsed_lengths
from gpulingo.cli.run import put_aside
from gpulingo.cli.wording import options_of, worded
from gpulingo.games.catalogue import LINGO, repeats_colours
from gpulingo.games.game import Game
from gpulingo.report.values import MANY, Values, of_tree
from gpulingo.storage.faults import REPLACE_BOOK, Fault, reported
from gpulingo.storage.files import BOOK, CERTIFICATE, SHORT, file_name
from gpulingo.trees.book import read_trees
from gpulingo.trees.checkpoint import CheckpointError, check_fits, read_checkpoint, write_checkpoint
from gpulingo.trees.stored import none_stored, rank_of, stored_paths, stored_trees
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


def opened(stored: Stored, *, gives: bool = True) -> tuple[Path, Tree, WordList]:
    """A checkpoint, its tree and the words it is for; by a length, that of the best stored tree.

    A file whose name is a number is ./5. A book gives the tree of its best opening.
    """
    checkpoint, rule, weights = stored.checkpoint, stored.hints.rule, stored.weights
    if checkpoint.isascii() and checkpoint.isdigit():
        rules = chosen_game(stored.game or LINGO, rule=rule, gives=gives)
        numbers = parsed_lengths(checkpoint, "checkpoint")
        words = found_sources(numbers, stored, rules)[0].wordlist
        best = best_stored_tree(words, rules)
        if best is None:
            raise WrongUsage(none_stored(words, rules, instead="a file"))
        return *best, words
    path = Path(checkpoint)
    if not path.is_file():
        raise WrongUsage(f"no checkpoint at {path}: name a file that `gpulingo simulate --save` wrote")
    is_book = path.name.endswith(BOOK)
    tree = read_trees(path, among=(), thorough=False)[0] if is_book else read_checkpoint(path)
    if tree.game.given and not gives:
        raise WrongUsage(f"{checkpoint} is of {tree.game.code}, which gives the first letter: {WHERE_GIVEN}")
    if stored.game is not None or rule:
        wanted, game = chosen_game(stored.game or LINGO, rule=rule, gives=gives), tree.game
        fits, given = wanted.rule == game.rule, options_of(wanted.rule)
        if stored.game is not None:
            fits, given = wanted.name == game.name, f"--game {stored.game}"
            fits = fits and (wanted.turns == game.turns or not stored.game[-1].isdigit())
        if not fits:
            raise WrongUsage(f"{given}: {checkpoint} is of {game.code}: leave it out")
    colours, repeated = None, repeats_colours(tree.game)
    if repeated is not None and stored.wordlist is None:
        colours = colours_of(tree.words, tree.length, repeated=repeated)
    usual = None if repeated is None and tree.targets == tree.words else tree.game
    words = found_sources([tree.length], stored, usual, colours=colours)[0].wordlist
    try:
        check_fits(tree, words)
        if weights is not None and words.weights is None and tree.weights is not None:
            raise CheckpointError(f"checkpoint has other weights than those of {weights}, which are all 1")
        if words.weights is None:
            words = words.weighed(tree.weights, "the checkpoint")
    except CheckpointError as error:
        if is_book and error.remedy:
            place: dict[str, Any] = {"game": tree.game, "length": tree.length, "folder": path.parent}
            error = CheckpointError(error.seen, REPLACE_BOOK, **place)
        named = "--wordlist" if tree.targets == tree.words else "--wordlist and its targets with --targets"
        fault = f"{worded(error)}, or name its list with {named} (read: {list_text(words)})"
        raise CheckpointError(fault) from None
    return path, tree, words


def sound_tree(words: WordList, game: Game, path: Path) -> tuple[Path, Tree] | tuple[Path, None]:
    """The best tree at a path or in the folders, replayed, and its path; faulty ones are reported."""
    kept = reported(stored_trees(words, game), tell_skipped)
    there = stored_tree(path, thorough=True)
    trees = ({} if there is None else {path: there}) | {Path(name): tree for name, tree in kept.items()}
    for name, tree in sorted(trees.items(), key=lambda entry: rank_of(entry[1])):
        if tree.game == game:
            try:
                verify(tree, words)
                return name, tree
            except CheckpointError as error:
                tell(f"{name}: {worded(error)}; skipped")
    return path, None


def tell_better(path: Path, tree: Tree, words: WordList) -> None:
    trees = stored_trees(words, tree.game, thorough=False)[0]
    tell_best(path, trees, tree.mean_points, of_tree(tree))


def tell_best(
    path: Path, kept: Mapping[str, Tree] | Mapping[str, Tuned], mean: float, values: Values
) -> None:
    """Report in one line that something better than what was written is stored for its list."""
    for best, stored in [*kept.items()][:1]:
        if stored.mean_points > mean:
            better, ours = map(values.of_mean, (stored.mean_points, mean))
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
    """Refuse to replace what is for another list, other turns or another game; `change` is the remedy."""
    if there is None:
        return
    theirs, ours = there.fingerprint[:SHORT], words.fingerprint[:SHORT]
    if there.fingerprint != words.fingerprint:
        raise WrongUsage(f"{path} is for list {theirs}, this list is {ours}: {change}")
    if there.turns != game.turns:
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


def _order(tree: Tree) -> Order:
    """Return a sort key, the better tree first."""
    return order(tree.game, tree.turn_counts(), exact=True, target=True, largest=0)


def better_tree(path: Path, tree: Tree, words: WordList) -> Tree:
    """Return the tree at the path, if it is of the same list, better and sound; otherwise this one."""
    before = stored_tree(path, thorough=True)
    same = before is not None and (before.fingerprint, before.game) == (tree.fingerprint, tree.game)
    if before is None or not same or _order(before) >= _order(tree):
        return tree
    try:
        verify(before, words)
    except CheckpointError as error:
        tell(f"{path}: {worded(error)}; replaced")
        return tree
    values = of_tree(before, MANY)
    tell(f"{path} has {values.text(before.value)}, {values.unit.better} than was found: its tree stays")
    return before


def write_found(path: Path, tree: Tree, words: WordList) -> Tree:
    """Write the result of a search at a path that was looked at before; report a better tree."""
    write_checkpoint(tree, path, form=b"")
    tell_better(path, tree, words)
    return tree


def stored_certificates(
    words: WordList, game: Game, tree: Tree | None, more: Sequence[Path] = ()
) -> dict[Path, Certificate]:
    """Return the stored certificates of a list, the lowest bound first; damaged ones are reported.

    One with a bound below the value of the tree, which is sound, is wrong and reported too.
    """
    stored = [*map(Path, stored_paths(words, game, ending=CERTIFICATE)), *more]
    paths = [path for path in {path.resolve(): path for path in stored}.values() if path.is_file()]
    read = {path: stored_certificate(path, words, game, tree) for path in paths}
    certificates = {path: certificate for path, certificate in read.items() if certificate is not None}
    return dict(sorted(certificates.items(), key=lambda entry: entry[1].bound))


def stored_certificate(
    path: Path, words: WordList, game: Game, tree: Tree | None, *, silent: bool = False
) -> Certificate | None:
    """Return the certificate at a path, if it is of the list and the game, and not below the tree's value."""
    from gpulingo.bounds.certificate import CertificateError, of_greatest, read_certificate
    from gpulingo.bounds.formulas import counts_classes

    report = (lambda line: None) if silent else tell
    try:
        certificate = read_certificate(path, words)
    except CertificateError as error:
        report(f"{worded(error)}; skipped")
        return None
    if certificate.game != game:
        return None
    if certificate.fault:
        report(f"{path} {certificate.fault}: counts are made again")
    if not counts_classes(game, words):
        certificate = of_greatest(certificate)
    if tree is None:
        return certificate
    limit = min(int(certificate.bounds[tree.guess[0]]), certificate.bound)
    if limit >= tree.value:
        return certificate
    values = Values(game, words.total_weight, MANY)
    report(f"{path} has bound {values.limit(limit)}, a tree {values.text(tree.value)}: remove it; skipped")
    return None


def put_certificate_aside(path: Path, words: WordList, game: Game) -> None:
    """Rename a certificate of another list, game or format to a free name."""
    from gpulingo.bounds.arrays import CertificateError, read_arrays
    from gpulingo.bounds.certificate import parsed_certificate

    try:
        before = parsed_certificate(read_arrays(path))
        if (before.fingerprint, before.game) == (words.fingerprint, game):
            return
        what = f"was for list {before.fingerprint[:SHORT]} and {before.turns} turns"
    except CertificateError:  # none, or damaged
        return
    except ValueError as error:
        what = str(error)
    tell(f"{path} {what}: it is now {put_aside(path, CERTIFICATE)}")

"""Trees and certificates in files: searches begin with them and write better ones, or may not replace them.

`report` gets a line about each file that is left out, replaced, or stays because it is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.advice.outlook import GuessStats, Order
from gpulingo.games.game import Game
from gpulingo.storage.faults import Complain, Fault, UsageError, reported
from gpulingo.storage.files import CERTIFICATE, SHORT, locked, put_aside
from gpulingo.trees.checkpoint import CheckpointError, write_checkpoint
from gpulingo.trees.stored import rank_of, stored_paths, stored_trees, tree_at
from gpulingo.trees.tree import Tree
from gpulingo.trees.values import MANY, Values, of_tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.bounds.certificate import Certificate
    from gpulingo.optimise.solver import Solver
    from gpulingo.strategies.objectives import ObjectiveOf
    from gpulingo.strategies.tuned import Tuned


def begin_with_stored(solver: Solver, path: Path, report: Complain) -> None:
    from gpulingo.bounds.certificate import merged
    from gpulingo.bounds.counting import fitting

    words, game = solver.problem.wordlist, solver.problem.game
    (name, tree), values = sound_tree(words, game, path, report), Values(game, words.total_weight, MANY)
    certificates = stored_certificates(words, game, tree, report, [path.with_suffix(CERTIFICATE)])
    if tree is not None:
        report(f"begins with {name}: {values.text(tree.value)}")
    given = merged([*certificates.values()]) if certificates else None
    for name in [*certificates][:1]:
        report(f"begins with {name}: bound {values.limit(certificates[name].bound)}")
    if given is not None and not fitting(solver.problem.table, given.evidence.counted):
        report("stored counts do not fit the classes of their openings: they are made again")
        given = replace(given, evidence=replace(given.evidence, counted={}))
    solver.begin_with(tree, given)


def write_solved(solver: Solver, path: Path, report: Complain) -> Tree:
    """Write the checkpoint and the certificate; what is better and stands there now goes into them."""
    from gpulingo.bounds.arrays import write_arrays
    from gpulingo.bounds.certificate import certificate_arrays, merged, unfinished
    from gpulingo.bounds.counting import proof_of

    if solver.tree is None:  # interrupted before there was any
        raise KeyboardInterrupt
    words, game, beside = solver.problem.wordlist, solver.problem.game, path.with_suffix(CERTIFICATE)
    with locked(path):
        tree, bound = better_tree(path, solver.tree, words, report), solver.bound
        there = stored_certificate(beside, words, game, tree, lambda fault: None)
        ours = proof_of(words, solver.state.bounds, solver.state.given, solver.value)
        # The certificate is written before any header says what it proves.
        if proofs := [proof for proof in (there, ours) if proof is not None]:
            proof = unfinished(merged(proofs), solver.value)
            bound = proof.bound
            put_certificate_aside(beside, words, game, report)
            write_arrays(beside, certificate_arrays(proof))
        else:
            report(
                "ended before any opening was bounded: there is no certificate to prove; give it more time"
            )
        before, bound = tree_at(path), max(bound, tree.value)
        limit = None if before is None else before.bound_value
        if limit is not None and limit < bound:
            said, now = map(of_tree(tree, MANY).limit, (limit, bound))
            report(f"{path} said bound {said}, for which there is no certificate: {now} now")
        return write_found(path, tree.replaced(bound=solver.mean_points(bound)), words, report)


def write_alone(tree: Tree, path: Path, words: WordList, report: Complain) -> Tree:
    """Write a tree without a certificate, unless a better one stands there, which stays with the lower bound
    of both.
    """
    with locked(path):
        bound, tree = tree.bound, better_tree(path, tree, words, report)
        assert bound is not None
        tree = tree.replaced(bound=max(tree.mean_points, bound))
        verify(tree, words)
        return write_found(path, tree, words, report)


def write_found(path: Path, tree: Tree, words: WordList, report: Complain) -> Tree:
    """Write the result of a search at a path that was looked at before; report a better tree."""
    write_checkpoint(tree, path, form=b"")
    report_better(path, tree, words, report)
    return tree


def report_better(path: Path, tree: Tree, words: WordList, report: Complain) -> None:
    trees = stored_trees(words, tree.game, thorough=False)[0]
    report_best(path, trees, tree.mean_points, of_tree(tree), report)


def report_best(
    path: Path, kept: Mapping[str, Tree] | Mapping[str, Tuned], mean: float, values: Values, report: Complain
) -> None:
    """Report that something better than what was written is stored for its list."""
    for best, stored in [*kept.items()][:1]:
        if stored.mean_points > mean:
            better, ours = map(values.of_mean, (stored.mean_points, mean))
            figures = f"{values.text(better)}, {path} has {values.beside(ours)}"
            report(f"{best} is better and stays in use: {figures}")


def sound_tree(
    words: WordList, game: Game, path: Path, report: Complain
) -> tuple[Path, Tree] | tuple[Path, None]:
    """The best tree at a path or in the folders, replayed, and its path; faulty ones are reported."""
    kept = reported(stored_trees(words, game), lambda fault: report(Fault(fault, "skipped")))
    there = tree_at(path, thorough=True)
    trees = ({} if there is None else {path: there}) | {Path(name): tree for name, tree in kept.items()}
    for name, tree in sorted(trees.items(), key=lambda entry: rank_of(entry[1])):
        if tree.game == game:
            try:
                verify(tree, words)
                return name, tree
            except CheckpointError as error:
                report(Fault(Fault(str(name), error), "skipped"))
    return path, None


def better_tree(path: Path, tree: Tree, words: WordList, report: Complain) -> Tree:
    """Return the tree at the path, if it is of the same list, better and sound; otherwise this one."""
    before = tree_at(path, thorough=True)
    same = before is not None and (before.fingerprint, before.game) == (tree.fingerprint, tree.game)
    if before is None or not same or _order(before) >= _order(tree):
        return tree
    try:
        verify(before, words)
    except CheckpointError as error:
        report(Fault(Fault(str(path), error), "replaced"))
        return tree
    values = of_tree(before, MANY)
    report(f"{path} has {values.text(before.value)}, {values.unit.better} than was found: its tree stays")
    return before


def _order(tree: Tree) -> Order:
    """Return a sort key, the better tree first."""
    turns = tree.turn_counts()
    return GuessStats("", turns, tree.total_weight, classes=1, largest=0, target=True).order(tree.game)


def ranking_order(words: WordList, game: Game, report: Complain) -> ObjectiveOf:
    """Return the order of guesses in a search: by the tuned values of the list and turns, if any."""
    from gpulingo.strategies.objectives import points
    from gpulingo.strategies.tuned import get_tuned

    try:
        tuned = get_tuned(words, turns=game.turns, report=report)
        return points if tuned is None else tuned.objective
    except Fault as error:
        report(Fault(error, "ranking by points meanwhile"))
        return points


def stored_certificates(
    words: WordList, game: Game, tree: Tree | None, report: Complain, more: Sequence[Path] = ()
) -> dict[Path, Certificate]:
    """Return the stored certificates of a list, the lowest bound first; damaged ones are reported.

    One with a bound below the value of the tree, which is sound, is wrong and reported too.
    """
    stored = [*map(Path, stored_paths(words, game, ending=CERTIFICATE)), *more]
    paths = [path for path in {path.resolve(): path for path in stored}.values() if path.is_file()]
    read = {path: stored_certificate(path, words, game, tree, report) for path in paths}
    certificates = {path: certificate for path, certificate in read.items() if certificate is not None}
    return dict(sorted(certificates.items(), key=lambda entry: entry[1].bound))


def stored_certificate(
    path: Path, words: WordList, game: Game, tree: Tree | None, report: Complain
) -> Certificate | None:
    """Return the certificate at a path, if it is of the list and the game, and not below the tree's value."""
    from gpulingo.bounds.certificate import CertificateError, of_greatest, read_certificate
    from gpulingo.bounds.formulas import counts_classes

    try:
        certificate = read_certificate(path, words)
    except CertificateError as error:
        report(Fault(error, "skipped"))
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


def put_certificate_aside(path: Path, words: WordList, game: Game, report: Complain) -> None:
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
    report(f"{path} {what}: it is now {put_aside(path, CERTIFICATE)}")


def check_same(path: Path, there: Tree | Tuned | None, words: WordList, game: Game, *, change: str) -> None:
    """Refuse to replace what is for another list, other turns or another game; `change` is the remedy."""
    if there is None:
        return
    theirs, ours = there.fingerprint[:SHORT], words.fingerprint[:SHORT]
    if there.fingerprint != words.fingerprint:
        raise UsageError(f"{path} is for list {theirs}, this list is {ours}: {change}")
    if there.turns != game.turns:
        raise UsageError(f"{path} is for {there.turns} turns, not {game.turns}: {change}")
    if isinstance(there, Tree) and there.game != game:
        raise UsageError(f"{path} is for {there.game.code}, not {game.code}: {change}")


def keep_solved(path: Path, before: Tree | None, change: str, tree: Tree | None = None) -> None:
    """Refuse to replace a tree with a bound, from `solve`, by any but the same (None: another)."""
    if before is not None and before.bound is not None and before != tree:
        values = of_tree(before)
        bound = values.bound(before.bound_value)
        solved = f"the {before.strategy} of {values.text(before.value)}, bound {bound}"
        raise UsageError(f"{path} is {solved}, and would be lost: {change}")

"""Certificates of bounds that exist: the one that is used for a list, and when one may be replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.checkpoints import sound_tree
from gpulingo.cli.errors import tell
from gpulingo.cli.outputs import put_aside
from gpulingo.report.values import MANY, shown, value_text
from gpulingo.storage.files import CERTIFICATE, SHORT
from gpulingo.trees.kept import kept_paths

if TYPE_CHECKING:
    from gpulingo.bounds.certificate import Certificate
    from gpulingo.games.game import Game
    from gpulingo.search.solver import Solver
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList


def begin(solver: Solver, path: Path) -> None:
    """Let a search begin with the best tree and the lowest bounds that there are for its list."""
    from gpulingo.bounds.counting import fitting
    from gpulingo.bounds.merge import merged

    words, game = solver.problem.wordlist, solver.problem.game
    best = sound_tree(words, game, path)
    tree = None if best is None else best[1]
    certificates = kept_certificates(words, game, tree, [path.with_suffix(CERTIFICATE)])
    if best is not None:
        tell(f"begins with {best[0]}: {value_text(best[1], MANY)}")
    for name in list(certificates)[:1]:
        bound = shown(game, words.total_weight, MANY).limit(mean_bound(certificates[name], words))
        tell(f"begins with {name}: bound {bound}")
    given = merged(list(certificates.values())) if certificates else None
    if given is not None and not fitting(solver.problem.table, given.evidence.counted):
        tell("stored counts do not fit the classes of their openings: they are made again")
        given = replace(given, evidence=replace(given.evidence, counted={}))
    solver.begin_with(tree, given)


def kept_certificates(
    words: WordList, game: Game, tree: Tree | None, more: Sequence[Path] = ()
) -> dict[Path, Certificate]:
    """The stored certificates of a list, the lowest bound first; damaged ones are reported.

    Args:
        tree: that is sound; a certificate that allows less is wrong, which is reported.
        more: files to look at as well.
    """
    paths = {
        path.resolve(): path for path in [*map(Path, kept_paths(words, game, ending=CERTIFICATE)), *more]
    }
    certificates = {
        path: certificate
        for path in paths.values()
        if path.is_file() and (certificate := standing_certificate(path, words, game, tree))
    }
    return dict(sorted(certificates.items(), key=lambda entry: entry[1].bound))


def standing_certificate(
    path: Path, words: WordList, game: Game, tree: Tree | None, *, silent: bool = False
) -> Certificate | None:
    """The certificate that stands there, if it is of the list and the game and allows what a tree has.

    Args:
        silent: say nothing where one is there that cannot be used.
    """
    from gpulingo.bounds.certificate import CertificateError, read_certificate
    from gpulingo.bounds.formulas import counts_classes
    from gpulingo.bounds.merge import of_greatest

    fault = ""
    try:
        certificate = read_certificate(path, words)
    except CertificateError as error:
        fault = str(error)
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
        limit = game.points_of(min(after_opening, certificate.bound), words.total_weight)
        if limit >= tree.mean_points:
            return certificate
        values = shown(game, words.total_weight, MANY)
        fault = f"{path} has bound {values.limit(limit)}, a tree {values.text(tree.mean_points)}: remove it"
    if not silent:
        tell(f"{fault}; skipped")
    return None


def mean_bound(certificate: Certificate, words: WordList) -> float:
    """The bound of a certificate of a list in mean points."""
    return certificate.game.points_of(certificate.bound, words.total_weight)


def write_certificate(solver: Solver, path: Path, tree: Tree) -> float:
    """Write the certificate, before any header says what it proves.

    Returns:
        The bound that it proves, in mean points.
    """
    from gpulingo.bounds.arrays import write_arrays
    from gpulingo.bounds.certificate import certificate_arrays
    from gpulingo.bounds.merge import merged, proof_of, unfinished

    words, bound = solver.problem.wordlist, solver.mean_points(solver.bound)
    there = standing_certificate(path, words, solver.problem.game, tree, silent=True)
    ours = proof_of(words, solver.state.bounds, solver.upper.given, solver.value)
    proofs = [proof for proof in (there, ours) if proof is not None]
    if proofs:
        proof = unfinished(merged(proofs), solver.value)
        bound = mean_bound(proof, words)
        put_certificate_aside(path, words, solver.problem.game)
        write_arrays(path, certificate_arrays(proof))
    else:
        tell("ended before any opening was bounded: there is no certificate to prove; give it more time")
    return bound


def put_certificate_aside(path: Path, words: WordList, game: Game) -> None:
    """Keep a certificate of another list, game or format under a name that is free."""
    from gpulingo.bounds.arrays import CertificateError, read_arrays
    from gpulingo.bounds.certificate import parsed_certificate

    try:
        arrays = read_arrays(path)
    except CertificateError:  # none, or damaged
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

"""What a search knows, as a file to go on from; its certificate is part of it."""

from __future__ import annotations

import os

import numpy as np

from gpulingo.bounds.certificate import (
    Arrays,
    CertificateError,
    certificate_arrays,
    lists_as_arrays,
    parsed_certificate,
    read_arrays,
    write_arrays,
)
from gpulingo.bounds.constraints import Facts
from gpulingo.bounds.evidence import OpeningBounds
from gpulingo.search.resume_checks import (
    checked_classes,
    checked_counts,
    checked_larger,
    checked_steps,
    checked_tree,
    most_bytes,
)
from gpulingo.search.solver import Solver
from gpulingo.trees.checkpoint import tree_bytes


def write_work(path: str | os.PathLike[str], solver: Solver) -> None:
    """Write what a search knows; before its first bounds there is nothing to write.

    Raises:
        OSError: the file cannot be written.
    """
    held = solver.bounds
    if held is None:
        return
    arrays: Arrays = certificate_arrays(solver.wordlist, held)
    arrays["of_list"] = held.classes.cpu().numpy()
    found = {one: seen.found.cpu().numpy() for one, seen in held.seen.items()}
    three = {one: seen.three.cpu().numpy() for one, seen in held.seen.items() if seen.three is not None}
    arrays |= lists_as_arrays("seen", found) | lists_as_arrays("three", three)
    arrays["larger_found"] = np.array(list(held.larger.values()), dtype=np.int64)
    tree = b"" if solver.tree is None else tree_bytes(solver.tree)
    arrays["tree"] = np.frombuffer(tree, dtype=np.uint8)
    arrays["widths"] = np.array(sorted(solver.widths.items()), dtype=np.int64).reshape(-1, 2)
    played = [(at, *entry) for at, stage in enumerate(solver.played) for entry in stage.items()]
    arrays["played"] = np.array(played, dtype=np.int64).reshape(-1, 3)
    plan = [(at, *pair) for at, stage in enumerate(solver.plan) for pair in stage.widths.items()]
    arrays["plan"] = np.array(plan, dtype=np.int64).reshape(-1, 3)
    arrays["exact"] = np.array([-1 if solver.exact is None else int(solver.exact), int(solver.by_classes)])
    arrays["value"], arrays["seconds"] = np.array([solver.value]), np.array(solver.seconds)
    write_arrays(path, arrays)


class OtherWorkError(CertificateError):
    """The work is of another list or number of turns."""


def read_work(path: str | os.PathLike[str], solver: Solver) -> None:
    """Give a new search what an earlier one of the same list and game knew.

    Raises:
        OtherWorkError: of another list or number of turns. CertificateError: no such file, or damaged.
    """
    arrays = read_arrays(path, most_bytes(len(solver.wordlist)))
    name = os.fspath(path)
    try:
        found = parsed_certificate(arrays)
        if (found.fingerprint, found.turns) != (solver.wordlist.fingerprint, solver.game.turns):
            theirs = f"list {found.fingerprint[:12]} and {found.turns} turns"
            ours = f"list {solver.wordlist.fingerprint[:12]} and {solver.game.turns} turns"
            raise OtherWorkError(
                f"{name} is for {theirs}, this search for {ours}: search anew or name another --out"
            )
        if len(found.bounds) != len(solver.wordlist):
            raise ValueError(f"has {len(found.bounds)} words, its list {len(solver.wordlist)}")
        device = solver.table.device
        steps = checked_steps(arrays, len(solver.wordlist), found.turns)
        tree, value = checked_tree(arrays, found, solver.wordlist)
        bounds = OpeningBounds(
            solver.table,
            found.turns,
            checked_counts(arrays, found, solver.table),
            found.bounds.to(device),
            found.looked.to(device),
            found.twofold.to(device),
            {one: list(others) for one, others in found.near.items()},
            checked_classes(arrays, found, solver.table),
            searched={one: values.to(device) for one, values in found.searched.items()},
            known=checked_larger(arrays, found, Facts(solver.table)),
            memory=solver.ceilings,
        )
        # Stages may be others now: what was played as widely as in one of them counts there.
        played, plan = steps["played"], steps["plan"]
        widths = {of: {left: guesses for at, left, guesses in plan if at == of} for of, *_ in played}
        for at, stage in enumerate(solver.plan):
            wide = dict(stage.widths)
            solver.played[at] = {opening: worth for of, opening, worth in played if widths[of] == wide}
        solver.bounds, solver.tree, solver.value, solver.widths = bounds, tree, value, steps["widths"]
        solver.exact, solver.by_classes, solver.seconds = (
            steps[one] for one in ("exact", "by_classes", "seconds")
        )
    except (KeyError, IndexError) as error:
        raise CertificateError(f"{name} lacks {error}: it is no work file of `gpulingo solve`") from None
    except CertificateError:
        raise
    except ValueError as error:
        raise CertificateError(f"{name} {error}: remove it and search again") from None

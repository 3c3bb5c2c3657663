"""What a search knows, as a file to go on from; its certificate is part of it."""

from __future__ import annotations

import os

import numpy as np
import torch

from gpulingo.search.certificate import (
    Arrays,
    CertificateError,
    certificate_arrays,
    lists_as_arrays,
    lists_from_arrays,
    parsed_certificate,
    read_arrays,
    write_arrays,
)
from gpulingo.search.opening_classes import Seen, parted
from gpulingo.search.openings import OpeningBounds
from gpulingo.search.solve import Solver
from gpulingo.trees.checkpoint import parsed_tree, tree_bytes


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
    arrays = read_arrays(path)
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
        two = arrays["larger_found"].tolist() if found.larger else []
        solver.bounds = OpeningBounds(
            solver.table,
            found.turns,
            torch.from_numpy(arrays["of_list"]).to(device),
            found.bounds.to(device),
            found.looked.to(device),
            found.twofold.to(device),
            {one: list(others) for one, others in found.near.items()},
            searched={one: values.to(device) for one, values in found.searched.items()},
            known=dict(zip(found.larger, two, strict=True)),
            memory=solver.ceilings,
        )
        seen, three = (lists_from_arrays(kind, arrays, len(solver.wordlist)) for kind in ("seen", "three"))
        for one, values in seen.items():
            more = three[one].to(device) if one in three else None
            solver.bounds.seen[one] = Seen(parted(solver.table, one), values.to(device), more)
        tree = arrays["tree"].tobytes()
        solver.tree = parsed_tree(tree) if tree else None
        solver.widths = dict(arrays["widths"].tolist())
        # Stages may be others now: what was played as widely as in one of them counts there.
        played, plan = arrays["played"].tolist(), arrays["plan"].tolist()
        widths = {of: {left: guesses for at, left, guesses in plan if at == of} for of, *_ in played}
        for at, stage in enumerate(solver.plan):
            wide = dict(stage.widths)
            solver.played[at] = {opening: value for of, opening, value in played if widths[of] == wide}
        exact, solver.by_classes = int(arrays["exact"][0]), bool(arrays["exact"][1])
        solver.exact = None if exact < 0 else bool(exact)
        solver.value, solver.seconds = int(arrays["value"][0]), arrays["seconds"].tolist()
    except (KeyError, IndexError) as error:
        raise CertificateError(f"{name} lacks {error}: it is no work file of `gpulingo solve`") from None
    except CertificateError:
        raise
    except ValueError as error:
        raise CertificateError(f"{name} {error}: remove it and search again") from None

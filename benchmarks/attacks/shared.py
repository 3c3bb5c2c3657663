"""Files of a shared search, damaged and forged: its terms, results of pieces and of rounds, and leases."""

from __future__ import annotations

import json
import random
from pathlib import Path

from arrays import forged_arrays, inflating, proven
from samples import NUMBERS, Sample

from gpulingo.bounds.arrays import DIGEST, packed_arrays, read_arrays, sealed_arrays
from gpulingo.search.piece import Known
from gpulingo.search.piece_files import ResultError, known_bytes, result_bytes
from gpulingo.search.shared_folder import SharedFolderError, search_text
from gpulingo.storage.leases import Leases
from gpulingo.trees.verify import verify

# Readers: what is wrong with what came of a file, "" for nothing


def read_search(path: Path, sample: Sample) -> str:
    """What a search is about, and what it begins with."""
    right = sample.search.read_bytes()
    path.replace(sample.search)
    try:
        terms = sample.shared.terms()
        if terms is None:
            return "a search.json that is there is passed over"
        tree, _ = sample.shared.beginning(terms)
        verify(tree, sample.words)
        if terms != sample.terms and search_text({"format": 2} | vars(terms)) != sample.search.read_text():
            return f"other terms are read than are written: {terms}"[:200]
    except SharedFolderError:
        pass
    finally:
        sample.search.write_bytes(right)
    return ""


def read_piece(path: Path, sample: Sample) -> str:
    """The result of a piece, and what is known with it."""
    piece, right = sample.piece_of, sample.piece.read_bytes()
    path.replace(sample.piece)
    try:
        result = sample.shared.result(piece)
    except ResultError:
        return ""
    finally:
        sample.piece.write_bytes(right)
    if result_bytes(sample.shared.problem, piece, result) == right:
        return ""
    results = {piece.name: result}
    refuted = sample.begun.refuted([piece], results)
    return "" if refuted else _believed(sample.begun.after([piece], results), sample)


def read_round(path: Path, sample: Sample) -> str:
    """What is known after a round."""
    right = sample.round.read_bytes()
    path.replace(sample.round)
    try:
        known = sample.shared.after(sample.begun)
    except ResultError:
        return ""
    finally:
        sample.round.write_bytes(right)
    if known is None:
        return "a result of a round that is there is passed over"
    return "" if known_bytes(known) == right else _believed(known, sample)


def _believed(known: Known, sample: Sample) -> str:
    """What is wrong with what a search knows from a file that says something else than was written."""
    assert known.tree is not None
    verify(known.tree, sample.words)
    bound = known.certificate.bound
    if not known.tree.value <= sample.best or bound > len(sample.words) * sample.turns:
        return f"a search knows the value {known.value} and the bound {bound}, the best is {sample.best}"
    return proven(known.certificate, sample)


def read_lease(path: Path, sample: Sample) -> str:
    """A lease: nobody takes it at first, and somebody once it has not changed for long."""
    clock = [0.0]
    leases = Leases(str(sample.folder / "leases"), 60.0, "reader", now=lambda: clock[0])
    path.replace(sample.folder / "leases" / "piece.lease")
    taken = []
    for clock[0] in (0.0, 59.0, 60.0):
        taken.append(leases.take("piece"))
    leases.give_back("piece")
    leases.leave()
    return "" if taken == [False, False, True] else f"a lease was taken: {taken}"


# Ways to spoil a file


def forged(kind: str, path: Path, sample: Sample, draw: random.Random) -> bytes:
    """A file with the right digest that says something else."""
    if kind == "lease":
        return draw.choice([b"", b"\n", b"other 000000000009\n", draw.randbytes(200), b"x" * 257])
    if kind == "search":
        record = json.loads(path.read_text())
        name = draw.choice(sorted(record.keys() - {"digest"}))
        odd = [*NUMBERS, 0.5, None, "x", [], [[]], [[1, 2, 3]], [[1, 2]], {}, True, "0" * 64, 10**40]
        record[name] = draw.choice(odd)
        del record["digest"]
        return search_text(record).encode()
    arrays = forged_arrays(dict(read_arrays(path)), sample, draw)
    arrays.pop(DIGEST, None)
    return sealed_arrays(arrays) if draw.random() < 0.9 else packed_arrays(arrays)


def bomb(kind: str, path: Path, draw: random.Random) -> bytes:
    """A small file that says it is, or unpacks to, far more than it should."""
    if kind in ("piece", "round"):
        return inflating(draw.choice(["of", "bounds", DIGEST]), draw.choice([10, 1000, 1 << 28, 0xFFFFFFFE]))
    return draw.choice([b"[" * 200_000, b'{"format":' * 100_000, b"1" * (1 << 21), bytes(1 << 22)])


READERS = {"search": read_search, "piece": read_piece, "round": read_round, "lease": read_lease}

"""Results of pieces and of rounds as bytes, with a digest over all that they say: what is handed on.

Bounds are taken as they are once the digest is right: what they rest on is checked by `prove`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from gpulingo.bounds.arrays import (
    Arrays,
    check_range,
    checked_row,
    lists_as_arrays,
    lists_from_arrays,
    sealed_arrays,
    unsealed_arrays,
)
from gpulingo.bounds.certificate import certificate_arrays, parsed_certificate
from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.formulas import most_credits
from gpulingo.search.piece import Known, Piece, Result
from gpulingo.search.state import Problem
from gpulingo.trees.checkpoint import parsed_tree, tree_bytes
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify

FORMAT = 1
MOST_BYTES = 1 << 28  # a limit of memory: that a result may unpack to


class ResultError(ValueError):
    """A result is damaged, or of another piece, list or game; the piece has to be worked out again."""


def result_bytes(problem: Problem, piece: Piece, result: Result) -> bytes:
    """A result as the bytes of an npz file; the twin of `parsed_result`."""
    evidence, tree = result.evidence, b"" if result.tree is None else tree_bytes(result.tree)
    ends = -1 if result.ends is None else int(result.ends)
    arrays: Arrays = {
        "of": _text(_of(problem, piece.name)),
        "found": np.array([result.value, ends, evidence is not None], dtype=np.int64),
        "tree": np.frombuffer(tree, dtype=np.uint8),
    }
    if evidence is not None:
        searched = {opening: values.cpu().numpy() for opening, values in evidence.searched.items()}
        arrays |= {
            "bounds": evidence.bounds.cpu().numpy(),
            "looked": evidence.looked.cpu().numpy(),
            "twofold": evidence.two_guesses.cpu().numpy(),
        }
        three = {opening: values.cpu().numpy() for opening, values in evidence.three_turns.items()}
        named = (("near", evidence.neighbours), ("searched", searched), ("three_turns", three))
        for name, lists in named:
            arrays |= lists_as_arrays(name, lists) if lists else {}
    return sealed_arrays(arrays)


def parsed_result(data: bytes, problem: Problem, piece: Piece) -> Result:
    """The result of a piece from its bytes.

    Raises:
        ResultError: damaged, or of another piece, list or game; what is wrong, after the name of a file.
    """
    try:
        arrays = _unsealed(data, _of(problem, piece.name))
        value, ends, bounded = checked_row("found", arrays["found"], "i", 3).tolist()
        tree = parsed_sound_tree(arrays["tree"].tobytes(), problem)
        evidence = _evidence(arrays, problem, piece) if bounded else None
        return Result(evidence, value, tree, None if ends < 0 else ends > 0)
    except (ValueError, KeyError) as error:
        raise ResultError(f"is damaged ({' '.join(str(error).split())})") from None


def known_bytes(known: Known) -> bytes:
    """What is known after a round as the bytes of an npz file; the twin of `parsed_known`."""
    tree = b"" if known.tree is None else tree_bytes(known.tree)
    ends = -1 if known.ends is None else int(known.ends)
    rows = [
        (number, opening, value)
        for number, played in enumerate(known.played)
        for opening, value in played.items()
    ]
    arrays = certificate_arrays(known.certificate) | {
        "of": _text(_of(known.problem, f"round {known.round}")),
        "ends": np.array([ends, known.by_classes], dtype=np.int64),
        "played": np.array(rows, dtype=np.int64).reshape(-1, 3),
        "tree": np.frombuffer(tree, dtype=np.uint8),
    }
    return sealed_arrays(arrays)


def parsed_known(data: bytes, before: Known) -> Known:
    """What is known after a round from its bytes.

    Args:
        before: what was known before the round.
    Raises:
        ResultError: damaged, or of another round, list or game; what is wrong, after the name of a file.
    """
    problem, number = before.problem, before.round + 1
    try:
        arrays = _unsealed(data, _of(problem, f"round {number}"))
        played: list[dict[int, int]] = [{} for _ in range(number)]
        for place, opening, value in arrays["played"].tolist():
            played[place][opening] = value
        ends, by_classes = checked_row("ends", arrays["ends"], "i", 2).tolist()
        return replace(
            before,
            certificate=parsed_certificate(arrays),
            tree=parsed_sound_tree(arrays["tree"].tobytes(), problem),
            round=number,
            played=tuple(played),
            ends=None if ends < 0 else ends > 0,
            by_classes=bool(by_classes),
        )
    except (ValueError, KeyError, IndexError) as error:
        raise ResultError(f"is damaged ({' '.join(str(error).split())})") from None


def _unsealed(data: bytes, of: str) -> Arrays:
    """Arrays that are whole, and of what was asked for.

    Raises:
        ValueError: they are not. KeyError: they say nothing of what they are of.
    """
    arrays = unsealed_arrays(data, MOST_BYTES)
    if not np.array_equal(arrays["of"], _text(of)):
        raise ValueError("it is of another piece, list or game")
    return arrays


def _of(problem: Problem, name: str) -> str:
    """All that a file is of."""
    return f"{FORMAT} {problem.wordlist.fingerprint} {problem.game.code} {name}"


def _text(text: str) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def parsed_sound_tree(data: bytes, problem: Problem) -> Tree | None:
    """A tree of the list and the game, played against every word; None where there is none.

    Raises:
        ValueError: it is none of them, or does not hold.
    """
    if not data:
        return None
    tree = parsed_tree(data)
    verify(tree, problem.wordlist)
    if tree.game != problem.game:
        raise ValueError(f"its tree is for {tree.game.code}, not {problem.game.code}")
    return tree


def _evidence(arrays: Arrays, problem: Problem, piece: Piece) -> Evidence:
    """Evidence of the openings of a piece.

    Raises:
        ValueError: it is not what `result_bytes` makes. KeyError: an array is missing.
    """
    words, count = problem.table.words, len(piece.openings)
    bounds = checked_row("bounds", arrays["bounds"], "i", count).astype(np.int64)
    check_range("bounds", bounds, 0, most_credits(problem.table, problem.game))
    looked = checked_row("looked", arrays["looked"], "i", count).astype(np.int32)
    check_range("looked", looked, 0, words)
    twofold = checked_row("twofold", arrays["twofold"], "b", count)
    near, searched, three = (
        lists_from_arrays(name, arrays, words) if name in arrays else {}
        for name in ("near", "searched", "three_turns")
    )
    neighbours = {opening: others.tolist() for opening, others in near.items()}
    columns = (torch.from_numpy(bounds), torch.from_numpy(looked), torch.from_numpy(twofold))
    return Evidence(torch.tensor(piece.openings), *columns, neighbours, searched, three_turns=three)

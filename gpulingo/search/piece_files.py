"""Results of pieces and of rounds as bytes, with a digest over all that they say: what is handed on.

A right digest is not trust: trees are played, and shapes, ranges and what contradicts the search are refused.
Bounds that are possible are taken as they are: what they rest on is checked by `prove`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
from gpulingo.bounds.certificate import certificate_arrays, check_fits, parsed_certificate
from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.formulas import most_credits
from gpulingo.bounds.partitions import opening_classes
from gpulingo.search.piece import Known, Piece, Result
from gpulingo.search.pieces import pieces_of
from gpulingo.search.state import Problem
from gpulingo.trees.checkpoint import parsed_tree, tree_bytes
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify

FORMAT = 1
MOST_BYTES = 1 << 28  # a limit of memory: that a result may unpack to
# What the result of a piece names for its openings beside their bounds, by kind; no other kind has bounds.
NAMED = {"count": "", "search": "", "close": "searched", "three": "three_turns"}
CLOSED = ("search", "close")  # kinds that give the tree of an opening whose bound is its value


class ResultError(ValueError):
    """A result is damaged, or of another piece, list or game; the piece has to be worked out again."""


def shaped(name: str, arrays: Arrays, kinds: str, shape: tuple[int | None, ...]) -> np.ndarray[Any, Any]:
    """Return an array of these kinds of numbers and of that shape, None for any size.

    Raises:
        ValueError: it is another.
        KeyError: the array is missing.
    """
    array = arrays[name]
    fits = len(array.shape) == len(shape) and all(
        expected in (None, size) for expected, size in zip(shape, array.shape, strict=True)
    )
    if array.dtype.kind not in kinds or not fits:
        wanted = f"{list(shape)} of kind {' or '.join(kinds)}".replace("None", "any")
        raise ValueError(f"has {name} as {array.dtype} {list(array.shape)}, expected {wanted}")
    return array


def result_bytes(problem: Problem, piece: Piece, result: Result) -> bytes:
    """Return a result as the bytes of an npz file; the twin of `parsed_result`."""
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
        for name, lists in (("searched", searched), ("three_turns", three)):
            arrays |= lists_as_arrays(name, lists) if lists else {}
    return sealed_arrays(arrays)


def parsed_result(data: bytes, problem: Problem, piece: Piece) -> Result:
    """Return the result of a piece from its bytes.

    Raises:
        ResultError: damaged, or of another piece, list or game; what is wrong, after the name of a file.
    """
    try:
        arrays = _unsealed(data, _of(problem, piece.name))
        value, ends, bounded = checked_row("found", arrays["found"], "i", 3).tolist()
        check_range("value", value, -1, most_credits(problem.table, problem.game))
        check_range("ends", ends, -1, 1)
        if (bounded, value >= 0, ends >= 0) != (
            piece.kind in NAMED,
            piece.kind == "play",
            piece.kind == "probe",
        ):
            raise ValueError(f"it has not what a {piece.kind} finds")
        tree = parsed_sound_tree(arrays["tree"].tobytes(), problem)
        result = Result(
            _evidence(arrays, problem, piece) if bounded else None,
            value,
            tree,
            None if ends < 0 else ends > 0,
        )
        _check_tree(piece, result)
        return result
    except (ValueError, KeyError) as error:
        raise ResultError(f"is damaged ({' '.join(str(error).split())})") from None


def known_bytes(known: Known) -> bytes:
    """Return the state after a round as the bytes of an npz file; the twin of `parsed_known`."""
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
    """Return the state after a round from its bytes.

    Args:
        before: what was known before the round.
    Raises:
        ResultError: damaged, or of another round, list or game; what is wrong, after the name of a file.
    """
    problem, number, pieces = before.problem, before.round + 1, pieces_of(before)
    try:
        arrays = _unsealed(data, _of(problem, f"round {number}"))
        ends, by_classes = checked_row("ends", arrays["ends"], "i", 2).tolist()
        check_range("ends", ends, -1, 1)
        check_range("an order", by_classes, 0, 1)
        certificate = parsed_certificate(arrays)
        check_fits(certificate, problem.wordlist, problem.game, "it")
        known = replace(
            before,
            certificate=certificate,
            tree=parsed_sound_tree(arrays["tree"].tobytes(), problem),
            round=number,
            played=_played(arrays, before, pieces),
            ends=None if ends < 0 else ends > 0,
            by_classes=bool(by_classes),
        )
        _check_follows(before, known, pieces)
        return known
    except (ValueError, KeyError) as error:
        raise ResultError(f"is damaged ({' '.join(str(error).split())})") from None


def _played(arrays: Arrays, before: Known, pieces: list[Piece]) -> tuple[dict[int, int], ...]:
    """Return the openings that each round rolled out, with their values.

    Raises:
        ValueError: they are not those of the rounds before, and of the pieces of this one.
    """
    rows, problem = shaped("played", arrays, "i", (None, 3)), before.problem
    check_range("rounds", rows[:, 0], 0, before.round)
    check_range("values", rows[:, 2], 0, most_credits(problem.table, problem.game))
    played: tuple[dict[int, int], ...] = tuple({} for _ in range(before.round + 1))
    for place, opening, value in rows.tolist():
        played[place][opening] = value
    now = {piece.openings[0] for piece in pieces if piece.kind == "play"}
    if played[:-1] != before.played or played[-1].keys() != now:
        raise ValueError("it rolled out other openings than this search")
    return played


def _check_follows(before: Known, known: Known, pieces: list[Piece]) -> None:
    """Check that what is known after a round can follow upon what was known before it.

    Raises:
        ValueError: it has forgotten something, or says what cannot be.
    """
    bounds = known.certificate.bounds
    if known.value < before.value or bool((bounds > before.certificate.bounds).any()):
        raise ValueError("it has a worse tree or greater bounds than were known before")
    if bool((bounds.cpu() < known.least()).any()):
        raise ValueError("it has bounds that are too small to be true")
    probed = any(piece.kind == "probe" for piece in pieces)
    if known.ends is None if probed else known.ends != before.ends:
        raise ValueError("it says of the wrong round whether searches end")


def _check_tree(piece: Piece, result: Result) -> None:
    """Check that a result has a tree where its kind gives one, and that it is what the rest says.

    Raises:
        ValueError: it is not.
    """
    tree, evidence, expected = result.tree, result.evidence, result.value if result.value > piece.goal else -1
    if evidence is not None and piece.kind in CLOSED and tree is not None and tree.guess[0] in piece.openings:
        expected = int(evidence.bounds[piece.openings.index(tree.guess[0])])
    if (-1 if tree is None else tree.value) != expected or (tree and tree.guess[0] not in piece.openings):
        raise ValueError("its tree is not what it says")


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
    """Return a tree of the list and the game, played against every word; None for no data.

    Raises:
        ValueError: it is not a tree of the list and the game, or does not hold.
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
    words, count, most = problem.table.words, len(piece.openings), most_credits(problem.table, problem.game)
    bounds = checked_row("bounds", arrays["bounds"], "i", count).astype(np.int64)
    check_range("bounds", bounds, 0, most)
    looked = checked_row("looked", arrays["looked"], "i", count).astype(np.int32)
    check_range("looked", looked, 0, words)
    twofold = checked_row("twofold", arrays["twofold"], "b", count)
    values = {name: lists_from_arrays(name, arrays, words) for name in NAMED.values() if name in arrays}
    for name, by_opening in values.items():
        check_range(f"values {name}", arrays[f"{name}_values"], 0, most)
        for opening, numbers in by_opening.items():
            classes = opening_classes(problem.table, opening).sets if opening in piece.openings else -1
            if name != NAMED[piece.kind] or len(numbers) != classes:
                raise ValueError(
                    f"it has {name} of {len(numbers)} classes, which are not those of its opening"
                )
    columns = (torch.from_numpy(bounds), torch.from_numpy(looked), torch.from_numpy(twofold))
    searched, three = (values.get(name, {}) for name in ("searched", "three_turns"))
    return Evidence(torch.tensor(piece.openings), *columns, searched=searched, three_turns=three)

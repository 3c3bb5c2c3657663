"""A search as pieces that any number of workers take: rounds of pieces, and what each comes to.

    known = begun(worker, goal, plan=..., block=...)
    while pieces := pieces_of(known):
        results = {piece.name: result_of(worker, piece) for piece in pieces}  # by anyone, in any order
        known = known.after(pieces, results)

Distribution of the pieces and transport of results are left to others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpulingo.search import piece_kinds as kinds
from gpulingo.search.piece import Known, Piece, Result, Worker, begun

__all__ = ["KINDS", "Kind", "Known", "Piece", "Result", "Worker", "begun", "pieces_of", "result_of"]


@dataclass(frozen=True)
class Kind:
    """A kind of pieces.

    Attributes:
        pieces: those of a round, from what is known before it; none where it has nothing to do.
        result: of one of them.
    """

    pieces: Callable[[Known], list[Piece]]
    result: Callable[[Worker, Piece], Result]


KINDS = {
    "count": Kind(kinds.count_pieces, kinds.count_result),
    "search": Kind(kinds.search_pieces, kinds.search_result),
    "probe": Kind(kinds.probe_pieces, kinds.probe_result),
    "three": Kind(kinds.three_pieces, kinds.three_result),
    "close": Kind(kinds.close_pieces, kinds.close_result),
    "play": Kind(kinds.play_pieces, kinds.play_result),
}


def pieces_of(known: Known) -> list[Piece]:
    """The pieces of a round: they need nothing of each other; none when the search has come to its end."""
    return [piece for kind in KINDS.values() for piece in kind.pieces(known)]


def result_of(worker: Worker, piece: Piece) -> Result:
    """Return the result of a piece: the same wherever, and after whatever else, it is worked out.

    Raises:
        MemoryError: a class is too large to be searched.
    """
    return KINDS[piece.kind].result(worker, piece)

"""`line_search`: the shortest lines of guesses against a host who keeps the largest class, as in `hosts`."""

from __future__ import annotations

import torch

from gpulingo.tensors.backend import Backend, LineSearch
from gpulingo.tensors.checks import check_kind
from gpulingo.tensors.device import backend_of
from gpulingo.tensors.wordtable import WordTable

MOST_GUESSES = 3  # of a line that `shortest` looks for; longer ones are made of these


def line_search(table: WordTable, memory: int, *, backend: Backend | None = None) -> LineSearch:
    """A search for the shortest lines of guesses against a host who keeps the largest class.

    Args:
        table: the words; its feedback is marks.
        memory: bytes that it may take; the classes of all targets by every guess have to fit.
        backend: what does the work; that of the CPU, wherever the table lies, when None.
    Raises:
        ValueError: the memory is too small, targets have weights, or the feedback is another.
        TypeError: an argument is of another kind.

    >>> from gpulingo import encode
    >>> table = encode(["dents", "dozes", "reads"])
    >>> line_search(table, 1 << 20).shortest(table.targets, limit=3)
    Lines(guesses=2, lines=3)
    """
    check_kind("table", table, WordTable)
    check_kind("memory", memory, int)
    if table.weights is not None or table.feedback != "marks":
        raise ValueError("lines are searched of marks and of words that count alike: use table.with_sets()")
    if backend is not None and not isinstance(backend, Backend):
        raise TypeError(f"backend is of type {type(backend).__name__}, expected one with all operations")
    return (backend or backend_of(torch.device("cpu"))).line_search(table.to("cpu"), memory)

"""Sets of legal guesses, narrowed by what a guess has shown: the twin of `games.catalogue.legal_after`."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.backend import Backend
from gpulingo.tensors.checks import check_row, check_within
from gpulingo.tensors.device import backend_of
from gpulingo.tensors.frontier import Frontier, check_sets
from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import WordTable

RULES = ("hard", "consistent")
START = "start"  # where a guess shows nothing of what is legal: the first letter, which stays, was given
NONE_LEFT = "a class leaves no legal guess, expected one at least: its candidates are legal"


def narrowed(
    rule: str,
    table: WordTable,
    legal: Frontier,
    guesses: Tensor,
    *,
    parents: Tensor,
    patterns: Tensor,
    backend: Backend | None = None,
) -> Frontier:
    """Return the guesses that are still legal in each class.

    Args:
        rule: one of RULES or START, as in `Game.legal`.
        table: the words all indices point into.
        legal: S sets of legal guesses, on the table's device.
        guesses: [S] int32, the guess of each set.
        parents: [C] int64: the set that each class comes from.
        patterns: [C] int32 (int64 from 20 letters on), the feedback that leads to it.
        backend: what does the work; None: chosen by device.
    Returns:
        C sets of legal guesses, the same on every backend.
    Raises:
        ValueError: there is no such rule for the table's feedback, or a class that leaves no guess; sets,
            guesses, parents or patterns of another kind.

    >>> from gpulingo import encode, split, whole
    >>> table, guess = encode(["dents", "dozes", "reads"]), torch.tensor([1], dtype=torch.int32)
    >>> made = split(table, whole(table), guess)
    >>> narrowed("hard", table, whole(table), guess, parents=made.parents, patterns=made.patterns).sizes
    tensor([3, 2])
    """
    check_sets(table, legal)
    guesses = check_row("guesses", guesses, torch.int32, table.device, legal.sets)
    check_within("guesses", guesses, table.guesses)
    parents = check_row("parents", parents, torch.int64, table.device, "C")
    check_within("parents", parents, legal.sets)
    dtype = code_dtype(table.length)
    patterns = check_row("patterns", patterns, dtype, table.device, parents.shape[0])
    if rule == START:
        return legal.take(parents)
    if rule not in RULES or (rule == "hard" and not table.shows_marks):
        known = " or ".join(RULES)
        raise ValueError(f"no rule {rule!r} of feedback {table.feedback!r}: use {known} of marks")
    if rule == "consistent":
        return _consistent(table, legal, guesses, parents, patterns, backend)
    hinted = (backend or backend_of(table.device)).using_hints(table, legal, guesses, parents, patterns)
    if hinted.sets and int(hinted.sizes.min()) == 0:
        raise ValueError(NONE_LEFT)
    return hinted


def _consistent(
    table: WordTable,
    legal: Frontier,
    guesses: Tensor,
    parents: Tensor,
    patterns: Tensor,
    backend: Backend | None,
) -> Frontier:
    """Return the class of the legal guesses that has the pattern of each class."""
    classes = split(table, legal, guesses, backend=backend)
    # A pattern has up to 62 bits, so it is numbered before the parent comes in front of it.
    kinds = classes.patterns.unique()
    last = max(kinds.shape[0] - 1, 0)
    keys, wanted = (
        owners * kinds.shape[0] + torch.searchsorted(kinds, codes).clamp(max=last)
        for owners, codes in ((classes.parents, classes.patterns), (parents, patterns))
    )
    places = torch.searchsorted(keys, wanted).clamp(max=max(keys.shape[0] - 1, 0))
    if parents.shape[0] and not (
        keys.shape[0]
        and torch.equal(classes.patterns[places], patterns)
        and torch.equal(classes.parents[places], parents)
    ):
        raise ValueError(NONE_LEFT)
    return classes.frontier.take(places)

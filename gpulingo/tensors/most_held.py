"""`most_held_tree`: the whole tree of guessing the letter that candidates hold most."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.games.catalogue import MOST_TURNS
from gpulingo.tensors.backend import Backend
from gpulingo.tensors.checks import check_ascending, check_kind, check_row, check_tensor
from gpulingo.tensors.device import backend_of
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import WordTable


def most_held_tree(
    table: WordTable,
    members: Tensor,
    lives: int,
    counts: Tensor,
    before: Tensor,
    *,
    backend: Backend | None = None,
) -> LetterTree:
    """The tree of guessing the letter that is counted most among the candidates, of those that part them.

    Args:
        table: of feedback `positions`.
        members: [n] int32, ascending, at least one: the candidates.
        lives: misses that lose the round, 1 to 255.
        counts: [W, A] int64, 0 or more: what each letter of the alphabet counts in each word. A letter that
            a word does not have counts 0 there.
        before: [A] int64: of letters that are counted alike the one with most here is guessed, then the
            first.
        backend: what does the work; chosen by device when None.
    Raises:
        ValueError: guesses of the table are words, or other shapes, types or devices. TypeError: other kinds.

    >>> from gpulingo import parse
    >>> from gpulingo.tensors.features import letter_copies
    >>> from gpulingo.tensors.wordtable import table_of
    >>> table = table_of(parse("cab\\ncob\\nrob").of_length(3), "positions")
    >>> most_held_tree(table, table.targets, 1, letter_copies(table), torch.zeros(5).long()).guess
    tensor([5, 3, 0], dtype=torch.int32)
    """
    check_kind("table", table, WordTable)
    check_letters_guessed(table)
    check_kind("lives", lives, int)
    if not 1 <= lives <= MOST_TURNS:
        raise ValueError(f"lives is {lives}, expected 1 to {MOST_TURNS}")
    members = check_row("members", members, torch.int32, table.device, "n")
    check_ascending("members", members, table.words)
    if members.shape[0] == 0:
        raise ValueError("no members, expected at least one")
    alphabet = len(table.alphabet)
    check_tensor("counts", counts, (torch.int64,), (table.words, alphabet))
    before = check_row("before", before, torch.int64, table.device, alphabet)
    chosen = backend or backend_of(table.device)
    return chosen.most_held_tree(table, members, lives, counts, before)


def check_letters_guessed(table: WordTable) -> None:
    """Raise ValueError unless the guesses of a table are letters."""
    if table.feedback != "positions":
        raise ValueError(
            f"guesses show {table.feedback} of words, expected letters: use table_of(words, 'positions')"
        )

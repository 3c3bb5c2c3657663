"""Patterns of marks of every guess against every target: an operation that torch knows by name."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_place, check_tensor, code_dtype
from gpulingo.tensors.device import backend_of


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Code the feedback of every guess against every target.

    A code reads the N marks as base-3 digits, first letter most significant, so the
    all-placed code is 3**N - 1. A letter is misplaced while the target still holds an
    unplaced copy of it that no earlier unplaced letter of the guess has used.

    It is the operator `gpulingo::patterns`: `torch.compile` keeps it whole, `torch.func.vmap` takes it.

    Args:
        guesses: [G, N] uint8 letters.
        targets: [T, N] uint8 letters, on the same device.
    Returns:
        [G, T] int32 in [0, 3**N) (int64 from 20 letters on).
    Raises:
        ValueError: they are something else, or the word lengths differ.
    Source: checkWord in game.go of noirotm/lingo.

    >>> from gpulingo import encode
    >>> letters = encode(["dents", "dozes"]).letters
    >>> patterns(letters, letters)
    tensor([[242, 191],
            [167, 242]], dtype=torch.int32)
    """
    for what, letters in (("guesses", guesses), ("targets", targets)):
        check_tensor(what, letters, (torch.uint8,), (what[0].upper(), "N"))
    check_place("targets", targets, guesses.device)
    if guesses.shape[1] != targets.shape[1]:
        seen = f"guesses have {guesses.shape[1]} letters, targets {targets.shape[1]}"
        raise ValueError(f"{seen}: use one length")
    code_dtype(guesses.shape[1])  # which refuses words that are too long
    made: Tensor = _patterns(guesses, targets)
    return made


@torch.library.custom_op("gpulingo::patterns", mutates_args=())
def _patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    return backend_of(guesses.device).patterns(guesses, targets)


@_patterns.register_fake
def _(guesses: Tensor, targets: Tensor) -> Tensor:
    return guesses.new_empty(guesses.shape[0], targets.shape[0], dtype=code_dtype(guesses.shape[1]))


@_patterns.register_vmap
def _(
    info: Any, in_dims: tuple[int | None, int | None], guesses: Tensor, targets: Tensor
) -> tuple[Tensor, int]:
    """One call where one side is batched, one for each item where both are."""
    of_guesses, of_targets = in_dims
    guesses = guesses if of_guesses is None else guesses.movedim(of_guesses, 0)
    targets = targets if of_targets is None else targets.movedim(of_targets, 0)
    if of_targets is None:
        return patterns(guesses.flatten(0, 1), targets).unflatten(0, guesses.shape[:2]), 0
    if of_guesses is None:
        return patterns(guesses, targets.flatten(0, 1)).unflatten(1, targets.shape[:2]), 1
    return torch.stack([patterns(*pair) for pair in zip(guesses, targets, strict=True)]), 0

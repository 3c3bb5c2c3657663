"""Feedback codes of guesses against targets, as one tensor operation: the rule the kernels must equal."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_place, check_tensor

PLACED, MISPLACED = 2, 1  # absent is 0
LONGEST = 39  # 3**39 - 1 is the last all-placed code that fits int64


def code_dtype(length: int) -> torch.dtype:
    """Integer type of the patterns of words of this length: int32 up to 19 letters, int64 up to 39.

    Raises:
        ValueError: longer words.
    """
    if length > LONGEST:
        raise ValueError(
            f"words of {length} letters, expected at most {LONGEST}: patterns would not fit 64 bits"
        )
    return torch.int32 if length <= 19 else torch.int64


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Code the feedback of every guess against every target.

    A code reads the N marks as base-3 digits, first letter most significant, so the
    all-placed code is 3**N - 1. A letter is misplaced while the target still holds an
    unplaced copy of it that no earlier unplaced letter of the guess has used.

    Args:
        guesses: [G, N] uint8 letters.
        targets: [T, N] uint8 letters, on the same device.
    Returns:
        [G, T] int32 in [0, 3**N) (int64 from 20 letters on).
    Raises:
        TypeError, ValueError: they are something else, or the word lengths differ.
    Source: checkWord in game.go of noirotm/lingo.
    """
    for what, letters in (("guesses", guesses), ("targets", targets)):
        check_tensor(what, letters, (torch.uint8,), (what[0].upper(), "N"))
    return paired_patterns(guesses[:, None, :], targets[None, :, :])


def paired_patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Code the feedback of each guess against the target that stands at the same place.

    Args:
        guesses: [..., N] uint8 letters.
        targets: [..., N] uint8 letters; leading axes broadcast against those of `guesses`.
    Returns:
        [...] int32 (int64 from 20 letters on), the broadcast leading axes.
    Raises:
        TypeError, ValueError: they are something else, or the word lengths or leading axes differ.
    """
    check_letters("guesses", guesses)
    check_letters("targets", targets)
    check_place("targets", targets, guesses.device)
    length = guesses.shape[-1]
    if length != targets.shape[-1]:
        raise ValueError(f"guesses have {length} letters, targets {targets.shape[-1]}: use one length")
    try:
        torch.broadcast_shapes(guesses.shape, targets.shape)
    except RuntimeError:
        shapes = f"{list(guesses.shape)} and {list(targets.shape)}"
        raise ValueError(f"guesses and targets are {shapes}, expected axes that fit each other") from None
    placed = guesses == targets  # [..., N]
    codes = torch.zeros(placed.shape[:-1], dtype=code_dtype(length), device=guesses.device)
    for i in range(length):
        letter = guesses[..., i, None]
        supply = ((targets == letter) & ~placed).sum(-1, dtype=torch.int8)
        used = ((guesses[..., :i] == letter) & ~placed[..., :i]).sum(-1, dtype=torch.int8)
        misplaced = (used < supply) & ~placed[..., i]
        # In place, because int32 + bool * 2 would promote the sum to int64.
        codes.mul_(3).add_(placed[..., i], alpha=PLACED).add_(misplaced, alpha=MISPLACED)
    return codes


def check_letters(what: str, letters: Tensor) -> None:
    """Raise TypeError or ValueError unless these are words in letters, in any number of axes."""
    axes = letters.ndim - 1 if isinstance(letters, Tensor) and letters.ndim else 0
    check_tensor(what, letters, (torch.uint8,), (*["..."] * axes, "N"))

"""`gpulingo::patterns`, the operator of torch that `operations.patterns` is for tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from gpulingo.tensors.checks import code_type
from gpulingo.tensors.device import backend_of

NAME = "gpulingo::patterns"
torch.library.define(NAME, "(Tensor guesses, Tensor targets) -> Tensor")  # custom_op would import dynamo


@torch.library.impl(NAME, "CompositeExplicitAutograd")
def _(guesses: Tensor, targets: Tensor) -> Tensor:
    """Code the feedback of every guess against every target, on the device of both."""
    made: Tensor = backend_of(guesses.device).patterns(guesses, targets)
    return made


patterns = torch.ops.gpulingo.patterns.default


@torch.library.register_fake(NAME)
def _(guesses: Tensor, targets: Tensor) -> Tensor:
    kind = getattr(torch, code_type(guesses.shape[1]))
    return guesses.new_empty(guesses.shape[0], targets.shape[0], dtype=kind)


@torch.library.register_vmap(NAME)
def _(
    info: Any, in_dims: tuple[int | None, int | None], guesses: Tensor, targets: Tensor
) -> tuple[Tensor, int]:
    """Make one call if one side is batched, one per item if both are."""
    of_guesses, of_targets = in_dims
    guesses = guesses if of_guesses is None else guesses.movedim(of_guesses, 0)
    targets = targets if of_targets is None else targets.movedim(of_targets, 0)
    if of_targets is None:
        return patterns(guesses.flatten(0, 1), targets).unflatten(0, guesses.shape[:2]), 0
    if of_guesses is None:
        return patterns(guesses, targets.flatten(0, 1)).unflatten(1, targets.shape[:2]), 1
    return torch.stack([patterns(*pair) for pair in zip(guesses, targets, strict=True)]), 0

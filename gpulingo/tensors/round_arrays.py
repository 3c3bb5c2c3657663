"""The state of a batch of rounds as arrays, which `operations.play` changes in place."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, eq=False)
class RoundArrays:
    """B rounds of a game, each on its own turn; guesses that are letters count from 0.

    An invalid guess is stored as -1, like one that is not made yet, and its M marks are 0.
    """

    targets: Tensor  # [B] int32
    guesses: Tensor  # [B, T] int32
    marks: Tensor  # [B, T, M] uint8
    turn: Tensor  # [B] int32, guesses made
    turns_left: Tensor  # [B] int32, or lives
    done: Tensor  # [B] bool
    credits: Tensor  # [B] int32, 0 until the round is done
    invalid: Tensor  # [B] bool, of the last guess
    payoff: Tensor  # [turns + 1] int32, by turns left
    counts_misses: bool

"""The state of a batch of rounds as arrays, which `operations.play` changes in place, and words by lot."""

from __future__ import annotations

from typing import Protocol

from gpulingo.tensors.arrays import Tensor

MIX = (30, -0x40A7B892E31B1A47), (27, -0x6B2FB644ECCEEE15), (31, 1)  # shifts and factors of splitmix64
NEXT = -0x61C8864680B583EB  # from one of its states to the next
ALL = (1 << 63) - 1


class RoundArrays(Protocol):
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


def lots(counters: Tensor, limit: int) -> Tensor:
    """[B] int64 from 0 to below a limit: splitmix64 of [B] int64 counters, the same on every device."""
    bits = counters * NEXT
    for shift, factor in MIX:
        bits = (bits ^ (bits >> shift & ALL >> shift - 1)) * factor
    return (bits & ALL) % limit

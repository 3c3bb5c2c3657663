"""Feedback of guesses on targets, as tensor operations: the rules that the kernels must equal.

A game's feedback is one class here; its twin in text, one pair of words at a time, is in `gpulingo.games`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gpulingo.games import counts
from gpulingo.tensors.checks import code_dtype
from gpulingo.tensors.lazily import torch
from gpulingo.tensors.paircodes import PairCodes, count_codes, pair_codes, place_codes
from gpulingo.tensors.wordtable import Words, WordTable

if TYPE_CHECKING:
    from torch import Tensor


PLACED, MISPLACED = 2, 1  # absent is 0


class Feedback:
    """Feedback of a guess on a target, in the form that operations and backends use; one subclass per rule.

    Guesses are numbers below `WordTable.guesses`; those from W on are not words.
    """

    by_letter = True  # the pattern shows the feedback of each letter of a guess

    def dtype(self, length: int) -> torch.dtype:
        """Integer type of the patterns of words of a length."""
        return code_dtype(length)

    def solved(self, length: int) -> int:
        """The pattern of the target itself, greater than any other; -1 if a word is found in another way."""
        raise NotImplementedError

    def paired(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Patterns of guesses against the targets at the same place; axes broadcast."""
        raise NotImplementedError

    def digits(self, length: int) -> tuple[tuple[int, ...], int]:
        """The place values of the M numbers that a pattern consists of, and their base: see `marks`."""
        raise NotImplementedError

    def marks(self, patterns: Tensor, length: int) -> Tensor:
        """[..., M] uint8, what [...] patterns show: a mark or a bit for each place, or counts."""
        values, base = self.digits(length)
        return torch.stack([(patterns // value % base).to(torch.uint8) for value in values], -1)

    def codes(self, table: Words) -> PairCodes:
        """Pair codes of every guess, equal exactly if patterns are equal."""
        raise NotImplementedError

    def planes(self, table: WordTable) -> Tensor | None:
        """[K, G] int32 on the table's device: the features whose bits make up the pattern of every guess.

        None: bits do not determine the pattern.
        """
        return None


class Marks(Feedback):
    """Letters that are placed, misplaced or absent."""

    def solved(self, length: int) -> int:
        return 3**length - 1  # all placed

    def digits(self, length: int) -> tuple[tuple[int, ...], int]:
        return tuple(3**place for place in reversed(range(length))), 3

    def paired(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        return paired_patterns(table.letters[guesses], table.letters[targets])

    def codes(self, table: Words) -> PairCodes:
        return pair_codes(table)

    def planes(self, table: WordTable) -> Tensor:
        """Letter i at its place, then as many copies of it as the guess has up to place i."""
        letters = table.letters.to(torch.int32).T  # [N, W]
        length, alphabet = table.length, len(table.alphabet)
        places = torch.arange(length, dtype=torch.int32, device=table.device)[:, None] * alphabet + letters
        copies = torch.stack([(letters[:i] == letters[i]).sum(0, dtype=torch.int32) for i in range(length)])
        return torch.cat([places, (length + copies) * alphabet + letters])


class Positions(Feedback):
    """Places where the target has a guessed letter: one bit per place, the first the most significant.

    A guess that is a word shows all letters if it is the target, otherwise nothing; it is guessed only as the
    last candidate of a set.
    """

    def solved(self, length: int) -> int:
        return 1 << length  # one more than all places

    def digits(self, length: int) -> tuple[tuple[int, ...], int]:
        return tuple(1 << place for place in reversed(range(length))), 2

    def paired(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Dot product of bits for letters; for words whether guess and target are the same."""
        dtype, length = self.dtype(table.length), table.length
        bits = 1 << torch.arange(length - 1, -1, -1, dtype=dtype, device=table.device)
        there = table.letters[targets.long()] == (guesses - table.words)[..., None]  # [..., N]
        places = (there * bits).sum(-1, dtype=dtype)
        return torch.where(guesses == targets, torch.full_like(places, self.solved(length)), places)

    def codes(self, table: Words) -> PairCodes:
        return place_codes(table)

    def planes(self, table: WordTable) -> Tensor:
        """The letter at each place; for a word the feature that no target has."""
        alphabet, places = len(table.alphabet), torch.arange(table.length, dtype=torch.int32)
        letters = places[:, None] * alphabet + torch.arange(alphabet, dtype=torch.int32)  # [N, A]
        none = torch.full((table.length, table.words), table.length * alphabet, dtype=torch.int32)
        return torch.cat([none, letters], 1).to(table.device)


class PlacedAndHeld(Feedback):
    """Feedback of two numbers: letters placed, and further letters that the target has.

    `rule` turns the numbers into a pattern; the coefficients for a word length make sums that are equal where
    patterns are, see `count_codes`; `values` are the place values of the numbers in a pattern.
    """

    by_letter = False

    def __init__(
        self, rule: counts.Counts, coefficients: Callable[[int], tuple[int, ...]], values: tuple[int, ...]
    ) -> None:
        self.rule, self.coefficients, self.values = rule, coefficients, values

    def dtype(self, length: int) -> torch.dtype:
        return torch.int32

    def solved(self, length: int) -> int:
        return self.rule.solved(length)

    def digits(self, length: int) -> tuple[tuple[int, ...], int]:
        return self.values, counts.PLACED

    def paired(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Sums over the places, and over the letters of the alphabet."""
        guess, target = table.letters[guesses.long()], table.letters[targets.long()]
        placed = (guess == target).sum(-1, dtype=torch.int32)
        letters = torch.arange(len(table.alphabet), dtype=torch.uint8, device=table.device)[:, None]
        copies = [(word[..., None, :] == letters).sum(-1, dtype=torch.int32) for word in (guess, target)]
        held = torch.minimum(*copies).sum(-1, dtype=torch.int32) - placed
        patterns: Tensor = self.rule.number(placed, held, table.length)
        return patterns

    def codes(self, table: Words) -> PairCodes:
        return count_codes(table, *self.coefficients(table.length))


BY_NAME: dict[str, Feedback] = {
    "marks": Marks(),
    "positions": Positions(),
    "counts": PlacedAndHeld(counts.Counts(), lambda length: (length, 1), (counts.PLACED, 1)),
    "placed": PlacedAndHeld(counts.Counts(held=False), lambda length: (1, 0), (counts.PLACED,)),
    "common": PlacedAndHeld(counts.Common(), lambda length: (length + 1, 1, length + 1), (1,)),
}


def feedback_of(table: Words) -> Feedback:
    """Return the feedback of a table."""
    if table.feedback not in BY_NAME:
        raise ValueError(f"feedback is {table.feedback!r}, expected one of {', '.join(BY_NAME)}")
    return BY_NAME[table.feedback]


def paired_patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Marks of [..., N] uint8 guesses against the targets at the same places; leading axes broadcast."""
    length = guesses.shape[-1]
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

"""Feedback of guesses on targets, as tensor operations: the rules that the kernels must equal.

A game's feedback is one class here; its twin in text, one pair of words at a time, is in `gpulingo.games`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from gpulingo.games import counts
from gpulingo.tensors.arrays import Tensor, as_type, like, namespace, wide
from gpulingo.tensors.checks import code_type
from gpulingo.tensors.paircodes import PairCodes, count_codes, pair_codes, place_codes
from gpulingo.tensors.wordtable import WordTable

PLACED, MISPLACED = 2, 1  # absent is 0


class Feedback(Protocol):
    """Feedback of a guess on a target, in the form that operations and backends use; one subclass per rule.

    Guesses are numbers below `WordTable.guesses`; those from W on are not words.
    """

    by_letter: bool = True  # the pattern shows the feedback of each letter of a guess

    def type(self, length: int) -> str:
        """Integer type of the patterns of words of a length."""
        return code_type(length)

    def solved(self, length: int) -> int:
        """The pattern of the target itself, greater than any other; -1 if a word is found in another way."""

    def paired(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Patterns of guesses against the targets at the same place; axes broadcast."""

    def digits(self, length: int) -> tuple[tuple[int, ...], int]:
        """The place values of the M numbers that a pattern consists of, and their base: see `marks`."""

    def marks(self, patterns: Tensor, length: int) -> Tensor:
        """[..., M] uint8, what [...] patterns show: a mark or a bit for each place, or counts."""
        values, base = self.digits(length)
        columns = [as_type(patterns // value % base, "uint8") for value in values]
        return namespace(patterns).stack(columns, axis=-1)

    def codes(self, table: WordTable) -> PairCodes:
        """Pair codes of every guess, equal exactly if patterns are equal."""

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

    def codes(self, table: WordTable) -> PairCodes:
        return pair_codes(table)

    def planes(self, table: WordTable) -> Tensor:
        """Letter i at its place, then as many copies of it as the guess has up to place i."""
        xp, letters = namespace(table.letters), as_type(table.letters, "int32").T  # [N, W]
        length, alphabet = table.length, len(table.alphabet)
        places = xp.arange(length, dtype=xp.int32, device=table.device)[:, None] * alphabet + letters
        copies = xp.stack([(letters[:i] == letters[i]).sum(0, dtype=xp.int32) for i in range(length)])
        return xp.concat([places, (length + copies) * alphabet + letters])


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
        xp, length = namespace(table.letters), table.length
        kind = getattr(xp, self.type(length))
        bits = like(np.array([1 << place for place in reversed(range(length))]), table.letters)
        letters = xp.astype(table.letters[wide(targets)], xp.int32)  # a number below 0 is no letter
        there = letters == (guesses - table.words)[..., None]  # [..., N]
        places = (there * bits).sum(-1, dtype=kind)
        return xp.where(guesses == targets, xp.full_like(places, self.solved(length)), places)

    def codes(self, table: WordTable) -> PairCodes:
        return place_codes(table)

    def planes(self, table: WordTable) -> Tensor:
        """The letter at each place; for a word the feature that no target has."""
        alphabet, places = len(table.alphabet), np.arange(table.length, dtype=np.int32)
        letters = places[:, None] * alphabet + np.arange(alphabet, dtype=np.int32)  # [N, A]
        none = np.full((table.length, table.words), table.length * alphabet, np.int32)
        return like(np.concatenate([none, letters], axis=1), table.letters)


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

    def type(self, length: int) -> str:
        return "int32"

    def solved(self, length: int) -> int:
        return self.rule.solved(length)

    def digits(self, length: int) -> tuple[tuple[int, ...], int]:
        return self.values, counts.PLACED

    def paired(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Sums over the places, and over the letters of the alphabet."""
        xp = namespace(table.letters)
        guess, target = (table.letters[wide(row)] for row in (guesses, targets))
        placed = (guess == target).sum(-1, dtype=xp.int32)
        letters = xp.arange(len(table.alphabet), dtype=xp.uint8, device=table.device)[:, None]
        copies = [(word[..., None, :] == letters).sum(-1, dtype=xp.int32) for word in (guess, target)]
        held = xp.minimum(*copies).sum(-1, dtype=xp.int32) - placed
        patterns: Tensor = self.rule.number(placed, held, table.length)
        return patterns

    def codes(self, table: WordTable) -> PairCodes:
        return count_codes(table, *self.coefficients(table.length))


BY_NAME: dict[str, Feedback] = {
    "marks": Marks(),
    "positions": Positions(),
    "counts": PlacedAndHeld(counts.Counts(), lambda length: (length, 1), (counts.PLACED, 1)),
    "placed": PlacedAndHeld(counts.Counts(held=False), lambda length: (1, 0), (counts.PLACED,)),
    "common": PlacedAndHeld(counts.Common(), lambda length: (length + 1, 1, length + 1), (1,)),
}


def feedback_of(table: WordTable) -> Feedback:
    """Return the feedback of a table."""
    if table.feedback not in BY_NAME:
        raise ValueError(f"feedback is {table.feedback!r}, expected one of {', '.join(BY_NAME)}")
    return BY_NAME[table.feedback]


def paired_patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Marks of [..., N] uint8 guesses against the targets at the same places; leading axes broadcast."""
    length = guesses.shape[-1]
    placed = guesses == targets  # [..., N]
    xp, kind = namespace(guesses), code_type(length)
    codes = xp.zeros(placed.shape[:-1], dtype=getattr(xp, kind), device=guesses.device)
    for i in range(length):
        letter = guesses[..., i, None]
        supply = ((targets == letter) & ~placed).sum(-1, dtype=xp.int8)
        used = ((guesses[..., :i] == letter) & ~placed[..., :i]).sum(-1, dtype=xp.int8)
        misplaced = (used < supply) & ~placed[..., i]
        codes *= 3
        codes += as_type(placed[..., i], kind) * PLACED + as_type(misplaced, kind) * MISPLACED
    return codes

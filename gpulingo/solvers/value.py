"""`value_search`: what sets of words are worth by every legal guess, as an exact search finds it."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from gpulingo.solvers.openings import is_weighted
from gpulingo.solvers.ruled_search import ValueSearch as RuledSearch
from gpulingo.solvers.value_search import ValueSearch as PlainSearch
from gpulingo.tensors.checks import check_kind
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.wordtable import WordTable

RULES = ("hard", "consistent")
MOST_TURNS = 1 << 16


class ValueSearch(Protocol):
    """A search for the values of sets, with a table of what it has seen; for one thread at a time."""

    def value(
        self, members: Tensor, left: int, floor: int = -1, limit: int = ..., legal: Tensor | None = None
    ) -> Valued:
        """The value of one set, over every legal guess.

        Args:
            members: [n] int32, ascending, not empty, all of them targets.
            left: turns left, the guess included, at least 1.
            floor: credits that a value has to be above, or it is not worth knowing; not negative, or -1.
            limit: pairs of guess and candidate that it may evaluate.
            legal: [L] int32, ascending, the members among them: the legal guesses; None: the whole pool.
        """

    def bracket(self, members: Tensor, left: int) -> tuple[int, int]:
        """What the value of one set is at least and at most: soon known where the value takes long.

        Both are -1 where the set is too large to be searched. What helps to find the value of the same set
        may be kept until that is asked for.

        Args:
            members: [n] int32, ascending, not empty, all of them targets.
            left: turns left, the guess included, at least 1.
        """

    def forget(self) -> None:
        """Keep nothing more for sets that `bracket` was asked about."""

    def after(
        self,
        opening: int,
        left: int,
        floor: int = -1,
        limit: int = ...,
        upper: Tensor | None = None,
    ) -> Opened:
        """What a word of the pool leads to as first guess, all targets being candidates and all words legal.

        Its classes are searched one by one, the smallest first, until no more than the floor is left.

        Args:
            opening: index of the guess.
            left: turns left, the opening included, at least 1.
            floor: credits that its value has to be above, or it is not worth knowing; not negative, or -1.
            limit: pairs of guess and candidate that it may evaluate.
            upper: [C] int64, a bound of each class that `split` tells, the solved one left out; if known.
        """

    def stop(self) -> None:
        """End, from another thread, what is searched now, as if its limit were reached."""


def value_search(
    table: WordTable,
    memory: int,
    *,
    legal: str = "any",
    bonus: int = 0,
    pace: int = 1,
) -> ValueSearch:
    """A search for what a best strategy has of sets, by every legal guess.

    A target that is found counts the bonus and, for each turn left, the guess included, the pace; times
    its weight.

    Args:
        table: the words; a guess may be any of its pool that is legal.
        memory: bytes that what is known of sets may take; then the new replaces the old.
        legal: "any", or a rule of `tensors.legal.RULES`.
        bonus: credits for each target that is found, whatever the turn. pace: 1, or 0 with a bonus.
    Raises:
        ValueError: guesses are no words, no such rule, a bonus that is negative, or values that could pass 62
            bits. TypeError: of another kind.

    >>> from gpulingo import encode
    >>> table = encode(["dents", "dozes", "reads"])
    >>> value_search(table, 1 << 20).value(table.targets, left=5)
    Valued(value=13, guess=0, pairs=0)
    """
    check_kind("table", table, WordTable)
    check_kind("memory", memory, int)
    check_kind("bonus", bonus, int)
    check_kind("pace", pace, int)
    if table.guesses > table.words:
        raise ValueError(f"{table.guesses - table.words} guesses are no words: values are searched of words")
    if legal != "any" and (legal not in RULES or table.feedback != "marks"):
        raise ValueError(
            f"no rule {legal!r} of feedback {table.feedback!r}: use any, or hard or consistent of marks"
        )
    weight = table.words if table.weights is None else int(table.weights.sum())
    if not 0 <= bonus < (1 << 62) // weight - MOST_TURNS:
        raise ValueError(f"bonus is {bonus} for {weight} words, expected 0 or more and sums within 62 bits")
    if pace not in (0, 1) or bonus + pace < 1:
        raise ValueError(f"pace is {pace} and bonus {bonus}, expected 1, or 0 and a bonus")
    table = table.to("cpu")
    if legal == "any" and (bonus, pace) == (0, 1) and not is_weighted(table):
        return PlainSearch(table, memory)
    return RuledSearch(table, memory, legal, bonus, pace)

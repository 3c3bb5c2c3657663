"""Results of operations, and what `greatest_capped` and `play` take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor, distinct, namespace, places_among
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.frontier import Frontier
from gpulingo.words.shown import brief, counted

LOWEST = np.iinfo(np.int64).min
MANY = 1 << 62  # more guesses than any line has


def pairs_text(pairs: int) -> str:
    """Return a number of pairs, for a repr.

    >>> pairs_text(12345), pairs_text(343_000_000)
    ('12,345 pairs', '343 M pairs')
    """
    return f"{pairs:,} pairs" if pairs < 1_000_000 else f"{pairs / 1e6:,.0f} M pairs"


@dataclass(frozen=True, eq=False)
class Ranked:
    """The best K guesses of each of S sets, best first; a place without a guess has guess -1.

    Attributes:
        guesses: [S, K] int32 indices into the WordTable; a guess as text is `words[i]` of its list.
        ranks: [S, K] int64.
        pairs: pairs of guess and candidate evaluated.

    >>> from gpulingo import encode, parts, rank, whole
    >>> table = encode(["dents", "dozes", "reads"])
    >>> rank(table, whole(table), table.pool, parts(3, turns_left=2), width=2)
    Ranked(1 set x 2, 9 pairs)
    """

    guesses: Tensor
    ranks: Tensor
    pairs: int

    def __repr__(self) -> str:
        sets, width = self.guesses.shape
        return brief("Ranked", f"{counted(sets, 'set')} x {width:,}, {pairs_text(self.pairs)}")


@dataclass(frozen=True, eq=False)
class Split:
    """The classes that S guesses leave, without the found words.

    Attributes:
        frontier: the C classes that are still open, ordered by parent, then by pattern.
        parents: [C] int64, the set that each class comes from.
        patterns: [C] int32 or int64, the feedback that leads to each class.
        hits: [S] bool, whether the guess was a candidate of its set, and so found that word.

    >>> import torch
    >>> from gpulingo import encode, split, whole
    >>> table = encode(["dents", "dozes", "reads"])
    >>> split(table, whole(table), torch.tensor([1], dtype=torch.int32))
    Split(1 set: 2 open classes, 2 members, cpu)
    """

    frontier: Frontier
    parents: Tensor
    patterns: Tensor
    hits: Tensor

    def __repr__(self) -> str:
        front = self.frontier
        classes, members = f"{front.sets:,} open classes", counted(front.members.shape[0], "member")
        return brief("Split", f"{counted(len(self.hits), 'set')}: {classes}, {members}, {self.hits.device}")

    def places_of(self, parents: Tensor, patterns: Tensor) -> Tensor | None:
        """Return [n] int64, the class of each parent and pattern; None if one of them has no open class."""
        # A pattern has up to 62 bits, so its number, not the pattern, is combined with the parent.
        kinds = distinct(self.patterns)
        known = places_among(kinds, patterns)
        keys = self.parents * kinds.shape[0] + places_among(kinds, self.patterns)
        wanted = namespace(known).where(known < 0, -1, parents * kinds.shape[0] + known)
        places = places_among(keys, wanted)
        return places if bool((places >= 0).all()) else None


@dataclass(frozen=True, eq=False)
class Refined:
    """The classes of G guesses by pattern, each guess without its own word."""

    counts: Tensor  # [G] int64, classes of each guess, C in total
    sizes: Tensor  # [C] int64
    worth: Tensor  # [C] int64, sum over the sets of the value of the part that the class holds


@dataclass(frozen=True)
class Valued:
    """Result of a search of one set.

    The value, in credits, is that of the best strategy if it is above the requested floor; otherwise an upper
    bound, at most the floor; -1 if a limit of pairs or of memory was reached before.
    """

    value: int
    guess: int  # first guess of a best strategy, if its value is above the floor; otherwise -1
    pairs: int  # pairs of guess and candidate that were evaluated


@dataclass(frozen=True, eq=False)
class Opened:
    """Result of a search of an opening.

    The value, in credits, is that of the best strategy that begins with the opening, if it is above the
    requested floor and the search is complete; otherwise an upper bound of it.
    """

    value: int
    complete: bool  # whether no limit ended the search
    pairs: int


@dataclass(frozen=True, eq=False)
class Lowered:
    """Result of a search of sets until the sum of their values is known or low enough."""

    bounds: Array  # [S] int64: upper bounds of the values
    complete: bool  # whether no limit ended the search
    pairs: int


@dataclass(frozen=True, eq=False)
class Kept:
    """Class that a host keeps of one set after each of the P guesses of a pool."""

    sizes: Tensor  # [P] int64, candidates in the class; all of them if the guess shows nothing
    first: Tensor  # [P] int64, place in the pool of the first guess that leaves the same class


@dataclass(frozen=True)
class Lines:
    """The shortest lines of guesses that end a round against a host; `guesses` 0: no line is known."""

    guesses: int = 0
    lines: int = 0

    def after(self, times: int = 1) -> Lines:
        """Return the same lines, each after any of `times` guesses."""
        return Lines(self.guesses + 1, self.lines * times) if self.guesses else self

    def joined(self, other: Lines) -> Lines:
        """Return the shorter lines; on ties the number of both together."""
        if not self.guesses or not other.guesses or self.guesses != other.guesses:
            return min(self, other, key=lambda lines: lines.guesses or MANY)
        return Lines(self.guesses, self.lines + other.lines)


@dataclass(frozen=True, eq=False)
class CappedClasses:
    """The classes that all W guesses make of the list, with upper bounds of their values."""

    classes: Tensor  # [W, W] uint8, int16 or int32, the class that each guess puts each word in
    caps: Tensor  # [W, K] int32 on the same device; K is above any class number


class RoundArrays(Protocol):
    """B rounds of a game, each on its own turn, which `play` changes in place.

    Guesses that are letters count from 0. An invalid guess is stored as -1, like one that is not made yet,
    and its M marks are 0.
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


def count_type(words: int) -> str:
    """Return the smallest unsigned type that holds the number of classes of any set of `words` words."""
    return narrowest(words, "uint16", "uint32")


@dataclass(frozen=True, eq=False)
class LetterTree:
    """A complete tree of guessed letters: nodes breadth-first, children of a node side by side, by pattern.

    Sets without a life left have no node.
    """

    guess: Tensor  # [M] int32, W + letter; or a word, the only candidate
    pattern: Tensor  # [M] int64, pattern that leads to the node; -1 at the root
    first: Tensor  # [M + 1] int32, first[i]:first[i + 1] are the children of node i
    hit: Tensor  # [M] uint8, 1 if the guess is a word


@dataclass(frozen=True, eq=False)
class ValuedTree(LetterTree):
    """A tree with its value in credits, summed over the candidates."""

    value: int


@dataclass(frozen=True)
class Misses:
    """Known bounds of the misses that a perfect host can force, and that a perfect guesser needs."""

    lower: int
    upper: int
    nogood: int = -1  # number of the nogood that proves `lower`; -1 if `lower` is 0

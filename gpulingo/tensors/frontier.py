"""Many candidate sets at once, as one list of members and the offsets that cut it; independent of guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np

from gpulingo.tensors.arrays import (
    CPU,
    Device,
    Tensor,
    add_at,
    as_type,
    contiguous,
    facts,
    is_on,
    is_tensor,
    like,
    moved,
    namespace,
    offsets_of,
    places_among,
    repeated,
    wide,
)
from gpulingo.tensors.checks import check_place, check_row, check_tensor, check_within
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.shown import brief, counted

MOST_WORDS = (1 << 31) - 1  # of an int32


@dataclass(frozen=True, eq=False)
class Frontier:
    """S candidate sets, like the rows of a CSR matrix.

    The constructor checks all of this, so that operations need not; the tensors must not be changed
    afterwards.

    Attributes:
        members: [M] int32 indices into a word table, ascending inside each set.
        offsets: [S + 1] int64 on the same device, from 0 to M; set s is members[offsets[s]:offsets[s + 1]],
            never empty.
        below: a number above all members.
    Raises:
        ValueError: the tensors are not of this form.

    >>> from gpulingo import encode
    >>> whole(encode(["dents", "dozes"]))
    Frontier(1 set, 2 members, cpu)
    """

    members: Tensor
    offsets: Tensor
    below: int = field(init=False)

    def __post_init__(self) -> None:
        check_tensor("members", self.members, ("int32",), ("M",))
        members = contiguous(self.members)
        offsets = check_row("offsets", self.offsets, "int64", members.device, "S + 1")
        self._fill(members, offsets, _checked(members, offsets))

    def _fill(self, members: Tensor, offsets: Tensor, below: int) -> None:
        for name, value in (("members", members), ("offsets", offsets), ("below", below)):
            object.__setattr__(self, name, value)

    @classmethod
    def unchecked(cls, members: Tensor, offsets: Tensor, below: int) -> Frontier:
        """Return a frontier of rows that an operation made, and that are known to be right."""
        front = object.__new__(cls)
        front._fill(members, offsets, below)
        return front

    def __repr__(self) -> str:
        return brief("Frontier", self.size_text)

    @property
    def size_text(self) -> str:
        """Sets, members and device, for a repr."""
        sets, members = counted(self.sets, "set"), counted(self.members.shape[0], "member")
        return f"{sets}, {members}, {self.members.device}"

    @property
    def sets(self) -> int:
        """Number of candidate sets."""
        return self.offsets.shape[0] - 1

    @property
    def sizes(self) -> Tensor:
        """[S] int64, candidates of each set."""
        return self.offsets[1:] - self.offsets[:-1]

    @cached_property
    def sizes_here(self) -> Tensor:
        """[S] int64 on the CPU, the sizes; fetched once, so that planning work never waits again."""
        offsets = self.offsets.cpu() if is_tensor(self.offsets) else self.offsets
        return offsets[1:] - offsets[:-1]

    @property
    def owners(self) -> Tensor:
        """[M] int64, the set each member belongs to."""
        xp = namespace(self.offsets)
        sets = xp.arange(self.sets, dtype=xp.int64, device=self.offsets.device)
        return repeated(sets, self.sizes, self.members.shape[0])

    @property
    def firsts(self) -> Tensor:
        """[S] int32, the first member of each set in list order."""
        return self.members[self.offsets[:-1]]

    def cpu(self) -> Frontier:
        """Return the frontier on the CPU."""
        return self.to(CPU)

    def to(self, device: Device) -> Frontier:
        """Return the frontier on another device; from the CPU with its sizes, which need no fetch later."""
        if is_on(self.members, device):
            return self
        there = Frontier.unchecked(moved(self.members, device), moved(self.offsets, device), self.below)
        if str(self.members.device) == CPU:
            import torch

            there.__dict__["sizes_here"] = moved(self.sizes_here, torch.device(CPU))
        return there

    def candidates(self, number: int) -> Tensor:
        """Return [n] int32, the members of one set.

        Raises:
            IndexError: there is no such set.
        """
        if not 0 <= number < self.sets:
            raise IndexError(f"set {number} of {self.sets}: sets are 0 to {self.sets - 1}")
        return self.members[self.offsets[number] : self.offsets[number + 1]]

    def take(self, sets: Tensor) -> Frontier:
        """Return [R] int64 sets of this frontier, in that order; a set may be taken more than once.

        Raises:
            ValueError: there are no such sets.
        """
        check_row("sets", sets, "int64", self.members.device, "R")
        check_within("sets", sets, self.sets)
        sizes = self.sizes[sets]
        offsets, xp = offsets_of(sizes), namespace(sizes)
        taken = Frontier.unchecked(self.members, offsets, self.below)
        total = int(taken.sizes_here.sum())
        places = xp.arange(total, dtype=xp.int64, device=sizes.device)
        shift = repeated(self.offsets[sets] - offsets[:-1], sizes, total)
        taken._fill(self.members[places + shift], offsets, self.below)
        return taken


def _checked(members: Tensor, offsets: Tensor) -> int:
    """Return a number above all members; ValueError if the rows are not a frontier."""
    count, sets = members.shape[0], offsets.shape[0] - 1
    if sets < 1 or count < 1:
        if sets or count or int(offsets[0]):
            raise ValueError(f"{sets} sets of {count} members in total, expected at least one in each")
        return 0
    xp = namespace(members)
    rises = xp.ones(count + 1, dtype=xp.bool, device=members.device)
    rises[1:-1] = members[1:] > members[:-1]
    rises[xp.clip(offsets, 0, count)] = True  # where a set begins, wherever the offsets point
    sizes = offsets[1:] - offsets[:-1]
    first, last, smallest, least, most, ascending = facts(
        offsets[0], offsets[-1], sizes.min(), members.min(), members.max(), rises.all()
    )
    if first != 0 or last != count:
        raise ValueError(f"offsets go from {first} to {last}, expected 0 to {count}, the number of members")
    if smallest < 1:
        raise ValueError("offsets do not rise, expected at least one member in each set")
    if least < 0 or most > MOST_WORDS:
        raise ValueError(f"members go from {least} to {most}, expected indices of 0 to {MOST_WORDS}")
    if not ascending:
        raise ValueError("members do not rise inside each set: sort them, take each word once")
    return int(most) + 1


def largest_set(sets: Frontier, weights: Tensor | None = None) -> Tensor:
    """[] int64 on the CPU: the size of the largest set; with [W] int32 weights the sum of the heaviest."""
    return sets.sizes_here.max() if weights is None else summed(sets, wide(weights[sets.members])).max()


def summed(sets: Frontier, values: Tensor) -> Tensor:
    """[S, ..]: the values [M, ..] of the members summed over each set."""
    shape = (sets.sets, *values.shape[1:])
    sums = namespace(values).zeros(shape, dtype=values.dtype, device=values.device)
    return add_at(sums, sets.owners, values)


def greatest(sets: Frontier, keys: Tensor) -> Tensor:
    """[S] int32: the member of greatest key in each set, given [M] keys; on ties the first."""
    xp = namespace(keys)
    order = xp.argsort(~keys, stable=True)
    order = order[xp.argsort(sets.owners[order], stable=True)]
    return sets.members[order[sets.offsets[:-1]]]


def check_sets(table: WordTable, sets: Frontier) -> None:
    """Check that sets are of words of a table, on its device, without reading the members."""
    check_place("frontier", sets.members, table.device)
    if sets.below > table.words:
        raise ValueError(f"frontier holds word {sets.below - 1}, the table ends at {table.words - 1}")


def checked_pool(table: WordTable, pool: Tensor | Frontier | None, sets: int) -> Tensor | Frontier | None:
    """Return a pool of guesses for `sets` candidate sets, checked except for the values in its rows."""
    if not isinstance(pool, Frontier):
        return None if pool is None else check_row("pool", pool, "int32", table.device, "P")
    check_place("pool", pool.members, table.device)
    if pool.sets != sets:
        raise ValueError(f"a pool of {pool.sets} sets for {sets} candidate sets: give one for each")
    if pool.below > table.guesses:
        raise ValueError(f"pool holds guess {pool.below - 1}, the table ends at {table.guesses - 1}")
    return pool


def places_in(sets: Frontier, others: Frontier) -> Tensor:
    """[M] int64: the place of each of M members of `others` in the set of the same number; -1 if absent.

    Places are indices into the members of `sets`; both have as many sets.
    """
    below = max(sets.below, others.below)  # above all members, so that keys sort by set, then by member
    keys, wanted = (front.owners * below + front.members for front in (sets, others))
    return places_among(keys, wanted)


def frontier(sets: Sequence[Tensor]) -> Frontier:
    """Join candidate sets into a frontier.

    Args:
        sets: one or more [n] tensors of ascending indices of any integer type, on one device.
    Returns:
        Frontier on that device.
    Raises:
        ValueError: a set is not of this form, or is empty.

    >>> import torch
    >>> frontier([torch.tensor([0, 2], dtype=torch.int32), torch.tensor([1], dtype=torch.int32)]).sizes
    tensor([2, 1])
    """
    if len(sets) == 0:
        raise ValueError("no candidate sets, expected at least one")
    integers = ("int32", "int64", "int16", "int8", "uint8")
    for candidates in sets:
        check_tensor("a candidate set", candidates, integers, ("n",))
        check_place("a candidate set", candidates, sets[0].device)
    sizes = [candidates.shape[0] for candidates in sets]
    if not all(sizes):
        raise ValueError("an empty candidate set, expected at least one word in each: drop it")
    offsets = like(np.cumsum([0, *sizes], dtype=np.int64), sets[0])
    members = namespace(sets[0]).concat(list(sets))
    below = _checked(members, offsets)  # before the type gets narrower
    return Frontier.unchecked(as_type(members, "int32"), offsets, below)


def whole(table: WordTable) -> Frontier:
    """Return all targets of a table as one set.

    >>> from gpulingo import encode
    >>> whole(encode(["dents", "dozes"])).sets
    1
    """
    ends = like(np.array([0, table.targets.shape[0]], np.int64), table.targets)
    return Frontier.unchecked(table.targets, ends, table.words)


def joined(fronts: Sequence[Frontier]) -> Frontier:
    """Return the sets of several frontiers on one device, in order."""
    members = [front.members for front in fronts]
    xp, starts = namespace(members[0]), [0, *accumulate(row.shape[0] for row in members)]
    offsets = [front.offsets[1:] + start for front, start in zip(fronts, starts, strict=False)]
    none = xp.zeros(1, dtype=xp.int64, device=members[0].device)
    below = max(front.below for front in fronts)
    return Frontier.unchecked(xp.concat(members), xp.concat([none, *offsets]), below)

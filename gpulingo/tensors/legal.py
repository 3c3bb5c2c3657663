"""Sets of legal guesses, narrowed by what a guess has shown: the twin of `games.catalogue.legal_after`.

Plain torch on any device. What the words of a set may be is the sets' business; legal sets hold guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_row, check_within
from gpulingo.tensors.features import letter_copies
from gpulingo.tensors.feedback import MISPLACED, PLACED
from gpulingo.tensors.frontier import Frontier, check_sets
from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import WordTable

BLOCK = (
    1 << 22
)  # pairs of class and guess that are looked at together, about 40 bytes each: a limit of memory
Narrowed = Callable[[WordTable, Frontier, Tensor, Tensor, Tensor], Frontier]


def narrowed(
    rule: str, table: WordTable, legal: Frontier, guesses: Tensor, *, parents: Tensor, patterns: Tensor
) -> Frontier:
    """What is still legal in each class that guesses leave.

    Args:
        rule: `hard` or `consistent`, as in `Game.legal`.
        table: the words all indices point into.
        legal: S sets of legal guesses, on the table's device.
        guesses: [S] int32, the guess of each set.
        parents: [C] int64, ascending: the set that each class comes from.
        patterns: [C] int32 (int64 from 20 letters on), the feedback that leads to it, rising in each set.
    Returns:
        C sets of legal guesses, the same on every device.
    Raises:
        ValueError: there is no such rule for the table's feedback, or a class that leaves no guess; sets,
            guesses, parents or patterns of another kind. TypeError: an argument is of another type.

    >>> from gpulingo import encode, split, whole
    >>> table, guess = encode(["dents", "dozes", "reads"]), torch.tensor([1], dtype=torch.int32)
    >>> made = split(table, whole(table), guess)
    >>> narrowed("hard", table, whole(table), guess, parents=made.parents, patterns=made.patterns).sizes
    tensor([2, 1])
    """
    check_sets(table, legal)
    guesses = check_row("guesses", guesses, torch.int32, table.device, legal.sets)
    check_within("guesses", guesses, table.guesses)
    parents = check_row("parents", parents, torch.int64, table.device, "C")
    check_within("parents", parents, legal.sets)
    dtype = code_dtype(table.length)
    patterns = check_row("patterns", patterns, dtype, table.device, parents.shape[0])
    if rule not in BY_RULE or (rule == "hard" and table.feedback != "marks"):
        raise ValueError(
            f"no rule {rule!r} of feedback {table.feedback!r}: use {' or '.join(BY_RULE)} of marks"
        )
    return BY_RULE[rule](table, legal, guesses, parents, patterns)


def _consistent(
    table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
) -> Frontier:
    """The class of the legal guesses that has the pattern of the class."""
    classes = split(table, legal, guesses)
    # A pattern has up to 62 bits, so it is numbered before the parent comes in front of it.
    kinds = classes.patterns.unique()
    keys = classes.parents * kinds.shape[0] + torch.searchsorted(kinds, classes.patterns)
    numbers = torch.searchsorted(kinds, patterns).clamp(max=max(kinds.shape[0] - 1, 0))
    wanted = parents * kinds.shape[0] + numbers
    places = torch.searchsorted(keys, wanted).clamp(max=max(keys.shape[0] - 1, 0))
    if parents.shape[0] and (not keys.shape[0] or bool((classes.patterns[places] != patterns).any())
                             or bool((classes.parents[places] != parents).any())):  # fmt: skip
        raise ValueError("a class leaves no legal guess, expected one at least: its candidates are legal")
    return classes.frontier.take(places)


def _hard(table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor) -> Frontier:
    """The legal guesses that hold what a class has shown, both as bits: of places, and of copies."""
    has, needs = _held(table, legal, guesses), _shown(table, guesses, parents, patterns)
    counts, members = [], [legal.members[:0]]
    for first, last in _blocks(legal.sizes[parents]):
        sizes = legal.sizes[parents[first:last]]
        starts = legal.offsets[parents[first:last]] - sizes.cumsum(0) + sizes
        total = int(sizes.sum())
        owners = torch.arange(last - first, device=table.device).repeat_interleave(sizes, output_size=total)
        numbers = torch.arange(total, device=table.device) + starts[owners]
        lacks = (needs[0][first + owners] & ~has[0][numbers]) | (needs[1][first + owners] & ~has[1][numbers])
        kept = (lacks == 0).nonzero()[:, 0]
        counts.append(torch.bincount(owners[kept], minlength=last - first))
        members.append(legal.members[numbers[kept]])
    sizes = torch.cat([parents[:0], *counts])
    if sizes.shape[0] and int(sizes.min()) == 0:
        raise ValueError("a class leaves no legal guess, expected one at least: its candidates are legal")
    return Frontier.unchecked(
        torch.cat(members), torch.cat([sizes.new_zeros(1), sizes.cumsum(0)]), legal.below
    )


def _held(table: WordTable, legal: Frontier, guesses: Tensor) -> tuple[Tensor, Tensor]:
    """[M] int64 twice, of every legal guess: bit i for the letter at place i of the guess of its set.

    First whether it has the letter at that place; then whether it has as many copies of it as the guess has
    up to there.
    """
    copies, owners, ids = letter_copies(table), legal.owners, legal.members.long()
    guessed = table.letters[guesses.long()]  # [S, N]
    earlier = _same(guessed).tril(-1).sum(-1)  # [S, N]
    placed, held = torch.zeros_like(ids), torch.zeros_like(ids)
    for i in range(table.length):
        letters = guessed[:, i][owners]
        placed |= (table.letters[ids, i] == letters).long() << i
        held |= (copies[ids, letters.long()] > earlier[:, i][owners]).long() << i
    return placed, held


def _shown(table: WordTable, guesses: Tensor, parents: Tensor, patterns: Tensor) -> tuple[Tensor, Tensor]:
    """[C] int64 twice, the bits of `_held` that hints ask for."""
    same = _same(table.letters[guesses.long()])  # [S, N, N]
    earlier = same.tril(-1).sum(-1)
    powers = torch.tensor([3**i for i in reversed(range(table.length))], device=table.device)
    marks = patterns[:, None] // powers % 3  # [C, N]
    marked = (marks >= MISPLACED).long()
    bits = 1 << torch.arange(table.length, device=table.device)
    shown = torch.zeros_like(marked)
    for i in range(table.length):
        shown[:, i] = (same[:, i][parents] * marked).sum(1)
    return ((marks == PLACED) * bits).sum(1), ((earlier[parents] < shown) * bits).sum(1)


def _same(letters: Tensor) -> Tensor:
    """[S, N, N] int64, whether the letters at two places of a word are the same."""
    return (letters[:, :, None] == letters[:, None, :]).long()


def _blocks(sizes: Tensor) -> Iterator[tuple[int, int]]:
    """First and last of rows that are taken together, of up to BLOCK pairs or of a single row."""
    ends, first = sizes.cumsum(0), 0
    while first < sizes.shape[0]:
        before = ends[first] - sizes[first]
        last = max(first + 1, int(torch.searchsorted(ends, before + BLOCK, right=True)))
        yield first, last
        first = last


BY_RULE: dict[str, Narrowed] = {"hard": _hard, "consistent": _consistent}

"""The operations on words and candidate sets: a backend does the work, chosen by device when None.

What users call, `patterns`, `rank` and `split`, checks its arguments; the other operations trust theirs.
Indices point into the table. `progress` is called with pairs evaluated since the last call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from gpulingo.tensors.checks import (
    check_ascending,
    check_place,
    check_row,
    check_tensor,
    check_within,
    code_dtype,
)
from gpulingo.tensors.device import Backend, backend_of
from gpulingo.tensors.frontier import Frontier, check_sets, checked_pool, largest_set
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import CappedClasses, Ranked, Refined, Split
from gpulingo.tensors.wordtable import WordTable

MOST_RANKED = 1 << 30  # guesses that one call may be asked for, 12 bytes each
SPARE = 1024  # guesses that may be asked for however few words there are
RULES = ("hard", "consistent")
START = "start"  # where a guess shows nothing of what is legal: the first letter, which stays, was given
NONE_LEFT = "a class leaves no legal guess, expected one at least: its candidates are legal"


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int = 1,
    *,
    backend: Backend | None = None,
    progress: Callable[[int], None] | None = None,
) -> Ranked:
    """Rank guesses for every candidate set and keep the best, by one objective or each set by its own.

    The rank of guess g for set S is the sum over classes c of objective.table[|c|], plus the bonus when
    g is in S. Equal ranks: candidates come first, then list order. Where targets have weights, |c| is their
    sum and the bonus counts as often as g does; a number of classes does not depend on them.

    Args:
        table: the words all indices point into.
        frontier: the S candidate sets, on the table's device.
        pool: [P] int32, ascending: the words that may be guessed; a frontier of S sets: those of each set;
            None: the candidates of each set.
        objective: its table reaches at least to the size of the largest set; `stacked` ones have a row for
            each set, and answer what each set ranked alone by its row would.
        width: guesses to keep per set, at least 1.
        backend: what does the work; chosen by device when None.
        progress: called from this thread with pairs evaluated since the last call.
    Returns:
        The same guesses and ranks on every backend, bit for bit; `pairs` may differ, as a backend may
        stop early where nothing can outrank what it has.
    Raises:
        ValueError: sets or a pool of words beyond the table, or on another device; a pool that is not rising
            int32; a width below 1 or beyond the words; a set larger, or heavier, than the objective's table,
            or a table whose sums could pass 62 bits; words of more than 39 letters.

    >>> from gpulingo import encode, parts, whole
    >>> table = encode(["dents", "dozes", "reads"])
    >>> rank(table, whole(table), table.pool, parts(3, turns_left=2)).ranks
    tensor([[4]])
    """
    check_sets(table, frontier)
    if width < 1:
        raise ValueError(f"width is {width}, expected at least 1")
    if width > max(table.guesses, SPARE) or width * frontier.sets > MOST_RANKED:
        seen = f"width is {width} for {frontier.sets} sets of {table.words} words"
        raise ValueError(f"{seen}, expected no more than words, and {MOST_RANKED} guesses in total")
    pool = checked_pool(table, pool, frontier.sets)
    if objective.rows is not None:
        rows = check_row("objective rows", objective.rows, torch.int64, table.device, frontier.sets)
        check_within("objective rows", rows, objective.table.shape[0])
    chosen = backend or backend_of(table.device)
    if frontier.sets == 0:
        empty = torch.empty((0, width), dtype=torch.int64, device=table.device)
        return Ranked(empty.to(torch.int32), empty, 0)
    _check_sums(table, frontier, pool if isinstance(pool, Tensor) else None, objective)
    if table.weights is None:
        objective = objective.without_weights(int(frontier.sizes_here.max()))
    return chosen.rank(table, frontier, pool, objective, width, progress)


def split(table: WordTable, frontier: Frontier, guesses: Tensor, *, backend: Backend | None = None) -> Split:
    """Partition every candidate set by the feedback of its guess.

    Args:
        table: the words all indices point into.
        frontier: S candidate sets, on the table's device.
        guesses: [S] int32, one guess for each set.
        backend: what does the work; chosen by device when None.
    Returns:
        The open classes; the same on every backend.
    Raises:
        ValueError: sets or guesses of words beyond the table, or on another device; not a guess for each set.

    >>> import torch
    >>> from gpulingo import encode, whole
    >>> table = encode(["dents", "dozes", "reads"])
    >>> split(table, whole(table), torch.tensor([1], dtype=torch.int32)).frontier.members
    tensor([2, 0], dtype=torch.int32)
    """
    check_sets(table, frontier)
    guesses = check_row("guesses", guesses, torch.int32, table.device, frontier.sets)
    check_within("guesses", guesses, table.guesses)
    return (backend or backend_of(table.device)).split(table, frontier, guesses)


def refined(
    table: WordTable,
    guesses: Tensor,
    sets: Frontier,
    steps: Tensor,
    progress: Progress | None = None,
    *,
    backend: Backend | None = None,
) -> Refined:
    """Partition all words of some disjoint sets by each guess; add up the values of the parts of each class.

    Of [M] int64 steps, one for each word, k words of set s have the value sum(steps[offsets[s] : offsets[s] +
    k]).
    """
    assert table.weights is None  # which this does not look at
    return (backend or backend_of(table.device)).refined(table, guesses, sets, steps, progress)


def class_counts(
    table: WordTable, members: Tensor, progress: Progress | None = None, *, backend: Backend | None = None
) -> Tensor:
    """Count the classes that every word of the pool makes of one set: [n] int32, ascending, not empty.

    Returns [W] uint16, or uint32 where a list has more words than that holds; 0 for words beside the pool.
    """
    return (backend or backend_of(table.device)).class_counts(table, members, progress)


def most_classes(
    table: WordTable,
    sets: Frontier,
    ceilings: Tensor,
    rows: list[Tensor],
    progress: Progress | None = None,
    *,
    backend: Backend | None = None,
) -> tuple[Tensor, Tensor]:
    """[S] int64, the most classes that a word of the pool makes of each set, one more for a candidate.

    And as many pairs evaluated. That is what can be found of a set with two turns left. No word makes more
    classes of a set than each of the [P, W] ceilings says that its [K] int64 rows name, see `class_counts`:
    they save work, the answer is the same.
    """
    assert table.weights is None  # which this does not look at
    return (backend or backend_of(table.device)).most_classes(table, sets, ceilings, rows, progress)


def greatest_capped(
    capped: CappedClasses,
    front: Frontier,
    most: Tensor,
    progress: Progress | None = None,
    *,
    backend: Backend | None = None,
) -> Tensor:
    """[S] int64, the greatest sum over classes of min(size + 1, caps[g, class], most of the set), of all g.

    A guess that is a member of the set counts one more.
    """
    return (backend or backend_of(capped.classes.device)).greatest_capped(capped, front, most, progress)


def _check_sums(table: WordTable, frontier: Frontier, pool: Tensor | None, objective: Objective) -> None:
    """Check what has to be looked for in tensors; the pool of the table is known to be right."""
    weights, unit = objective.weights(table), "words"
    largest = int(largest_set(frontier, weights))
    if pool is not None and pool is not table.pool:
        check_ascending("pool", pool, table.guesses)
    heaviest = 1
    if weights is not None:
        heaviest, unit = int(weights[frontier.members].max()), "weight"
    entry = heaviest if objective.heaviest else largest
    if entry >= objective.table.shape[-1]:
        last = objective.table.shape[-1] - 1
        raise ValueError(f"a set of {entry} {unit}, the objective's table ends at {last}")
    share = objective.most_a_word(entry)
    if share * largest + max(objective.bonuses) * heaviest >= 1 << 62:
        seen = f"table entries up to {share} a word, sets of {largest}"
        raise ValueError(f"{seen}: sums pass 62 bits, use a smaller scale")


def narrowed(
    rule: str,
    table: WordTable,
    legal: Frontier,
    guesses: Tensor,
    *,
    parents: Tensor,
    patterns: Tensor,
    backend: Backend | None = None,
) -> Frontier:
    """Return the C sets of guesses that are still legal in each class, by one of RULES or START.

    Of S sets of legal guesses each has its guess ([S] int32); classes are as in `Split`.

    >>> from gpulingo import encode, split, whole
    >>> table, guess = encode(["dents", "dozes", "reads"]), torch.tensor([1], dtype=torch.int32)
    >>> made = split(table, whole(table), guess)
    >>> narrowed("hard", table, whole(table), guess, parents=made.parents, patterns=made.patterns).sizes
    tensor([3, 2])
    """
    if rule == START:
        return legal.take(parents)
    if rule not in RULES or (rule == "hard" and not table.shows_marks):
        known = " or ".join(RULES)
        raise ValueError(f"no rule {rule!r} of feedback {table.feedback!r}: use {known} of marks")
    if rule == "consistent":
        return _consistent(table, legal, guesses, parents, patterns, backend)
    hinted = (backend or backend_of(table.device)).using_hints(table, legal, guesses, parents, patterns)
    if hinted.sets and int(hinted.sizes.min()) == 0:
        raise ValueError(NONE_LEFT)
    return hinted


def _consistent(
    table: WordTable,
    legal: Frontier,
    guesses: Tensor,
    parents: Tensor,
    patterns: Tensor,
    backend: Backend | None,
) -> Frontier:
    """Return the class of the legal guesses that has the pattern of each class."""
    classes = split(table, legal, guesses, backend=backend)
    # A pattern has up to 62 bits, so it is numbered before the parent comes in front of it.
    kinds = classes.patterns.unique()
    last = max(kinds.shape[0] - 1, 0)
    keys, wanted = (
        owners * kinds.shape[0] + torch.searchsorted(kinds, codes).clamp(max=last)
        for owners, codes in ((classes.parents, classes.patterns), (parents, patterns))
    )
    places = torch.searchsorted(keys, wanted).clamp(max=max(keys.shape[0] - 1, 0))
    if parents.shape[0] and not (
        keys.shape[0]
        and torch.equal(classes.patterns[places], patterns)
        and torch.equal(classes.parents[places], parents)
    ):
        raise ValueError(NONE_LEFT)
    return classes.frontier.take(places)


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Code the feedback of every guess against every target.

    A code reads the N marks as base-3 digits, first letter most significant, so the
    all-placed code is 3**N - 1. A letter is misplaced while the target still holds an
    unplaced copy of it that no earlier unplaced letter of the guess has used.

    It is the operator `gpulingo::patterns`: `torch.compile` keeps it whole, `torch.func.vmap` takes it.

    Args:
        guesses: [G, N] uint8 letters.
        targets: [T, N] uint8 letters, on the same device.
    Returns:
        [G, T] int32 in [0, 3**N) (int64 from 20 letters on).
    Raises:
        ValueError: they are something else, or the word lengths differ.
    Source: checkWord in game.go of noirotm/lingo.

    >>> from gpulingo import encode
    >>> letters = encode(["dents", "dozes"]).letters
    >>> patterns(letters, letters)
    tensor([[242, 191],
            [167, 242]], dtype=torch.int32)
    """
    for what, letters in (("guesses", guesses), ("targets", targets)):
        check_tensor(what, letters, (torch.uint8,), (what[0].upper(), "N"))
    check_place("targets", targets, guesses.device)
    if guesses.shape[1] != targets.shape[1]:
        seen = f"guesses have {guesses.shape[1]} letters, targets {targets.shape[1]}"
        raise ValueError(f"{seen}: use one length")
    code_dtype(guesses.shape[1])  # which refuses words that are too long
    made: Tensor = _patterns(guesses, targets)
    return made


@torch.library.custom_op("gpulingo::patterns", mutates_args=())
def _patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    return backend_of(guesses.device).patterns(guesses, targets)


@_patterns.register_fake
def _(guesses: Tensor, targets: Tensor) -> Tensor:
    return guesses.new_empty(guesses.shape[0], targets.shape[0], dtype=code_dtype(guesses.shape[1]))


@_patterns.register_vmap
def _(
    info: Any, in_dims: tuple[int | None, int | None], guesses: Tensor, targets: Tensor
) -> tuple[Tensor, int]:
    """One call where one side is batched, one for each item where both are."""
    of_guesses, of_targets = in_dims
    guesses = guesses if of_guesses is None else guesses.movedim(of_guesses, 0)
    targets = targets if of_targets is None else targets.movedim(of_targets, 0)
    if of_targets is None:
        return patterns(guesses.flatten(0, 1), targets).unflatten(0, guesses.shape[:2]), 0
    if of_guesses is None:
        return patterns(guesses, targets.flatten(0, 1)).unflatten(1, targets.shape[:2]), 1
    return torch.stack([patterns(*pair) for pair in zip(guesses, targets, strict=True)]), 0

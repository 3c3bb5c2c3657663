"""The operations on words and candidate sets; a backend does the work, by default that of the device.

`patterns`, `rank` and `split`, which users call, check their arguments; the other operations do not.
Indices point into the table. `progress` is called with pairs evaluated since the last call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpulingo.tensors.arrays import Tensor, as_type, is_tensor, like, namespace
from gpulingo.tensors.checks import (
    check_ascending,
    check_place,
    check_row,
    check_tensor,
    check_within,
    code_type,
)
from gpulingo.tensors.device import Backend, backend_of
from gpulingo.tensors.frontier import Frontier, check_sets, checked_pool, largest_set, whole
from gpulingo.tensors.hints import guess_bits, hint_bits
from gpulingo.tensors.objective import Objective, Progress, classes
from gpulingo.tensors.outcomes import CappedClasses, Ranked, Refined, RoundArrays, Split, count_type
from gpulingo.tensors.wordtable import WordTable

MOST_RANKED = 1 << 30  # most guesses of one call's result, 12 bytes each
SPARE = 1024  # width that is allowed for any number of words
RULES = ("hard", "consistent")


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
    g is in S. On ties candidates come first, then list order. If targets have weights, |c| is the sum of
    weights and the bonus is multiplied by that of g; a number of classes does not depend on weights.

    Args:
        table: the words all indices point into.
        frontier: the S candidate sets, on the table's device.
        pool: [P] int32, ascending: the words that may be guessed; a frontier of S sets: those of each set;
            None: the candidates of each set.
        objective: its table reaches at least to the size of the largest set; `stacked` ones have a row for
            each set, and give the same result as ranking each set alone by its row.
        width: guesses to keep per set, at least 1.
        backend: does the work; None: chosen by device.
        progress: called from this thread with pairs evaluated since the last call.
    Returns:
        The same guesses and ranks on every backend, bit for bit; `pairs` may differ, because a backend may
        stop early if nothing can outrank its best guesses.
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
        rows = check_row("objective rows", objective.rows, "int64", objective.rows.device, frontier.sets)
        check_within("objective rows", rows, objective.table.shape[0])
    chosen = backend or backend_of(table.device)
    if frontier.sets == 0:
        xp = namespace(table.letters)
        guesses, ranks = (xp.empty((0, width), dtype=of, device=table.device) for of in (xp.int32, xp.int64))
        return Ranked(guesses, ranks, 0)
    _check_sums(table, frontier, None if isinstance(pool, Frontier) else pool, objective)
    if table.weights is None:
        objective = objective.without_weights(int(frontier.sizes_here.max()))
    return chosen.rank(table, frontier, pool, objective, width, progress)


def split(table: WordTable, frontier: Frontier, guesses: Tensor, *, backend: Backend | None = None) -> Split:
    """Partition every candidate set by the feedback of its guess.

    Args:
        table: the words all indices point into.
        frontier: S candidate sets, on the table's device.
        guesses: [S] int32, one guess for each set.
        backend: does the work; None: chosen by device.
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
    guesses = check_row("guesses", guesses, "int32", table.device, frontier.sets)
    check_within("guesses", guesses, table.guesses)
    return (backend or backend_of(table.device)).split(table, frontier, guesses)


def split_by(table: WordTable, words: Sequence[int]) -> tuple[Frontier, int]:
    """Return the open classes of all targets by one word or several, and how many of these are targets."""
    front, hits, xp = whole(table), 0, namespace(table.letters)
    for word in words:
        classes = split(table, front, xp.full(front.sets, word, dtype=xp.int32, device=table.device))
        front, hits = classes.frontier, hits + int(classes.hits.sum())
    return front, hits


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] int32 guesses against the [M] int32 targets at the same places."""
    return backend_of(table.device).paired_patterns(table, guesses, targets)


def play(table: WordTable, rounds: RoundArrays, guesses: Tensor) -> Tensor:
    """Make the next of [B] int32 guesses in every round that is not done; [B, M] uint8, its marks.

    A guess that the table does not have is invalid: it costs a turn, and its marks are 0. So are those of a
    round that is done, which stays as it is and counts as invalid too.
    """
    return backend_of(table.device).play(table, rounds, guesses)


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """Partition all words of some disjoint sets by each guess; add up the values of the parts of each class.

    [M] int64 steps, one per word, define the values: k words of set s have the value sum(steps[offsets[s] :
    offsets[s] + k]).
    """
    assert table.weights is None  # weights are ignored here
    return backend_of(table.device).refined(table, guesses, sets, steps, progress)


def ranks(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    progress: Progress | None = None,
    *,
    backend: Backend | None = None,
) -> Tensor:
    """Rank every guess for every candidate set: [S, W] int64, see `rank`; the least int64 where none may be.

    In games of letters there is a column for each guess of the table.
    """
    return (backend or backend_of(table.device)).ranks(table, frontier, pool, objective, progress)


def class_counts(
    table: WordTable, members: Tensor, progress: Progress | None = None, *, backend: Backend | None = None
) -> Tensor:
    """Count the classes that every word of the pool makes of one set: [n] int32, ascending, not empty.

    Returns [W] uint16, or uint32 for lists with more words than that holds; 0 for words outside the pool.
    """
    count, xp = members.shape[0], namespace(members)
    ends = xp.arange(2, dtype=xp.int64, device=members.device) * count
    alone = Frontier.unchecked(members, ends, table.words)
    made = ranks(table, alone, table.pool, classes(count, bonus=0), progress, backend=backend)
    return as_type(made[0].clip(min=0), count_type(table.words))


def most_classes(table: WordTable, sets: Frontier, progress: Progress | None = None) -> Tensor:
    """[S] int64: the most classes that a word of the pool makes of each set, one more for a candidate.

    It is the value of a set with two turns left. The sets may be on another device than the table; the result
    is on theirs.
    """
    assert table.weights is None  # weights are ignored here
    most = backend_of(table.device).most_classes(table, sets.to(table.device), progress)
    return like(most, sets.members)


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """[S] int64, the greatest sum over classes of min(size + 1, caps[g, class], most of the set), over all g.

    A guess that is a member of the set counts one more.
    """
    return backend_of(capped.classes.device).greatest_capped(capped, front, most, progress)


def _check_sums(table: WordTable, frontier: Frontier, pool: Tensor | None, objective: Objective) -> None:
    """Check the contents of tensors; the table's own pool is known to be right."""
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
) -> Frontier:
    """Return the C sets of guesses that are still legal in each class, by one of RULES.

    `guesses` are [S] int32, one for each of S sets of legal guesses; classes are as in `Split`.

    >>> import torch
    >>> from gpulingo import encode, split, whole
    >>> table, guess = encode(["dents", "dozes", "reads"]), torch.tensor([1], dtype=torch.int32)
    >>> made = split(table, whole(table), guess)
    >>> narrowed("hard", table, whole(table), guess, parents=made.parents, patterns=made.patterns).sizes
    tensor([3, 2])
    """
    if rule not in RULES or (rule == "hard" and not table.shows_marks):
        known = " or ".join(RULES)
        raise ValueError(f"no rule {rule!r} of feedback {table.feedback!r}: use {known} of marks")
    if rule == "hard":
        left: Frontier | None = backend_of(table.device).using_hints(table, legal, guesses, parents, patterns)
    else:
        classes = split(table, legal, guesses)
        places = classes.places_of(parents, patterns)
        left = None if places is None else classes.frontier.take(places)
    if left is None or (left.sets and int(left.sizes.min()) == 0):
        raise ValueError("a class leaves no legal guess, expected one at least: its candidates are legal")
    return left


def allows(rule: str, table: WordTable, words: Tensor, guesses: Tensor, patterns: Tensor) -> Tensor:
    """[n] bool: whether the rule of hints allows each word after the guess and pattern at the same place.

    `hard` as in `narrowed`; any other rule wants the words that show the same pattern.

    >>> import torch
    >>> from gpulingo import encode
    >>> table, row = encode(["dents", "dozes", "reads"]), torch.tensor([0, 2], dtype=torch.int32)
    >>> allows("hard", table, row, torch.ones_like(row), torch.tensor([163, 89]))
    tensor([ True, False])
    """
    if rule != "hard":
        return paired_patterns(table, guesses, words) == patterns
    xp = namespace(words)
    numbers = xp.arange(words.shape[0] + 1, dtype=xp.int64, device=table.device)
    alone = Frontier.unchecked(words, numbers, table.words)
    needs = hint_bits(table, guesses, numbers[:-1], patterns)
    lacks = [need & ~bits for need, bits in zip(needs, guess_bits(table, alone, guesses), strict=True)]
    return (lacks[0] | lacks[1]) == 0


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Code the feedback of every guess against every target.

    A code reads the N marks as base-3 digits, first letter most significant, so the
    all-placed code is 3**N - 1. A letter is misplaced while the target still holds an
    unplaced copy of it that no earlier unplaced letter of the guess has used.

    It is the operator `gpulingo::patterns`: `torch.compile` and `torch.func.vmap` support it.

    Args:
        guesses: [G, N] uint8 letters.
        targets: [T, N] uint8 letters, on the same device.
    Returns:
        [G, T] int32 in [0, 3**N) (int64 from 20 letters on).
    Raises:
        ValueError: the tensors are not of this form, or the word lengths differ.
    Source: checkWord in game.go of noirotm/lingo.

    >>> from gpulingo import encode
    >>> letters = encode(["dents", "dozes"]).letters
    >>> patterns(letters, letters)
    tensor([[242, 191],
            [167, 242]], dtype=torch.int32)
    """
    for what, letters in (("guesses", guesses), ("targets", targets)):
        check_tensor(what, letters, ("uint8",), (what[0].upper(), "N"))
    check_place("targets", targets, guesses.device)
    if guesses.shape[1] != targets.shape[1]:
        seen = f"guesses have {guesses.shape[1]} letters, targets {targets.shape[1]}"
        raise ValueError(f"{seen}: use one length")
    code_type(guesses.shape[1])  # raises for words that are too long
    if not is_tensor(guesses):
        return backend_of(guesses.device).patterns(guesses, targets)
    from gpulingo.tensors import operator

    made: Tensor = operator.patterns(guesses, targets)
    return made

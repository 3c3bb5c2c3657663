"""The operations in plain torch on any device: what every other backend must equal, without shortcuts.

Four of them are made of two: `split` and `refined` of `paired_patterns`, `class_counts` and `most_classes` of
`rank`. A backend that has only those two of its own passes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from gpulingo.tensors import feedback
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.hints import using_hints as using_hints
from gpulingo.tensors.objective import Objective, Progress, classes
from gpulingo.tensors.outcomes import CappedClasses, Ranked, Refined, Split, count_dtype
from gpulingo.tensors.wordtable import WordTable

BLOCK = 1 << 20  # pairs coded at once; about 150 bytes each at 13 letters
CAPPED_BLOCK = 1 << 24  # entries of the tables of counts that are held at once
uses_ceilings = False
LOWEST, HIGHEST = torch.iinfo(torch.int64).min, torch.iinfo(torch.int64).max


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Return [G, T] patterns of marks of [G, N] uint8 guesses against [T, N] targets."""
    return feedback.paired_patterns(guesses[:, None], targets[None])


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] guesses against [M] targets, all indices into the table."""
    feedback = feedback_of(table)
    none = torch.empty(0, dtype=feedback.dtype(table.length), device=table.device)
    blocks = zip(guesses.split(BLOCK), targets.split(BLOCK), strict=True)
    return torch.cat([none, *(feedback.paired(table, g, t) for g, t in blocks)])


def class_sizes(codes: Tensor) -> Tensor:
    """Sizes of the classes that each row of codes makes of its columns.

    Args:
        codes: [G, T] integers.
    Returns:
        [G, T] int64: the sizes of the row's classes by ascending code, then zeros; a row sums to T.
    """
    ordered = codes.sort(dim=1).values
    new = torch.ones_like(ordered, dtype=torch.int64)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = new.cumsum(1) - 1  # [G, T]
    return torch.zeros_like(places).scatter_add_(1, places, torch.ones_like(places))


def class_weights(codes: Tensor, weights: Tensor, heaviest: bool) -> Tensor:
    """As `class_sizes`, of columns that count [T] int64 each: their sums, or the heaviest of each class.

    Classes of weight 0 stand between the others, like the zeros after them.
    """
    ordered, columns = codes.sort(dim=1)
    new = torch.ones_like(columns)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places, none = new.cumsum(1) - 1, torch.zeros_like(columns)  # [G, T]
    return none.scatter_reduce_(1, places, weights[columns], "amax" if heaviest else "sum")


def values(table: WordTable, guesses: Tensor, members: Tensor, objective: Objective) -> Tensor:
    """Return [G] int64, the value of the partition of `members` by each guess, without the bonus."""
    worth, weights = objective.table.to(table.device), objective.weights(table)
    own = None if weights is None else weights[members].long()
    if own is not None and not bool(own.any()):
        return torch.zeros_like(guesses, dtype=torch.int64)
    out = []
    for block in guesses.split(max(1, BLOCK // members.shape[0])):
        codes = feedback_of(table).paired(table, block[:, None], members)
        sizes = class_sizes(codes) if own is None else class_weights(codes, own, objective.heaviest)
        if objective.largest:
            out.append(worth[sizes].masked_fill(sizes == 0, HIGHEST).amin(1))
        else:
            out.append(worth[sizes].sum(1))
    return torch.cat(out)


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int,
    progress: Progress | None = None,
) -> Ranked:
    """Rank every guess of the pool for every set; arguments as in `operations.rank`."""
    best = torch.full((frontier.sets, width), -1, dtype=torch.int32, device=table.device)
    ranks = torch.full((frontier.sets, width), LOWEST, dtype=torch.int64, device=table.device)
    pairs = 0
    for s in range(frontier.sets):
        members = frontier.candidates(s)
        own = pool.candidates(s) if isinstance(pool, Frontier) else pool
        guesses = members if own is None else own
        if guesses.shape[0] == 0:
            continue
        inside = torch.isin(guesses, members).to(torch.int64)
        asked = objective.of_set(s)
        bonus = asked.bonuses[0] * inside
        if (weights := objective.weights(table)) is not None:
            bonus *= weights[torch.where(inside > 0, guesses, 0)]
        rank_of = values(table, guesses, members, asked) + bonus
        # Stable, so that equal keys stay in list order; the low bit puts candidates first.
        order = (rank_of * 2 + inside).sort(descending=True, stable=True).indices[:width]
        best[s, : order.shape[0]] = guesses[order]
        ranks[s, : order.shape[0]] = rank_of[order]
        pairs += guesses.shape[0] * members.shape[0]
        if progress:
            progress(guesses.shape[0] * members.shape[0])
    return Ranked(best, ranks, pairs)


def split(
    table: WordTable,
    frontier: Frontier,
    guesses: Tensor,
    *,
    paired: Callable[[WordTable, Tensor, Tensor], Tensor] = paired_patterns,
) -> Split:
    """Partition every set by its guess, by sorting patterns; arguments as in `operations.split`."""
    owners = frontier.owners
    members = frontier.members
    codes = paired(table, guesses[owners], members)  # [M]
    hit = codes == feedback_of(table).solved(table.length)
    hits = torch.zeros(frontier.sets, dtype=torch.int64, device=members.device)
    hits = hits.index_add_(0, owners, hit.long()).bool()
    rest = (~hit).nonzero().squeeze(1)  # once, as each mask is to be waited for on a GPU
    members, codes, owners = members[rest], codes[rest], owners[rest]
    # Two stable sorts: one key of owner x 3**N + code would overflow 64 bits for long words.
    order = codes.sort(stable=True).indices
    if frontier.sets > 1:
        order = order[owners[order].sort(stable=True).indices]
    members, owners, codes = members[order], owners[order], codes[order]
    starts = torch.ones(members.shape[0], dtype=torch.bool, device=members.device)
    starts[1:] = (owners[1:] != owners[:-1]) | (codes[1:] != codes[:-1])
    first = starts.nonzero().squeeze(1)
    end = first.new_full((1,), members.shape[0])
    open_ = Frontier.unchecked(members, torch.cat([first, end]), frontier.below)
    return Split(open_, owners[first], codes[first], hits)


def refined(
    table: WordTable,
    guesses: Tensor,
    sets: Frontier,
    steps: Tensor,
    progress: Progress | None = None,
    *,
    paired: Callable[[WordTable, Tensor, Tensor], Tensor] = paired_patterns,
) -> Refined:
    """Return the classes of each guess and the values of their parts; see `operations.refined`."""
    total = torch.cat([steps.new_zeros(1), steps.cumsum(0)])
    starts, owners, members = sets.offsets[:-1], sets.owners, sets.members
    solved = feedback_of(table).solved(table.length)
    counts, sizes, worth = [], [], []
    for guess in guesses:
        codes = paired(table, guess.expand_as(members), members)
        others = codes != solved
        patterns, class_of = codes[others].unique(return_inverse=True)
        parts, part_sizes = (class_of * sets.sets + owners[others]).unique(return_counts=True)
        start = starts[parts % sets.sets]
        empty = steps.new_zeros(patterns.shape[0])
        counts.append(patterns.shape[0])
        sizes.append(empty.index_add(0, parts // sets.sets, part_sizes))
        worth.append(empty.index_add(0, parts // sets.sets, total[start + part_sizes] - total[start]))
        if progress:
            progress(members.shape[0])
    none = steps.new_zeros(0)
    return Refined(steps.new_tensor(counts), torch.cat([none, *sizes]), torch.cat([none, *worth]))


def class_counts(
    table: WordTable,
    members: Tensor,
    progress: Progress | None = None,
    *,
    rank: Callable[..., Ranked] = rank,
) -> Tensor:
    """Classes by every word: all are ranked, and put back into the order of the list."""
    ends = torch.tensor([0, members.shape[0]], device=members.device)
    alone = Frontier.unchecked(members, ends, table.words)
    objective = classes(members.shape[0], bonus=0)
    ranked = rank(table, alone, table.pool, objective, table.guesses, progress)
    return ranked.by_word[0].clamp(min=0).to(count_dtype(table.words))


def most_classes(
    table: WordTable,
    sets: Frontier,
    ceilings: Tensor | None = None,
    rows: Sequence[Tensor] = (),
    progress: Progress | None = None,
    *,
    rank: Callable[..., Ranked] = rank,
) -> tuple[Tensor, Tensor]:
    """Return the most classes of each set, by ranking; ceilings would save work, and are not looked at."""
    most, pairs = sets.sizes + 1, torch.zeros_like(sets.sizes)  # right for one word and for two
    large = (sets.sizes_here > 2).nonzero().squeeze(1).to(most.device, non_blocking=True)
    if large.shape[0]:
        ranked_sets = sets if large.shape[0] == sets.sets else sets.take(large)
        objective = classes(int(ranked_sets.sizes_here.max()), bonus=1)
        most[large] = rank(table, ranked_sets, table.pool, objective, 1, progress).ranks[:, 0]
        pairs[large] = ranked_sets.sizes * table.pool.shape[0]
    return most, pairs


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """Return the greatest capped sum of each set, block by block of guesses; arguments as in `operations`."""
    words, wide = capped.caps.shape
    best = torch.zeros_like(most)
    for s in range(front.sets):
        members = front.candidates(s).long()
        block = max(1, CAPPED_BLOCK // max(wide, members.shape[0]))
        for guesses in torch.arange(words, device=members.device).split(block):
            inside = capped.classes[guesses][:, members].long()
            counts = torch.zeros(guesses.shape[0], wide, dtype=torch.int64, device=members.device)
            counts.scatter_add_(1, inside, torch.ones_like(inside))
            worth = (counts + 1).minimum(capped.caps[guesses].long()).minimum(most[s])
            total = torch.where(counts > 0, worth, 0).sum(1) + torch.isin(guesses, members)
            best[s] = best[s].maximum(total.max())
            if progress:
                progress(inside.numel())
    return best

"""The operations in plain torch on any device: the specification that every other backend must equal.

`split` and `play` call `paired_patterns`, `most_classes` calls `rank`: a backend may pass its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from gpulingo.tensors import feedback
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.hints import guess_bits, hint_bits
from gpulingo.tensors.objective import Objective, Progress, classes
from gpulingo.tensors.outcomes import CappedClasses, Ranked, Refined, RoundArrays, Split
from gpulingo.tensors.wordtable import WordTable, signs_of

BLOCK = 1 << 20  # pairs coded at once; about 150 bytes each at 13 letters
CAPPED_BLOCK = 1 << 24  # entries of count tables that are in memory at once
LOWEST, HIGHEST = -1 << 63, (1 << 63) - 1  # of an int64
HINT_BLOCK = 1 << 22  # a limit of memory: pairs of class and guess in a block, 40 bytes each


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """Return [G, T] patterns of marks of [G, N] uint8 guesses against [T, N] targets."""
    return feedback.paired_patterns(guesses[:, None], targets[None])


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] guesses against [M] targets, all indices into the table."""
    feedback = feedback_of(table)
    none = torch.empty(0, dtype=getattr(torch, feedback.type(table.length)), device=table.device)
    blocks = zip(guesses.split(BLOCK), targets.split(BLOCK), strict=True)
    return torch.cat([none, *(feedback.paired(table, g, t) for g, t in blocks)])


def play(
    table: WordTable,
    rounds: RoundArrays,
    guesses: Tensor,
    *,
    paired: Callable[[WordTable, Tensor, Tensor], Tensor] = paired_patterns,
) -> Tensor:
    """Make the next guess of every round that is not done; arguments as in `operations.play`."""
    first = table.words if table.guesses_letters else 0
    open_ = ~rounds.done
    valid = open_ & (guesses >= 0) & (guesses < table.guesses - first)
    rounds.invalid.copy_(~valid)
    made = torch.where(valid, guesses, -1)
    patterns = paired(table, made.clamp(min=0) + first, rounds.targets)
    patterns = torch.where(valid, patterns, 0)
    marks = feedback_of(table).marks(patterns, table.length)
    turns = torch.arange(rounds.guesses.shape[1], device=table.device)
    here = open_[:, None] & (turns == rounds.turn[:, None])  # [B, T]
    rounds.guesses.copy_(torch.where(here, made[:, None], rounds.guesses))
    rounds.marks.copy_(torch.where(here[..., None], marks[:, None], rounds.marks))
    found = valid & (guesses == rounds.targets)
    if table.guesses_letters:  # all places of the word are shown
        shown = table.letters[rounds.targets.long()] < signs_of(table)
        found = valid & ((rounds.marks > 0).any(1) | shown).all(1)
    cost = open_ & (patterns == 0) if rounds.counts_misses else open_
    paid = rounds.payoff[torch.where(found, rounds.turns_left, 0).long()]
    rounds.turn.add_(open_)
    rounds.turns_left.sub_(cost.to(torch.int32))
    ended = open_ & (found | (rounds.turns_left == 0))
    rounds.credits.copy_(torch.where(ended, paid, rounds.credits))
    rounds.done.logical_or_(ended)
    return marks


def numbered(codes: Tensor) -> Tensor:
    """[G, T] int64: the place of each of [G, T] codes among the different ones of its row, ascending."""
    ordered, columns = codes.sort(dim=1)
    new = torch.zeros_like(columns)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    return torch.zeros_like(columns).scatter_(1, columns, new.cumsum(1))


def class_sizes(codes: Tensor, weights: Tensor | None = None, heaviest: bool = False) -> Tensor:
    """[G, T] int64: for each row of [G, T] codes the sizes of its classes by ascending code, then zeros.

    With [T] int64 weights of the columns their sum, or the heaviest, in each class; a class of weight 0 looks
    like the zeros after the last class.
    """
    places = numbered(codes)
    added = torch.ones_like(places) if weights is None else weights.expand_as(places)
    return torch.zeros_like(places).scatter_reduce_(1, places, added, "amax" if heaviest else "sum")


def values(table: WordTable, guesses: Tensor, members: Tensor, objective: Objective) -> Tensor:
    """Return [G] int64, the value of the partition of `members` by each guess, without the bonus."""
    worth, weights = torch.from_numpy(objective.table).to(table.device), objective.weights(table)
    own = None if weights is None else weights[members].long()
    if own is not None and not bool(own.any()):
        return torch.zeros_like(guesses, dtype=torch.int64)
    out = []
    for block in guesses.split(max(1, BLOCK // members.shape[0])):
        codes = feedback_of(table).paired(table, block[:, None], members)
        sizes = class_sizes(codes, own, own is not None and objective.heaviest)
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
        legal = pool.candidates(s) if isinstance(pool, Frontier) else pool
        guesses = members if legal is None else legal
        if guesses.shape[0] == 0:
            continue
        inside = torch.isin(guesses, members).to(torch.int64)
        of_set = objective.of_set(s)
        bonus = of_set.bonuses[0] * inside
        if (weights := objective.weights(table)) is not None:
            bonus *= weights[torch.where(inside > 0, guesses, 0)]
        rank_of = values(table, guesses, members, of_set) + bonus
        # Stable, so that equal keys stay in list order; the low bit puts candidates first.
        order = (rank_of * 2 + inside).sort(descending=True, stable=True).indices[:width]
        best[s, : order.shape[0]] = guesses[order]
        ranks[s, : order.shape[0]] = rank_of[order]
        pairs += guesses.shape[0] * members.shape[0]
        if progress:
            progress(guesses.shape[0] * members.shape[0])
    return Ranked(best, ranks, pairs)


def ranks(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    progress: Progress | None = None,
    *,
    rank: Callable[..., Ranked] = rank,
) -> Tensor:
    """Return the ranks of all guesses, in the order of the table."""
    ranked, guesses = rank(table, frontier, pool, objective, table.guesses, progress), table.guesses
    rows = torch.arange(frontier.sets, device=table.device)[:, None]
    by_guess = torch.full((frontier.sets, guesses + 1), LOWEST, device=table.device)  # the last for no guess
    by_guess[rows, ranked.guesses.long() % (guesses + 1)] = ranked.ranks
    return by_guess[:, :guesses]


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
    rest = (~hit).nonzero().squeeze(1)  # once, because each mask waits for the GPU
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
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """Return the classes of each guess and the values of their parts; see `operations.refined`."""
    total = torch.cat([steps.new_zeros(1), steps.cumsum(0)])
    starts, owners, members = sets.offsets[:-1], sets.owners, sets.members
    solved = feedback_of(table).solved(table.length)
    counts, sizes, worth = [], [], []
    for guess in guesses:
        codes = paired_patterns(table, guess.expand_as(members), members)
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


def most_classes(
    table: WordTable,
    sets: Frontier,
    progress: Progress | None = None,
    *,
    rank: Callable[..., Ranked] = rank,
) -> Tensor:
    """Return the most classes of each set, by ranking."""
    most = sets.sizes + 1  # right for sets of one or two words
    large = (sets.sizes_here > 2).nonzero().squeeze(1).to(most.device, non_blocking=True)
    if large.shape[0]:
        ranked_sets = sets if large.shape[0] == sets.sets else sets.take(large)
        objective = classes(int(ranked_sets.sizes_here.max()), bonus=1)
        most[large] = rank(table, ranked_sets, table.pool, objective, 1, progress).ranks[:, 0]
    return most


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


def using_hints(
    table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
) -> Frontier:
    """Return the legal guesses that use the hints of each class, maybe none; see `operations.narrowed`."""
    has, needs = guess_bits(table, legal, guesses), hint_bits(table, guesses, parents, patterns)
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
    return Frontier.unchecked(
        torch.cat(members), torch.cat([sizes.new_zeros(1), sizes.cumsum(0)]), legal.below
    )


def _blocks(sizes: Tensor) -> Iterator[tuple[int, int]]:
    """Yield first and last of rows to take together, of up to HINT_BLOCK pairs or a single row."""
    ends, first = sizes.cumsum(0), 0
    while first < sizes.shape[0]:
        before = ends[first] - sizes[first]
        last = max(first + 1, int(torch.searchsorted(ends, before + HINT_BLOCK, right=True)))
        yield first, last
        first = last

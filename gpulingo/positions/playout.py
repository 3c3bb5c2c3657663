"""Guesses of one set, each followed up by a strategy to the end: what is found on which turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from gpulingo.advice.outlook import EXACT, PLAYED, Order, order
from gpulingo.games.game import Game
from gpulingo.strategies.objectives import Pool
from gpulingo.strategies.strategy import Position, Strategy
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.operations import rank, split

PAIRS = 1 << 28  # of guess and candidate, about, that are rolled out together; of more a part is looked at
FEW = 4  # guesses of so large a set that are rolled out together
PART = Pool("letters", 2000)  # words that are ranked then: by the letters that they share with most


def nothing(pairs: int) -> None:
    """Progress that nobody asks for."""


@dataclass(frozen=True)
class Played:
    """A guess that was rolled out.

    Attributes:
        guess: its index. turns: found on each turn, or what they weigh.
        classes, largest: that it makes. target: whether it can be the answer.
        exact: whether nothing better follows it. by: see `GuessStats`.
    """

    guess: int
    turns: list[int]
    classes: int
    largest: int
    target: bool = False
    exact: bool = False
    by: str = PLAYED

    def credits(self, game: Game) -> int:
        """Return the total payoff of the candidates."""
        return sum(game.credits(turn) * count for turn, count in enumerate(self.turns, 1))

    def order(self, game: Game) -> tuple[Order, int]:
        """A key by which the best guess comes first."""
        turns, exact, target = self.turns, self.exact, self.target
        return order(game, turns, exact=exact, target=target, largest=self.largest), self.guess


def best_of(guesses: Iterable[Played], game: Game) -> list[Played]:
    """Guesses, the best first, each once: as well as it was followed up, or as it was searched.

    What is as good as a best one that is proven is proven too.
    """
    by_guess: dict[int, Played] = {}
    for own in sorted(guesses, key=lambda own: (not own.exact, own.order(game))):
        by_guess.setdefault(own.guess, own)
    best = sorted(by_guess.values(), key=lambda own: own.order(game))
    proven = best[0].credits(game) if best and best[0].exact else None
    best = [replace(own, exact=True) if own.credits(game) == proven else own for own in best]
    return sorted(best, key=lambda own: own.order(game))


def is_large(position: Position) -> bool:
    """Return True if the legal guesses of a position's only set are too many to rank all."""
    return int(position.frontier.sizes_here[0]) * len(position.table.pool) > PAIRS


def ranked(position: Position, count: int, progress: Progress = nothing) -> Tensor:
    """[K] int32: the legal guesses of most classes, and some of the candidates, that were not guessed yet."""
    table, front, pool = position.table, position.frontier, position.pool
    most = int(front.sizes_here[0])
    if position.names_words:
        return _heaviest(position, count)
    if is_large(position) and pool is table.pool:
        pool = PART.members(table)
    objective = classes(max(most, position.largest), 1)
    every = pool.members.shape[0] if isinstance(pool, Frontier) else len(table.pool if pool is None else pool)
    width = min(count, every if pool is not None else most)
    rows = [rank(table, front, pool, objective, width, progress=progress).guesses[0]]
    if not table.guesses_letters and most < every:  # else they were ranked just now
        own = rank(table, front, None, objective, min(count, most), progress=progress).guesses[0]
        rows.append(own[: count // 5 + 1])
    guesses = list(dict.fromkeys(guess for guess in torch.cat(rows).tolist() if guess >= 0))
    past = set() if position.history is None else set(position.history.guesses[0].tolist())
    left = [guess for guess in guesses if guess not in past] or guesses
    return torch.tensor(left[: count + count // 5], dtype=torch.int32, device=table.device)


def _heaviest(position: Position, count: int) -> Tensor:
    """[K] int32: the candidates of the only set that weigh most."""
    weights, members = position.table.weights, position.frontier.members
    if weights is None:
        return members[:count]
    return members[weights[members.long()].sort(descending=True, stable=True).indices[:count]]


def blocks(position: Position, guesses: Tensor) -> Iterator[Tensor]:
    """The guesses, a few or one alone first, then as many together as are a fair amount of work."""
    if is_large(position):
        yield from guesses.split(FEW)
        return
    work = int(position.frontier.sizes_here[0]) * len(position.table.pool)
    work *= len(position.table.alphabet) if position.table.guesses_letters else 1
    size = max(1, PAIRS // max(1, work))
    first = max(1, size // 8)
    yield guesses[:first]
    yield from guesses[first:].split(size) if len(guesses) > first else ()


def played(
    position: Position,
    guesses: Tensor,
    strategy: Strategy,
    *,
    by: str = PLAYED,
    progress: Progress = nothing,
) -> list[Played]:
    """Guesses of the position's only set, each followed up by a strategy.

    Args:
        guesses: [K] int32. by: what is noted; EXACT: no strategy is better. progress: may raise to end it.
    """
    table, count = position.table, len(guesses)
    turns = torch.zeros(count, position.game.turns, dtype=torch.int64, device=table.device)
    roots = torch.arange(count, device=table.device)
    here = position.take(torch.zeros_like(roots))
    parts = split(table, here.frontier, guesses)
    hits = parts.hits
    made = torch.bincount(parts.parents, minlength=count) + hits
    largest = torch.ones_like(roots).scatter_reduce_(0, parts.parents, parts.frontier.sizes, "amax")
    chosen = guesses
    while True:
        _add_found(turns, roots, here, (chosen, parts.hits))
        here, roots = here.after(chosen, parts), roots[parts.parents]
        if here.lives is not None:
            going = here.goes_on()
            here, roots = here.take(going), roots[going]
        if not (here.frontier.sets and here.turns_left):
            break
        chosen = here.frontier.firsts.clone()
        for sets, asked in here.apart():
            progress(0)
            chosen[sets] = strategy.choose(asked, progress).guesses
        parts = split(table, here.frontier, chosen)
    columns = zip(*(own.tolist() for own in (guesses, turns, made, largest, hits)), strict=True)
    return [Played(own, on, size, most, hit, by == EXACT, by) for own, on, size, most, hit in columns]


def _add_found(turns: Tensor, roots: Tensor, here: Position, guessed: tuple[Tensor, Tensor]) -> None:
    """Add what each set's guess finds to the turns of the guess it goes back to, in place.

    Args:
        turns: [K, turns] int64. roots: [S], rows of it. guessed: [S] guesses, and whether each is a hit.
    """
    chosen, hits = guessed
    turn = torch.full_like(roots, here.turn - 1)
    if here.game.counts_misses:  # turn t is the time from miss t - 1 on
        turn = here.game.turns - torch.full_like(roots, here.turns_left)
        turn = turn if here.lives is None else here.game.turns - here.lives
    weights = here.table.weights
    weight = 1 if weights is None else weights[chosen.clamp(max=here.table.words - 1).long()]
    turns.index_put_((roots, turn), hits.long() * weight, accumulate=True)


def guesses_of(guesses: Sequence[int], position: Position) -> Tensor:
    """[K] int32 on the position's device."""
    return torch.tensor(guesses, dtype=torch.int32, device=position.table.device)

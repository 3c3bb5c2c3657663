"""A position after any history, and rollouts of its guesses: each followed by a strategy to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from gpulingo.advice.outlook import EXACT, PLAYED, GuessStats, best_first
from gpulingo.games.game import Game
from gpulingo.strategies.build import chosen_guesses, position_after
from gpulingo.strategies.objectives import Pool, Ranking
from gpulingo.strategies.strategy import Position, Strategy
from gpulingo.tensors.arrays import Array, Tensor, add_at, array_of, cut, like, namespace, wide
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import Frontier, frontier, summed
from gpulingo.tensors.objective import Objective, Progress, classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList

PAIRS = 1 << 28  # pairs of guess and candidate in one block of rollouts; with more, only PART is ranked
FEW = 4  # guesses of such a large set that are rolled out together
PART = Pool("letters", 2000)  # words ranked in such a set: those that share letters with most others
MEMORY = 1 << 28  # bytes for stored values of sets


def best_of(guesses: Iterable[GuessStats], game: Game) -> list[GuessStats]:
    """Return guesses, the best first, each once with its best rollout, or its exact value."""
    by_guess: dict[int, GuessStats] = {}
    for rollout in sorted(guesses, key=lambda rollout: (not rollout.exact, rollout.order(game))):
        by_guess.setdefault(rollout.number, rollout)
    return best_first([rollout for _, rollout in sorted(by_guess.items())], game)


known_table = lru_cache(maxsize=2)(table_of)  # a later question finds what was derived from the table


def table_with(words: WordList, game: Game, guesses: Iterable[str]) -> tuple[WordTable, WordList]:
    """Return the table of a list with the guesses (words, or letters) that it lacks, and that list. The
    new words come last, and are neither legal nor targets.

    >>> from gpulingo.games.catalogue import lingo
    >>> table, more = table_with(WordList("two", ["ab", "cd"]), lingo(), ["ab", "zz"])
    >>> more.words, table.pool.tolist(), table.targets.tolist()
    (['ab', 'cd', 'zz'], [0, 1], [0, 1])
    """
    strange = sorted(set(guesses).difference(guess_names(game, words.words)))
    table = known_table(words, game)
    if not strange:
        return table, words
    if game.guesses_letters:
        strange = [letter * words.length for letter in strange]
    more = WordList(words.source, [*words.words, *strange])
    weights = table.weights
    if weights is not None:
        weights = np.append(weights, np.zeros(len(strange), np.int32))
    wide = table_of(more, game)
    pool = wide.pool if game.guesses_letters else table.pool
    return wide.with_sets(table.targets, pool, weights), more


def position_of(
    words: WordList, game: Game, history: Sequence[tuple[str, str]], letter: str, device: str
) -> Position:
    """Return the position after a history, whose guesses need not be words or letters of the list."""
    place = find_device(device)
    if game.guesses_letters:
        table = known_table(words, game).to(place)
        known = [(guess, row) for guess, row in history if guess in table.alphabet]
        position = position_after(known, words, game, table, letter=letter)
        left = game.turns - sum("O" not in row for _, row in history)
        return replace(position, turns_left=left)
    table, more = table_with(words, game, (guess for guess, _ in history))
    table = table.to(place)
    if len(more) == len(words) or game.legal == "any":
        return position_after(history, more, game, table, letter=letter)
    # Guesses of the history count as allowed, in the list or not; they are not legal again.
    every = like(np.arange(len(more), dtype=np.int32), table.letters)
    wide = table.with_sets(table.targets, every, table.weights)
    position = position_after(history, more, game, wide, letter=letter)
    if position.allowed is None:
        return replace(position, table=table, pool=None if position.pool is None else table.pool)
    members = position.allowed.members
    allowed = frontier([members[members < len(words)]])
    return replace(position, table=table).allowing(allowed)


def turns_left(position: Position) -> Tensor:
    """Return [S] int64, turns left of every set."""
    if position.lives is not None:
        return position.lives
    return namespace(position.frontier.sizes).full_like(position.frontier.sizes, position.turns_left)


def set_weights(position: Position) -> Tensor:
    """Return [S] int64, the total weight of each set's candidates."""
    front, weights = position.frontier, position.table.weights
    return front.sizes if weights is None else summed(front, wide(weights[front.members]))


def found_by_turn(
    position: Position,
    guesses: Tensor,
    strategy: Strategy,
    progress: Progress,
    settle: Callable[[Position, Tensor], tuple[Position, Tensor]] = lambda position, roots: (position, roots),
) -> Tensor:
    """Return [S, turns] int64, the weight found on each turn when one guess in each set is followed by a
    strategy. `settle` gets the sets open after a turn, with the number of the first set that each comes from,
    and returns the sets to continue with.
    """
    turns, weights, xp = position.game.turns, position.table.weights, namespace(guesses)
    roots = xp.arange(len(guesses), dtype=xp.int64, device=guesses.device)
    by_turn = xp.zeros(len(guesses) * turns, dtype=xp.int64, device=guesses.device)
    while True:
        parts = split(position.table, position.frontier, guesses)
        weight = 1 if weights is None else wide(weights[guesses.clip(max=position.table.words - 1)])
        # If misses cost, turn t is the time after miss t - 1.
        add_at(by_turn, (roots + 1) * turns - turns_left(position), wide(parts.hits) * weight)
        position, roots = position.after(guesses, parts), roots[parts.parents]
        if position.lives is not None:
            going = xp.nonzero(position.lives)[0]
            position, roots = position.take(going), roots[going]
        if position.frontier.sets and position.turns_left:
            position, roots = settle(position, roots)
        if not (position.frontier.sets and position.turns_left):
            return by_turn.reshape(-1, turns)
        progress(0)
        guesses = chosen_guesses(strategy, position, (), progress).guesses


def classes_after(position: Position, guess: int) -> Iterator[Position]:
    """Yield the position of each class that a guess leaves of the only set."""
    row = guesses_of([guess], position)
    after = position.after(row, split(position.table, position.frontier, row))
    yield from (after.take(like(np.array([number]), row)) for number in range(after.frontier.sets))


def repeated(position: Position, guesses: Tensor) -> Position:
    """Return the position's only set, once for each guess."""
    return position.take(namespace(guesses).zeros_like(wide(guesses)))


def stats_of(
    copies: Position, guesses: Tensor, turns: Sequence[Sequence[int]], by: str = PLAYED
) -> list[GuessStats]:
    """Return guesses in copies of one set, see `repeated`, with the classes that each makes, unnamed.

    `turns` are the words that each finds on each turn, or their weight.
    """
    parts, every = split(copies.table, copies.frontier, guesses), array_of(set_weights(copies))
    parents, count = array_of(parts.parents), len(guesses)
    classes = np.bincount(parents, minlength=count) + array_of(parts.hits)
    largest = np.ones(count, np.int64)
    np.maximum.at(largest, parents, array_of(parts.frontier.sizes))
    weights = array_of(set_weights(replace(copies, frontier=parts.frontier)))
    itself = every - np.bincount(parents, weights, count)  # of a guess that is found
    hidden = _times_log(itself) + np.bincount(parents, _times_log(weights), count)
    bits = np.log2(every.clip(min=1)) - hidden / every.clip(min=1)
    numbers = (column.tolist() for column in (guesses, every, classes, largest, bits, parts.hits))
    return [
        GuessStats(
            "", on, total, number=own, classes=n, largest=most, bits=bit, target=hit, by=by, exact=by == EXACT
        )
        for on, own, total, n, most, bit, hit in zip(turns, *numbers, strict=True)
    ]


def _times_log(numbers: Array) -> Array:
    return numbers * np.log2(numbers.clip(min=1))


def rollouts(
    position: Position,
    guesses: Tensor,
    strategy: Strategy,
    *,
    by: str = PLAYED,
    progress: Progress = lambda pairs: None,
) -> list[GuessStats]:
    """Return rollouts of guesses in the position's only set, unnamed; with EXACT the strategy is optimal."""
    copies = repeated(position, guesses)
    return stats_of(copies, guesses, found_by_turn(copies, guesses, strategy, progress).tolist(), by)


def is_large(position: Position) -> bool:
    """Return True if the legal guesses of a position's only set are too many to rank all."""
    return int(position.frontier.sizes_here[0]) * len(position.table.pool) > PAIRS


def drawing(position: Position, strategy: Strategy) -> Objective:
    """Return the objective that draws guesses for rollouts: where numbers are shown, the strategy's own."""
    if isinstance(strategy, Ranking) and not position.table.shows_marks:
        return strategy.objective_of(position)
    return classes(max(int(position.frontier.sizes_here.max()), position.largest), 1)


def ranked(
    position: Position, count: int, strategy: Strategy, progress: Progress = lambda pairs: None
) -> Tensor:
    """[K] int32: the best legal guesses by `drawing`, and some candidates, without those already guessed."""
    table, front, pool = position.table, position.frontier, position.pool
    most = int(front.sizes_here[0])
    if position.names_words:  # the candidates of greatest weight
        members, weights = front.members, table.weights
        if weights is not None:
            members = members[namespace(weights).argsort(~weights[members], stable=True)]
        return members[:count]
    if is_large(position) and pool is table.pool:
        pool = PART.members(table)
    objective = drawing(position, strategy)
    every = pool.members.shape[0] if isinstance(pool, Frontier) else len(table.pool if pool is None else pool)
    width = min(count, every if pool is not None else most)
    rows = [rank(table, front, pool, objective, width, progress=progress).guesses[0]]
    if not table.guesses_letters and most < every:  # otherwise all were ranked above
        members = rank(table, front, None, objective, min(count, most), progress=progress).guesses[0]
        rows.append(members[: count // 5 + 1])
    guesses = list(dict.fromkeys(guess for row in rows for guess in row.tolist() if guess >= 0))
    past = set() if position.history is None else set(position.history.guesses[0].tolist())
    left = [guess for guess in guesses if guess not in past] or guesses
    return guesses_of(left[: count + count // 5], position)


def blocks(position: Position, guesses: Tensor) -> Iterator[Tensor]:
    """Yield the guesses: a few, or one alone, first, then as many per block as are a fair amount of work."""
    if is_large(position):
        yield from cut(guesses, FEW)
        return
    work = int(position.frontier.sizes_here[0]) * len(position.table.pool)
    work *= len(position.table.alphabet) if position.table.guesses_letters else 1
    size = max(1, PAIRS // max(1, work))
    first = max(1, size // 8)
    yield guesses[:first]
    yield from cut(guesses[first:], size)


def guesses_of(guesses: Sequence[int], position: Position) -> Tensor:
    """[K] int32 on the position's device."""
    return like(np.array(guesses, np.int32), position.table.letters)

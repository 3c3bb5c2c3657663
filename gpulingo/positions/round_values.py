"""Values of played rounds, guess by guess: the value of each position; all rounds of a block at once.

Values follow one rule, whatever the time and the device: that of the stored tree while a round follows it;
the exact value if the set is small or two turns are left; otherwise the greatest value of some rollouts.
With a time for it, all sets are searched that follow no proven tree.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from types import MappingProxyType

import numpy as np

from gpulingo.advice.outlook import EXACT, PLAYED, TREE
from gpulingo.advice.round import Review, Round, RoundError, SetValue, Turn, fault_of
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.optimise.deadline import Deadline, OutOfTime, stopped_at
from gpulingo.optimise.every_guess import EveryGuess, best_guess
from gpulingo.positions.rollout import chosen, drawing, found_by_turn, set_weights, table_with, turns_left
from gpulingo.solvers.payoffs import total_weight
from gpulingo.solvers.solver import solver
from gpulingo.strategies.registry import follower
from gpulingo.strategies.strategy import Position, Strategy, first_letters, first_position
from gpulingo.tensors.arrays import Tensor, add_at, array_of, contiguous, like, namespace, wide
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree, turns_below
from gpulingo.words.listing import WordList

MEMBERS = 1 << 18  # words left after the first guesses, summed over the rounds of a block, about
TOGETHER = 4096  # most rounds of a block
SMALL, SMALL_OF_LETTERS = 32, 16  # most words of a set that is searched completely
TRIED, TRIED_OF_LETTERS = 8, 4  # guesses of most classes that are rolled out, in addition to the strategy's
BLOCK = 1 << 20  # candidates and legal guesses of the sets that are rolled out together
MEMORY = 1 << 26  # bytes for values of small sets
Prefix = tuple[tuple[str, str], ...]
Node = tuple[Tree, int]  # a tree, and a node of it
Reviewed = Review | RoundError


@dataclass(frozen=True)
class ListOfSets:
    """The list and the game of some sets; equal lists have one fingerprint."""

    words: WordList = field(compare=False)
    fingerprint: str
    game: Game


class ExactValues:
    """Exact values of sets of a list, each searched once: see `SearchOfSets`, which may be None."""

    def __init__(self, sets: ListOfSets) -> None:
        self.names = guess_names(sets.game, sets.words.words)
        self.search = solver(table_of(sets.words, sets.game), sets.game, MEMORY)
        self.open: dict[bytes, tuple[Position, int, int]] = {}  # sets that are asked for and not known
        self._known: dict[bytes, tuple[int, str]] = {}

    def get(self, position: Position, number: int, left: int, *, now: bool) -> tuple[int, str] | None:
        """Return the value of a set and its guess; if not known, None, or with `now` what a search finds."""
        rows = [array_of(position.frontier.candidates(number)), position.allowed_of(number)]
        parts = [b"" if row is None else row.tobytes() for row in rows]
        key = blake2b(b"".join(parts), digest_size=16, key=f"{left} {len(parts[0])}".encode()).digest()
        if key not in self._known and now and self.search is not None:
            self._note(key, best_guess(self.search, position, number, left))
        if key not in self._known:
            self.open[key] = position, number, left
        return self._known.get(key)

    def prove(self, deadline: Deadline) -> None:
        """Search the open sets, the smallest first, until the deadline is over; then none is open."""
        sets, self.open = self.open, {}
        if self.search is None or not sets:
            return
        best = EveryGuess(self.search, deadline.check)
        with suppress(OutOfTime), stopped_at(self.search, deadline):
            for key, own in sorted(sets.items(), key=lambda item: int(item[1][0].frontier.sizes[item[1][1]])):
                self._note(key, best.best(*own))

    def _note(self, key: bytes, best: Valued) -> None:
        if best.guess >= 0:
            self._known[key] = best.value, self.names[best.guess]


exact_values = lru_cache(maxsize=1)(
    ExactValues
)  # later calls about the same list know the sets of earlier ones


def reviews(
    rounds: Sequence[Round],
    words: WordList,
    game: Game,
    *,
    tree: Tree | None = None,
    after: Mapping[str, Tree] = MappingProxyType({}),
    device: str = "auto",
    seconds: float | None = None,
    often: Callable[[int], bool] = lambda count: True,
    check: Callable[[], None] = lambda: None,
    stop: threading.Event | None = None,
) -> list[Reviewed | None]:
    """Return for each round its review, an error if no target fits it, or None if it was left out.

    Args:
        rounds: of words of the list's length, that passed `check_round`.
        tree: stored tree of the words. after: others, by the first guess that they begin with.
        seconds: most time to search all sets, each once; the others are rolled out by the strategy alone.
            None: only small sets are searched, whatever the time.
        often: called before each block of rounds; if it returns False, the rest is left out.
        check: called often, but not by the searches of `seconds`; an error it raises ends the reviews.
        stop: ends these searches if it is set.
    """
    guesses = (guess for round_ in rounds for guess, _ in round_.guesses)
    table, more = table_with(words, game, guesses)
    table, names = table.to(find_device(device)), guess_names(game, more.words)
    usual = (SMALL_OF_LETTERS, TRIED_OF_LETTERS) if game.counts_misses else (SMALL, TRIED)
    small, tried = usual if seconds is None else (0, 0)
    of = ListOfSets(words, words.fingerprint, game.tie_broken(total_weight(table)))
    exact = ExactValues(of) if seconds is None else exact_values(of)
    numbers = {name: index for index, name in enumerate(names)}
    replay = _Replay(table, numbers, exact.names, words, of.game, tree, after)
    strategy = follower(of.game, table.weights is not None)
    values = _Values(table, names, of.game, game, small, tried, check, exact, seconds is not None, strategy)
    blocks = list(_blocks(_costs(rounds), max(1, MEMBERS // len(table.targets)), TOGETHER))
    answers: list[Reviewed | None] = [None] * len(rounds)
    start = replay.start(rounds)
    if seconds is not None:
        exact.open.clear()  # sets that an earlier call had no time for
        values.known(start)
        for block in blocks:
            for step in replay.steps(start, [rounds[index] for index in block], {}):
                values.known(step.after)
        exact.prove(Deadline(seconds, stop))
    first: list[SetValue] = []
    for block in blocks:
        if not often(len(block)):
            break
        first = first or values.values(start)
        block_answers = values.answers(replay, start, first, [rounds[index] for index in block])
        for index, answer in zip(block, block_answers, strict=True):
            answers[index] = answer
    return answers


def _blocks(costs: Iterable[tuple[int, int]], most: int, together: int = 1 << 62) -> Iterator[list[int]]:
    """Yield numbers, each with its cost, in blocks of about `most` costs and at most `together` numbers."""
    block, total = list[int](), 0
    for index, cost in costs:
        if block and (total + cost > most or len(block) == together):
            yield block
            block, total = [], 0
        block.append(index)
        total += cost
    if block:
        yield block


def _costs(rounds: Sequence[Round]) -> Iterator[tuple[int, int]]:
    """The rounds' numbers, similar ones side by side; the first with each first guess costs 1, others 0."""
    before = None
    for index in sorted(range(len(rounds)), key=lambda index: (rounds[index].letter, rounds[index].guesses)):
        opening = rounds[index].letter, rounds[index].guesses[0][0]
        yield index, int(opening != before)
        before = opening


def _node(tree: Tree | None, node: int | None) -> Node | None:
    return None if tree is None or node is None else (tree, node)


@dataclass(frozen=True)
class _Sets:
    """Sets, and those of them that rounds have reached."""

    position: Position  # S sets
    nodes: list[Node | None]  # [S] nodes of stored trees, None if the rounds have left them
    numbers: dict[tuple[str, Prefix], int]  # letter and history -> number of the set they lead to


@dataclass(frozen=True)
class _Step:
    """A turn of some rounds: R different guesses, and their classes."""

    sets: list[int]  # [R] the set before each guess
    payoffs: list[tuple[int, int]]  # [R] payoff of each guess as the word, and its weight; 0 if it cannot be
    after: _Sets  # S classes
    parents: list[int]  # [S] the guess of each class
    moves: list[tuple[int, int, int | None]]  # a round, its guess, its class; None if the guess is the word


@dataclass(frozen=True)
class _Replay:
    """The sets that rounds reach, one turn of all of them at a time."""

    table: WordTable
    numbers: Mapping[str, int]  # of guesses, by their text
    tree_names: Sequence[str]  # of guesses of the stored trees
    words: WordList
    game: Game
    tree: Tree | None
    after: Mapping[str, Tree]

    def start(self, rounds: Iterable[Round]) -> _Sets:
        """Return the start positions of rounds, one per given letter."""
        table, tree = self.table, self.tree
        position = first_position(table, self.game)
        if self.game.counts_misses:
            position = replace(position, lives=turns_left(position))
        letters = [""]
        if self.game.given:
            given = {played.letter for played in rounds}
            every = first_letters(table, position.frontier.firsts).tolist()
            kept = [index for index, letter in enumerate(every) if table.alphabet[letter] in given]
            letters = [table.alphabet[every[index]] for index in kept]
            position = position.take(_row(kept, table))
        nodes = [_node(tree, None if tree is None else tree.root(letter)) for letter in letters]
        return _Sets(position, nodes, {(letter, ()): index for index, letter in enumerate(letters)})

    def steps(self, sets: _Sets, rounds: Sequence[Round], failed: dict[int, RoundError]) -> Iterator[_Step]:
        """Yield the turns of rounds from their start positions; errors of rounds are added to `failed`."""
        targets = set(self.words.targets)
        for index, played in enumerate(rounds):
            stranger = played.target and played.target not in targets
            if stranger or (played.letter, ()) not in sets.numbers:
                failed[index] = self._error(played)
        for turn in range(max(len(played.guesses) for played in rounds)):
            going = {index: played for index, played in enumerate(rounds)
                     if len(played.guesses) > turn and index not in failed}  # fmt: skip
            if not going:
                return
            step = self._step(sets, turn, going, failed)
            sets = step.after
            yield step

    def _error(self, played: Round) -> RoundError:
        return RoundError(fault_of(played, self.words, self.game))

    def _step(self, sets: _Sets, turn: int, going: dict[int, Round], failed: dict[int, RoundError]) -> _Step:
        """Return a turn of the rounds that continue."""
        keys = [(own.letter, tuple(own.guesses[:turn]), own.guesses[turn][0]) for own in going.values()]
        distinct = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        before = [sets.numbers[letter, prefix] for letter, prefix, _ in distinct]
        current = sets.position.take(_row(before, self.table))
        guesses = _row([self.numbers[guess] for _, _, guess in distinct], self.table, np.int32)
        parts = split(current.table, current.frontier, guesses)
        position = current.after(guesses, parts)
        pairs = list(zip(parts.parents.tolist(), parts.patterns.tolist(), strict=True))
        weights = wide(parts.hits)
        if current.table.weights is not None:
            weights = weights * wide(current.table.weights[guesses.clip(max=current.table.words - 1)])
        lefts = zip(turns_left(current).tolist(), weights.tolist(), strict=True)
        payoffs = [(self.game.payoff[left] * weight, weight) for left, weight in lefts]
        nodes = list(self._nodes([sets.nodes[number] for number in before], list(distinct), pairs))
        classes = {pair: number for number, pair in enumerate(pairs)}
        rule, moves = feedback_of(self.game), list[tuple[int, int, int | None]]()
        reached: dict[tuple[str, Prefix], int] = {}
        for (index, played), key in zip(going.items(), keys, strict=True):
            place, code = distinct[key], rule.pattern(played.guesses[turn][1])
            number = classes.get((place, code))
            if code == rule.solved(played.length) and payoffs[place][1]:
                moves.append((index, place, None))
            elif number is not None:
                moves.append((index, place, number))
                reached[played.letter, tuple(played.guesses[: turn + 1])] = number
            else:
                failed[index] = self._error(played)
        return _Step(before, payoffs, _Sets(position, nodes, reached), [own for own, _ in pairs], moves)

    def _nodes(
        self, before: list[Node | None], keys: list[tuple[str, Prefix, str]], pairs: list[tuple[int, int]]
    ) -> Iterator[Node | None]:
        """Yield the node of the stored tree of every class, or None if the guess is not the tree's."""
        for parent, pattern in pairs:
            _, prefix, guess = keys[parent]
            opened = None if prefix else self.after.get(guess)  # the stored tree after this first guess
            tree, node = before[parent] or (None, 0) if opened is None else (opened, 0)
            if tree is None or self.tree_names[tree.guess[node]] != guess:
                yield None
            else:
                yield _node(tree, tree.child(node, pattern))


def _row(numbers: Sequence[int], table: WordTable, kind: type = np.int64) -> Tensor:
    """Return numbers as an array on the table's device."""
    return like(np.array(numbers, kind), table.letters)


def _state(played: Round, game: Game) -> str:
    """Return how a round ended."""
    rule, left, placed = feedback_of(game), game.turns, set[int]()
    for _, row in played.guesses:
        code = rule.pattern(row)
        placed |= {place for place, mark in enumerate(row) if mark == "O"}
        whole = game.guesses_letters and len(placed) == played.length
        if code == rule.solved(played.length) or whole:
            return "found"
        left = game.left_after(left, code)
    return "open" if left else "lost"


@dataclass(frozen=True)
class _Values:
    """Values of sets; `small` and `tried` as SMALL and TRIED."""

    table: WordTable
    names: Sequence[str]  # of every guess
    game: Game  # in which the fewest misses decide on ties
    played: Game  # the rounds' own
    small: int
    tried: int
    check: Callable[[], None]
    exact: ExactValues
    proving: bool  # larger sets are exact too, if their value is known
    strategy: Strategy  # of rollouts

    def answers(
        self, replay: _Replay, start: _Sets, before: list[SetValue], rounds: Sequence[Round]
    ) -> list[Reviewed]:
        """Return a review of every round, or its error, from the values of the start positions."""
        turns: list[list[Turn]] = [[] for _ in rounds]
        failed: dict[int, RoundError] = {}
        for step in replay.steps(start, rounds, failed):
            before = self._turns(step, before, rounds, turns)
        return [
            failed.get(index) or Review(played, self.played, turns[index], _state(played, self.game))
            for index, played in enumerate(rounds)
        ]

    def _turns(
        self, step: _Step, before: list[SetValue], rounds: Sequence[Round], turns: list[list[Turn]]
    ) -> list[SetValue]:
        """Add a turn to the rounds, from the values of the sets before it; return those of the sets after."""
        values = self.values(step.after)
        solved = [self._value(credits, weight, 1, EXACT) for credits, weight in step.payoffs]
        chosen = [credits for credits, _ in step.payoffs]
        for parent, value in zip(step.parents, values, strict=True):
            chosen[parent] += value.credits * self._scale + value.lives
        unproven = {parent for parent, value in zip(step.parents, values, strict=True) if not value.proven}
        for index, place, number in step.moves:
            guess, marks = rounds[index].guesses[len(turns[index])]
            after = solved[place] if number is None else values[number]
            credits, lives = divmod(chosen[place], self._scale)
            prior = before[step.sets[place]]
            turns[index].append(
                Turn(guess, marks, prior, credits, after, self.played, place not in unproven, lives)
            )
        return values

    def values(self, sets: _Sets) -> list[SetValue]:
        """Return the value of every set."""
        values, every = self.known(sets), range(sets.position.frontier.sets)
        values |= self._rolled_out(sets.position, [index for index in every if index not in values])
        return [values[index] for index in every]

    def known(self, sets: _Sets) -> dict[int, SetValue]:
        """Return the values that need no rollout; sets whose exact values are wanted are noted as open."""
        position, values = sets.position, dict[int, SetValue]()
        front, lefts = position.frontier, turns_left(position).tolist()
        columns = zip(sets.nodes, lefts, set_weights(position).tolist(), front.sizes.tolist(), strict=True)
        for index, (node, left, weight, words) in enumerate(columns):
            small = words <= self.small
            self.check()
            if left < 1:
                values[index] = self._value(self.game.payoff[0] * weight, weight, words, EXACT)
            elif words == 1:
                name = self.names[int(front.firsts[index])]
                values[index] = self._value(self.game.payoff[left] * weight, weight, 1, EXACT, name)
            elif node is not None and (node[0].optimal or not self.proving):
                values[index] = self._followed(node, left, weight, words)
            elif (small or self.proving) and (known := self.exact.get(position, index, left, now=small)):
                values[index] = self._value(known[0], weight, words, EXACT, known[1])
            elif node is not None:
                values[index] = self._followed(node, left, weight, words)
        return values

    @cached_property
    def _scale(self) -> int:
        return self.game.payoff[1] // self.played.payoff[1]

    def _value(
        self, credits: int, weight: int, words: int, how: str, best: str = "", proven: bool = False
    ) -> SetValue:
        credits, lives = divmod(credits, self._scale)
        return SetValue(credits, weight, words, how, best, proven or how == EXACT, lives)

    def _followed(self, at: Node, left: int, weight: int, words: int) -> SetValue:
        """Return the value of a node's branch."""
        tree, node = at
        counts = turns_below(tree, node, self.game.turns - left + 1)
        credits = sum(self.game.credits(turn) * count for turn, count in enumerate(counts, 1))
        credits += self.game.payoff[0] * (weight - sum(counts))
        return self._value(credits, weight, words, TREE, self.exact.names[tree.guess[node]], tree.optimal)

    def _rolled_out(self, position: Position, sets: list[int]) -> Iterator[tuple[int, SetValue]]:
        """Yield the numbers of some sets, and their values."""
        sizes, weights = position.frontier.sizes, set_weights(position).tolist()
        words = sizes.tolist()
        costs = (sizes + position.pool.sizes).tolist() if isinstance(position.pool, Frontier) else words
        for block in _blocks(((index, costs[index]) for index in sets), BLOCK // (self.tried + 1)):
            part = position.take(_row(block, self.table))
            exact = part.turns_left <= 2 and not self.game.counts_misses
            guesses = self._tried(part, 0 if exact else self.tried)  # [S, K]
            count = guesses.shape[1]
            xp, every = namespace(guesses), _row(range(len(block)), self.table)
            copies = xp.repeat(every, count)
            values = self._credits(part.take(copies), guesses.reshape(-1)).reshape(-1, count)
            first = xp.argmax(values, axis=1)
            most, guess = values[every, first], contiguous(guesses[every, first])
            if not exact and self.exact.search is not None and self.small:
                most = xp.maximum(most, self._credits(part, guess, searched=True))
            how = EXACT if exact else PLAYED
            for index, credits, best in zip(block, most.tolist(), guess.tolist(), strict=True):
                yield index, self._value(credits, weights[index], words[index], how, self.names[best])

    def _tried(self, position: Position, count: int) -> Tensor:
        """Return [S, K] int32: the strategy's guess of every set, then those of greatest rank."""
        table, front = position.table, position.frontier
        first = chosen(position, self.strategy, lambda pairs: None)
        if not count:
            return first[:, None]
        ranked = rank(table, front, position.pool, drawing(position, self.strategy), count).guesses
        xp = namespace(first)
        return xp.concat([first[:, None], xp.where(ranked < 0, first[:, None], ranked)], axis=1)

    def _credits(self, position: Position, guesses: Tensor, *, searched: bool = False) -> Tensor:
        """Return [S] int64 credits of sets after [S] guesses by the strategy, or exact ones if `searched`."""
        game = self.game
        credits = game.payoff[0] * set_weights(position)

        def settle(reached: Position, roots: Tensor) -> tuple[Position, Tensor]:
            return self._without_small(reached, roots, credits) if searched else (reached, roots)

        parts = split(self.table, position.frontier, guesses)
        by_turn = found_by_turn(position, guesses, parts, self.strategy, lambda pairs: self.check(), settle)
        paid = [game.credits(turn) - game.payoff[0] for turn in range(1, game.turns + 1)]
        return credits + (by_turn * _row(paid, self.table)).sum(1)

    def _without_small(self, position: Position, roots: Tensor, credits: Tensor) -> tuple[Position, Tensor]:
        """Return the sets that are not small, and their roots; add the others' values to the credits."""
        if not self.game.counts_misses and position.turns_left <= 2:  # there the strategy is optimal
            return position, roots
        assert self.exact.search is not None
        lefts, sizes = turns_left(position).tolist(), position.frontier.sizes.tolist()
        values: dict[int, int] = {}
        for index, (left, size) in enumerate(zip(lefts, sizes, strict=True)):
            if 2 < size <= self.small:
                self.check()
                best = best_guess(self.exact.search, position, index, left)
                values |= {index: best.value} if best.guess >= 0 else {}
        add_at(credits, roots[_row([*values], self.table)], _row([*values.values()], self.table))
        large = _row([index for index in range(len(sizes)) if index not in values], self.table)
        return position.take(large), roots[large]

"""Values of played rounds, guess by guess: the value of each position; all rounds of a block at once.

Values follow one rule, whatever the time and the device: that of the stored tree while a round follows it;
the exact value if the set is small or two turns are left; otherwise the greatest value of some rollouts.
With a time for it, all sets are searched that follow no proven tree.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from gpulingo.advice.notation import fitting
from gpulingo.advice.outlook import EXACT, PLAYED, TREE
from gpulingo.advice.round import Review, Round, RoundError, SetValue, Turn, course, fault_of
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.optimise.every_guess import EveryGuess, best_guess
from gpulingo.positions.rollout import (
    drawing,
    found_by_turn,
    guesses_of,
    set_weights,
    table_with,
    turns_left,
)
from gpulingo.positions.service import LruCache
from gpulingo.solvers.payoffs import total_weight
from gpulingo.solvers.solver import solver
from gpulingo.strategies.build import chosen_guesses
from gpulingo.strategies.registry import follower
from gpulingo.strategies.strategy import Position, first_letters, first_position
from gpulingo.tensors.arrays import Tensor, add_at, array_of, contiguous, like, namespace, wide
from gpulingo.tensors.clock import Deadline, OutOfTime, stopped_at
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.operations import rank, split
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
Node = tuple[Tree, int]  # a tree, and a node of it
Reviewed = Review | RoundError


class ExactValues:
    """Exact values of sets of a list, each searched once: see `SearchOfSets`, which may be None."""

    def __init__(self, words: WordList, game: Game) -> None:
        self.names = guess_names(game, words.words)
        self.search = solver(table_of(words, game), game, MEMORY)
        self.open: dict[bytes, tuple[Position, int, int]] = {}  # sets that are asked for and not known
        self._known: dict[bytes, tuple[int, str]] = {}

    def get(self, position: Position, number: int, left: int, *, now: bool) -> tuple[int, str] | None:
        """Return the value of a set and its guess; if not known, None, or with `now` what a search finds."""
        rows = [array_of(position.frontier.candidates(number)), position.allowed_of(number)]
        parts = [b"" if row is None else row.tobytes() for row in rows]
        key = blake2b(b"".join(parts), digest_size=16, key=f"{left} {len(parts[0])}".encode()).digest()
        if key not in self._known and now and self.search is not None:
            best = best_guess(self.search, position, number, left)
            self._known |= {key: (best.value, self.names[best.guess])} if best.guess >= 0 else {}
        if key not in self._known:
            self.open[key] = position, number, left
        return self._known.get(key)

    def prove(self, deadline: Deadline) -> None:
        """Search the open sets, the smallest first, until the deadline is over; then none is open."""
        sets, self.open = self.open, {}
        if self.search is None or not sets:
            return
        best = EveryGuess(self.search, deadline.check)
        with suppress(OutOfTime), stopped_at(self.search.stop, deadline):
            for key, own in sorted(sets.items(), key=lambda item: int(item[1][0].frontier.sizes[item[1][1]])):
                valued = best.best(*own)
                self._known[key] = valued.value, self.names[valued.guess]


# By fingerprint and game: later calls about the same list know the sets of earlier ones.
exact_values: LruCache[tuple[str, Game], ExactValues] = LruCache(1)


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


@dataclass(frozen=True)
class _Step:
    """A turn of some rounds: R different guesses, and their classes; at the start only sets."""

    position: Position  # S classes
    nodes: list[Node | None]  # [S] of stored trees; None if the rounds have left them
    before: Sequence[int] = ()  # [R] the set before each guess
    solved: Sequence[SetValue] = ()  # [R] value of each guess as the word; of weight 0 if it cannot be
    parents: Sequence[int] = ()  # [S] the guess of each class
    # Of rounds: the guess, its class; None if the guess is the word.
    moves: Mapping[int, tuple[int, int | None]] = field(default_factory=dict)


@dataclass(eq=False)
class RoundValues:
    """The sets that rounds reach, one turn of many rounds at a time, and the values of these sets.

    Attributes:
        rounds: of words of the list's length, that passed `check_round`.
        tree: stored tree of the words. after: others, by the first guess that they begin with.
        seconds: most time to search all sets, each once; the others are rolled out by the strategy alone.
            None: only small sets are searched, whatever the time.
        often: called before each block of rounds; if it returns False, the rest is left out.
        check: called often, but not by the searches of `seconds`; an error it raises ends the reviews.
        stop: ends these searches if it is set.
    """

    rounds: Sequence[Round]
    words: WordList
    game: Game
    _: KW_ONLY
    tree: Tree | None = None
    after: Mapping[str, Tree] = field(default_factory=dict)
    device: str = "auto"
    seconds: float | None = None
    often: Callable[[int], bool] = lambda count: True
    check: Callable[[], None] = lambda: None
    stop: threading.Event | None = None

    def __post_init__(self) -> None:
        game, words = self.game, self.words
        table, more = table_with(words, game, (guess for own in self.rounds for guess, _ in own.guesses))
        self.table, self.names = table.to(find_device(self.device)), guess_names(game, more.words)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.tied = tied = game.tie_broken(total_weight(table))  # there fewest misses break ties
        self.scale = tied.payoff[1] // game.payoff[1]
        usual = (SMALL_OF_LETTERS, TRIED_OF_LETTERS) if game.counts_misses else (SMALL, TRIED)
        self.proving = self.seconds is not None  # larger sets are exact too, if known
        self.small, self.tried = (0, 0) if self.proving else usual
        exact = exact_values if self.proving else LruCache[tuple[str, Game], ExactValues](1)
        self.exact = exact.made((words.fingerprint, tied), lambda: ExactValues(words, tied))
        self.strategy = follower(tied, table.weights is not None)  # of rollouts
        self.letters, self.start = self._start()
        rule, targets = feedback_of(game), dict.fromkeys(words.targets)
        self.fit = [  # whether a target fits the round, which is not played otherwise
            played.target in targets if played.target else bool(fitting(targets, played.guesses, rule))
            for played in self.rounds
        ]

    def reviews(self) -> list[Reviewed | None]:
        """Return for each round its review, an error if no target fits it, or None if it was left out."""
        rounds, answers = self.rounds, list[Reviewed | None]([None] * len(self.rounds))
        order = sorted(range(len(rounds)), key=lambda index: (rounds[index].letter, rounds[index].guesses))
        openings = [(rounds[index].letter, rounds[index].guesses[0][0]) for index in order]
        # Similar rounds are side by side; the first with each first guess costs 1, others 0.
        costs = (int(own != before) for own, before in zip(openings, [None, *openings[:-1]], strict=True))
        most = max(1, MEMBERS // len(self.table.targets))
        blocks = list(_blocks(zip(order, costs, strict=True), most, TOGETHER))
        if self.seconds is not None and any(self.fit):
            self.exact.open.clear()  # sets that an earlier call had no time for
            self.known(self.start)
            for block in blocks:
                for step in self.steps(block):
                    self.known(step)
            self.exact.prove(Deadline(self.seconds, self.stop))
        for block in blocks:
            if not self.often(len(block)):
                break
            for index, answer in self.answers(block):
                answers[index] = answer
        return answers

    @cached_property
    def at_start(self) -> list[SetValue]:
        return self.values(self.start)

    def _start(self) -> tuple[dict[str, int], _Step]:
        """Return the start positions of the rounds, one per given letter, and their numbers."""
        table, tree, letters = self.table, self.tree, [""]
        position = first_position(table, self.tied)
        if self.tied.counts_misses:
            position = replace(position, lives=turns_left(position))
        if self.tied.given:
            given = {played.letter for played in self.rounds}
            every = [
                table.alphabet[first] for first in first_letters(table, position.frontier.firsts).tolist()
            ]
            position = position.take(_row([at for at, letter in enumerate(every) if letter in given], table))
            letters = [letter for letter in every if letter in given]
        roots = [None if tree is None else tree.root(letter) for letter in letters]
        nodes = [None if tree is None or root is None else (tree, root) for root in roots]
        return {letter: number for number, letter in enumerate(letters)}, _Step(position, nodes)

    def steps(self, block: Sequence[int]) -> Iterator[_Step]:
        """Yield the turns of some rounds, each to its end or to marks that no target fits."""
        step, turn, rule = self.start, 0, feedback_of(self.game)
        begun = [(index, self.letters.get(self.rounds[index].letter)) for index in block if self.fit[index]]
        at = {index: number for index, number in begun if number is not None}
        while at:
            guessed = {index: (number, self.rounds[index].guesses[turn][0]) for index, number in at.items()}
            places = {key: place for place, key in enumerate(dict.fromkeys(guessed.values()))}
            before, names = [number for number, _ in places], [guess for _, guess in places]
            current = step.position.take(_row(before, self.table))
            guesses = guesses_of([self.numbers[guess] for guess in names], current)
            parts = split(current.table, current.frontier, guesses)
            weights = wide(parts.hits)
            if current.table.weights is not None:
                weights = weights * wide(current.table.weights[guesses.clip(max=current.table.words - 1)])
            lefts = zip(turns_left(current).tolist(), weights.tolist(), strict=True)
            solved = [
                self._value(self.tied.payoff[left] * weight, weight, 1, EXACT) for left, weight in lefts
            ]
            pairs = list(zip(parts.parents.tolist(), parts.patterns.tolist(), strict=True))
            nodes = [self._child(step.nodes[before[own]], names[own], code, turn) for own, code in pairs]
            classes = {pair: number for number, pair in enumerate(pairs)}
            moves = dict[int, tuple[int, int | None]]()
            for index, key in guessed.items():
                place, code = places[key], rule.pattern(self.rounds[index].guesses[turn][1])
                if code == rule.solved(self.rounds[index].length) and solved[place].weight:
                    moves[index] = place, None
                elif (place, code) in classes:
                    moves[index] = place, classes[place, code]
            after, turn = current.after(guesses, parts), turn + 1
            step = _Step(after, nodes, before, solved, [place for place, _ in pairs], moves)
            yield step
            at = {index: number for index, (_, number) in moves.items()
                  if number is not None and turn < len(self.rounds[index].guesses)}  # fmt: skip

    def _child(self, node: Node | None, guess: str, pattern: int, turn: int) -> Node | None:
        """Return the node of a stored tree after a guess and its marks, if the guess is the tree's."""
        opened = None if turn else self.after.get(guess)
        tree, number = (opened, 0) if opened is not None else node or (None, 0)
        if tree is None or self.exact.names[tree.guess[number]] != guess:
            return None
        child = tree.child(number, pattern)
        return None if child is None else (tree, child)

    def answers(self, block: Sequence[int]) -> Iterator[tuple[int, Reviewed]]:
        """Yield the numbers of some rounds, each with its review, or an error if no target fits it."""
        turns, before = {index: list[Turn]() for index in block}, list[SetValue]()
        for step in self.steps(block):
            before, values = before or self.at_start, self.values(step)
            chosen = [value.credits * self.scale + value.lives for value in step.solved]
            unproven = {place for place, value in zip(step.parents, values, strict=True) if not value.proven}
            for place, value in zip(step.parents, values, strict=True):
                chosen[place] += value.credits * self.scale + value.lives
            for index, (place, number) in step.moves.items():
                guess, marks = self.rounds[index].guesses[len(turns[index])]
                after = step.solved[place] if number is None else values[number]
                credits, lives = divmod(chosen[place], self.scale)
                value, proven = before[step.before[place]], place not in unproven
                turns[index].append(Turn(guess, marks, value, credits, after, self.game, proven, lives))
            before = values
        for index, made in turns.items():
            played = self.rounds[index]
            if len(made) == len(played.guesses) and all(turn.after.weight for turn in made):
                *_, (left, found) = course(played, self.tied)
                state = "found" if found else "open" if left else "lost"
                yield index, Review(played, self.game, made, state)
            else:
                yield index, RoundError(fault_of(played, self.words, self.tied))

    def values(self, step: _Step) -> list[SetValue]:
        """Return the value of every set."""
        values, every = self.known(step), range(step.position.frontier.sets)
        values |= self._rolled_out(step.position, [index for index in every if index not in values])
        return [values[index] for index in every]

    def known(self, step: _Step) -> dict[int, SetValue]:
        """Return the values that need no rollout; sets whose exact values are wanted are noted as open."""
        position, values = step.position, dict[int, SetValue]()
        front, lefts = position.frontier, turns_left(position).tolist()
        columns = zip(step.nodes, lefts, set_weights(position).tolist(), front.sizes.tolist(), strict=True)
        for index, (node, left, weight, words) in enumerate(columns):
            small = words <= self.small
            followed = node is not None and (node[0].optimal or not self.proving)
            self.check()
            if left < 1:
                values[index] = self._value(self.tied.payoff[0] * weight, weight, words, EXACT)
            elif words == 1:
                name = self.names[int(front.firsts[index])]
                values[index] = self._value(self.tied.payoff[left] * weight, weight, 1, EXACT, name)
            elif (
                not followed
                and (small or self.proving)
                and (known := self.exact.get(position, index, left, now=small))
            ):
                values[index] = self._value(known[0], weight, words, EXACT, known[1])
            elif node is not None:
                tree, place = node
                counts = turns_below(tree, place, self.tied.turns - left + 1)
                credits = sum(self.tied.credits(turn) * count for turn, count in enumerate(counts, 1))
                credits += self.tied.payoff[0] * (weight - sum(counts))
                best = self.exact.names[tree.guess[place]]
                values[index] = self._value(credits, weight, words, TREE, best, tree.optimal)
        return values

    def _value(
        self, credits: int, weight: int, words: int, how: str, best: str = "", proven: bool = False
    ) -> SetValue:
        credits, lives = divmod(credits, self.scale)
        return SetValue(credits, weight, words, how, best, proven or how == EXACT, lives)

    def _rolled_out(self, position: Position, sets: list[int]) -> Iterator[tuple[int, SetValue]]:
        sizes, weights = position.frontier.sizes, set_weights(position).tolist()
        words = sizes.tolist()
        costs = (sizes + position.pool.sizes).tolist() if isinstance(position.pool, Frontier) else words
        for block in _blocks(((index, costs[index]) for index in sets), BLOCK // (self.tried + 1)):
            part = position.take(_row(block, self.table))
            exact = part.turns_left <= 2 and not self.tied.counts_misses
            # The strategy's guess of every set, then those of greatest rank.
            guesses = chosen_guesses(self.strategy, part, self.names).guesses[:, None]  # [S, K]
            xp, every = namespace(guesses), _row(range(len(block)), self.table)
            if self.tried and not exact:
                objective = drawing(part, self.strategy)
                ranked = rank(self.table, part.frontier, part.pool, objective, self.tried).guesses
                guesses = xp.concat([guesses, xp.where(ranked < 0, guesses, ranked)], axis=1)
            count = guesses.shape[1]
            copies = xp.repeat(every, count)
            values = self._credits(part.take(copies), guesses.reshape(-1)).reshape(-1, count)
            first = xp.argmax(values, axis=1)
            most, guess = values[every, first], contiguous(guesses[every, first])
            if not exact and self.exact.search is not None and self.small:
                most = xp.maximum(most, self._credits(part, guess, searched=True))
            how = EXACT if exact else PLAYED
            for index, credits, best in zip(block, most.tolist(), guess.tolist(), strict=True):
                yield index, self._value(credits, weights[index], words[index], how, self.names[best])

    def _credits(self, position: Position, guesses: Tensor, *, searched: bool = False) -> Tensor:
        """Return [S] int64 credits of sets after [S] guesses by the strategy, or exact ones if `searched`."""
        game, search = self.tied, self.exact.search
        credits = game.payoff[0] * set_weights(position)

        def settle(reached: Position, roots: Tensor) -> tuple[Position, Tensor]:
            """Add the values of small sets to the credits of their roots, and return the others."""
            optimal = not game.counts_misses and reached.turns_left <= 2  # there the strategy is
            if search is None or not searched or optimal:
                return reached, roots
            sizes, values = reached.frontier.sizes.tolist(), dict[int, int]()
            for index, left in enumerate(turns_left(reached).tolist()):
                if 2 < sizes[index] <= self.small:
                    self.check()
                    best = best_guess(search, reached, index, left)
                    values |= {index: best.value} if best.guess >= 0 else {}
            add_at(credits, roots[_row([*values], self.table)], _row([*values.values()], self.table))
            large = _row([index for index in range(len(sizes)) if index not in values], self.table)
            return reached.take(large), roots[large]

        by_turn = found_by_turn(position, guesses, self.strategy, lambda pairs: self.check(), settle)
        paid = [game.credits(turn) - game.payoff[0] for turn in range(1, game.turns + 1)]
        return credits + (by_turn * _row(paid, self.table)).sum(1)


def _row(numbers: Sequence[int], table: WordTable) -> Tensor:
    """Return [n] int64 on the table's device."""
    return like(np.array(numbers, np.int64), table.letters)

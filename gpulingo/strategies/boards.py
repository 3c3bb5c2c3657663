"""Several boards at once: a guess for all of them by its ranks on each, and whole rounds of such guesses.

A board that is open has a set of candidates, as a round of one board. The sets of all boards are one
frontier, each set once, however many boards share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random

import numpy as np

from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.hosts.host import check_boards
from gpulingo.player.question import OBJECTIVES
from gpulingo.storage.faults import unknown
from gpulingo.strategies.objectives import BY_NAME, SCALE
from gpulingo.tensors.arrays import Array, Tensor, array_of, like, namespace
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import paired_patterns, ranks, split
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.words.shown import brief, counted
from gpulingo.words.targets import words_of
from gpulingo.words.wordlist import WordList

BOARDS = "boards"  # the usual strategy
NAMES = (BOARDS, *(name for name in OBJECTIVES if name not in ("largest_class", "points")))
# Guesses that a class of n words costs beyond one, per bit of n: those that find no word. Boards that are
# open together need fewer each: in `simulate --game dordle --rounds 10000 --seed 7` over Wordle's lists the
# last word is found on turn 4.7695 with 0.3 throughout (4 lost), on 4.7642 with these (none lost).
WASTE = 0.2, 0.4  # and what is added for each share of an open board
BYTES = 1 << 27  # of the ranks that are held at once
MOST_ROUNDS = 10**7
ROWS = 256  # rounds whose ranks are summed at once


def expected_guesses(sizes: Array, boards: Array, unit: int) -> Objective:
    """Fewest guesses that a board still takes, on average over its words: one, and those that are wasted.

    With k open boards a class of n words takes 1 + (0.2 + 0.4 / k) log2(n) guesses, a found word none.
    """
    kinds, rows = np.unique(np.stack([sizes, boards]), axis=1, return_inverse=True)
    words, (fixed, shared) = np.arange(int(sizes.max()) + 1), WASTE
    waste = (fixed + shared / kinds[1])[:, None] * np.log2(words.clip(min=1))
    costs = np.rint(SCALE * words * (1 + waste)).astype(np.int64) // kinds[0][:, None]
    bonuses = (unit * (SCALE // kinds[0]) + 1).tolist()
    return Objective(-unit * costs, bonuses, rows=rows.reshape(-1))


@dataclass(frozen=True)
class SumOfRanks:
    """The guess whose ranks on the open boards have the greatest sum.

    On ties a candidate of more boards is first, then list order. If no turn is to spare, it is a candidate.
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise ValueError(unknown("strategy of several boards", self.name, NAMES, ", ".join(NAMES)))

    def objective(self, sizes: Array, boards: Array, unit: int) -> Objective:
        """Return ranks, multiples of the unit, for [S] sizes of sets and [S] numbers of open boards."""
        if self.name == BOARDS:
            return expected_guesses(sizes, boards, unit)
        single = BY_NAME[self.name](int(sizes.max()), 3)
        return Objective(unit * single.table, unit * single.bonuses[0] + 1)

    def choose(self, rounds: BoardRounds, progress: Progress | None = None) -> Array:
        """Return [R] int32, the guess of every round."""
        groups, which = np.unique(rounds.sets, axis=0, return_inverse=True)
        size = max(1, BYTES // (8 * rounds.table.guesses * rounds.boards))
        blocks = (groups[first : first + size] for first in range(0, len(groups), size))
        sums = (total for block in blocks for total in self.summed(rounds, block, progress))
        best = np.concatenate([array_of(total.argmax(1)) for total in sums])
        return array_of(rounds.table.pool)[best][which.reshape(-1)]

    def summed(
        self, rounds: BoardRounds, groups: Array, progress: Progress | None = None
    ) -> Iterator[Tensor]:
        """Yield [ROWS, P] int64, the sums of the pool's ranks for [G, K] groups of sets, block by block."""
        table, unit, is_open = rounds.table, rounds.boards + 1, groups >= 0
        keys = np.where(is_open, groups * unit + is_open.sum(1)[:, None], -1)  # sets with the open boards
        used = np.unique(keys[is_open])
        front = rounds.frontier.take(like(used // unit, table.letters))
        objective = self.objective(array_of(front.sizes_here), used % unit, unit)
        ranked = ranks(table, front, table.pool, objective, progress)
        if len(table.pool) < table.guesses:
            ranked = ranked[:, table.pool]
        places, xp = np.searchsorted(used, keys), namespace(ranked)
        for first in range(0, len(groups), ROWS):
            block = slice(first, first + ROWS)
            total = xp.zeros((len(groups[block]), ranked.shape[1]), dtype=xp.int64, device=table.device)
            for mask, at in zip(is_open[block].T, places[block].T, strict=True):
                total[like(np.flatnonzero(mask), total)] += ranked[like(at[mask], total)]
            late = is_open[block].sum(1) >= rounds.turns_left
            if late.any():  # a rank is a multiple of the unit, and one more for each board it may be found on
                rows = like(np.flatnonzero(late), total)
                total[rows] = xp.where(total[rows] % unit > 0, total[rows], np.iinfo(np.int64).min)
            yield total


@dataclass(frozen=True, eq=False)
class BoardRounds:
    """R rounds of K boards on one turn.

    Attributes:
        table, game: the words and the rules.
        frontier: the sets of candidates.
        sets: [R, K] int64, the set of each board; -1 if its word is found.
        turn: number of the next guess, 1-based.
    """

    table: WordTable
    game: Game
    frontier: Frontier
    sets: Array
    turn: int = 1

    @property
    def boards(self) -> int:
        return self.sets.shape[1]

    @property
    def turns_left(self) -> int:
        return self.game.turns - self.turn + 1

    def take(self, rounds: Array) -> BoardRounds:
        """Return some of the rounds, by [R] bool or their numbers."""
        return replace(self, sets=self.sets[rounds])

    def after(self, guesses: Array, targets: Array) -> BoardRounds:
        """Return the rounds after [R] int32 guesses, by the marks of [R, K] int32 targets."""
        table, sets = self.table, np.where(targets == guesses[:, None], -1, self.sets)
        places = np.nonzero(sets >= 0)
        made = guesses[places[0]].astype(np.int32)
        pairs, which = np.unique(sets[places] * table.guesses + made, return_inverse=True)
        on_device = partial(like, other=table.letters)
        parents, rows = pairs // table.guesses, (pairs % table.guesses).astype(np.int32)
        classes = split(table, self.frontier.take(on_device(parents)), on_device(rows))
        codes = paired_patterns(table, on_device(made), on_device(targets[places]))
        sets[places] = array_of(classes.places_of(on_device(which), codes))
        return BoardRounds(table, self.game, classes.frontier, sets, self.turn + 1)


def play(
    rounds: BoardRounds, targets: Array, strategy: SumOfRanks, first: Array | None = None,
    progress: Progress | None = None,
) -> Array:  # fmt: skip
    """Return [R, K] int64, the turn on which each board's word is found; 0 if it is lost.

    Args:
        targets: [R, K] int32. first: [R] int32, the next guess of every round; None: the strategy's.
    """
    turns, going = np.zeros(targets.shape, np.int64), np.arange(len(targets))
    while rounds.turns_left and len(going):
        guesses = strategy.choose(rounds, progress) if first is None else first
        hits = (targets[going] == guesses[:, None]) & (rounds.sets >= 0)
        turns[going] += rounds.turn * hits
        rounds, first = rounds.after(guesses, targets[going]), None
        open_: Array = np.any(rounds.sets >= 0, axis=1)
        rounds, going = rounds.take(open_), going[open_]
    return turns


@dataclass(frozen=True, eq=False, repr=False)
class BoardsSimulation:
    """Rounds of several boards that a strategy played.

    Attributes:
        wordlist, game: the words and the rules.
        strategy, opening: its name, and its first guess.
        turns: [R, K] int64, the turn on which each board's word was found; 0 if it is lost.
        seconds: of playing.

    >>> simulate_boards(["dents", "dozes", "reads"], game="3-wordle", rounds=4).turn_counts
    [0, 0, 4, 0, 0, 0, 0, 0]
    """

    wordlist: WordList
    game: Game
    strategy: str
    turns: Array
    opening: str
    seconds: float

    def __repr__(self) -> str:
        won = f"{100 * self.won:.2f} % won, mean turn {self.mean_turn:.4f}"
        return brief("BoardsSimulation", f"{self.game.code}, {counted(len(self.turns), 'round')}: {won}")

    @cached_property
    def last(self) -> Array:
        """[R] int64, the turn of the last board; one more than the game has for a lost round."""
        return np.where((self.turns > 0).all(1), self.turns.max(1), self.game.turns + 1)

    @property
    def won(self) -> float:
        """The share of rounds whose words are all found."""
        return float((self.last <= self.game.turns).mean())

    @property
    def mean_turn(self) -> float:
        """The mean of `last`."""
        return float(self.last.mean())

    @property
    def turn_counts(self) -> list[int]:
        """Rounds whose last word is found on each turn; the others are lost."""
        return np.bincount(self.last, minlength=self.game.turns + 2)[1:-1].tolist()


def simulate_boards(
    words: WordList | Sequence[str] | int,
    strategy: str = BOARDS,
    game: Game | str = "quordle",
    *,
    rounds: int = 1000,
    seed: int = 0,
    device: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> BoardsSimulation:
    """Play rounds of several boards, whose different words are drawn.

    Args:
        words: a list; its words, of one length, in lower case, distinct; or a length.
        strategy: `boards`, the fewest expected guesses on all boards together; or `parts`, `entropy` or
            `expected_size`, the greatest sum of that objective.
        game: the rules, or their name: dordle, quordle, octordle, 3-wordle.
        rounds: 1 to 10,000,000. seed: of the words drawn.
        device: auto, cpu, cuda or cuda:1.
        progress: called with pairs of guess and candidate evaluated since the last call.
    Raises:
        WordListError: no such list. UnknownGameError: no such game. DeviceError: no such device.
        ValueError: no such strategy, a game of one board, no rounds, or fewer words than boards.

    >>> simulate_boards(["dents", "dozes", "reads"], game="dordle", rounds=6)
    BoardsSimulation(dordle7, 6 rounds: 100.00 % won, mean turn 2.6667)
    """
    game = game if isinstance(game, Game) else find_game(game)
    wordlist, begun = words_of(words, game), clock()
    check_boards(game, wordlist)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"rounds is {rounds}, expected 1 to {MOST_ROUNDS:,}")
    table, chance = table_of(wordlist, game).to(find_device(device)), Random(seed)
    indices = array_of(table.targets).tolist()
    targets = np.array([chance.sample(indices, game.boards) for _ in range(rounds)], np.int32)
    chosen = SumOfRanks(strategy)
    start = BoardRounds(table, game, whole(table), np.zeros((1, game.boards), np.int64))
    first = np.repeat(chosen.choose(start, progress), rounds)
    turns = play(start.take(np.zeros(rounds, np.int64)), targets, chosen, first, progress)
    return BoardsSimulation(wordlist, game, strategy, turns, wordlist[int(first[0])], clock() - begun)

"""Interface of strategies: they get a position and return a choice; chooses nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from gpulingo.games.game import Game
from gpulingo.tensors.arrays import Tensor, array_of, distinct, like, namespace, offsets_of, wide
from gpulingo.tensors.checks import check_row
from gpulingo.tensors.frontier import Frontier, greatest, largest_set, places_in, whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import RULES, narrowed
from gpulingo.tensors.outcomes import Split, pairs_text
from gpulingo.tensors.wordtable import WordTable, within
from gpulingo.words.shown import brief, counted


@dataclass(frozen=True)
class Choice:
    """The guess of every set of a frontier.

    Attributes:
        guesses: [S] int32 indices into the word table.
        pairs: pairs of guess and candidate evaluated for it.

    >>> Choice(np.array([7], np.int32))
    Choice(1 guess, 0 pairs)
    """

    guesses: Tensor
    pairs: int = 0

    def __repr__(self) -> str:
        return brief("Choice", f"{counted(len(self.guesses), 'guess')}, {pairs_text(self.pairs)}")


@dataclass(frozen=True, eq=False)
class History:
    """Guesses and patterns that led to each of S sets, turn by turn.

    Attributes:
        guesses: [S, H] int32 indices into the word table.
        patterns: [S, H] int64, the feedback of each guess.

    >>> from gpulingo import find_words, position_after
    >>> position_after([("dozes", "OXX?O")], find_words(5)).history
    History(1 set x 1 guess)
    """

    guesses: Tensor
    patterns: Tensor

    def __repr__(self) -> str:
        sets, turns = self.guesses.shape
        return brief("History", f"{counted(sets, 'set')} x {counted(turns, 'guess')}")


@dataclass(frozen=True, eq=False)
class Position:
    """S candidate sets before a guess, all on one turn of a game.

    Attributes:
        table: the words all indices point into.
        frontier: the candidate sets, on the table's device.
        turns_left: including the guess to choose, at least 1; if misses cost, the lives left.
        turn: number of that guess, 1-based.
        game: the rules.
        pool: the legal guesses: [P] int32, the same for all sets and with every target; a frontier with
            one legal set for each candidate set; or None: the candidates of each set.
        history: guesses that led to each set, or None if not recorded.
        hinted: what all hints allow for each set, as a pool, if the game's rule binds only on a
            later turn; otherwise None.
        lives: [S] int64, turns left of each set if they differ; `turns_left` is the greatest. Sets
            with different lives are separated before a strategy is asked (`apart`).
        rows: [S] int64, the index of each set's strategy; None if there is one.

    >>> from gpulingo import encode, lingo
    >>> first_position(encode(["dents", "dozes"]), lingo())
    Position(lingo5, turn 1: 1 set, 2 members, cpu)
    """

    table: WordTable
    frontier: Frontier
    turns_left: int
    turn: int
    game: Game
    pool: Tensor | Frontier | None
    history: History | None = None
    hinted: Frontier | None = None
    lives: Tensor | None = None
    rows: Tensor | None = None

    def __repr__(self) -> str:
        return brief("Position", f"{self.game.code}, turn {self.turn}: {self.frontier.size_text}")

    def __post_init__(self) -> None:
        if self.pool is None or self.pool is self.table.pool or isinstance(self.pool, Frontier):
            return  # the table and `rank` check these
        check_row("pool", self.pool, "int32", self.table.device, "P")
        if not within(self.table.targets, self.pool):
            raise ValueError("the pool lacks targets: expected every target to be a legal guess")

    @property
    def payoff(self) -> Sequence[int]:
        """Credits of a target found with 0, 1, .. `turns_left` turns left."""
        return self.game.payoff[: self.turns_left + 1]

    @property
    def decided_by_classes(self) -> bool:
        """Return True if two turns are left and the best guess is that of `two_turns`, without estimates.

        The last turn then finds one word of each class, the heaviest if targets have weights: every guess
        costs a turn, and candidates are legal.
        """
        return self.turns_left == 2 and self.game.opponent == "chance" and not self.game.counts_misses

    @property
    def names_words(self) -> bool:
        """Return True if the guess to choose is the last, so that it must be a candidate."""
        return self.turns_left <= 1 and not self.game.counts_misses

    @property
    def largest(self) -> int:
        """Words of the largest set, or weight of the heaviest."""
        return int(largest_set(self.frontier, self.table.weights))

    @property
    def allowed(self) -> Frontier | None:
        """Words that all hints allow for each set, now or on a later turn; None without a rule."""
        return self.pool if isinstance(self.pool, Frontier) else self.hinted

    def allowed_of(self, number: int) -> Tensor | None:
        """Return [L] int32, the words that all hints allow for one set, in numpy."""
        return None if self.allowed is None else array_of(self.allowed.candidates(number))

    def allowing(self, allowed: Frontier) -> Position:
        """Return the position with these words, one legal set for each candidate set, that hints allow."""
        if self.turn >= self.game.since:
            return replace(self, pool=allowed, hinted=None)
        return replace(self, pool=self.table.pool, hinted=allowed)

    def likeliest(self) -> Tensor:
        """Return [S] int32, the heaviest candidate of each set, on ties the first: a last turn's guess."""
        frontier, weights = self.frontier, self.table.weights
        return frontier.firsts if weights is None else greatest(frontier, weights[frontier.members])

    def after(self, guesses: Tensor, classes: Split) -> Position:
        """Return the position after [S] int32 guesses, which leave these classes."""
        history, allowed, parents = self.history, self.allowed, classes.parents
        rows, xp = None if self.rows is None else self.rows[parents], namespace(parents)
        if history is not None:
            history = History(
                xp.concat([history.guesses, guesses[:, None]], axis=1)[parents],
                xp.concat([history.patterns[parents], wide(classes.patterns)[:, None]], axis=1),
            )
        frontier, turn = classes.frontier, self.turn + 1
        following = replace(self, frontier=frontier, turn=turn, history=history, rows=rows)
        if allowed is not None:
            rule, patterns = self.game.legal, classes.patterns
            allowed = narrowed(rule, self.table, allowed, guesses, parents=parents, patterns=patterns)
            following = following.allowing(allowed)
        if not self.game.counts_misses:
            return replace(following, turns_left=self.turns_left - 1)
        lives = xp.full_like(parents, self.turns_left) if self.lives is None else self.lives[parents]
        lives = lives - wide(classes.patterns == 0)
        return replace(following, turns_left=int(lives.max()) if lives.shape[0] else 0, lives=lives)

    def apart(self) -> Iterator[tuple[Tensor, Position]]:
        """Yield the sets that need a guess, [R] int64 ascending, grouped by turns left."""
        sizes, xp = self.frontier.sizes, namespace(self.table.letters)
        if not self.game.counts_misses:
            yield xp.arange(sizes.shape[0], dtype=xp.int64, device=self.table.device), self
            return
        lives = xp.full_like(sizes, self.turns_left) if self.lives is None else self.lives
        open_ = sizes > 1  # a single candidate counts as found
        for left in distinct(lives[open_]).tolist():
            sets = xp.nonzero(open_ & (lives == left))[0]
            yield sets, replace(self.take(sets), turns_left=left, lives=None)

    def illegal(self, guesses: Tensor) -> Tensor:
        """Return [R] int64, ascending: the sets whose own pool lacks their guess in [S] int32 guesses.

        A letter that was guessed before is not legal either.
        """
        xp = namespace(guesses)
        if self.game.counts_misses:
            several, past = self.frontier.sizes > 1, self.history
            again = several & False if past is None else (past.guesses == guesses[:, None]).any(1)
            return xp.nonzero(several & (again | (guesses < self.table.words)))[0]
        if not isinstance(self.pool, Frontier):
            return xp.empty(0, dtype=xp.int64, device=guesses.device)
        numbers = xp.arange(guesses.shape[0] + 1, dtype=xp.int64, device=guesses.device)
        alone = Frontier.unchecked(guesses, numbers, self.table.guesses)
        return xp.nonzero(places_in(self.pool, alone) < 0)[0]

    def take(self, sets: Tensor) -> Position:
        """Return the position of [R] int64 sets of this one, in that order."""
        history, pool, hinted = self.history, self.pool, self.hinted
        if history is not None:
            history = History(history.guesses[sets], history.patterns[sets])
        pool = pool.take(sets) if isinstance(pool, Frontier) else pool
        hinted = None if hinted is None else hinted.take(sets)
        lives, rows = (None if values is None else values[sets] for values in (self.lives, self.rows))
        front = self.frontier.take(sets)
        return replace(
            self, frontier=front, pool=pool, history=history, hinted=hinted, lives=lives, rows=rows
        )


def first_position(table: WordTable, game: Game) -> Position:
    """Return the position before the first guess: all targets as one set, or one set per given first letter.

    The latter are in the order of the letters.
    """
    sets, xp = whole(table), namespace(table.letters)
    if game.given:
        letters = first_letters(table, table.targets)
        members = table.targets[xp.argsort(letters, stable=True)]
        sets = Frontier.unchecked(members, offsets_of(xp.unique_counts(letters).counts), table.words)
    none = (xp.empty((sets.sets, 0), dtype=of, device=table.device) for of in (xp.int32, xp.int64))
    pool = None if game.legal == "candidates" else table.pool
    position = Position(table, sets, game.turns, 1, game, pool, History(*none))
    if not (game.legal in RULES and game.ruled_left):
        return position
    ends = like(np.array([0, table.pool.shape[0]], np.int64), table.pool)
    shared = Frontier.unchecked(table.pool, ends, int(table.pool[-1]) + 1)
    return position.allowing(shared.take(xp.zeros_like(sets.sizes)))


def first_letters(table: WordTable, words: Tensor) -> Tensor:
    """Return [n] uint8, the first letter of each of [n] int32 words, as its number in the alphabet."""
    return table.letters[wide(words), 0]


@runtime_checkable
class Strategy(Protocol):
    """A way to choose the guess of every candidate set.

    `choose` gets a position and a function that receives pairs evaluated, which may raise to end the work.

    >>> class First:
    ...     name = "first"
    ...     def choose(self, position, progress=None):
    ...         return Choice(position.frontier.firsts)
    >>> from gpulingo import simulate
    >>> simulate(["dents", "dozes", "reads"], First()).opening
    'dents'
    """

    @property
    def name(self) -> str: ...

    def choose(self, position: Position, progress: Progress | None = None) -> Choice: ...

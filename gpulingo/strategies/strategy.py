"""Interface of strategies: they get a position and return a choice; chooses nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from gpulingo.games.game import Game
from gpulingo.tensors.frontier import Frontier, largest_set, places_in, whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import RULES, START, narrowed
from gpulingo.tensors.outcomes import Split, pairs_text
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.shown import brief, counted


@dataclass(frozen=True)
class Choice:
    """The guess of every set of a frontier.

    Attributes:
        guesses: [S] int32 indices into the word table.
        pairs: pairs of guess and candidate evaluated for it.

    >>> Choice(torch.tensor([7], dtype=torch.int32))
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
        if isinstance(self.pool, Frontier) and self.pool.sets != self.frontier.sets:
            raise ValueError(f"a pool of {self.pool.sets} sets for {self.frontier.sets} candidate sets")
        if isinstance(self.pool, Tensor) and self.pool is not self.table.pool:  # the table checks its own
            if not bool(torch.isin(self.table.targets, self.pool).all()):
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
    def weight(self) -> tuple[int, int]:
        """Weight of all targets of the table, and their number."""
        weights, targets = self.table.weights, self.table.targets
        return targets.shape[0] if weights is None else int(weights[targets].sum()), targets.shape[0]

    @property
    def allowed(self) -> Frontier | None:
        """Words that all hints allow for each set, now or on a later turn; None without a rule."""
        return self.pool if isinstance(self.pool, Frontier) else self.hinted

    def allowed_of(self, number: int) -> Tensor | None:
        """Return [L] int32, the words that all hints allow for one set, on the CPU."""
        return None if self.allowed is None else self.allowed.candidates(number).cpu()

    def likeliest(self) -> Tensor:
        """Return [S] int32, the heaviest candidate of each set, on ties the first: a last turn's guess."""
        frontier, weights = self.frontier, self.table.weights
        if weights is None:
            return frontier.firsts
        members = frontier.members.long()
        order = weights[members].sort(descending=True, stable=True).indices
        order = order[frontier.owners[order].sort(stable=True).indices]
        return frontier.members[order[frontier.offsets[:-1]]]

    def shared_pool(self) -> Tensor | None:
        """Return the pool if all sets share it; None: the candidates.

        Raises:
            ValueError: each set has a pool.
        """
        if isinstance(self.pool, Frontier):
            game = self.game.code
            raise ValueError(f"game {game} has other legal guesses after each hint: name another strategy")
        return self.pool

    def after(self, guesses: Tensor, classes: Split) -> Position:
        """Return the position after [S] int32 guesses, which leave these classes."""
        history, allowed, parents, ruled = self.history, self.allowed, classes.parents, dict[str, Any]()
        rows = None if self.rows is None else self.rows[parents]
        if history is not None:
            history = History(
                torch.cat([history.guesses, guesses[:, None]], 1)[parents],
                torch.cat([history.patterns[parents], classes.patterns[:, None].long()], 1),
            )
        if allowed is not None:
            allowed = narrowed(
                self.game.legal, self.table, allowed, guesses, parents=parents, patterns=classes.patterns
            )
            ruled = legal_on(self.table, self.game, self.turn + 1, allowed)
        following = replace(
            self, frontier=classes.frontier, turn=self.turn + 1, history=history, rows=rows, **ruled
        )
        if not self.game.counts_misses:
            return replace(following, turns_left=self.turns_left - 1)
        lives = torch.full_like(parents, self.turns_left) if self.lives is None else self.lives[parents]
        lives = lives - (classes.patterns == 0).long()
        return replace(following, turns_left=int(lives.max()) if lives.shape[0] else 0, lives=lives)

    def goes_on(self) -> Tensor:
        """Return [R] int64, ascending: the sets that have a turn left."""
        if self.lives is not None:
            return self.lives.nonzero()[:, 0]
        return torch.arange(self.frontier.sets if self.turns_left else 0, device=self.table.device)

    def apart(self) -> Iterator[tuple[Tensor, Position]]:
        """Yield the sets that need a guess, [R] int64 ascending, grouped by turns left."""
        if not self.game.counts_misses:
            yield torch.arange(self.frontier.sets, device=self.table.device), self
            return
        lives = torch.full_like(self.frontier.sizes, self.turns_left) if self.lives is None else self.lives
        open_ = self.frontier.sizes > 1  # a single candidate counts as found
        for left in lives[open_].unique().tolist():
            sets = (open_ & (lives == left)).nonzero()[:, 0]
            yield sets, replace(self.take(sets), turns_left=left, lives=None)

    def illegal(self, guesses: Tensor) -> Tensor:
        """Return [R] int64, ascending: the sets whose own pool lacks their guess in [S] int32 guesses.

        A letter that was guessed before is not legal either.
        """
        if self.game.counts_misses:
            several, past = self.frontier.sizes > 1, self.history
            again = several & False if past is None else (past.guesses == guesses[:, None]).any(1)
            return (several & (again | (guesses < self.table.words))).nonzero()[:, 0]
        if not isinstance(self.pool, Frontier):
            return torch.empty(0, dtype=torch.int64, device=guesses.device)
        numbers = torch.arange(guesses.shape[0] + 1, device=guesses.device)
        alone = Frontier.unchecked(guesses, numbers, self.table.guesses)
        return (places_in(self.pool, alone) < 0).nonzero()[:, 0]

    def take(self, sets: Tensor) -> Position:
        """Return the position of [R] int64 sets of this one, in that order."""
        history, pool, hinted = self.history, self.pool, self.hinted
        if history is not None:
            history = History(history.guesses[sets], history.patterns[sets])
        pool = pool.take(sets) if isinstance(pool, Frontier) else pool
        hinted = None if hinted is None else hinted.take(sets)
        lives, rows = (None if each is None else each[sets] for each in (self.lives, self.rows))
        front = self.frontier.take(sets)
        return replace(
            self, frontier=front, pool=pool, history=history, hinted=hinted, lives=lives, rows=rows
        )


def legal_on(table: WordTable, game: Game, turn: int, allowed: Frontier) -> dict[str, Any]:
    """Return `pool` and `hinted` of a position on a turn, from what all hints allow."""
    if turn >= game.since:
        return {"pool": allowed, "hinted": None}
    return {"pool": table.pool, "hinted": allowed}


def first_position(table: WordTable, game: Game) -> Position:
    """Return the position before the first guess: all targets as one set, or one set per given first letter.

    The latter are in the order of the letters.
    """
    sets = by_letter(table, table.targets) if game.given else whole(table)
    ruled: dict[str, Any] = {"pool": None if game.legal == "candidates" else table.pool}
    if game.legal in RULES and game.ruled_left:
        ends = torch.tensor([0, table.pool.shape[0]], dtype=torch.int64, device=table.device)
        allowed = Frontier.unchecked(table.pool, ends, int(table.pool[-1]) + 1).take(
            ends.new_zeros(sets.sets)
        )
        ruled = legal_on(table, game, 1, allowed)
    elif game.legal == START:
        letters = first_letters(table, sets.firsts)
        ruled["pool"] = by_letter(table, table.pool[torch.isin(first_letters(table, table.pool), letters)])
    none = torch.empty(sets.sets, 0, dtype=torch.int64, device=table.device)
    return Position(table, sets, game.turns, 1, game, history=History(none.int(), none), **ruled)


def first_letters(table: WordTable, words: Tensor) -> Tensor:
    """Return [n] uint8, the first letter of each of [n] int32 words, as its number in the alphabet."""
    return table.letters[words.long(), 0]


def by_letter(table: WordTable, words: Tensor) -> Frontier:
    """[n] int32 ascending words, at least one, as one set per first letter, in the order of letters."""
    letters, order = first_letters(table, words).sort(stable=True)
    sizes = letters.unique_consecutive(return_counts=True)[1]
    return Frontier.unchecked(words[order], torch.cat([sizes.new_zeros(1), sizes.cumsum(0)]), table.words)


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

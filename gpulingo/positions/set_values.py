"""Values of candidate sets by one rule for all of them, whatever the time and the device: for reviews.

The value of a set is that of the stored tree, where it is followed; the best value itself where the set is
small or two turns are left; otherwise the most that some rolled-out guesses have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from gpulingo.advice.outlook import turns_below
from gpulingo.advice.review import EXACT, PLAYED, TREE, SetValue
from gpulingo.games.game import Game
from gpulingo.optimise.every_guess import best_guess
from gpulingo.solvers.letters import MOST_VALUE, LetterSearch, letter_search
from gpulingo.solvers.payoffs import is_searched
from gpulingo.solvers.value import ValueSearch, value_search
from gpulingo.strategies.registry import named
from gpulingo.strategies.strategy import Position, Strategy
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.tree import Tree

SMALL, SMALL_OF_LETTERS = 32, 16  # words of a set that is searched to the end
TRIED, TRIED_OF_LETTERS = 8, 4  # guesses of most classes that are played out, beside the strategy's own
BLOCK = 1 << 20  # candidates and legal guesses of the sets that are played out together
MEMORY = 1 << 26  # bytes for what is known of small sets


@dataclass(frozen=True)
class SetValues:
    """The values of sets of one list and game.

    Attributes:
        table: the words.
        names: the text of every guess.
        game: that is played.
        tree: stored for the list, or None.
        tree_names: the text of its guesses.
        small, tried: as SMALL and TRIED.
        check: called again and again; what it raises ends the work.
    """

    table: WordTable
    names: Sequence[str]
    game: Game
    tree: Tree | None = None
    tree_names: Sequence[str] = ()
    small: int = SMALL
    tried: int = TRIED
    check: Callable[[], None] = lambda: None

    @cached_property
    def strategy(self) -> Strategy:
        """Strategy of rollouts."""
        return named("frequency" if self.game.counts_misses else "parts", game=self.game)

    @cached_property
    def search(self) -> ValueSearch | LetterSearch | None:
        """Search for the best value of a small set; None: this game has no such search."""
        game = self.game
        if game.opponent != "chance" or not is_searched(game.payoff):
            return None
        if game.counts_misses:
            weight = self.table.words if self.table.weights is None else int(self.table.weights.sum())
            if weight * max(game.payoff) >= MOST_VALUE:
                return None
            return letter_search(self.table, game.payoff, MEMORY)
        if game.legal not in ("any", "hard", "consistent"):
            return None
        return value_search(self.table, game.payoff, MEMORY, legal=game.legal, within=game.ruled_left)

    def of(self, position: Position, nodes: Sequence[int | None]) -> list[SetValue]:
        """Return the value of every set of a position, each as if it were alone.

        Args:
            position: S sets, with the history of each.
            nodes: of each the node of the stored tree, or None.
        """
        front, lefts = position.frontier, turns_left(position).tolist()
        weights, sizes = set_weights(position).tolist(), front.sizes.tolist()
        worths: list[SetValue | None] = [None] * front.sets
        open_ = []
        for own, (node, left, weight, words) in enumerate(zip(nodes, lefts, weights, sizes, strict=True)):
            if left < 1:
                worths[own] = SetValue(self.game.payoff[0] * weight, weight, words, EXACT)
            elif words == 1:
                name = self.names[int(front.firsts[own])]
                worths[own] = SetValue(self.game.payoff[left] * weight, weight, 1, EXACT, name)
            elif node is not None:
                credits, best = self._followed(node, left, weight)
                worths[own] = SetValue(credits, weight, words, TREE, best)
            elif words > self.small or (known := self._best(position, own, left)) is None:
                open_.append(own)
            else:
                worths[own] = SetValue(known[0], weight, words, EXACT, self.names[known[1]])
        for own, credits, how, guess in self._played(position, open_):
            worths[own] = SetValue(credits, weights[own], sizes[own], how, self.names[guess])
        return [worth for worth in worths if worth is not None]

    def _followed(self, node: int, left: int, weight: int) -> tuple[int, str]:
        """Credits of the branch of a node, and its guess."""
        assert self.tree is not None
        found = turns_below(self.tree, node, self.game.turns - left + 1)
        credits = sum(self.game.credits(turn) * count for turn, count in enumerate(found, 1))
        credits += self.game.payoff[0] * (weight - sum(found))
        return credits, self.tree_names[self.tree.guess[node]]

    def _best(self, position: Position, own: int, left: int) -> tuple[int, int] | None:
        """Return the best value of a set, and its guess; None where nothing finds it."""
        if self.search is None:
            return None
        self.check()
        found = best_guess(self.search, position, own, left)
        return None if found.guess < 0 else (found.value, found.guess)

    def _played(self, position: Position, sets: list[int]) -> Iterator[tuple[int, int, str, int]]:
        """Yield the number, credits, method and guess of some sets."""
        for block in _blocks(position, sets, BLOCK // (self.tried + 1)):
            asked = position.take(torch.tensor(block, device=self.table.device))
            exact = asked.turns_left <= 2 and not self.game.counts_misses
            guesses = self._tried(asked, 0 if exact else self.tried)  # [S, K]
            count = guesses.shape[1]
            copies = torch.arange(len(block), device=self.table.device).repeat_interleave(count)
            values = self._outcome(asked.take(copies), guesses.reshape(-1)).reshape(-1, count)
            best = values.max(1)
            most, first = best.values, (values == best.values[:, None]).int().argmax(1)
            chosen = guesses.gather(1, first[:, None])[:, 0]
            if not exact and self.search is not None and self.small:
                most = torch.maximum(most, self._outcome(asked, chosen, searched=True))
            rows = zip(block, most.tolist(), chosen.tolist(), strict=True)
            yield from ((own, credits, EXACT if exact else PLAYED, guess) for own, credits, guess in rows)

    def _tried(self, position: Position, count: int) -> Tensor:
        """Return [S, K] int32: the strategy's guess of every set, then those of most classes."""
        table, front = position.table, position.frontier
        own = front.firsts.clone()
        for sets, asked in position.apart():
            own[sets] = self.strategy.choose(asked).guesses
        if not count:
            return own[:, None]
        objective = classes(max(int(front.sizes_here.max()), position.largest), 1)
        ranked = rank(table, front, position.pool, objective, count).guesses
        return torch.cat([own[:, None], torch.where(ranked < 0, own[:, None], ranked)], 1)

    def _outcome(self, position: Position, chosen: Tensor, *, searched: bool = False) -> Tensor:
        """Return [S] int64 credits of each set after its one of [S] int32 guesses; the strategy continues.

        Args:
            searched: small sets are followed up as well as can be instead.
        """
        credits, here, first = self.game.payoff[0] * set_weights(position), position, True
        payoff = torch.tensor(self.game.payoff, dtype=torch.int64, device=self.table.device)
        roots = torch.arange(position.frontier.sets, device=self.table.device)
        while here.frontier.sets and here.turns_left:
            self.check()
            if searched and not first:
                here, roots = self._without_small(here, roots, credits)
                if not here.frontier.sets:
                    break
            if not first:
                chosen = self._tried(here, 0)[:, 0]
            parted = split(self.table, here.frontier, chosen)
            paid = payoff[turns_left(here)] - payoff[0]
            weights = self.table.weights
            weight = 1 if weights is None else weights[chosen.clamp(max=self.table.words - 1).long()].long()
            credits.index_add_(0, roots, parted.hits.long() * weight * paid)
            here, roots, first = here.after(chosen, parted), roots[parted.parents], False
            if here.lives is not None:
                going = here.goes_on()
                here, roots = here.take(going), roots[going]
        return credits

    def _without_small(self, here: Position, roots: Tensor, credits: Tensor) -> tuple[Position, Tensor]:
        """Return the sets that are not small, and their roots; add the others' values to the credits."""
        lefts, sizes = turns_left(here).tolist(), here.frontier.sizes.tolist()
        two = not self.game.counts_misses and here.turns_left <= 2  # where the strategy is as good
        rest, small, values = [], [], []
        for own, (left, size) in enumerate(zip(lefts, sizes, strict=True)):
            known = None if two or not 2 < size <= self.small else self._best(here, own, left)
            if known is None:
                rest.append(own)
            else:
                small.append(own)
                values.append(known[0])
        device = credits.device
        if small:
            credits.index_add_(0, roots[torch.tensor(small, device=device)], torch.tensor(values).to(device))
        kept = torch.tensor(rest, dtype=torch.int64, device=device)
        return here.take(kept), roots[kept]


def turns_left(position: Position) -> Tensor:
    """Return [S] int64, turns left of every set."""
    if position.lives is not None:
        return position.lives
    return torch.full_like(position.frontier.sizes, position.turns_left)


def set_weights(position: Position) -> Tensor:
    """Return [S] int64, what the candidates of every set weigh."""
    front, weights = position.frontier, position.table.weights
    if weights is None:
        return front.sizes.clone()
    sums = torch.zeros_like(front.sizes)
    return sums.index_add_(0, front.owners, weights[front.members.long()].long())


def with_lives(position: Position) -> Position:
    """The same position; where misses cost with the lives of every set."""
    if not position.game.counts_misses or position.lives is not None:
        return position
    return replace(position, lives=torch.full_like(position.frontier.sizes, position.turns_left))


def _blocks(position: Position, sets: list[int], most: int) -> Iterator[list[int]]:
    """Yield the sets in blocks of about `most` candidates and legal guesses, at least one set each."""
    sizes = position.frontier.sizes
    if isinstance(position.pool, Frontier):
        sizes = sizes + position.pool.sizes
    words, block, total = sizes.tolist(), list[int](), 0
    for own in sets:
        if block and total + words[own] > most:
            yield block
            block, total = [], 0
        block.append(own)
        total += words[own]
    if block:
        yield block

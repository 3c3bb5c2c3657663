"""Openings side by side: the value of each by rollout, and its upper bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gpulingo.advice.outlook import entropy
from gpulingo.bounds.partitions import opening_classes
from gpulingo.optimise.deadline import OutOfTime
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.optimise.lookahead import is_searchable
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import UnitWorkspace
from gpulingo.solvers.solver import solver
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named as find_strategy
from gpulingo.strategies.registry import usual_name
from gpulingo.strategies.strategy import Strategy
from gpulingo.tensors.arrays import is_gpu
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.tree import Tree

TOGETHER = 16  # openings rolled out together on a GPU
# On the CPU four: an eighth less CPU time than one by one, and an interrupt loses at most three rollouts.
ON_CPU = 4


@dataclass(frozen=True)
class Opening:
    """A first guess; values in credits, summed over the words."""

    word: int  # its index
    value: int  # of the strategy that its rollout found
    bound: int  # upper bound of any strategy that begins with it
    sizes: tuple[int, ...]  # of its classes of the list

    def figures(self) -> dict[str, Any]:
        """Return the figures of its classes, for JSON."""
        squares = sum(size * size for size in self.sizes)
        return {
            "bits": entropy(self.sizes),
            "expected_size": squares / sum(self.sizes),
            "classes": len(self.sizes),
            "largest_class": max(self.sizes),
            "single_words": self.sizes.count(1),
        }


def opening_of(table: WordTable, word: int, value: int, bound: int) -> Opening:
    """Return an opening with the sizes of its classes."""
    sizes = [*opening_classes(table, word).sizes_here.tolist(), *[1] * bool((table.targets == word).any())]
    return Opening(word, value, max(value, bound), tuple(sizes))


def rolled_out(problem: Problem, word: int, strategy: Strategy) -> Tree:
    """Return the tree of a strategy after an opening."""
    words, device = problem.wordlist, problem.table.device
    return build(words, strategy, problem.game, opening=words[word], device=device).tree


def exact_value(problem: Problem, word: int, progress: Progress) -> int:
    """Return the value of the best strategy after an opening, by a search of every guess.

    Raises:
        ValueError: the game has no such search, or sets are too large for it.
    """
    searches = None if problem.game.given else solver(problem.table, problem.game, problem.memory)
    if searches is None:
        raise ValueError(f"{problem.game.code} has no search of every guess")
    try:
        return rolled_out(problem, word, EveryGuess(searches, progress)).value
    except OutOfTime:
        raise ValueError(f"sets after {problem.wordlist[word]} are too large to search") from None


def openings(
    problem: Problem,
    count: int,
    widths: Mapping[int, int],
    *,
    named: Sequence[int] = (),
    progress: Progress = lambda pairs: None,
    known: Mapping[int, tuple[int, int]] = MappingProxyType({}),
) -> Iterator[Opening]:
    """Roll out the openings that an objective ranks highest; yield them by rank, known ones first.

    Args:
        problem: a game of at least 3 turns, and the objective for the openings and the guesses after them.
        count: of openings; each orbit of the list's automorphisms has only its first.
        widths: turns left -> guesses to expand for each set.
        named: openings to roll out instead.
        known: word -> value and bound that are known already.
    """
    table, game, words = problem.table, problem.game, [*named]
    at = UnitWorkspace(problem, State(Stages([])), progress)
    if not named:
        pool = at.one_of_each_orbit
        objective = problem.order(table.words, game.turns, game.payoff)
        words = rank(table, whole(table), pool, objective, min(count, pool.shape[0])).guesses[0].tolist()
    yield from (opening_of(table, word, *known[word]) for word in words if word in known)
    words = [word for word in words if word not in known]
    step = TOGETHER if is_gpu(table.device) else ON_CPU
    for first in range(0, len(words), step):
        some = words[first : first + step]
        if is_searchable(game, table):
            values = problem.lookahead(widths, problem.order, progress).values_of(some)
        else:
            strategy = find_strategy(usual_name(game), game=game)
            values = [rolled_out(problem, word, strategy).value for word in some]
        for word, value in zip(some, values, strict=True):
            yield opening_of(table, word, value, at.of_opening(word, value)[0])

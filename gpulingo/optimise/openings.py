"""Openings side by side: the value of each by rollout, and its upper bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gpulingo.advice.outlook import entropy
from gpulingo.bounds.partitions import opening_classes
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import UnitWorkspace
from gpulingo.tensors.device import is_gpu
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable

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
        values = problem.lookahead(widths, problem.order, progress).values_of(some)
        for word, value in zip(some, values, strict=True):
            yield opening_of(table, word, value, at.of_opening(word, value)[0])

"""Openings side by side: the value of each by rollout, and its upper bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpulingo.bounds.partitions import opening_classes
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import UnitWorkspace
from gpulingo.tensors.device import is_gpu
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank

TOGETHER = 16  # openings rolled out together on a GPU
# On the CPU four: an eighth less CPU time than one by one, and an interrupt loses at most three rollouts.
ON_CPU = 4


@dataclass(frozen=True)
class Opening:
    """A first guess; values in credits, summed over the words."""

    word: int  # its index
    value: int  # of the strategy that its rollout found
    bound: int  # upper bound of any strategy that begins with it
    classes: int  # of the list by it
    largest: int  # words in the largest class


def openings(
    problem: Problem,
    count: int,
    widths: Mapping[int, int],
    *,
    progress: Progress = lambda pairs: None,
    known: Mapping[int, Opening] | None = None,
) -> Iterator[Opening]:
    """Roll out the openings that an objective ranks highest; yield them by rank, known ones first.

    Args:
        problem: a game of at least 3 turns, and the objective for the openings and the guesses after them.
        count: of openings; each orbit of the list's automorphisms has only its first.
        widths: turns left -> guesses to expand for each set.
        known: word -> its earlier rollout with the same arguments.
    """
    known, table, game = known or {}, problem.table, problem.game
    at = UnitWorkspace(problem, State(Stages([])), progress)
    pool = at.one_of_each_orbit
    objective = problem.order(table.words, game.turns, game.payoff)
    ranked = rank(table, whole(table), pool, objective, min(count, pool.shape[0]))
    words = ranked.guesses[0].tolist()
    yield from (known[word] for word in words if word in known)
    words = [word for word in words if word not in known]
    step = TOGETHER if is_gpu(table.device) else ON_CPU
    for first in range(0, len(words), step):
        some = words[first : first + step]
        values = problem.lookahead(widths, problem.order, progress).values_of(some)
        for word, value in zip(some, values, strict=True):
            sizes = opening_classes(table, word).sizes_here
            bound, classes = at.of_opening(word, value)
            largest = int(sizes.max()) if sizes.shape[0] else 1
            yield Opening(word, value, max(value, bound), classes, largest)

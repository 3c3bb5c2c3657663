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

TOGETHER = 16  # openings that are rolled out side by side on a GPU
# On the CPU four: an eighth less CPU time than one by one, and a run that is stopped loses three at most.
ON_CPU = 4


@dataclass(frozen=True)
class Opening:
    """A first guess; values in credits, summed over the words."""

    word: int  # its index
    value: int  # of the strategy that was rolled out after it
    bound: int  # no strategy that begins with it has more
    classes: int  # that it makes of the list
    largest: int  # words in the largest of them


def openings(
    problem: Problem,
    count: int,
    widths: Mapping[int, int],
    *,
    progress: Progress = lambda pairs: None,
    known: Mapping[int, Opening] | None = None,
) -> Iterator[Opening]:
    """Roll out the openings that an objective ranks highest; yield them by rank, those that are known first.

    Args:
        problem: a game of at least 3 turns, and what ranks the openings and the guesses after them.
        count: openings, of those that an automorphism of the list maps to each other the first.
        widths: turns left -> guesses to expand for each set.
        known: word -> opening that was rolled out before in the same way.
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

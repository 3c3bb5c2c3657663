"""Openings side by side: the value of each by rollout, and its upper bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from gpulingo.advice.outlook import entropy
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.optimise.lookahead import Lookahead, is_searchable
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import UnitWorkspace
from gpulingo.solvers.solver import solver
from gpulingo.solvers.words.fixed import FixedGuesses
from gpulingo.storage.faults import Complain
from gpulingo.strategies.registry import named as find_strategy
from gpulingo.strategies.registry import usual_name
from gpulingo.tensors.arrays import is_gpu
from gpulingo.tensors.clock import OutOfTime, TimeIsUp
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank, split_by
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.book import OpeningTree
from gpulingo.trees.tree import Tree

SMALL = 1 << 28  # most bytes for values of the small classes of several guesses
TOGETHER = 16  # openings rolled out together on a GPU
# On the CPU four: an eighth less CPU time than one by one, and an interrupt loses at most three rollouts.
ON_CPU = 4


@dataclass(frozen=True)
class Opening:
    """A first guess, or several made whatever the marks; values in credits, summed over the words."""

    words: tuple[int, ...]  # their indices
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


def opening_of(table: WordTable, words: Sequence[int], value: int, bound: int) -> Opening:
    """Return an opening of one or several words with the sizes of its classes."""
    classes, hits = split_by(table, words)
    return Opening((*words,), value, max(value, bound), (*classes.sizes_here.tolist(), *[1] * hits))


def together(problem: Problem, search: FixedGuesses, progress: Progress) -> Iterator[Opening]:
    """Search sets of words, until TimeIsUp; yield each with the value of the best strategy after it."""
    with suppress(TimeIsUp):
        search.run()
    for words in search.sets:
        value = exact_value(replace(problem, memory=min(problem.memory, SMALL)), words, progress)
        yield opening_of(problem.table, words, value, value)


def improved(opening: Opening, trees: Sequence[Tree]) -> Opening:
    """Return a rolled-out opening with what stored trees know better."""
    limits = [tree.bound_value for tree in trees if not isinstance(tree, OpeningTree)]  # of any strategy
    value = max([opening.value, *(tree.value for tree in trees if tree.guess[0] == opening.words[0])])
    bound = min([opening.bound, *(limit for limit in limits if limit is not None)])
    return replace(opening, value=value, bound=max(value, bound))


def proven(problem: Problem, opening: Opening, progress: Progress, report: Complain) -> Opening:
    """Return an opening with its exact value, or as it is if there is a reason, which is reported."""
    if opening.value == opening.bound:
        return opening
    try:
        value = exact_value(problem, opening.words, progress)
    except (TimeIsUp, ValueError) as error:
        why = "the time is up" if isinstance(error, TimeIsUp) else error
        report(f"{problem.wordlist[opening.words[0]]} has bounds, not its exact value: {why}")
        return opening
    return replace(opening, value=value, bound=value)


def exact_value(problem: Problem, words: Sequence[int], progress: Progress) -> int:
    """Return the value of the best strategy after an opening, by a search of every guess.

    Raises:
        ValueError: the game has no such search, or sets are too large for it.
    """
    searches = None if problem.game.given else solver(problem.table, problem.game, problem.memory)
    if searches is None:
        raise ValueError(f"{problem.game.code} has no search of every guess")
    try:
        return problem.tree(EveryGuess(searches, progress), words).value
    except OutOfTime:
        raise ValueError(f"sets after {problem.wordlist[words[0]]} are too large to search") from None


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
    yield from (opening_of(table, [word], *known[word]) for word in words if word in known)
    words = [word for word in words if word not in known]
    step = TOGETHER if is_gpu(table.device) else ON_CPU
    for first in range(0, len(words), step):
        some = words[first : first + step]
        if is_searchable(game, table):
            lookahead = Lookahead(
                table, game, widths, problem.order,
                seed=problem.seed, memory=problem.memory, progress=progress,
            )  # fmt: skip
            values = lookahead.values_of(some)
        else:
            strategy = find_strategy(usual_name(game), game=game)
            values = [problem.tree(strategy, [word]).value for word in some]
        for word, value in zip(some, values, strict=True):
            yield opening_of(table, [word], value, at.of_opening(word, value))

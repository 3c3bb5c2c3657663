"""A search as pieces that any number of workers take: how rounds are cut, and how a piece is worked out.

    known = begun(worker, goal, plan=..., block=..., tree=...)
    while pieces := pieces_of(known):
        results = {piece: result_of(worker, piece) for piece in pieces}  # by anyone, in any order
        known = known.after(pieces, results)

What is found for a piece rests on the piece alone: no clock, no chance, no limit of what was searched before
it, and no bound of another piece. Distribution of the pieces is left to others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from gpulingo.bounds.certificate import Certificate, Evidence, certificate_of, merged, of_sizes, with_rows
from gpulingo.bounds.counting import by_letters, count_until, evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.formulas import counts_classes
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState, bound_state
from gpulingo.bounds.supersets import Constraints, SupersetCounts, Supersets
from gpulingo.bounds.three_turns import TURNS, bounded_in_three_turns
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.optimise.stages import Stage
from gpulingo.optimise.state import Problem
from gpulingo.solvers.value import ValueSearch, value_search
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import ObjectiveOf, points
from gpulingo.strategies.strategy import Strategy
from gpulingo.tensors.objective import Progress
from gpulingo.trees.tree import Tree

ORDERS: dict[str, ObjectiveOf | None] = {"classes": None, "points": points}
BLOCK_PAIRS = 1 << 32  # pairs of a piece, if all classes of its openings are counted: some seconds
MOST_BLOCK = 256
SEARCHED = 64  # openings that are searched in one piece, where classes are not counted
THREE_TURNS = 4  # openings of which three turns are searched in one piece
PROBED_PAIRS = 1 << 31  # that a class may take where it is tried whether every guess can be searched
FRESH_MEMORY = 1 << 25  # bytes of a search that begins with nothing: what it finds may rest on them


@dataclass(frozen=True)
class Piece:
    """A part of the work that needs no other part of its round.

    Attributes:
        kind: what is done, a name of `pieces.KINDS`.
        openings: their indices.
        goal: credits: bounds that are low enough; of an opening that is rolled out, those to be exceeded.
        widths: turns left and guesses to expand for each set, where openings are rolled out.
        order: what ranks these guesses, a name of `pieces.ORDERS`.
    """

    kind: str
    openings: tuple[int, ...]
    goal: int
    widths: tuple[tuple[int, int], ...] = ()
    order: str = ""

    @property
    def bounds(self) -> bool:
        """True if the piece bounds its openings."""
        return self.kind in ("count", "search", "close")


@dataclass(frozen=True, eq=False)
class Result:
    """Result of a piece: the same on every process, whatever it worked on before.

    Attributes:
        evidence: of openings; None: no bounds were asked for.
        value: credits of the opening that was rolled out; -1: none was.
        tree: of it, where the value exceeds the goal of the piece; or of an opening whose bound is its value.
        ends: whether searches of every guess come to an end here; None: that was not asked.
    """

    evidence: Evidence | None = None
    value: int = -1
    tree: Tree | None = None
    ends: bool | None = None

    def on_cpu(self) -> Result:
        """Return the result as it travels: on the CPU, with nothing but what it says."""
        if (own := self.evidence) is None:
            return self
        columns = (own.openings.cpu(), own.bounds.cpu(), own.looked.cpu(), own.two_guesses.cpu())
        searched, three = (
            {opening: values.cpu().clone() for opening, values in lists.items()}
            for lists in (own.searched, own.three_turns)
        )
        return replace(self, evidence=Evidence(*columns, searched=searched, three_turns=three))


@dataclass(frozen=True, eq=False)
class Known:
    """State in which the pieces of a round are cut: the same for all who have the results before it.

    Attributes:
        problem: that is searched.
        goal: credits that bounds are to be lowered to.
        plan: stages in which openings are rolled out, one per round.
        classes: [W] int64, that each opening makes of all targets.
        certificate: of the bounds so far, on the CPU.
        tree: the best so far.
        block: openings whose classes are counted in one piece.
        round: number of the round, from 0.
        played: of each round the openings that were rolled out, with their values.
        ends: whether searches of every guess come to an end here; None: not tried.
        by_classes: whether the order of the classes yields more than that of points.
    """

    problem: Problem
    goal: int
    plan: Sequence[Stage]
    classes: torch.Tensor
    certificate: Certificate
    tree: Tree
    block: int
    round: int = 0
    played: tuple[Mapping[int, int], ...] = ()
    ends: bool | None = None
    by_classes: bool = False

    @property
    def value(self) -> int:
        """Value of the best tree, in credits summed over the words."""
        return self.tree.value

    @property
    def bound(self) -> int:
        """No strategy has more, in credits summed over the words."""
        return max(self.value, self.certificate.bound)

    @property
    def above(self) -> list[int]:
        """The openings whose bounds are above the goal, in the order of the list."""
        above: list[int] = (self.certificate.bounds > self.goal).nonzero().squeeze(1).tolist()
        return above

    def after(self, pieces: Sequence[Piece], results: Mapping[Piece, Result]) -> Known:
        """Return the state after a round.

        Args:
            pieces: all of the round, in their order.
            results: of each; in which order they came makes no difference.
        """
        found = [results[piece] for piece in pieces]
        rows = [result.evidence for result in found if result.evidence is not None]
        trees = [self.tree, *(result.tree for result in found if result.tree is not None)]
        played: dict[int, int] = {}
        by_order: dict[str, int] = {}
        for piece, result in zip(pieces, found, strict=True):
            if result.value >= 0:
                (opening,) = piece.openings
                played[opening] = max(result.value, played.get(opening, 0))
                by_order[piece.order] = max(result.value, by_order.get(piece.order, 0))
        both = len(by_order) > 1
        return replace(
            self,
            certificate=with_rows(self.certificate, rows),
            tree=max(trees, key=lambda tree: tree.value),
            round=self.round + 1,
            played=(*self.played, played),
            ends=next((result.ends for result in found if result.ends is not None), self.ends),
            by_classes=by_order["classes"] > by_order["points"] if both else self.by_classes,
        )


class Worker:
    """State that a process keeps between pieces: counts that save work and change no result.

    Args:
        problem: that is searched.
        progress: told pairs of guess and candidate; may raise to end the work.
    """

    def __init__(self, problem: Problem, progress: Progress) -> None:
        self.problem, self.progress = problem, progress

    @cached_property
    def by_size(self) -> BoundState:
        """Bounds of all openings by the sizes of their classes."""
        problem = self.problem  # pieces are of all openings
        return bound_state(problem.table, problem.game, self.progress, counts=self._counts, by_orbit=False)

    @cached_property
    def _counts(self) -> SupersetCounts:
        """Counts of supersets: they tell guesses that need not be counted, and bound nothing."""
        table = self.problem.table
        return SupersetCounts(table, Supersets(Constraints(table), {}), self.problem.counts_memory)

    @cached_property
    def searches(self) -> Searches:
        """Searches of every guess."""
        return Searches(self.problem.table, self.problem.game, self.problem.counts_memory)

    def new_bounds(self) -> BoundState:
        """Bounds that know of sizes alone, whatever was counted before."""
        first, problem = self.by_size, self.problem
        evidence = of_sizes(first.evidence.bounds.clone(), first.evidence.automorphisms)
        return BoundState(problem.table, problem.game, first.classes, evidence, counts=self._counts)


def begun(
    worker: Worker,
    goal: int,
    *,
    plan: Sequence[Stage],
    block: int,
    tree: Tree,
    given: Certificate | None = None,
) -> Known:
    """Return the state before the first round.

    Args:
        worker: of the problem. goal, plan, block: see `Known`.
        tree: to begin with. given: a certificate to begin with.
    """
    problem, first = worker.problem, worker.by_size
    sizes = certificate_of(problem.wordlist, problem.game, first.evidence)
    certificate = sizes if given is None else merged([given, sizes])
    return Known(problem, goal, plan, first.classes, certificate, tree, block)


def usual_block(words: int, targets: int) -> int:
    """Return the openings of a piece whose classes are counted, by the words and targets of the list."""
    return max(1, min(MOST_BLOCK, BLOCK_PAIRS // (words * targets)))


def count_pieces(known: Known) -> list[Piece]:
    """Openings above the goal, near ones together."""
    if known.round > 0 or not _counts(known):
        return []
    return _blocks("count", _near(known), known, known.block)


def count_result(worker: Worker, piece: Piece) -> Result:
    """Count the classes of openings, the largest first, until each is at the goal, or all are counted."""
    state = worker.new_bounds()
    for lowered in count_until(state, list(piece.openings), piece.goal, worker.progress):
        state.apply(lowered)
    return Result(evidence=state.evidence.rows(_indices(worker, piece)))


def probe_pieces(known: Known) -> list[Piece]:
    """After the counts the opening of greatest bound."""
    if known.round != 1 or not _counts(known) or not known.above:
        return []
    return [Piece("probe", (int(known.certificate.bounds.argmax()),), known.goal)]


def probe_result(worker: Worker, piece: Piece) -> Result:
    """Find out whether a search of every guess comes to an end with the largest class of an opening."""
    problem = worker.problem
    classes = opening_classes(problem.table, piece.openings[0])
    largest = classes.candidates(int(classes.sizes.argmax()))
    found = _fresh(worker).value(largest.cpu(), problem.game.turns - 1, limit=PROBED_PAIRS)
    worker.progress(found.pairs)
    return Result(ends=found.value >= 0)


def close_pieces(known: Known) -> list[Piece]:
    """Return a piece for each opening still above the goal, where every guess can be searched."""
    if known.round != 2 or not known.ends:
        return []
    return [Piece("close", (opening,), known.goal) for opening in known.above]


def close_result(worker: Worker, piece: Piece) -> Result:
    """Bound an opening by the values of its classes, the smallest first, until it is at the goal."""
    state, left, (opening,) = worker.new_bounds(), worker.problem.game.turns - 1, piece.openings
    state.apply(evaluate(state, [opening], worker.progress))
    sets, counted = opening_classes(state.table, opening), state.evidence.evaluated[opening]
    values = state.class_bounds.by_two(sets.sizes, counted.two).cpu()
    total = int(state.credits[opening] + values.sum())
    for number in sets.sizes.argsort(stable=True).tolist():
        if total <= piece.goal:
            break
        floor = max(int(values[number]) - (total - piece.goal), -1)
        one = sets.take(torch.tensor([number], device=sets.members.device))
        (found,) = worker.searches.values(one, left, [floor], worker.progress)
        if found.value < 0:  # too large to be searched, in a check too
            return Result(worker.new_bounds().evidence.rows(_indices(worker, piece)))
        # What lies below the floor rests on what was searched before.
        value = min(max(found.value, floor), int(values[number]))
        total -= int(values[number]) - value
        values[number] = value
    rows = replace(worker.new_bounds().evidence.rows(_indices(worker, piece)), searched={opening: values})
    rows.bounds.clamp_(max=total)
    return Result(rows, tree=_closed_tree(worker, opening) if total > piece.goal else None)


def three_pieces(known: Known) -> list[Piece]:
    """Return pieces of three turns after each opening above the goal, where every guess takes too long."""
    if known.round != 2 or known.ends is not False or known.problem.game.turns <= TURNS:
        return []
    return _blocks("three", known.above, known, THREE_TURNS)


def three_result(worker: Worker, piece: Piece) -> Result:
    """Bound openings by what three turns have of their classes, down to the goal if that is possible."""
    state, openings = worker.new_bounds(), list(piece.openings)
    found = bounded_in_three_turns(worker.searches, state, openings, piece.goal, worker.progress)
    rows = worker.new_bounds().evidence.rows(_indices(worker, piece))
    rows.bounds[:] = found.bounds
    return Result(replace(rows, three_turns=found.three_turns))


def search_pieces(known: Known) -> list[Piece]:
    """Return pieces of all openings above the goal, where classes are not counted."""
    if known.round > 0 or _counts(known):
        return []
    return _blocks("search", _near(known), known, SEARCHED)


def search_result(worker: Worker, piece: Piece) -> Result:
    """Search every guess after openings: return their values, or that these are no more than the goal."""
    turns, openings = worker.problem.game.turns, list(piece.openings)
    found = worker.searches.after_each(openings, turns, [piece.goal] * len(openings), worker.progress)
    rows = worker.new_bounds().evidence.rows(_indices(worker, piece))
    values = [max(each.value, piece.goal) for each in found]
    rows.bounds[:] = rows.bounds.minimum(torch.tensor(values).to(rows.bounds.device))
    best = max(range(len(values)), key=lambda place: values[place] if found[place].complete else 0)
    closed = found[best].complete and values[best] > piece.goal
    tree = _closed_tree(worker, openings[best]) if closed else None
    return Result(rows, tree=tree)


def play_pieces(known: Known) -> list[Piece]:
    """Openings of a stage that may have more than the best tree: in both orders first, then in the better."""
    if not _counts(known) or known.round >= len(known.plan) or known.bound <= known.goal:
        return []
    stage = known.plan[known.round]
    if known.round == 0:
        openings, orders = _first(known, stage.openings), list(ORDERS)
    else:
        values = known.played[-1]
        openings = sorted(values, key=lambda opening: (-values[opening], opening))[: stage.openings]
        orders = ["classes" if known.by_classes else "points"]
    widths = tuple(sorted(stage.widths.items()))
    bounds = known.certificate.bounds
    return [
        Piece("play", (opening,), known.value, widths, order)
        for opening in openings
        if int(bounds[opening]) > known.value
        for order in orders
    ]


def play_result(worker: Worker, piece: Piece) -> Result:
    """Play an opening out; its tree, if it has more than what was known."""
    lookahead = worker.problem.lookahead(dict(piece.widths), ORDERS[piece.order], worker.progress)
    (opening,) = piece.openings
    (value,) = lookahead.values_of([opening])
    return Result(value=value, tree=_tree(worker, opening, lookahead) if value > piece.goal else None)


def _first(known: Known, count: int) -> list[int]:
    """Openings for the first stage: those of most classes and of greatest bounds by turns."""
    columns = (
        column.cpu().sort(descending=True, stable=True).indices[:count]
        for column in (known.classes, known.certificate.bounds)
    )
    mixed: list[int] = torch.stack(list(columns), dim=1).reshape(-1).tolist()
    return list(dict.fromkeys(mixed))[:count]


def _near(known: Known) -> list[int]:
    """Openings above the goal, those of the same letters side by side."""
    near: list[int] = by_letters(known.problem.table, torch.tensor(known.above, dtype=torch.int64)).tolist()
    return near


def _blocks(kind: str, openings: list[int], known: Known, size: int) -> list[Piece]:
    """Return openings as pieces of `size` each."""
    starts = range(0, len(openings), size)
    return [Piece(kind, tuple(openings[start : start + size]), known.goal) for start in starts]


def _counts(known: Known) -> bool:
    """Return True if numbers of classes bound openings, False if their values are searched."""
    return counts_classes(known.problem.game, known.problem.table)


def _indices(worker: Worker, piece: Piece) -> torch.Tensor:
    return torch.tensor(piece.openings, dtype=torch.int64)


def _closed_tree(worker: Worker, opening: int) -> Tree:
    """Return the best strategy of an opening that was searched to its end."""
    return _tree(worker, opening, EveryGuess(_fresh(worker), worker.progress))


def _fresh(worker: Worker) -> ValueSearch:
    """Return a search of every guess whose guesses rest on nothing that was searched before."""
    game = worker.problem.game
    return value_search(
        worker.problem.table, game.payoff, FRESH_MEMORY, legal=game.legal, within=game.ruled_left
    )


def _tree(worker: Worker, opening: int, strategy: Strategy) -> Tree:
    problem = worker.problem
    return build(
        problem.wordlist, strategy, problem.game,
        opening=problem.wordlist[opening], device=problem.table.device,
    ).tree  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A kind of pieces.

    Attributes:
        pieces: those of a round, from what is known before it; none where it has nothing to do.
        result: of one of them.
    """

    pieces: Callable[[Known], list[Piece]]
    result: Callable[[Worker, Piece], Result]


KINDS = {
    "count": Kind(count_pieces, count_result),
    "search": Kind(search_pieces, search_result),
    "probe": Kind(probe_pieces, probe_result),
    "three": Kind(three_pieces, three_result),
    "close": Kind(close_pieces, close_result),
    "play": Kind(play_pieces, play_result),
}


def pieces_of(known: Known) -> list[Piece]:
    """The pieces of a round: they need nothing of each other; none when the search has come to its end."""
    return [piece for kind in KINDS.values() for piece in kind.pieces(known)]


def result_of(worker: Worker, piece: Piece) -> Result:
    """Return the result of a piece: the same wherever, and after whatever else, it is worked out.

    Raises:
        MemoryError: a class is too large to be searched.
    """
    return KINDS[piece.kind].result(worker, piece)

"""The public search: from a list to the best strategy found and an upper bound of all strategies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpulingo.advice.outlook import expected
from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.certificate import Certificate, check_fits, of_greatest, unfinished
from gpulingo.bounds.counting import fitting, proof_of
from gpulingo.bounds.formulas import counts_classes
from gpulingo.games.catalogue import game_of
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.optimise.solver import Solver
from gpulingo.optimise.state import Stage
from gpulingo.strategies.objectives import ObjectiveOf, points
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.text import opening_text
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify
from gpulingo.words.shown import brief, html_table
from gpulingo.words.targets import words_of
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Solution:
    """Result of a search.

    Attributes:
        tree: the best strategy; its `bound` is set.
        bound: mean points, an upper bound of every strategy.
        certificate: of the bound; None if there was no time for one.
        reached: whether the requested gap is reached; with a gap of 0 the tree is then proven optimal.
        opening: the first guess, or `by letter` if it differs by the given letter.

    >>> solve(["dents", "dozes", "reads"])
    Solution(lingo5: dents, 433.33333, optimal)
    """

    tree: Tree
    bound: float
    certificate: Certificate | None
    reached: bool
    opening: str

    def __repr__(self) -> str:
        tree, game = self.tree, self.tree.game
        value = expected(game, tree.turn_counts(), tree.total_weight)
        limit = (
            "optimal" if tree.mean_points >= self.bound else f"gap {self.bound - tree.mean_points:.5f} points"
        )
        return brief("Solution", f"{game.code}: {self.opening}, {value:.5f}, {limit}")

    def _repr_html_(self) -> str:
        cells = self.tree.game.turn_cells(self.tree.turn_counts(), self.tree.lost)
        return html_table(self, cells, [cells.values()])


def solve(
    words: WordList | Sequence[str] | int,
    game: Game | str | None = None,
    *,
    seconds: float | None = None,
    gap: float = 0.0,
    tree: Tree | None = None,
    certificate: Certificate | None = None,
    check: Callable[[Solver], None] | None = None,
    progress: Callable[[float, str], None] | None = None,
    plan: Sequence[Stage] | None = None,
    order: ObjectiveOf = points,
    device: str | torch.device = "cpu",
    seed: int = 0,
    memory: int = MEMORY,
) -> Solution:
    """Search for the best strategy of a list, and a certificate of an upper bound.

    Args:
        words: a list; its words, of one length, in lower case, distinct; or a length.
        game: the rules, with at least 3 turns, or their name; None: lingo.
        seconds: time limit, after which the search returns its result so far; None: no limit.
        gap: mean points between the tree and the bound at which the search ends.
        tree: of this list and game, to start from.
        certificate: of this list and game, to start from.
        check: called often with the search; an error it raises ends it, `TimeIsUp` with the result so far.
        progress: called often with the share of openings whose bounds are within the gap, 0 to 1, and a text
            such as `gap 2.500 points`; an error it raises ends the search as one of `check` does.
        plan, order, device, seed, memory: see `Solver`.
    Raises:
        WordListError: no such list.
        UnknownGameError: no such game.
        ValueError: too few turns, or a game that cannot be searched.
        CheckpointError: the tree is of another list or game, or does not hold.
        CertificateError: the certificate is of another list or game.
        DeviceError: there is no such device.

    >>> solve(["dents", "dozes", "reads"]).tree.mean_points == solve(["dents", "dozes", "reads"]).bound
    True
    """
    if not 0 <= gap < math.inf:
        raise ValueError(f"gap is {gap}, expected mean points from 0")
    game = game_of(game)
    wordlist = words_of(words, game)
    solver = Solver(wordlist, game, plan=plan, order=order, device=device, seed=seed, memory=memory)
    if tree is not None:
        if tree.game != solver.problem.game:
            theirs, ours = tree.game.code, solver.problem.game.code
            raise CheckpointError(
                f"the tree is for the game {theirs}, asked for is {ours}: build it for {ours}"
            )
        verify(tree, wordlist)
    if certificate is not None:
        check_fits(certificate, wordlist, solver.problem.game, "the certificate")
        if not fitting(solver.problem.table, certificate.evidence.counted):
            raise CertificateError("the certificate has counts that do not fit the classes of their openings")
        if not counts_classes(solver.problem.game, wordlist):
            certificate = of_greatest(certificate)
    solver.begin_with(tree, certificate)
    ends = math.inf if seconds is None else clock() + seconds

    def tell() -> None:
        if progress:
            left = solver.above(solver.goal) / solver.problem.table.words
            progress(1 - left, f"gap {solver.mean_points(solver.bound - solver.value):.3f} points")

    def often() -> None:
        if check:
            check(solver)
        tell()
        if clock() > ends:
            raise TimeIsUp

    enough = math.floor(gap * wordlist.total_weight / solver.mean_points(wordlist.total_weight))
    reached = solver.run(often, enough, straight=seconds is None or gap > 0)
    tell()
    assert solver.tree is not None  # the first is built whatever the time limit
    bound = max(solver.mean_points(solver.bound), solver.tree.mean_points)
    proof = proof_of(wordlist, solver.state.bounds, solver.state.given, solver.value)
    proof = None if proof is None else unfinished(proof, solver.value)
    opening = opening_text(solver.tree, wordlist.words)
    return Solution(solver.tree.replaced(bound=bound), bound, proof, reached, opening)

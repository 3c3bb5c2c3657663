"""A search for the best strategy whose pieces are tasks: rounds of them, merged by who asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import torch

from gpulingo.games.game import Game
from gpulingo.machines.plays import Place
from gpulingo.machines.ray_tasks import Cluster, Task
from gpulingo.optimise.pieces import Known, Piece, Result, Worker, pieces_of, result_of
from gpulingo.optimise.state import Problem
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList


@dataclass(frozen=True, eq=False)
class Searched:
    """Inputs of a node for working out pieces; two of the same list, game and place are equal.

    Attributes:
        wordlist, game: that are searched.
        device: where.
        seed, memory: see `Problem`; memory is that of one task.
    """

    wordlist: WordList
    game: Game
    device: str
    seed: int
    memory: int

    @property
    def key(self) -> tuple[object, ...]:
        """All that it is."""
        return self.wordlist.fingerprint, self.game, self.device, self.seed, self.memory

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Searched) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=1)  # a process works out many pieces of one search, one after the other
def worker_of(searched: Searched) -> Worker:
    """Return the worker that a process of a node reuses from piece to piece."""
    table = table_of(searched.wordlist, searched.game).to(torch.device(searched.device))
    problem = Problem(searched.wordlist, searched.game, table, points, searched.seed, searched.memory)
    return Worker(problem, lambda pairs: None)


def worked_out(searched: Searched, piece: Piece) -> Result:
    """Return the result of a piece, on the CPU: what a task returns."""
    return result_of(worker_of(searched), piece).on_cpu()


class RaySearch:
    """A search whose pieces a cluster works out.

    Args:
        known: before its first round. cluster: that works. place: where tasks compute.
    Attributes:
        known: after the last round that was finished.
        pieces: of the present round.
        results: of those of them that are done.
    """

    def __init__(self, known: Known, cluster: Cluster, place: Place) -> None:
        self.known, self.cluster, self.place = known, cluster, place
        self.pieces: list[Piece] = []
        self.results: dict[Piece, Result] = {}

    def run(self, often: Callable[[], None]) -> None:
        """Work until nothing is left.

        Args:
            often: called often; what it raises ends the search.
        Raises:
            ClusterError: the cluster could not do it. Whatever `often` raises.
        """
        problem = self.known.problem
        searched = Searched(problem.wordlist, problem.game, self.place.device, problem.seed, problem.memory)
        kept = self.cluster.keep(searched)
        while pieces := pieces_of(self.known):
            self.pieces, self.results = pieces, {}
            tasks = ((piece, Task(worked_out, (kept, piece), self.place.gpus)) for piece in pieces)
            for piece, result in self.cluster.results(tasks, often):
                self.results[piece] = result
            self.known = self.known.after(pieces, self.results)
        self.pieces, self.results = [], {}

    def so_far(self) -> Known:
        """Return what is known, with the finds of the present round."""
        done = [piece for piece in self.pieces if piece in self.results]
        return self.known.after(done, self.results) if done else self.known

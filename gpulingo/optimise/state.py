"""Subject and state of a search for the best strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpulingo.bounds.state import BoundState
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.optimise.lookahead import FindsAll, Lookahead
from gpulingo.optimise.stages import Stages
from gpulingo.strategies.objectives import ObjectiveOf
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.tree import Tree
from gpulingo.words.wordlist import WordList

COUNTS_SHARE = 8  # an eighth of the memory more for counts that make bounds faster: a limit


@dataclass(frozen=True, eq=False)
class Problem:
    """The best strategy of one list that is searched for.

    Attributes:
        wordlist: each word is a target and each may be guessed.
        game: the rules.
        table: of the list, on the device to search on.
        order: ranks guesses where openings are rolled out, unless their number of classes yields more.
        seed: of the hashes of sets.
        memory: bytes that remembered sets may take, and tables of classes; an eighth more for their counts.
    """

    wordlist: WordList
    game: Game
    table: WordTable
    order: ObjectiveOf
    seed: int = 0
    memory: int = MEMORY

    @property
    def counts_memory(self) -> int:
        """Bytes that counts may take that make bounds faster."""
        return self.memory // COUNTS_SHARE

    def lookahead(
        self,
        widths: Mapping[int, int],
        order: ObjectiveOf | None,
        progress: Progress,
        all_found: FindsAll | None = None,
    ) -> Lookahead:
        """Return a new lookahead of these widths."""
        return Lookahead(
            self.table, self.game, widths, order,
            name="solve", seed=self.seed, memory=self.memory, progress=progress, all_found=all_found,
        )  # fmt: skip


@dataclass(frozen=True)
class Incumbent:
    """The best strategy that is known.

    Attributes:
        value: credits, summed over the words.
        tree: the strategy; None before the first.
    """

    value: int = 0
    tree: Tree | None = None

    @classmethod
    def of(cls, tree: Tree) -> Incumbent:
        """Return a tree and its value; its hits are true."""
        return cls(tree.value, tree)


@dataclass(eq=False)
class SolverState:
    """All that a search knows.

    Attributes:
        stages: the openings that were rolled out.
        incumbent: the best strategy found.
        bounds: of all openings; None before the first.
        doubled: opening -> how often the limit of its search was doubled.
        exact: whether openings are closed by a search of every guess; None: not tried.
        by_classes: whether the order of the classes yields more than the one of the problem.
        seconds: spent on the incumbent and on bounds.
    """

    stages: Stages
    incumbent: Incumbent = field(default_factory=Incumbent)
    bounds: BoundState | None = None
    doubled: dict[int, int] = field(default_factory=dict)
    exact: bool | None = None
    by_classes: bool = False
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])

"""Problem and state of a search for the best strategy: the rules, openings to roll out, what is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from gpulingo.bounds.certificate import Certificate
from gpulingo.bounds.counting import recalled
from gpulingo.bounds.state import BoundState
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import ObjectiveOf
from gpulingo.strategies.strategy import Strategy
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import brief
from gpulingo.words.wordlist import WordList


@dataclass(frozen=True, eq=False)
class Problem:
    """The list and game whose best strategy is searched; its fields are explained at `Solver`."""

    wordlist: WordList
    game: Game
    table: WordTable  # of the list, on the device to search on
    order: ObjectiveOf
    seed: int = 0
    memory: int = MEMORY

    def tree(
        self, strategy: Strategy, words: Sequence[int] = (), report: Callable[..., None] | None = None
    ) -> Tree:
        """Return the tree of a strategy, after its own opening or one of some words; see `build`."""
        opening, device = [self.wordlist[word] for word in words], self.table.device
        return build(self.wordlist, strategy, self.game, opening=opening, device=device, report=report).tree


# Progress of a stage before its first opening, so that it waits for earlier stages. With a quarter the first
# opening of 12 guesses for each set comes after 4 of one and 1 of 4, which take about as long.
AHEAD = 0.25


@dataclass(frozen=True)
class Stage:
    """Number of openings to roll out, and how widely.

    >>> Stage(200, {5: 10, 4: 10, 3: 10})
    Stage(200 openings, widths 5:10 4:10 3:10)
    """

    openings: int  # how many of the best of the stage before
    widths: Mapping[int, int]  # turns left -> guesses to expand for each set

    def __repr__(self) -> str:
        widths = " ".join(f"{left}:{width}" for left, width in self.widths.items())
        return brief("Stage", f"{self.openings:,} openings, widths {widths}")


@dataclass
class Stages:
    """Stages, and the openings rolled out in them.

    Stages run in parallel: the one with the smallest share done is next. A wide stage of few openings begins
    once the earlier, narrow ones have taken about as long as one of its openings takes, so that a search that
    is stopped early has tried wide stages too.
    """

    plan: Sequence[Stage]
    values: list[dict[int, int]] = field(default_factory=list)  # by stage: opening -> value in credits

    def __post_init__(self) -> None:
        self.values = self.values or [{} for _ in self.plan]

    def next(
        self, first: Callable[[], list[int]], promising: Callable[[int], bool], most: int = 1
    ) -> tuple[int, list[int]] | None:
        """Return the number of a stage and openings to roll out in it; None if all stages are done.

        Args:
            first: openings for the first stage, the best first.
            promising: whether an opening may beat the best tree.
            most: openings of the first stage at once; of the others in proportion.
        """
        for number in sorted(range(len(self.plan)), key=self._share):
            openings = first() if number == 0 else self.best(number - 1)
            values, count = self.values[number], self.plan[number].openings
            left = (opening for opening in openings[:count] if opening not in values and promising(opening))
            if some := list(islice(left, max(1, most * count // self.plan[0].openings))):
                return number, some
        return None

    def _share(self, number: int) -> float:
        """Share of a stage that is done, with an initial part of an opening."""
        return (len(self.values[number]) + AHEAD) / self.plan[number].openings

    def note(self, widths: Mapping[int, int], values: Mapping[int, int]) -> None:
        """Record rollouts outside of the plan, opening -> value, in the stage of the same widths."""
        for stage, known in zip(self.plan, self.values, strict=True):
            if stage.widths == widths:
                known |= values

    def best(self, number: int) -> list[int]:
        """Openings of a stage, by value, the best first."""
        values = self.values[number]
        return sorted(values, key=lambda opening: (-values[opening], opening))


def stages(turns: int, searched: bool = False) -> list[Stage]:
    """Return a plan of fewer and fewer openings, more and more widely; `searched`: four with three turns."""
    # Openings, guesses for each set with all but one turn left, and later. By `gpulingo solve --length 4
    # --time 40s --fresh` half as many openings, twice the widths or the first stage alone come to one tree:
    # improvements by the later ones take minutes (checkpoints/README.md). With `searched`, Bulls and Cows in
    # six turns loses 50 with 6 and 16, 56 with 4 and 24.
    third = (12, 6, 16) if searched else (12, 12, 8)
    kinds = ((200, 1, 1), (40, 4, 4), third, (4, 40, 20), (2, 100, 50))
    later, few = range(3, turns - 1), {3: 4} if searched and turns > 4 else {}
    return [Stage(n, {turns - 1: first} | dict.fromkeys(later, then) | few) for n, first, then in kinds]


@dataclass(eq=False)
class State:
    """All that a search knows; only its tree and the certificate of its bounds are stored."""

    stages: Stages  # with the rollouts so far
    tree: Tree | None = None  # the best strategy
    bounds: BoundState | None = None  # of all openings
    given: Certificate | None = None  # which the search began with
    doubled: dict[int, int] = field(default_factory=dict)  # opening -> doublings of its search's limit
    exact: bool | None = None  # whether a search of every guess closes openings; None: not tried
    by_classes: bool = False  # whether ranking by classes gives better rollouts than the problem's order
    optimal: set[int] = field(default_factory=set)  # openings known to have the value of the best tree
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])  # on rollouts, and on bounds

    @property
    def value(self) -> int:
        """Value of the best tree, in credits summed over the words."""
        return 0 if self.tree is None else self.tree.value

    @property
    def lowest(self) -> Array | None:
        """[W] int64 credits: bounds of all openings, found here or given; None before there are some."""
        if self.bounds is not None:
            return self.bounds.lowest
        return None if self.given is None else self.given.bounds

    def offer(self, tree: Tree | None) -> None:
        """Keep a tree if it is the best; drop a given certificate whose bound is below its value."""
        if tree is not None and tree.value > self.value:
            self.tree = tree
        if self.given is not None and self.tree is not None:
            limit = int(self.given.bounds[self.tree.guess[0]])
            if min(limit, self.given.bound) < self.value:
                self.take(None)

    def take(self, given: Certificate | None) -> None:
        """Set the given bounds; bounds found here do not rest on them."""
        self.given = given
        if self.bounds is not None:
            self.bounds.given = None if given is None else given.bounds
            if given is not None and given.evidence.counted:
                self.bounds.apply(recalled(self.bounds, given.evidence.counted))

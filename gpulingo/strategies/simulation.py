"""A decision tree as a strategy, and the results of one over a whole list, which are read from the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpulingo.advice.outlook import expected
from gpulingo.games.game import Game
from gpulingo.games.units import UNITS
from gpulingo.storage.faults import refuse
from gpulingo.tensors.arrays import array_of, like
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import BEST, CheckpointError, check_fits
from gpulingo.trees.text import opening_text
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import brief, html_table
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    import torch

    from gpulingo.strategies.strategy import Choice, Position
    from gpulingo.tensors.objective import Progress


@dataclass(frozen=True, eq=False)
class TreeReplay:
    """The best tree that is known for a list, from its opening on.

    Its name differs from the one in the tree's header.
    """

    tree: Tree
    name: str = BEST

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Return the guesses of all sets, each from the node that its words' feedback leads to."""
        from gpulingo.strategies.strategy import Choice
        from gpulingo.tensors.feedback import feedback_of

        table, frontier, tree = position.table, position.frontier, self.tree
        members, feedback, nodes = frontier.members, feedback_of(table), np.zeros(0, np.int64)
        by_letter = [tree.root(letter) for letter in table.alphabet]
        steps = [by_letter[number] for number in table.letters[members, 0].tolist()]
        for turn in range(position.turn):  # nodes of every member, from its root on
            if turn:
                guessed = like(np.array([tree.guess[node] for node in nodes.tolist()], np.int32), members)
                patterns = feedback.paired(table, guessed, members).tolist()
                steps = [tree.child(*step) for step in zip(nodes.tolist(), patterns, strict=True)]
            nodes = np.array([node for node in steps if node is not None], np.int64)
            if len(nodes) < len(steps):
                first, place = "first ", "some first letter"
                if turn:
                    first, place = "", f"a set of turn {position.turn}"
                raise CheckpointError(f"the tree has no {first}guess for {place}: build it again")
        firsts = nodes[array_of(frontier.offsets)[:-1]]
        if bool((nodes != firsts[array_of(frontier.owners)]).any()):
            raise CheckpointError(f"sets of turn {position.turn} are not those of the tree: build it again")
        guesses = [tree.guess[node] for node in firsts.tolist()]
        return Choice(like(np.array(guesses, np.int32), members))


@dataclass(frozen=True)
class Build:
    """A tree and the work for it.

    Attributes:
        tree: the strategy as arrays.
        pairs: pairs of guess and candidate evaluated.
        seconds: wall time of the turns, without reading the list and compiling kernels.
        kernel_seconds: the part of it inside `rank` and `split`.
        processor: that of another machine, if it did the work; otherwise None.
        fixed: the guesses that were requested, if several.

    >>> from gpulingo import simulate
    >>> simulate(["dents", "dozes", "reads"], "parts").build.tree
    Tree(lingo5 5 letters, parts, 3 nodes, 433.333 points)
    """

    tree: Tree
    pairs: int
    seconds: float
    kernel_seconds: float
    processor: str | None = None
    fixed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        what = f"{self.tree.strategy}, {self.tree.game.code}, {len(self.tree):,} nodes"
        return brief("Build", f"{what}, {self.pairs:,} pairs, {self.seconds:.2f} s")


@dataclass(frozen=True)
class Simulation:
    """Results of a strategy over a whole list.

    Attributes:
        wordlist: every target of it was played.
        build: the tree and the work for it.
        device: where it was searched, or its name.
        strategy: its name; a stored tree keeps its own.

    >>> from gpulingo import simulate
    >>> simulate(["dents", "dozes", "reads"], "parts")
    Simulation(parts, lingo5: dents, 433.333 mean points, 0 of 3 lost)
    """

    wordlist: WordList
    build: Build
    device: torch.device | str
    strategy: str

    def __repr__(self) -> str:
        game = self.tree.game
        value = f"{expected(game, self.turns, self.tree.total_weight):.3f} {UNITS[game.shown].name}"
        what = f"{self.strategy}, {game.code}: {self.opening}, {value}"
        return brief("Simulation", f"{what}, {self.lost:,} of {self.wordlist.target_count:,} lost")

    def _repr_html_(self) -> str:
        cells = self.tree.game.turn_cells(self.turns, self.lost)
        return html_table(self, cells, [cells.values()])

    @property
    def tree(self) -> Tree:
        """The strategy as a decision tree."""
        return self.build.tree

    @property
    def opening(self) -> str:
        """The first guess, or `by letter` if it differs by the given letter; several if they are fixed."""
        return ",".join(self.build.fixed) or opening_text(self.tree, self.wordlist.words)

    @property
    def mean_points(self) -> float:
        """Mean points over all targets, 0 to 100 x turns."""
        return self.tree.mean_points

    @property
    def mean_guesses(self) -> float:
        """Mean guesses over all targets, a lost one counting one more than there are turns."""
        return self.tree.mean_guesses

    @property
    def turns(self) -> list[int]:
        """Words found on turn 1, 2, .."""
        return self.tree.turn_counts()

    @property
    def lost(self) -> int:
        """Targets not found."""
        return self.tree.lost

    def found_turns(self) -> list[tuple[str, int]]:
        """Return every target and the turn on which it is found, 0 = lost, in list order."""
        turns, ids = self.tree.found_turns(), self.wordlist.target_ids
        turns_of_targets = turns if ids is None else [turns[index] for index in ids]
        return list(zip(self.wordlist.targets, turns_of_targets, strict=True))


def stored_simulation(
    wordlist: WordList, tree: Tree, game: Game | None = None, opening: str | Sequence[str] | None = None
) -> Simulation:
    """Return the results of a stored tree over its list; nothing is searched, because the tree has them."""
    started = clock()
    check_fits(tree, wordlist)
    theirs = opening_text(tree, wordlist.words)
    refuse({
        f"the tree is for {tree.game.code}, played is {game and game.code}: build another":
            game not in (None, tree.game),
        f"the tree opens with {theirs}, asked for is {opening}: leave it out": opening not in (None, theirs),
    }, CheckpointError)  # fmt: skip
    tree.turn_counts()  # raises for arrays that are not a tree
    return Simulation(wordlist, Build(tree, 0, clock() - started, 0.0), "cpu", BEST)

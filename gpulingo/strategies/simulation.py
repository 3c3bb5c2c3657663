"""Results of a strategy over a whole list, read off its tree; importing it loads no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpulingo.advice.outlook import NAMES, expected
from gpulingo.games.game import Game
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import CheckpointError, check_fits
from gpulingo.trees.kept import BEST
from gpulingo.trees.text import opening_text
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import brief
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Build:
    """A tree and what it took.

    Attributes:
        tree: the strategy as arrays.
        pairs: pairs of guess and candidate evaluated.
        seconds: wall time of the turns, without reading the list and compiling kernels.
        kernel_seconds: the part of it inside `rank` and `split`.
        processor: that did it, where that was another machine's; otherwise None.

    >>> from gpulingo import simulate
    >>> simulate(["dents", "dozes", "reads"], "parts").build.tree
    Tree(lingo5 5 letters, parts, 3 nodes, 433.333 points)
    """

    tree: Tree
    pairs: int
    seconds: float
    kernel_seconds: float
    processor: str | None = None

    def __repr__(self) -> str:
        what = f"{self.tree.strategy}, {self.tree.game.code}, {len(self.tree):,} nodes"
        return brief("Build", f"{what}, {self.pairs:,} pairs, {self.seconds:.2f} s")


@dataclass(frozen=True)
class Simulation:
    """Results of a strategy over a whole list.

    Attributes:
        wordlist: every target of it was played.
        build: the tree and what it took.
        device: where it was searched, or its name.
        strategy: its name; a stored tree keeps the one of its own.

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
        value = f"{expected(game, self.turns, self.tree.total_weight):.3f} {NAMES[game.shown]}"
        what = f"{self.strategy}, {game.code}: {self.opening}, {value}"
        return brief("Simulation", f"{what}, {self.lost:,} of {self.wordlist.target_count:,} lost")

    @property
    def tree(self) -> Tree:
        """The strategy as a decision tree."""
        return self.build.tree

    @property
    def opening(self) -> str:
        """The first guess, or `by letter` where it differs by the letter that is given."""
        return opening_text(self.tree, self.wordlist.words)

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
        """Every target and the turn it is found on, 0 = lost, in list order."""
        turns, ids = self.tree.found_turns(), self.wordlist.target_ids
        turns_of_targets = turns if ids is None else [turns[index] for index in ids]
        return list(zip(self.wordlist.targets, turns_of_targets, strict=True))


def stored_simulation(
    wordlist: WordList, tree: Tree, game: Game | None = None, opening: str | None = None
) -> Simulation:
    """Return the results of a stored tree over its list; nothing is searched, as the tree has all of them.

    Args:
        wordlist: that it was built for.
        tree: a whole one.
        game: that is played; None: that of the tree.
        opening: that is asked for; None: that of the tree.
    Raises:
        CheckpointError: it is of another list or game, or has another opening.
    """
    started = clock()
    check_fits(tree, wordlist)
    if game not in (None, tree.game):
        raise CheckpointError(
            f"the tree is for {tree.game.code}, played is {game and game.code}: build another"
        )
    if opening not in (None, theirs := opening_text(tree, wordlist.words)):
        raise CheckpointError(f"the tree opens with {theirs}, asked for is {opening}: leave it out")
    tree.turn_counts()  # which refuses arrays that are no tree
    return Simulation(wordlist, Build(tree, 0, clock() - started, 0.0), "cpu", BEST)

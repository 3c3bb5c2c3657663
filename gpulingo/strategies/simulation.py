"""Play every word of a list at once and sum up: the numbers come from the tree."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from gpulingo.games.game import Game
from gpulingo.strategies.build import Build, Report, build
from gpulingo.strategies.registry import Strategy, named
from gpulingo.strategies.replay import Followed
from gpulingo.tensors import reference
from gpulingo.tensors.device import find_device
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList


@dataclass(frozen=True)
class Simulation:
    """What a strategy does over a whole list.

    Attributes:
        wordlist: every word of it was a target.
        made: the tree and what it took.
        device: where it was searched.
        strategy: its name; a tree that is followed keeps the one of its own.
    """

    wordlist: WordList
    made: Build
    device: torch.device
    strategy: str

    @property
    def tree(self) -> Tree:
        """The strategy as a decision tree."""
        return self.made.tree

    @property
    def opening(self) -> str:
        """The first guess."""
        return self.wordlist[int(self.tree.guess[0])]

    @property
    def mean_points(self) -> float:
        """Mean points over the whole list, 0 to 100 x turns."""
        return self.tree.mean_points

    @property
    def mean_guesses(self) -> float:
        """Mean guesses over the whole list, a lost word counting one more than there are turns."""
        return self.tree.mean_guesses

    @property
    def turns(self) -> list[int]:
        """Words found on turn 1, 2, .."""
        return self.tree.turn_counts()

    @property
    def lost(self) -> int:
        """Words not found."""
        return self.tree.lost

    def found_turns(self) -> list[tuple[str, int]]:
        """Every word and the turn it is found on, 0 = lost, in list order."""
        return list(zip(self.wordlist.words, self.tree.found_turns(), strict=True))


def simulate(
    wordlist: WordList,
    strategy: Strategy | str = "parts",
    game: Game | None = None,
    *,
    opening: str | None = None,
    device: str | torch.device = "cpu",
    report: Report | None = None,
) -> Simulation:
    """Play every word of a list with a strategy; arguments as in `gpulingo.strategies.build.build`."""
    if not isinstance(wordlist, WordList):
        kind = type(wordlist).__name__
        raise TypeError(f"wordlist is a {kind}, expected a WordList: as of parse(text).of_length(5)")
    chosen = named(strategy, wordlist=wordlist, game=game) if isinstance(strategy, str) else strategy
    place = find_device(device)
    if not isinstance(chosen, Followed):
        made = build(wordlist, chosen, game, opening=opening, device=place, report=report)
        return Simulation(wordlist, made, place, chosen.name)
    # Where nothing is ranked, the few splits are not worth compiling kernels for.
    made = build(wordlist, chosen, game, opening=opening, device=place, report=report, backend=reference)
    tree = made.tree.replaced(bound=chosen.tree.bound, strategy=chosen.tree.strategy)
    return Simulation(wordlist, replace(made, tree=tree), place, chosen.name)

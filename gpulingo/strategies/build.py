"""Play a strategy against every target at once, turn by turn, and keep what it does as a decision tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.strategies.registry import Strategy
from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.backend import Backend
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import WordTable, encode
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

Report = Callable[[int, int, int], None]  # turn, pairs evaluated since the last call, most pairs of the turn


@dataclass(frozen=True)
class Build:
    """A tree and what it took.

    Attributes:
        tree: the strategy as arrays.
        pairs: pairs of guess and candidate evaluated.
        seconds: wall time of the turns, without reading the list and compiling kernels.
        kernel_seconds: the part of it inside `rank` and `split`.
    """

    tree: Tree
    pairs: int
    seconds: float
    kernel_seconds: float


def build(
    wordlist: WordList,
    strategy: Strategy,
    game: Game | None = None,
    *,
    opening: str | None = None,
    device: str | torch.device = "cpu",
    report: Report | None = None,
    backend: Backend | None = None,
) -> Build:
    """Play every word of a list with a strategy.

    Args:
        wordlist: words of one length; each is a target, and each may be guessed.
        strategy: chooses the guesses.
        game: its number of turns; five when not given.
        opening: first guess instead of the strategy's own.
        device: where to search; a name as `find_device` takes it, or a torch.device.
        report: told about progress.
        backend: what splits sets, as in `split`.
    Returns:
        The tree, with arrays in numpy.
    Raises:
        UnknownWordError: the opening is not in the list.
        DeviceError: there is no such device.
    """
    game = game or lingo()
    first = None if opening is None else wordlist.index(opening)
    started = clock()
    table = encode(wordlist.words).to(find_device(device))
    front = whole(table)
    levels: list[_Level] = []
    parents = torch.zeros(0, dtype=torch.int64, device=table.device)
    patterns = torch.full((1,), -1, dtype=torch.int64, device=table.device)
    pairs, inside = 0, 0.0
    for turn in range(1, game.turns + 1):
        if front.sets == 0:
            break
        begun = clock()
        choice = _choice(table, front, strategy, game.turns - turn + 1, first if turn == 1 else None,
                         _told(report, turn, front, table))  # fmt: skip
        parted = split(table, front, choice.guesses, backend=backend)
        inside += clock() - begun
        pairs += choice.pairs
        levels.append(_Level(choice.guesses, patterns, parents, parted.hits))
        front, parents, patterns = parted.frontier, parted.parents, parted.patterns
    tree = _tree(levels, wordlist, strategy.name, game)
    return Build(tree, pairs, clock() - started, inside)


@dataclass(frozen=True)
class _Level:
    """The nodes of one turn: [S] guesses, the patterns that lead to them, their parents, whether they hit."""

    guesses: torch.Tensor
    patterns: torch.Tensor
    parents: torch.Tensor
    hits: torch.Tensor


def _choice(table: WordTable, front: Frontier, strategy: Strategy, left: int, first: int | None,
            progress: Callable[[int], None] | None) -> Choice:  # fmt: skip
    """The strategy's choice, or the opening that was asked for."""
    if first is None:
        choice = strategy.choose(table, front, left, progress)
        if not isinstance(choice, Choice):
            raise TypeError(f"strategy {strategy.name!r} chose a {type(choice).__name__}, expected a Choice")
        return choice
    return Choice(torch.tensor([first], dtype=torch.int32, device=table.device))


def _told(
    report: Report | None, turn: int, front: Frontier, table: WordTable
) -> Callable[[int], None] | None:
    """A progress function that tells the report the turn and its most pairs too."""
    if report is None:
        return None
    most = int((front.sizes * table.words).sum())
    report(turn, 0, most)
    return lambda pairs: report(turn, pairs, most)


def _tree(levels: list[_Level], wordlist: WordList, strategy: str, game: Game) -> Tree:
    """Join the levels: breadth-first order is the order they were made in."""

    def joined(name: str, kind: str) -> memoryview:
        return np.concatenate([getattr(level, name).cpu().numpy() for level in levels]).astype(kind).data

    sizes = [level.guesses.shape[0] for level in levels]
    children = np.zeros(sum(sizes), np.int64)
    start = 0
    for size, below in zip(sizes, levels[1:], strict=False):
        children[start : start + size] = np.bincount(below.parents.cpu().numpy(), minlength=size)
        start += size
    return Tree(
        guess=joined("guesses", "<i4"),
        pattern=joined("patterns", "<i4" if wordlist.length <= 19 else "<i8"),
        first=np.concatenate([[1], 1 + children.cumsum()]).astype("<i4").data,
        hit=joined("hits", "u1"),
        length=wordlist.length,
        words=len(wordlist),
        fingerprint=wordlist.fingerprint,
        strategy=strategy,
        game=game,
    )

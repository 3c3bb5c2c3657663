"""Shared by these tests: positions of candidate sets of a list of words."""

from collections.abc import Callable, Sequence

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.strategies.strategy import Position
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.wordtable import WordTable, encode


@pytest.fixture(scope="session")
def position() -> Callable[..., Position]:
    """A function that makes the position of sets, with turns left of five, or of a game."""

    def made(
        words: Sequence[str] | WordTable, frontier: Frontier, left: int, game: Game | None = None
    ) -> Position:
        rules = game or lingo(max(left, 5))
        table = words if isinstance(words, WordTable) else encode(words)
        return Position(table, frontier, left, rules.turns + 1 - left, rules, table.pool)

    return made

"""The choice of the search for a game's values."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gpulingo.games.game import Game
from gpulingo.solvers.payoffs import is_searched, total_weight
from gpulingo.solvers.words.value import RULES, ValueSearch
from gpulingo.tensors.wordtable import WordTable

if TYPE_CHECKING:
    from gpulingo.solvers.letters.value import LetterSearch

SearchOfSets: TypeAlias = "ValueSearch | LetterSearch"  # of words, or of letters


def solver(table: WordTable, game: Game, memory: int) -> SearchOfSets | None:
    """Return the search of every guess for sets of a table; None: the game has no such search."""
    if game.opponent != "chance" or not is_searched(game.payoff):
        return None
    if game.counts_misses:
        from gpulingo.solvers.letters.value import MOST_VALUE, LetterSearch

        most = total_weight(table) * max(game.payoff)
        return LetterSearch(table, game.payoff, memory) if most < MOST_VALUE else None
    if game.legal not in ("any", *RULES):
        return None
    return ValueSearch(table, game.payoff, memory, legal=game.legal, within=game.ruled_left)

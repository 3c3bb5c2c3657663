"""The openings of a book: after a first guess the best tree, and for each second set the best guesses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from gpulingo.advice.outlook import EXACT, GuessStats
from gpulingo.games.game import Game
from gpulingo.optimise.every_guess import EveryGuess, by_classes
from gpulingo.positions.rollout import MEMORY, classes_after, guesses_of, known_table, rollouts
from gpulingo.solvers.solver import solver
from gpulingo.storage.faults import MAKE_BOOK_AGAIN
from gpulingo.strategies.build import build
from gpulingo.strategies.strategy import Choice, Position, first_position
from gpulingo.tensors.clock import OutOfTime
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.book import BEST, OpeningTree
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.tree import ARRAYS, FIELDS
from gpulingo.words.wordlist import WordList


@dataclass(frozen=True)
class Seconds(EveryGuess):
    """The search of every guess, whose guesses of turn 2 are known."""

    guesses: Sequence[int] = ()

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        return Choice(guesses_of(self.guesses, position)) if position.turn == 2 else super().choose(position)


def openings_of_most_classes(words: WordList, game: Game, count: int) -> list[int]:
    """Return the first guesses that make most classes, the most first."""
    return [guess for guess, _ in islice(by_classes(first_position(table_of(words, game), game)), count)]


def every_guess(words: WordList, game: Game, often: Progress) -> EveryGuess:
    """Return a search of every guess after openings; ValueError: the game has none."""
    searches = None if game.given else solver(table_of(words, game), game, MEMORY)
    if searches is None or game.counts_misses:
        raise ValueError(f"{game.code} has no search of every guess after an opening: name another game")
    return EveryGuess(searches, often)


def opening_trees(
    words: WordList, game: Game, openings: Sequence[int], often: Progress = lambda pairs: None
) -> Iterator[OpeningTree]:
    """Yield the tree of each of some first guesses; ValueError: the game, or a set, has no such search."""
    search = every_guess(words, game, often)
    for opening in openings:
        try:
            yield opening_tree(words, game, search, words[opening])
        except OutOfTime:
            fault = f"sets after {words[opening]} are too large to search"
            raise ValueError(f"{fault}: use a shorter list") from None


def check_second_guesses(tree: OpeningTree, words: WordList, search: EveryGuess) -> None:
    """Derive the value of every second guess of a tree again; `search` remembers sets of earlier openings.

    Raises:
        CheckpointError: a second guess is not legal, or has another value than the book says.
    """
    start = first_position(table_of(words, tree.game), tree.game)
    for number, position in enumerate(classes_after(start, tree.opening), 1):
        search.often(0)
        pool, size = position.pool, int(position.frontier.sizes_here[0])
        legal = {*(pool.members if isinstance(pool, Frontier) else start.table.pool).tolist()}
        for guess, counts in tree.second_guesses(number):
            said = sum(tree.game.credits(turn) * count for turn, count in enumerate(counts, 1))
            said += tree.game.credits(0) * (size - sum(counts))
            if guess not in legal or search.value_after(position, guess) != said:
                fault = f"{words[guess]} as second guess after {words[tree.opening]} has another value"
                raise CheckpointError(f"{fault} than the book says", MAKE_BOOK_AGAIN)


def opening_tree(words: WordList, game: Game, search: EveryGuess, opening: str) -> OpeningTree:
    """Return the best tree after a first guess, with the best guesses of each second set."""
    start, sets = first_position(known_table(words, game), game), list[list[GuessStats]]()
    for position in classes_after(start, words.index(opening)):
        members = position.frontier.members.tolist()
        guesses = members if len(members) == 1 else search.best_guesses(position, BEST)
        sets.append(rollouts(position, guesses_of(guesses, position), search, by=EXACT))
    best_of_sets = Seconds(search.searches, search.often, guesses=[rows[0].number for rows in sets])
    tree = build(words, best_of_sets, game, opening=opening).tree
    best, counts = list[int](), list[int]()
    for rows in sets:
        missing = BEST - len(rows)
        best += [rollout.number for rollout in rows] + [len(words)] * missing
        counts += [count for rollout in rows for count in rollout.turns[1:]]
        counts += [0] * (missing * (game.turns - 1))
    fields = {name: getattr(tree, name) for name in (*ARRAYS, *FIELDS)} | {"bound": tree.mean_points}
    return OpeningTree(**fields, best=best, found=counts)

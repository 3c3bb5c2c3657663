"""Strategies by name, and the one that ranks the vocabulary by an objective."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.player import names
from gpulingo.strategies.letters import Letters, distinct, histogram, statistician
from gpulingo.strategies.objectives import BY_NAME, ObjectiveOf, loaded_objective, parts
from gpulingo.strategies.pools import Pooled
from gpulingo.strategies.replay import Followed
from gpulingo.strategies.rivals import CONFUSION_OPENINGS, EDC65_OPENINGS, Confusion, Rival, SmallestClass
from gpulingo.strategies.shortlists import Shortlists
from gpulingo.strategies.strategy import Choice, Random
from gpulingo.strategies.tuned import find_tuned
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.kept import BEST, kept_trees
from gpulingo.words.listing import WordList


class Strategy(Protocol):
    """A way to choose the guess of every candidate set.

    `choose` gets the word table, a frontier on the same device, the turns left including this one, and a
    function to tell the pairs evaluated to.
    """

    @property
    def name(self) -> str: ...

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice: ...


@dataclass(frozen=True)
class Ranking:
    """The guess of greatest rank, of the whole vocabulary or of the candidates.

    The last turn guesses the first candidate. The turn before is exact whatever the objective: there the
    number of classes, one more for a candidate, is the number of words that will be found (counting turns).

    Attributes:
        name: of the strategy.
        objective: for the size of the largest set and the turns left.
        consistent: guess candidates only.
        exact: rank by `parts` with two turns left; without, by the objective, as on the turns before.
    """

    name: str
    objective: ObjectiveOf
    consistent: bool = False
    exact: bool = True

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once."""
        if left <= 1 or frontier.sets == 0:
            return Choice(frontier.firsts)
        largest = int(frontier.sizes.max())
        objective = (parts if left == 2 and self.exact else self.objective)(largest, left)
        pool = None if self.consistent else table.pool
        ranked = rank(table, frontier, pool, objective, progress=progress)
        return Choice(ranked.guesses[:, 0], ranked.pairs)


def _edc65(consistent: bool, seed: int) -> Strategy:
    """The rule of the pit's best program: a candidate of smallest largest class, seldom another word."""
    return Rival(_title("edc65", consistent), EDC65_OPENINGS, SmallestClass(consistent))


def _confusion(consistent: bool, seed: int) -> Strategy:
    """The rule of the pit's Java program: classes as small as can be, of a short list of guesses."""
    lists = Shortlists(_draws(seed), consistent=consistent)
    return Rival(_title("confusion", consistent, seed), CONFUSION_OPENINGS, Confusion(lists, consistent))


def _confusion_full(consistent: bool, seed: int) -> Strategy:
    """The rule of `confusion`, always of the whole list."""
    return Rival(_title("confusion_full", consistent), CONFUSION_OPENINGS, Confusion(None, consistent))


def _plain_parts(consistent: bool, seed: int) -> Strategy:
    """The most classes, whether the guess is a candidate or not."""
    # `parts` has its bonus with two turns left only, so three turns left is without.
    return Ranking(
        _title("plain_parts", consistent), lambda largest, left: parts(largest, 3), consistent, False
    )


def _histogram(consistent: bool, seed: int) -> Strategy:
    """The candidate whose distinct letters have most copies among the candidates; ties are drawn by lot."""
    return Letters(_title("histogram", False, seed), histogram, _draws(seed))


def _statistician(consistent: bool, seed: int) -> Strategy:
    """The candidate with most of what `histogram` sums, times its number of distinct letters."""
    return Letters("statistician", statistician)


def _distinct(consistent: bool, seed: int) -> Strategy:
    """The candidate with most distinct letters."""
    return Letters("distinct", distinct)


def _letters(consistent: bool, seed: int) -> Strategy:
    """The candidate whose distinct letters most candidates hold."""
    return Letters()


def _random(consistent: bool, seed: int) -> Strategy:
    """Any candidate, each as likely."""
    return Random(_draws(seed), _title("random", False, seed))


def _tuned(wordlist: WordList, consistent: bool, game: Game) -> Strategy:
    """The rule of `points`, with values that `gpulingo tune` fitted to the list."""
    found = find_tuned(wordlist, turns=game.turns)
    if consistent:
        return Ranking(_title(TUNED, True), found.objective, True)
    return Pooled(TUNED, found.objective, found.pool, found.opening)


def _draws(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _title(name: str, consistent: bool, seed: int = 0) -> str:
    """What a strategy is called: its name and what of its options is not as usual."""
    return name + f" seed {seed}" * (seed != 0) + " consistent" * consistent


# consistent, seed -> strategy. Those that look at letters or at nothing guess candidates anyway.
FACTORIES: dict[str, Callable[[bool, int], Strategy]] = {
    "plain_parts": _plain_parts,
    "edc65": _edc65,
    "confusion": _confusion,
    "confusion_full": _confusion_full,
    "histogram": _histogram,
    "statistician": _statistician,
    "distinct": _distinct,
    "letters": _letters,
    "random": _random,
}
NAMES, TUNED = names.NAMES, names.TUNED


def _best(wordlist: WordList, consistent: bool, game: Game) -> Strategy:
    """The best tree that is kept for a list and a game.

    Raises:
        ValueError: there is none, or it is to guess candidates only.
    """
    trees, _ = kept_trees(wordlist, game)
    path = next(iter(trees), None)
    if consistent:
        raise ValueError("best is a whole tree: leave out consistent")
    if path is None:
        what = f"the words of {wordlist.length} letters in {wordlist.source}"
        raise ValueError(f"no tree is kept for {what}: make one with `gpulingo solve`, or name another")
    return Followed(trees[path])


def named(
    name: str,
    *,
    consistent: bool = False,
    seed: int = 0,
    wordlist: WordList | None = None,
    game: Game | None = None,
) -> Strategy:
    """The strategy of that name.

    Args:
        name: one of NAMES, `tuned`, `best`, or `module:function` for a user's objective.
        consistent: guess candidates only.
        seed: of the strategies that draw by lot.
        wordlist: to be played; `tuned` and `best` ask for it. game: that is played, lingo when not given.
    Raises:
        ValueError: there is none, or it cannot be loaded.
    """
    if name in FACTORIES:
        return FACTORIES[name](consistent, seed)
    if name == TUNED and wordlist is not None:
        return _tuned(wordlist, consistent, game or lingo())
    if name == BEST and wordlist is not None:
        return _best(wordlist, consistent, game or lingo())
    if name not in BY_NAME and ":" not in name:
        every = (*NAMES, TUNED, BEST)
        near = names.meant(name, every)
        raise ValueError(f"no strategy {name!r}: {near}use {', '.join(every)} or module:function")
    objective = BY_NAME.get(name) or loaded_objective(name)
    return Ranking(_title(name, consistent), objective, consistent)


def sentence(name: str) -> str:
    """What a strategy does, in one sentence: the first line of the docstring of what makes it.

    Args:
        name: of a strategy, as tables show it: with its seed, or `consistent`.
    Returns:
        The sentence, without backticks; empty for a strategy that is not ours.
    """
    makers = {**BY_NAME, **FACTORIES, TUNED: _tuned, BEST: Followed}
    base, *options = name.split() or [""]
    if base not in makers:
        return ""
    if "consistent" in options:
        return f"As {base}, but guesses candidates only."
    return (makers[base].__doc__ or "").split("\n")[0].replace("`", "")

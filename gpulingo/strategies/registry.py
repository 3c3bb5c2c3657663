"""Strategies by name."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import torch

from gpulingo.games.catalogue import game_of
from gpulingo.games.game import Game
from gpulingo.player.arguments import NAMES, SOLVED, TUNED, WITH_LETTERS
from gpulingo.storage.names import unknown
from gpulingo.strategies import plugins
from gpulingo.strategies.letters import (
    Letters,
    Random,
    Rollout,
    distinct,
    frequency,
    histogram,
    named_rollout,
    quiz,
    statistician,
)
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.strategies.ranking import Ranking
from gpulingo.strategies.rivals import (
    CONFUSION_OPENINGS,
    EDC65_OPENINGS,
    Confusion,
    Rival,
    Shortlists,
    SmallestClass,
)
from gpulingo.strategies.simulation import TreeReplay
from gpulingo.strategies.strategy import Strategy
from gpulingo.strategies.tuned import Report, find_tuned
from gpulingo.tensors.objective import classes
from gpulingo.trees.checkpoint import BEST, none_stored, stored_trees
from gpulingo.words.listing import WordList


def _edc65(seed: int) -> Strategy:
    """The rule of the pit's best program: a candidate of smallest largest class, seldom another word."""
    return Rival("edc65", EDC65_OPENINGS, SmallestClass())


def _confusion(seed: int) -> Strategy:
    """The rule of the pit's Java program: classes as small as can be, of a short list of guesses."""
    lists = Shortlists(_draws(seed))
    return Rival(_title("confusion", seed), CONFUSION_OPENINGS, Confusion(lists))


def _confusion_full(seed: int) -> Strategy:
    """The rule of `confusion`, always of the whole list."""
    return Rival("confusion_full", CONFUSION_OPENINGS, Confusion(None))


def _plain_parts(seed: int) -> Strategy:
    """The most classes, whether the guess is a candidate or not."""
    return Ranking("plain_parts", lambda largest, left, payoff=(): classes(largest, 0), exact=False)


def _histogram(seed: int) -> Strategy:
    """The candidate whose distinct letters have most copies among the candidates; ties by lot."""
    return Letters(_title("histogram", seed), histogram, _draws(seed))


def _statistician(seed: int) -> Strategy:
    """The candidate with most of what `histogram` sums, times its number of distinct letters."""
    return Letters("statistician", statistician)


def _distinct(seed: int) -> Strategy:
    """The candidate with most distinct letters."""
    return Letters("distinct", distinct)


def _letters(seed: int) -> Strategy:
    """The candidate whose distinct letters most candidates hold."""
    return Letters()


def _random(seed: int) -> Strategy:
    """Any candidate, each as likely."""
    return Random(_draws(seed), _title("random", seed))


def _tuned(wordlist: WordList, game: Game, report: Report) -> Strategy:
    """The rule of `points`, with values that `gpulingo tune` fitted to the list."""
    return find_tuned(wordlist, turns=game.turns, report=report).strategy(opening=not game.given)


def _draws(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _title(name: str, seed: int) -> str:
    """Return the name of a strategy that draws, with its seed unless that is the default."""
    return name + f" seed {seed}" * (seed != 0)


# seed -> strategy. Those that look at letters or at nothing guess candidates.
FACTORIES: dict[str, Callable[[int], Strategy]] = {
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
OF_LETTERS: dict[str, Callable[[], Strategy]] = {"quiz": quiz, "frequency": frequency, "rollout": Rollout}


def _best(wordlist: WordList, game: Game, report: Report) -> Strategy:
    """Return the best tree stored for a list and a game."""
    trees, faults = stored_trees(wordlist, game)
    if not trees:
        raise ValueError(none_stored(wordlist, game, faults))
    path, tree = next(iter(trees.items()))
    for fault in faults:
        report(f"{fault}; {path} is used instead")
    return TreeReplay(tree)


def usual_name(game: Game) -> str:
    """Return the strategy of a game if none is named and no tree is stored."""
    return "frequency" if game.counts_misses else "parts"


def usual(wordlist: WordList, game: Game) -> Strategy:
    """Return the best tree stored for a list and a game, or the strategy of `usual_name`."""
    try:
        return _best(wordlist, game, warnings.warn)
    except ValueError:
        return named(usual_name(game), game=game)


def named(
    name: str,
    *,
    seed: int = 0,
    wordlist: WordList | None = None,
    game: Game | str | None = None,
    report: Callable[[str], object] = warnings.warn,
) -> Strategy:
    """Return the strategy of that name.

    Args:
        name: one of NAMES, `tuned`, `best`, or `module:name` for a user's own (`plugins`); where letters are
            guessed one of `WITH_LETTERS`, `best` or a user's own.
        seed: of the strategies that draw at random.
        wordlist: to be played; `tuned` and `best` ask for it.
        game: that is played, or its name; lingo when not given.
        report: takes a line on each damaged file of the list, where another is used.
    Raises:
        ValueError: no strategy has the name, or it cannot be loaded.

    >>> named("random", seed=7).name
    'random seed 7'
    """
    game = game_of(game)
    check_guesses(name, game)
    if name in OF_LETTERS:
        return OF_LETTERS[name]()
    if rollout := named_rollout(name):
        return rollout
    if name in FACTORIES:
        return FACTORIES[name](seed)
    if name == TUNED and wordlist is not None:
        return _tuned(wordlist, game, report)
    if name == BEST and wordlist is not None:
        return _best(wordlist, game, report)
    if name in BY_NAME:
        return Ranking(name, BY_NAME[name])
    if ":" in name:
        return plugins.plugged(plugins.loaded(name), name)
    if name in (TUNED, BEST):
        raise ValueError(f"strategy {name!r} depends on the list: name it with wordlist=")
    every = (*WITH_LETTERS, BEST) if game.guesses_letters else (*NAMES, TUNED, BEST)
    asked = BEST if name == SOLVED else name  # tables show a searched tree by that name
    if name.isidentifier() and Path(f"{name}.py") in Path().glob("*.py"):
        raise ValueError(f"no strategy {name!r}, but a file {name}.py: did you mean {name}:{name}?")
    raise ValueError(unknown("strategy", name, every, f"{', '.join(every)} or module:name", meaning=asked))


def check_guesses(name: str, game: Game) -> None:
    """Check that a strategy of ours guesses what a game takes: words, or letters."""
    if game.guesses_letters and name in {*NAMES, TUNED} - {*WITH_LETTERS}:
        use = ", ".join((*WITH_LETTERS, BEST))
        raise ValueError(
            f"strategy {name!r} guesses words, {game.code} takes letters: use {use} or module:name"
        )
    if not game.guesses_letters and (name in OF_LETTERS or named_rollout(name)):
        raise ValueError(
            f"strategy {name!r} guesses letters, {game.code} takes words: it is for --game hangman"
        )


def sentence(name: str) -> str:
    """Return the first line of the docstring of what makes a strategy, without backticks; "" if not ours.

    Tables show the name with its seed.
    """
    makers = {**BY_NAME, **FACTORIES, **OF_LETTERS, TUNED: _tuned, BEST: TreeReplay}
    base = (name.split() or [""])[0]
    if base not in makers:
        return ""
    return (makers[base].__doc__ or "").split("\n")[0].replace("`", "")

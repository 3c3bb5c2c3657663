"""Play a strategy against every target at once, turn by turn, and keep what it does as a decision tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from gpulingo.games.catalogue import game_of
from gpulingo.games.game import Game
from gpulingo.strategies.letters import HeldLetters, Letters, Random, Rollout
from gpulingo.strategies.plugins import Chooser, OneByOne, plugged
from gpulingo.strategies.ranking import Ranking
from gpulingo.strategies.registry import named, usual, usual_name
from gpulingo.strategies.rivals import Rival
from gpulingo.strategies.simulation import Build, Simulation, TreeReplay, stored_simulation
from gpulingo.strategies.strategy import Choice, Planner, Position, Strategy, first_letters, first_position
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device
from gpulingo.tensors.feedback import code_dtype
from gpulingo.tensors.operations import split
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.text import guess_index, guess_names
from gpulingo.trees.tree import LETTERS, Tree
from gpulingo.words.choice import words_of
from gpulingo.words.wordlist import WordList, WordListError

Report = Callable[[int, int, int], None]  # turn, pairs evaluated since the last call, most pairs of the turn
OURS = (
    Chooser,
    HeldLetters,
    Letters,
    OneByOne,
    Random,
    Ranking,
    Rival,
    Rollout,
    TreeReplay,
)  # whose choices need no check


def simulate(
    words: WordList | Sequence[str] | int,
    strategy: Strategy | Tree | Callable[[list[str], list[tuple[str, str]]], str] | str | None = None,
    game: Game | str | None = None,
    *,
    opening: str | None = None,
    device: str | torch.device = "cpu",
    report: Callable[[int, int, int], None] | None = None,
) -> Simulation:
    """Play every word of a list with a strategy.

    Args:
        words: a list; its words, of one length, in lower case, distinct; or a length. Every target is played.
        strategy: its name, an object with `choose(position)`, a function of the candidates and the history,
            whatever else `plugins.plugged` takes, or a stored tree; None: the best stored tree, or `parts`
            (`frequency` in hangman) if none is stored or an opening is given.
        game: the rules, or their name; None: those of a stored tree, otherwise lingo.
        opening: first guess instead of the strategy's own.
        device: where to search; a name as `find_device` takes it, or a torch.device.
        report: called with the turn, pairs evaluated since the last call, and the turn's most pairs.
    Raises:
        WordListError: no such list.
        ValueError: no such strategy, or a user's own failed.
        UnknownGameError: no such game.
        UnknownWordError: the opening is not in the list.
        DeviceError: no such device.

    >>> simulate(["dents", "dozes", "reads"], lambda candidates, history: candidates[0]).turns
    [1, 2, 0, 0, 0]
    """
    tree = strategy.tree if isinstance(strategy, TreeReplay) else strategy
    game = tree.game if game is None and isinstance(tree, Tree) else game_of(game)
    wordlist = words_of(words, game)
    if strategy is None:
        chosen = named(usual_name(game), game=game) if opening else usual(wordlist, game)
    else:
        chosen = as_strategy(strategy, wordlist, game)
    place = find_device(device)
    if isinstance(chosen, TreeReplay):
        return replace(stored_simulation(wordlist, chosen.tree, game, opening), device=place)
    built = build(wordlist, chosen, game, opening=opening, device=place, report=report)
    return Simulation(wordlist, built, place, chosen.name)


def as_strategy(strategy: object, wordlist: WordList, game: Game | None = None) -> Strategy:
    """Return a user's object as a strategy of a list and a game."""
    if isinstance(strategy, str):
        return named(strategy, wordlist=wordlist, game=game)
    if isinstance(strategy, Tree):
        return TreeReplay(strategy)
    if isinstance(strategy, OURS):
        return strategy
    names = (getattr(strategy, "name", None), getattr(strategy, "__name__", None))
    return plugged(strategy, next((name for name in names if isinstance(name, str)), type(strategy).__name__))


def build(
    words: WordList | Sequence[str] | int,
    strategy: Strategy,
    game: Game | str | None = None,
    *,
    opening: str | None = None,
    device: str | torch.device = "cpu",
    report: Callable[[int, int, int], None] | None = None,
) -> Build:
    """Play every word of a list with a strategy.

    Args:
        words: see `simulate`.
        strategy: chooses the guesses.
        game: the rules, or their name; lingo when not given.
        opening: first guess instead of the strategy's own.
        device: where to search; a name as `find_device` takes it, or a torch.device.
        report: see `simulate`.
    Returns:
        The tree, with arrays in numpy.
    Raises:
        WordListError: no such list.
        UnknownGameError: no such game.
        UnknownWordError: the opening is not in the list.
        DeviceError: no such device.

    >>> from gpulingo import named
    >>> build(["dents", "dozes", "reads"], named("entropy")).tree.mean_points
    433.3333333333333
    """
    game = game_of(game)
    wordlist = words_of(words, game)
    check_played(wordlist, game)
    names = guess_names(game, wordlist.words)
    first = None if opening is None else guess_index(opening, wordlist, game)
    started = clock()
    table = table_of(wordlist, game).to(find_device(device))
    if first is None and game.counts_misses and isinstance(strategy, Planner):
        tree = tree_of_letters(strategy.whole_tree(table, game), wordlist, strategy.name, game)
        seconds = clock() - started
        return Build(tree, 0, seconds, seconds)

    def choose(position: Position) -> Choice:
        if first is None or position.turn > 1:
            return _choice(strategy, position, names, _turn_progress(report, position))
        return _opened(position, first, names)

    levels = list(played(first_position(table, game), choose))
    pairs, inside = sum(level.pairs for level in levels), sum(level.seconds for level in levels)
    return Build(_tree(levels, wordlist, strategy.name, game), pairs, clock() - started, inside)


@dataclass(frozen=True)
class Level:
    """The nodes of one turn: [S] guesses, the patterns that lead to them, their parents, whether they hit.

    And the pairs that were evaluated for the guesses, and the seconds that choosing and splitting took.
    """

    guesses: Tensor
    patterns: Tensor
    parents: Tensor
    hits: Tensor
    pairs: int
    seconds: float


def played(position: Position, choose: Callable[[Position], Choice]) -> Iterator[Level]:
    """Play all rounds of a position to their end, turn by turn; each of its sets is the root of a tree.

    `choose` has legal guesses of every set of a position.
    """
    parents = torch.zeros(0, dtype=torch.int64, device=position.table.device)
    patterns = _root_patterns(position)
    while position.turns_left and position.frontier.sets:
        begun = clock()
        choice = choose(position)
        classes = split(position.table, position.frontier, choice.guesses)
        yield Level(choice.guesses, patterns, parents, classes.hits, choice.pairs, clock() - begun)
        parents, patterns = classes.parents, classes.patterns
        position = position.after(choice.guesses, classes)
        if position.lives is not None:
            going = position.goes_on()
            parents, patterns, position = parents[going], patterns[going], position.take(going)


def check_played(wordlist: WordList, game: Game) -> None:
    """Check that a game can be played with the words of a list."""
    if game.guesses_letters and wordlist.length < 2:
        raise WordListError(f"{game.code} with words of 1 letter, expected 2 or more: name another length")


def _choice(
    strategy: Strategy, position: Position, names: Sequence[str], progress: Callable[[int], None] | None
) -> Choice:
    """The strategy's choice, which the game allows; where letters are guessed an only candidate is named."""
    guesses, pairs = position.frontier.firsts.clone(), 0
    for sets, asked in position.apart():
        choice = strategy.choose(asked, progress)
        if not isinstance(choice, Choice):
            raise TypeError(f"strategy {strategy.name!r} chose a {type(choice).__name__}, expected a Choice")
        if (illegal := asked.illegal(choice.guesses)).shape[0]:
            guess = names[int(choice.guesses[illegal[0]])]
            seen = f"strategy {strategy.name!r} chose {guess} on turn {position.turn}"
            raise ValueError(
                f"{seen}, which {position.game.code} does not allow there: name another strategy"
            )
        guesses[sets] = choice.guesses
        pairs += choice.pairs
    return Choice(guesses, pairs)


def _opened(position: Position, first: int, names: Sequence[str]) -> Choice:
    """Return an opening that was asked for, which the game allows."""
    choice = Choice(torch.full_like(position.frontier.firsts, first))
    if position.frontier.below == 1 and position.game.counts_misses:
        return Choice(position.frontier.firsts)  # the only word of a list is named
    if position.illegal(choice.guesses).shape[0]:
        seen = f"opening {names[first]} is not allowed in {position.game.code} for every first letter"
        raise ValueError(f"{seen}: leave it out")
    return choice


def _root_patterns(position: Position) -> Tensor:
    """Return [S] int64: the patterns of the nodes that rounds begin with."""
    table, firsts = position.table, position.frontier.firsts
    if not position.game.given:
        return torch.full_like(firsts, -1, dtype=torch.int64)
    codes = [ord(table.alphabet[letter]) - LETTERS for letter in first_letters(table, firsts).tolist()]
    return torch.tensor(codes, dtype=torch.int64, device=table.device)


def _turn_progress(report: Report | None, position: Position) -> Callable[[int], None] | None:
    """Return a progress function that tells the report the turn and its most pairs too."""
    if report is None:
        return None
    most = position.frontier.members.shape[0] * position.table.words
    report(position.turn, 0, most)
    return lambda pairs: report(position.turn, pairs, most)


def _tree(levels: list[Level], wordlist: WordList, strategy: str, game: Game) -> Tree:
    """Join the levels: breadth-first order is the order they were made in."""
    sizes = [level.guesses.shape[0] for level in levels]
    starts = np.cumsum([0, *sizes])
    parents = [level.parents + int(start) for level, start in zip(levels[1:], starts, strict=False)]
    above = torch.cat(parents).cpu().numpy() if parents else np.zeros(0, np.int64)
    children = np.bincount(above, minlength=starts[-1])
    first = torch.from_numpy(sizes[0] + np.concatenate([[0], children.cumsum()]))
    guesses, patterns, hits = (
        torch.cat([getattr(level, name) for level in levels]) for name in ("guesses", "patterns", "hits")
    )
    return _tree_of((guesses, patterns, first, hits), wordlist, strategy, game)


def tree_of_letters(made: LetterTree, wordlist: WordList, strategy: str, game: Game) -> Tree:
    """Return a tree of letters that are guessed as the tree of a list, named for a strategy."""
    return _tree_of((made.guess, made.pattern, made.first, made.hit), wordlist, strategy, game)


def _tree_of(
    arrays: tuple[Tensor, Tensor, Tensor, Tensor], wordlist: WordList, strategy: str, game: Game
) -> Tree:
    """Return a tree of its guesses, patterns, first children and hits."""
    wide = "<i4" if code_dtype(wordlist.length) == torch.int32 else "<i8"
    kinds = ("<i4", wide, "<i4", "u1")
    rows = [array.cpu().numpy().astype(kind).data for array, kind in zip(arrays, kinds, strict=True)]
    guess, pattern, first, hit = rows
    return Tree(
        guess=guess,
        pattern=pattern,
        first=first,
        hit=hit,
        length=wordlist.length,
        words=len(wordlist),
        targets=wordlist.target_count,
        weights=wordlist.weights,
        fingerprint=wordlist.fingerprint,
        strategy=strategy,
        game=game,
    )

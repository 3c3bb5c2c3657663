"""A strategy applied: to a whole list at once, giving a decision tree, and to the history of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulingo.games.catalogue import feedback_of, game_of
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.strategies.letters import HeldLetters, LetterRollout, Letters, Random
from gpulingo.strategies.objectives import Ranking
from gpulingo.strategies.registry import Chooser, OneByOne, named, plugged, usual, usual_name
from gpulingo.strategies.simulation import Build, Simulation, TreeReplay, stored_simulation
from gpulingo.strategies.strategy import Choice, Position, Strategy, first_letters, first_position
from gpulingo.tensors.arrays import CPU, Tensor, array_of, like, namespace
from gpulingo.tensors.checks import code_type
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device
from gpulingo.tensors.feedback import feedback_of as table_feedback
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import split
from gpulingo.tensors.outcomes import LetterTree, Split
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.trees.checkpoint import kinds
from gpulingo.trees.text import fixed_guesses, guess_index, guess_names
from gpulingo.trees.tree import LETTERS, Tree
from gpulingo.words.shown import brief
from gpulingo.words.targets import words_of
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    import torch

# Their choices need no check.
OURS = (Chooser, HeldLetters, Letters, OneByOne, Random, Ranking, LetterRollout, TreeReplay)


def simulate(
    words: WordList | Sequence[str] | int,
    strategy: Strategy | Tree | Callable[[list[str], list[tuple[str, str]]], str] | str | None = None,
    game: Game | str | None = None,
    *,
    opening: str | Sequence[str] | None = None,
    device: str | torch.device = "cpu",
    report: Callable[[int, int, int], None] | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Simulation:
    """Play every word of a list with a strategy.

    Args:
        words: a list; its words, of one length, in lower case, distinct; or a length. Every target is played.
        strategy: its name, an object with `choose(position)`, a function of the candidates and the history,
            anything else that `registry.plugged` takes, or a stored tree; None: the best stored tree, or
            `parts` (`frequency` in hangman) if none is stored or an opening is given.
        game: the rules, or their name; None: those of a stored tree, otherwise lingo.
        opening: first guess instead of the strategy's own; or several, made in this order whatever the marks.
        device: where to search; a name as for `find_device`, or a torch.device.
        report: called with the turn, pairs evaluated since the last call, and the turn's most pairs.
        progress: called often with the share done, 0 to 1, and a text such as `turn 2`, instead of `report`;
            an error it raises ends the work. A stored tree calls neither.
    Raises:
        WordListError, UnknownGameError, DeviceError: no such list, game or device.
        ValueError: no such strategy, or a user's strategy failed; openings that `fixed_guesses` refuses.
        UnknownWordError: the opening is not in the list.

    >>> simulate(["dents", "dozes", "reads"], lambda candidates, history: candidates[0]).turns
    [1, 2, 0, 0, 0]
    """
    tree = strategy.tree if isinstance(strategy, TreeReplay) else strategy
    game = tree.game if game is None and isinstance(tree, Tree) else game_of(game)
    wordlist = words_of(words, game)
    opened = strategy is None and bool(opening)
    chosen = chosen_strategy(usual_name(game) if opened else strategy, wordlist, game)
    place = find_device(device)
    if isinstance(chosen, TreeReplay):
        return replace(stored_simulation(wordlist, chosen.tree, game, opening), device=place)
    report = _shares(progress) if progress else report
    built = build(wordlist, chosen, game, opening=opening, device=place, report=report)
    return Simulation(wordlist, built, place, chosen.name)


def _shares(progress: Callable[[float, str], None]) -> Callable[[int, int, int], None]:
    """Return the `report` that calls `progress`, for which see `simulate`."""
    pairs = Counter[int]()

    def report(turn: int, more: int, most: int) -> None:
        pairs[turn] += more
        # A turn usually takes half as long as the one before, because fewer words are left.
        share = 1 - 0.5 ** (turn - 1) * (1 - 0.5 * min(1.0, pairs[turn] / max(1, most)))
        progress(share, f"turn {turn}")

    return report


def chosen_strategy(strategy: Any, wordlist: WordList, game: Game) -> Strategy:
    """Return the strategy for a name, or for anything else that `simulate` takes."""
    if strategy is None:
        return usual(wordlist, game)
    if isinstance(strategy, str):
        return named(strategy, wordlist=wordlist, game=game)
    if isinstance(strategy, Tree):
        return TreeReplay(strategy)
    if isinstance(strategy, OURS):
        return strategy
    names = (getattr(strategy, "name", None), getattr(strategy, "__name__", None), type(strategy).__name__)
    return plugged(strategy, next(name for name in names if isinstance(name, str)))


def build(
    words: WordList | Sequence[str] | int,
    strategy: Strategy,
    game: Game | str | None = None,
    *,
    opening: str | Sequence[str] | None = None,
    device: str | torch.device = "cpu",
    report: Callable[[int, int, int], None] | None = None,
) -> Build:
    """Play every word of a list with a strategy.

    Args:
        strategy: chooses the guesses.
        game: the rules, or their name; None: lingo.
        words, opening, device, report, errors: see `simulate`.
    Returns:
        The tree, with arrays in numpy.

    >>> from gpulingo import named
    >>> build(["dents", "dozes", "reads"], named("entropy")).tree.mean_points
    433.3333333333333
    """
    game = game_of(game)
    wordlist = words_of(words, game)
    names = guess_names(game, wordlist.words)
    fixed = fixed_guesses([opening] if isinstance(opening, str) else opening or (), wordlist, game)
    started = clock()
    table = _table_for(strategy, wordlist, game, device)
    if not fixed and game.counts_misses and isinstance(strategy, HeldLetters | LetterRollout):
        tree = tree_of_letters(strategy.whole_tree(table, game), wordlist, strategy.name, game)
        seconds = clock() - started
        return Build(tree, 0, seconds, seconds)

    def choose(position: Position) -> Choice:
        if position.turn <= len(fixed):
            return _opened(position, fixed[position.turn - 1], names)
        if report is None:
            return chosen_guesses(strategy, position, names, None)
        most = position.frontier.members.shape[0] * table.words
        report(position.turn, 0, most)
        return chosen_guesses(strategy, position, names, lambda pairs: report(position.turn, pairs, most))

    levels = list(played(first_position(table, game), choose))
    pairs, inside = sum(level.pairs for level in levels), sum(level.seconds for level in levels)
    tree, several = _tree(levels, wordlist, strategy.name, game), fixed if len(fixed) > 1 else ()
    return Build(tree, pairs, clock() - started, inside, fixed=tuple(names[guess] for guess in several))


def _table_for(strategy: Strategy, words: WordList, game: Game, device: str | torch.device) -> WordTable:
    """Return the table of a list for a strategy; a user's `choose(position)` gets tensors on the CPU too."""
    place = find_device(device)
    theirs = isinstance(strategy, Chooser) or not type(strategy).__module__.startswith("gpulingo.")
    if place == CPU and theirs:
        import torch

        place = torch.device(CPU)
    return table_of(words, game).to(place)


@dataclass(frozen=True)
class Level:
    """The nodes of one turn, each tensor [S]."""

    guesses: Tensor
    patterns: Tensor  # patterns that lead to them
    parents: Tensor
    hits: Tensor
    pairs: int  # evaluated for the guesses
    seconds: float  # of choosing and splitting


def played(position: Position, choose: Callable[[Position], Choice]) -> Iterator[Level]:
    """Play all rounds of a position to their end, turn by turn; each of its sets is the root of a tree.

    `choose` returns legal guesses for every set of a position.
    """
    table, firsts = position.table, position.frontier.firsts
    xp = namespace(firsts)
    parents = xp.zeros(0, dtype=xp.int64, device=table.device)
    patterns = xp.full_like(firsts, -1, dtype=xp.int64)  # of the nodes that rounds begin with
    if position.game.given:
        letters = first_letters(table, firsts).tolist()
        patterns = like(np.array([ord(table.alphabet[letter]) - LETTERS for letter in letters]), firsts)
    while position.turns_left and position.frontier.sets:
        begun = clock()
        choice = choose(position)
        classes = split(position.table, position.frontier, choice.guesses)
        yield Level(choice.guesses, patterns, parents, classes.hits, choice.pairs, clock() - begun)
        parents, patterns = classes.parents, classes.patterns
        position = position.after(choice.guesses, classes)
        if position.lives is not None:
            going = xp.nonzero(position.lives)[0]
            parents, patterns, position = parents[going], patterns[going], position.take(going)


def chosen_guesses(
    strategy: Strategy, position: Position, names: Sequence[str], progress: Progress | None = None
) -> Choice:
    """Return the strategy's choice, checked to be legal; with letters, a single candidate is named."""
    firsts = position.frontier.firsts
    guesses, pairs = namespace(firsts).asarray(firsts, copy=True), 0
    for sets, part in position.apart():
        choice = strategy.choose(part, progress)
        if not isinstance(choice, Choice):
            raise TypeError(f"strategy {strategy.name!r} chose a {type(choice).__name__}, expected a Choice")
        if (illegal := part.illegal(choice.guesses)).shape[0]:
            guess, code = names[int(choice.guesses[illegal[0]])], position.game.code
            fault = f"strategy {strategy.name!r} chose {guess} on turn {position.turn}"
            raise ValueError(f"{fault}, which {code} does not allow there: name another strategy")
        guesses[sets] = choice.guesses
        pairs += choice.pairs
    return Choice(guesses, pairs)


def _opened(position: Position, first: int, names: Sequence[str]) -> Choice:
    """Return a requested opening, checked to be legal."""
    firsts = position.frontier.firsts
    choice = Choice(namespace(firsts).full_like(firsts, first))
    if position.frontier.below == 1 and position.game.counts_misses:
        return Choice(firsts)  # the only word of a list is guessed itself
    if position.illegal(choice.guesses).shape[0]:
        fault = f"opening {names[first]} is not allowed in {position.game.code}"
        raise ValueError(f"{fault}: leave it out")
    return choice


def _tree(levels: list[Level], wordlist: WordList, strategy: str, game: Game) -> Tree:
    """Join the levels: breadth-first order is the order in which they were made."""
    sizes = [level.guesses.shape[0] for level in levels]
    starts = np.cumsum([0, *sizes])
    parents = [level.parents + int(start) for level, start in zip(levels[1:], starts, strict=False)]
    xp = namespace(levels[0].guesses)
    above = array_of(xp.concat(parents)) if parents else np.zeros(0, np.int64)
    children = np.bincount(above, minlength=starts[-1])
    first = sizes[0] + np.concatenate([[0], children.cumsum()])
    rows = ([getattr(level, name) for level in levels] for name in ("guesses", "patterns", "hits"))
    guesses, patterns, hits = map(xp.concat, rows)
    return tree_of_letters(LetterTree(guesses, patterns, first, hits), wordlist, strategy, game)


def tree_of_letters(made: LetterTree, wordlist: WordList, strategy: str, game: Game) -> Tree:
    """Return the arrays of a tree, from any device, as the tree of a list, with a strategy's name."""
    arrays: dict[str, Any] = {
        name: array_of(getattr(made, name)).astype(f"<{kind}").data
        for name, kind in kinds(wordlist.length).items()
    }
    return Tree(
        **arrays,
        length=wordlist.length, words=len(wordlist), targets=wordlist.target_count,
        weights=wordlist.weights, fingerprint=wordlist.fingerprint, strategy=strategy, game=game,
    )  # fmt: skip


def position_after(
    history: Sequence[tuple[str, str]],
    words: WordList | Sequence[str] | int,
    game: Game | str | None = None,
    table: WordTable | None = None,
    *,
    letter: str = "",
) -> Position:
    """Return the position after guesses and their marks: the targets that fit all of them, as one set.

    Args:
        history: (guess, marks) of every turn so far; there may be more than the game has turns.
        words: list of the guesses: a list; its words, of one length, in lower case, distinct; or a length.
        game: the rules, or their name; None: lingo.
        table: of the list, with its targets and legal guesses, on the device to search on; None: a new one.
        letter: first letter of the target, in games that give it; otherwise empty.
    Raises:
        ValueError: marks of another length or with other characters, or a guess that the game does not allow
            after those before it.
        ContradictionError: no word fits the marks, or begins with the letter.
        UnknownWordError: a guess of the history is not in the list, or not one of its letters.

    >>> position_after([("dozes", "OXX?O")], ["dents", "dozes", "reads"]).frontier.members.tolist()
    [0]
    """
    game = game_of(game)
    wordlist = words_of(words, game)
    table = table or table_of(wordlist, game)
    rule, feedback, left = feedback_of(game), table_feedback(table), game.turns
    position, xp = first_position(table, game), namespace(table.letters)
    if game.given:
        firsts = first_letters(table, position.frontier.firsts)
        letters = [table.alphabet[number] for number in firsts.tolist()]
        if letter not in letters:
            fault = f"no target begins with the letter {letter!r} that is given"
            raise ContradictionError(f"{fault}: use another")
        position = position.take(like(np.array([letters.index(letter)]), table.letters))
    elif letter:
        raise ValueError(f"letter {letter!r} is given in {game.code}, expected none: leave it out")
    for guess, marks in history:
        if wrong := rule.fault(marks, wordlist.length):
            raise ValueError(wrong)
        index, pattern = guess_index(guess, wordlist, game), rule.pattern(marks)
        left = game.left_after(left, pattern)
        members, allowed = position.frontier.members, position.allowed
        members = members[feedback.paired(table, xp.full_like(members, index), members) == pattern]
        if members.shape[0] == 0:
            raise ContradictionError(f"no word fits the marks {marks} of {guess} and those before it")
        if allowed is not None and position.turn >= game.since and not bool((allowed.members == index).any()):
            fault = f"{guess} is not allowed in {game.code} after the guesses before it"
            raise ValueError(f"{fault}: use another history")
        numbers = (index, np.int32), (0, np.int64), (pattern, code_type(table.length))
        row, parents, patterns = (like(np.array([number], of), table.letters) for number, of in numbers)
        solved = allowed is not None and pattern == feedback.solved(table.length)
        if solved:
            position = replace(position, pool=table.pool, hinted=None)
        position = position.after(row, Split(frontier([members]), parents, patterns, hits=parents > 0))
        if solved:  # all hints allow only the word itself
            position = position.allowing(frontier([row]))
    return replace(position, turns_left=max(1, left), lives=None)


class Searcher:
    """Chooses the next guess of a round: the player's search when no checkpoint fits.

    Args:
        words: see `position_after`.
        device: auto, cpu, cuda or cuda:1.
        strategy: chooses the guesses; None: `parts`.
        game: the rules, or their name; None: lingo.
        letter: first letter of the target, in games that give it.
    Raises:
        DeviceError: no such device.

    >>> Searcher(["dents", "dozes", "reads"], "cpu").guess([("dozes", "OXX?O")])
    'dents'
    """

    def __init__(
        self,
        words: WordList | Sequence[str] | int,
        device: str = "auto",
        strategy: Strategy | None = None,
        game: Game | str | None = None,
        letter: str = "",
    ) -> None:
        self.game, self.letter = game_of(game), letter
        self.wordlist = words_of(words, self.game)
        self.strategy = strategy or named("parts")
        self.table = _table_for(self.strategy, self.wordlist, self.game, device)

    def __repr__(self) -> str:
        size = f"{len(self.wordlist):,} words of {self.wordlist.length} letters"
        return brief("Searcher", f"{self.game.code}, {self.strategy.name}, {size}, {self.table.device}")

    def guess(self, history: Sequence[tuple[str, str]]) -> str:
        """Return the next guess after a history of guesses and marks; for errors see `position_after`."""
        position = position_after(history, self.wordlist, self.game, self.table, letter=self.letter)
        if self.game.counts_misses and position.frontier.members.shape[0] == 1:
            return self.wordlist[int(position.frontier.members[0])]
        return guess_names(self.game, self.wordlist.words)[int(self.strategy.choose(position).guesses[0])]

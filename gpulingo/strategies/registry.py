"""Strategies by name, and a user's: a choice, a function for one set, or a table of sizes.

An error of a user's code, even an exit, is reported in one line; its output goes to stderr.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from gpulingo.games.catalogue import ONE_STEP, feedback_of, game_of, plain_name
from gpulingo.games.game import Game
from gpulingo.player.question import NAMES, OF_LETTERS, SOLVED, TUNED, WITH_LETTERS
from gpulingo.storage.faults import FOR_HANGMAN, Complain, Fault, unknown, warned
from gpulingo.strategies.letters import VALUES, HeldLetters, LetterRollout, Letters, Random, named_rollout
from gpulingo.strategies.objectives import BY_NAME, MOST_SUM, ObjectiveOf, Ranking, parts_by_size
from gpulingo.strategies.simulation import TreeReplay
from gpulingo.strategies.strategy import Choice, Position, Strategy
from gpulingo.strategies.tuned import get_tuned, tuned_name, untuned
from gpulingo.tensors.arrays import array_of, is_array, like
from gpulingo.tensors.checks import type_of
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.objective import RISING, Objective, Progress, classes
from gpulingo.tensors.wordtable import WordTable, cached_by_table
from gpulingo.trees.checkpoint import BEST
from gpulingo.trees.stored import none_stored, stored_trees
from gpulingo.words.listing import WordList

WHOLE_NUMBERS = "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32"
EXPECTED = "expected a table of sizes, choose(position), or (candidates, history) -> word"


def _tuned(wordlist: WordList, game: Game, report: Complain) -> Strategy:
    """The rule of `points`, with values that `gpulingo tune` fitted to the list."""
    tuned = get_tuned(wordlist, turns=game.turns, report=report)
    if tuned is None:
        name = tuned_name(wordlist.length, wordlist.fingerprint, game.turns)
        raise untuned(f"no tuned values for {wordlist.source} ({name})", wordlist, game.turns)
    return tuned.strategy(opening=not game.given)


def _title(name: str, seed: int) -> str:
    """Return the name of a strategy that draws, with its seed unless it is the default."""
    return name + f" seed {seed}" * (seed != 0)


# Description for tables, and maker from a seed. Strategies based on letters, or on nothing, guess
# candidates; the last three guess letters.
FACTORIES: dict[str, tuple[str, Callable[[int], Strategy]]] = {
    "plain_parts": (
        "The most classes, whether the guess is a candidate or not.",
        lambda _: Ranking("plain_parts", lambda largest, left, payoff=(): classes(largest, 0), exact=False),
    ),
    "histogram": (
        "The candidate whose distinct letters have most copies among the candidates; ties by lot.",
        lambda seed: Letters(_title("histogram", seed), VALUES["histogram"], Draw(seed)),
    ),
    "statistician": (
        "The candidate with most of what histogram sums, times its number of distinct letters.",
        lambda _: Letters("statistician", VALUES["statistician"]),
    ),
    "distinct": (
        "The candidate with most distinct letters.",
        lambda _: Letters("distinct", VALUES["distinct"]),
    ),
    "letters": (
        "The candidate whose distinct letters most candidates hold.",
        lambda _: Letters("letters", VALUES["letters"]),
    ),
    "random": (
        "Any candidate, each as likely.",
        lambda seed: Random(Draw(seed), _title("random", seed)),
    ),
    "quiz": (  # of the quiz's guesser
        "The letter whose squared number of copies, summed over the candidates, is greatest.",
        lambda _: HeldLetters("quiz", lambda copies: copies**2, by_list=True),
    ),
    "frequency": (
        "The letter that most candidates hold.",
        lambda _: HeldLetters("frequency", lambda copies: copies.clip(max=1)),
    ),
    "rollout": (
        "The letter of most value, where letters so far ahead are compared and the rest is rolled out.",
        lambda _: LetterRollout(),
    ),
}  # fmt: skip
EXAMPLES = ("edc65", "confusion", "confusion_full")  # in examples/rivals.py


def _best(wordlist: WordList, game: Game, report: Complain) -> Strategy:
    trees, faults = stored_trees(wordlist, game)
    if not trees:
        raise none_stored(wordlist, game, faults)
    path, tree = next(iter(trees.items()))
    for fault in faults:
        report(Fault(fault, f"{path} is used instead"))
    return TreeReplay(tree)


def usual_name(game: Game) -> str:
    """Return the strategy of a game if none is named and no tree is stored."""
    return "frequency" if game.counts_misses else ONE_STEP.get(plain_name(game.name), "parts")


def follower(game: Game, weighed: bool) -> Strategy:
    """Return the strategy that follows a guess in rollouts, in games of codes with a rule for ties.

    The embedded pages roll out marks by `parts` as it is.
    """
    name = usual_name(game)
    tied = name == "parts" and not game.shows_marks and not weighed
    return Ranking(name, parts_by_size) if tied else named(name, game=game)


def usual(wordlist: WordList, game: Game) -> Strategy:
    """Return the best tree stored for a list and a game, or the strategy of `usual_name`."""
    try:
        return _best(wordlist, game, warned)
    except ValueError:
        return named(usual_name(game), game=game)


def named(
    name: str,
    *,
    seed: int = 0,
    wordlist: WordList | None = None,
    game: Game | str | None = None,
    report: Callable[[Any], object] = warned,
) -> Strategy:
    """Return the strategy of that name.

    Args:
        name: one of NAMES, `tuned`, `best`, or `module:name` for a user's strategy; where letters are
            guessed one of `WITH_LETTERS`, `best` or a user's.
        seed: of the strategies that draw at random.
        wordlist: the list to play; `tuned` and `best` need it.
        game: the rules, or their name; None: lingo.
        report: receives a fault of each damaged file of the list, if another is used.
    Raises:
        ValueError: no strategy has the name, or it cannot be loaded.

    >>> named("random", seed=7).name
    'random seed 7'
    """
    game = game_of(game)
    check_guesses(name, game)
    if name in FACTORIES:
        return FACTORIES[name][1](seed)
    if rollout := named_rollout(name):
        return rollout
    if name in (TUNED, BEST):
        if wordlist is None:
            raise ValueError(f"strategy {name!r} depends on the list: name it with wordlist=")
        return (_tuned if name == TUNED else _best)(wordlist, game, report)
    if name in BY_NAME:
        return Ranking(name, BY_NAME[name])
    if ":" in name:
        return plugged(loaded(name), name)
    every = (*WITH_LETTERS, BEST) if game.guesses_letters else (*NAMES, TUNED, BEST)
    meaning = BEST if name == SOLVED else name  # tables show a searched tree by this name
    module, fault = name.removesuffix(".py"), f"strategy {name!r} is in a file: use examples/rivals.py:{name}"
    if name not in EXAMPLES:
        fault = unknown("strategy", name, every, f"{', '.join(every)} or module:name", meaning=meaning)
        if module.isidentifier() and Path(f"{module}.py") in Path().glob("*.py"):
            fault = f"no strategy {name!r}, but a file {module}.py: did you mean {module}:{module}?"
    raise ValueError(fault)


def check_guesses(name: str, game: Game) -> None:
    """Check that a strategy of this package guesses what the game takes: words, or letters."""
    if game.guesses_letters:
        wrong, theirs, takes = name in {*NAMES, TUNED} - {*WITH_LETTERS}, "words", "letters"
        remedy = f"use {', '.join((*WITH_LETTERS, BEST))} or module:name"
    else:
        wrong, theirs, takes = bool(name in OF_LETTERS or named_rollout(name)), "letters", "words"
        remedy = FOR_HANGMAN
    if wrong:
        raise Fault(f"strategy {name!r} guesses {theirs}, {game.code} takes {takes}", remedy)


def sentence(name: str) -> str:
    """Return the first line of the docstring of a strategy's maker, without backticks; "" for a user's.

    Tables show the name with its seed.
    """
    base = (name.split() or [""])[0]
    if base in EXAMPLES:
        return "A program of the Lingo pit, in examples/rivals.py."
    if base in FACTORIES:
        return FACTORIES[base][0]
    makers = {**BY_NAME, TUNED: _tuned, BEST: TreeReplay}
    text = makers[base].__doc__ if base in makers else None
    return (text or "").split("\n")[0].replace("`", "")


def loaded(name: str) -> Any:
    """Load what a user named `module:name`, also of the current folder, or `FILE.py:name`."""
    module, _, attribute = name.rpartition(":")
    path, is_file = Path(module), module.endswith(".py")
    if (folder := str(path.resolve().parent if is_file else Path.cwd())) not in sys.path:
        sys.path.insert(0 if is_file else len(sys.path), folder)
    with _users_code(f"cannot load strategy {name!r}", "name it module:name or FILE.py:name"):
        importlib.invalidate_caches()  # the file may be newer than the cached content of its folder
        return getattr(importlib.import_module(path.stem if is_file else module), attribute)


def plugged(thing: Any, name: str) -> Strategy:
    """Return a user's object or function as a strategy.

    Args:
        thing: an object with a method `choose`, or a class of such objects; a function of one argument
            `position`; a function of two, the candidates and the history; or a function of class sizes.
    """
    if isinstance(thing, type):
        with _users_code(f"cannot make strategy {name!r}", "let it be made without arguments"):
            thing = thing()
    choose = getattr(thing, "choose", None)
    if callable(choose):
        return Chooser(name, choose)
    if not callable(thing):
        raise ValueError(f"strategy {name!r} is of type {type(thing).__name__}, {EXPECTED}")
    required = [argument for argument, needed in _arguments(thing).items() if needed]
    if required[:1] == ["position"]:
        return Chooser(name, thing)
    if len(required) > 1:
        return OneByOne(name, thing)
    return Ranking(name, sized_objective(thing, name))


def _arguments(function: Callable[..., Any]) -> dict[str, bool]:
    """Return argument -> whether it is required by its place; none if the signature is unknown."""
    try:
        arguments = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {
        of.name: of.kind <= of.POSITIONAL_OR_KEYWORD and (of.default is of.empty or of.name == "history")
        for of in arguments
    }


@dataclass(frozen=True)
class Chooser:
    """A user's `choose(position)`, with checked results: a Choice or its [S] guesses.

    It also gets `progress` if it has an argument of that name.
    """

    name: str
    function: Callable[..., Any]

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        with _users_code(f"strategy {self.name!r} failed on turn {position.turn}", "mend it"):
            more = {"progress": progress} if "progress" in _arguments(self.function) else {}
            answer = self.function(position, **more)
        guesses = answer.guesses if isinstance(answer, Choice) else answer
        sets, table = position.frontier.sets, position.table
        least = 0 if not position.game.counts_misses else table.words  # letters are numbered after the words
        kinds = f"{table.words} words" if not least else f"letters, {least} to {table.guesses - 1}"
        expected = f"expected a Choice or [{sets}] indices of {kinds}"
        what = f"a {type(answer).__name__}"
        if is_array(guesses) and type_of(guesses) in WHOLE_NUMBERS:
            # Not in a narrow type: torch would take table.guesses modulo 256.
            chosen = array_of(guesses).astype(np.int64)
            fits = chosen.shape == (sets,) and ((least <= chosen) & (chosen < table.guesses)).all()
            what = "" if fits else f"{[*chosen.shape]} indices, {chosen.reshape(-1)[:5].tolist()}"
        if what:
            raise ValueError(f"strategy {self.name!r} chose {what}, {expected}")
        pairs = answer.pairs if isinstance(answer, Choice) else 0
        return Choice(like(chosen.astype(np.int32), table.letters), pairs)


@dataclass(frozen=True)
class OneByOne:
    """A user's function that returns a guess for one set of candidates, called once for every set.

    It gets the words still possible, in list order, and (guess, marks) of every turn so far.
    """

    name: str
    function: Callable[[list[str], list[tuple[str, str]]], Any]

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        words, numbers = _guess_texts(position.table)
        kind = "a word" if not position.game.guesses_letters else "a letter"
        history = position.history
        if history is None and position.turn > 1:
            raise ValueError(f"strategy {self.name!r} asks for the history, which this position has not")
        members, ends = position.frontier.members.tolist(), position.frontier.offsets.tolist()
        marks_of = partial(feedback_of(position.game).marks, length=position.table.length)
        none: list[list[int]] = [[] for _ in ends[1:]]
        past = (history.guesses.tolist(), history.patterns.tolist()) if history else (none, none)
        guesses = []
        for (start, end), *rows in zip(pairwise(ends), *past, strict=True):
            if progress:
                progress(0)
            known = [(words[guess], marks_of(pattern)) for guess, pattern in zip(*rows, strict=True)]
            candidates = [words[member] for member in members[start:end]]
            after = f"after {' '.join(' '.join(turn) for turn in known)}" if known else "on turn 1"
            with _users_code(f"strategy {self.name!r} failed {after}", "mend it"):
                answer = self.function(candidates, known)
            if not isinstance(answer, str) or answer not in numbers:
                what = repr(answer)[:40] if isinstance(answer, str) else f"a {type(answer).__name__}"
                raise ValueError(f"strategy {self.name!r} gave {what} {after}, expected {kind} of the list")
            guesses.append(numbers[answer])
        return Choice(like(np.array(guesses, np.int32), position.table.letters))


@cached_by_table
def _guess_texts(table: WordTable) -> tuple[list[str], dict[str, int]]:
    """Return all guesses as text, and the index of each legal one."""
    words = ["".join(table.alphabet[letter] for letter in row) for row in table.letters.tolist()]
    words += table.alphabet if table.guesses > table.words else ""
    return words, {words[number]: number for number in table.pool.tolist()}


def sized_objective(function: Callable[[Any], Any], name: str) -> ObjectiveOf:
    """Return a user's table of class sizes as an objective.

    The function gets the class sizes 0, 1, .. n as an int64 tensor and returns the value of a class of each
    size: n + 1 whole numbers, the first of them 0. Guesses are ranked by the sum over their classes.
    """

    import torch

    def objective(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
        with _users_code(f"strategy {name!r} failed on sizes 0..{largest}", "mend it"):
            returned = function(torch.arange(largest + 1))
        entries, expected = largest + 1, f"expected {largest + 1} whole numbers, the first 0"
        try:
            table = torch.as_tensor(returned).cpu()
        except Exception as error:  # an object of any kind, whose methods may raise anything
            raise ValueError(f"strategy {name!r} returned {type(returned).__name__}, {expected}") from error
        if type_of(table) not in WHOLE_NUMBERS or table.layout != torch.strided:
            what, remedy = f"{table.dtype}", ": scale and round it"
        elif table.shape != (entries,) or table[0] != 0:
            what, remedy = f"{list(table.shape)}, first {table.reshape(-1)[:1].tolist()}", ""
        else:
            made = Objective(table.numpy().astype(np.int64))
            if made.most_a_word(largest) * entries <= MOST_SUM:
                return made
            what, remedy = "numbers whose sums exceed 61 bits", ": use a smaller scale"
        raise ValueError(f"strategy {name!r} returned {what}, {expected}{remedy}")

    try:
        objective(2, 2)  # so that a wrong function is reported before the work starts
    except ValueError as error:
        raise ValueError(f"{error}; or let it take two arguments, (candidates, history) -> word") from error
    return objective


@contextmanager
def _users_code(failed: str, remedy: str) -> Iterator[None]:
    """Report every error of the user's code, even an exit, in one line; its output goes to stderr."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (KeyboardInterrupt, TimeIsUp):  # raised by a progress function
        raise
    except BaseException as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise ValueError(f"{failed} ({reason}): {remedy}") from error

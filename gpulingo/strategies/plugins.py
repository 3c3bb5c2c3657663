"""A user's own strategies, distinguished by kind: a choice, a function for one set, a table of sizes.

An error of their code, even an exit, is reported in one line; what they print goes to stderr.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from gpulingo.games.catalogue import feedback_of
from gpulingo.strategies.objectives import MOST_SUM, RISING, ObjectiveOf
from gpulingo.strategies.ranking import Ranking
from gpulingo.strategies.strategy import Choice, History, Position, Strategy
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.wordtable import WordTable

WHOLE_NUMBERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.uint16, torch.uint32)
EXPECTED = "expected a table of sizes, choose(position), or (candidates, history) -> word"


def loaded(name: str) -> Any:
    """Load what a user named `module:name`; the module is also looked for in the current folder.

    Raises:
        ValueError: there is no such thing, or its module fails.
    """
    module_name, _, attribute = name.partition(":")
    if (folder := str(Path.cwd())) not in sys.path:
        sys.path.append(folder)
    with _users_code(f"cannot load strategy {name!r}", "name it module:name"):
        importlib.invalidate_caches()  # the file may be younger than what is known of its folder
        return getattr(importlib.import_module(module_name), attribute)


def plugged(thing: Any, name: str) -> Strategy:
    """Return a user's object or function as a strategy.

    Args:
        thing: with a method `choose`, or a class that makes such objects; a function of one argument
            `position`; a function of two, the candidates and the history; or a function of class sizes.
    Raises:
        ValueError: the thing has another form, or is a table that is wrong for sizes 0, 1, 2.
    """
    if isinstance(thing, type):
        with _users_code(f"cannot make strategy {name!r}", "let it be made without arguments"):
            thing = thing()
    choose = getattr(thing, "choose", None)
    if callable(choose):
        return Chooser(name, choose)
    if not callable(thing):
        raise ValueError(f"strategy {name!r} is of type {type(thing).__name__}, {EXPECTED}")
    arguments = _arguments(thing)
    if arguments[:1] == ["position"]:
        return Chooser(name, thing)
    if len(arguments) > 1:
        return OneByOne(name, thing)
    return Ranking(name, sized_objective(thing, name))


def _arguments(function: Callable[..., Any]) -> list[str]:
    """Names of the arguments that a function must be given; of one that does not tell, none."""
    try:
        arguments = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    placed = [argument for argument in arguments if argument.kind <= argument.POSITIONAL_OR_KEYWORD]
    needed = (argument.default is argument.empty or argument.name == "history" for argument in placed)
    return [argument.name for argument, needs in zip(placed, needed, strict=True) if needs]


def _takes_progress(function: Callable[..., Any]) -> bool:
    """Return True if a function has an argument `progress`."""
    try:
        return "progress" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


@dataclass(frozen=True)
class Chooser:
    """A user's `choose(position)`, whose answers are checked: a Choice or its [S] guesses.

    It gets `progress` too if it has an argument of that name.
    """

    name: str
    function: Callable[..., Any]

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        with _users_code(f"strategy {self.name!r} failed on turn {position.turn}", "mend it"):
            more = {"progress": progress} if _takes_progress(self.function) else {}
            answer = self.function(position, **more)
        guesses = answer.guesses if isinstance(answer, Choice) else answer
        sets, table = position.frontier.sets, position.table
        least = 0 if not position.game.counts_misses else table.words  # letters stand behind the words
        kinds = f"{table.words} words" if not least else f"letters, {least} to {table.guesses - 1}"
        expected = f"expected a Choice or [{sets}] indices of {kinds}"
        if not isinstance(guesses, torch.Tensor) or guesses.dtype not in WHOLE_NUMBERS:
            raise ValueError(f"strategy {self.name!r} chose a {type(answer).__name__}, {expected}")
        outside = list(guesses.shape) != [sets] or bool(
            ((guesses < least) | (guesses >= table.guesses)).any()
        )
        if outside:
            seen = f"{list(guesses.shape)} indices, {guesses.flatten()[:5].tolist()}"
            raise ValueError(f"strategy {self.name!r} chose {seen}, {expected}")
        pairs = answer.pairs if isinstance(answer, Choice) else 0
        return Choice(guesses.to(table.device, torch.int32), pairs)


@dataclass(frozen=True)
class OneByOne:
    """A user's function that gives a guess for one set of candidates, called once for every set.

    It gets the words still possible, in list order, and (guess, marks) of every turn so far.
    """

    name: str
    function: Callable[[list[str], list[tuple[str, str]]], Any]
    _texts: dict[WordTable, tuple[list[str], dict[str, int]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets, one after the other."""
        words, numbers = self._words(position.table)
        kind = "a word" if not position.game.guesses_letters else "a letter"
        history = position.history
        if history is None and position.turn > 1:
            raise ValueError(f"strategy {self.name!r} asks for the history, which this position has not")
        members, ends = position.frontier.members.tolist(), position.frontier.offsets.tolist()
        told = partial(feedback_of(position.game).marks, length=position.table.length)
        histories = _histories(words, history, told) if history else ([] for _ in ends[1:])
        guesses = []
        for (start, end), known in zip(pairwise(ends), histories, strict=True):
            if progress:
                progress(0)
            candidates = [words[member] for member in members[start:end]]
            after = f"after {' '.join(' '.join(turn) for turn in known)}" if known else "on turn 1"
            with _users_code(f"strategy {self.name!r} failed {after}", "mend it"):
                answer = self.function(candidates, known)
            if not isinstance(answer, str) or answer not in numbers:
                seen = repr(answer)[:40] if isinstance(answer, str) else f"a {type(answer).__name__}"
                raise ValueError(f"strategy {self.name!r} gave {seen} {after}, expected {kind} of the list")
            guesses.append(numbers[answer])
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=position.table.device))

    def _words(self, table: WordTable) -> tuple[list[str], dict[str, int]]:
        """All guesses as text, and the index of each that may be made."""
        if table not in self._texts:
            words = ["".join(table.alphabet[letter] for letter in row) for row in table.letters.tolist()]
            words += table.alphabet if table.guesses > table.words else ""
            self._texts.clear()
            self._texts[table] = words, {words[number]: number for number in table.pool.tolist()}
        return self._texts[table]


def _histories(
    words: Sequence[str], history: History, told: Callable[[int], str]
) -> Iterator[list[tuple[str, str]]]:
    """(guess, marks) of every turn so far, for each set."""
    for guesses, patterns in zip(history.guesses.tolist(), history.patterns.tolist(), strict=True):
        turns = zip(guesses, patterns, strict=True)
        yield [(words[guess], told(pattern)) for guess, pattern in turns]


def sized_objective(function: Callable[[torch.Tensor], Any], name: str) -> ObjectiveOf:
    """Return a user's table of class sizes as an objective.

    The function gets the class sizes 0, 1, .. n as an int64 tensor and returns the value of a class of each
    size: n + 1 whole numbers, the first of them 0. Guesses are ranked by the sum over their classes.

    Raises:
        ValueError: the function returns no such table; also when the objective is called.
    """

    def objective(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
        with _users_code(f"strategy {name!r} failed on sizes 0..{largest}", "mend it"):
            returned = function(torch.arange(largest + 1))
        return Objective(_checked_table(name, returned, largest + 1))

    try:
        objective(2, 2)  # so that a wrong function is told before the work starts
    except ValueError as error:
        raise ValueError(f"{error}; or let it take two arguments, (candidates, history) -> word") from error
    return objective


@contextmanager
def _users_code(failed: str, remedy: str) -> Iterator[None]:
    """Report every error of the user's code, even an exit, in one line; its prints go to stderr."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (KeyboardInterrupt, TimeIsUp):  # which a progress function raises
        raise
    except BaseException as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise ValueError(f"{failed} ({reason}): {remedy}") from error


def _checked_table(name: str, returned: Any, entries: int) -> torch.Tensor:
    """Return the user's table as int64, or an error that says what it should have been."""
    expected = f"expected {entries} whole numbers, the first 0"
    try:
        table = torch.as_tensor(returned).cpu()
    except Exception as error:  # of a thing of any kind, whose own methods may raise anything
        raise ValueError(f"strategy {name!r} returned {type(returned).__name__}, {expected}") from error
    if table.dtype not in WHOLE_NUMBERS or table.layout != torch.strided:
        raise ValueError(f"strategy {name!r} returned {table.dtype}, {expected}: scale and round it")
    if table.shape != (entries,) or table[0] != 0:
        first = table.flatten()[:1].tolist()
        raise ValueError(f"strategy {name!r} returned {list(table.shape)}, first {first}, {expected}")
    table = table.to(torch.int64)
    if Objective(table).most_a_word(entries - 1) * entries > MOST_SUM:
        raise ValueError(
            f"strategy {name!r} returned numbers whose sums exceed 61 bits, {expected}: use a smaller scale"
        )
    return table

"""Objectives: how class sizes become the rank of a guess, each as an integer table."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import torch

from gpulingo.strategies.values import SCALE, value_table
from gpulingo.tensors.objective import Objective, classes

ENTROPY_SCALE = (
    1 << 32
)  # units a bit: differences of a 4-thousand-millionth of a bit decide, smaller ones are ties
WHOLE_NUMBERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.uint16, torch.uint32)
ObjectiveOf = Callable[[int, int], Objective]  # size of the largest set, turns left -> objective


def parts(largest: int, left: int) -> Objective:
    """The most classes; with two turns left a candidate counts one more, which is then exact.

    With more turns left the bonus costs points over every list measured, so there is none: see
    docs/strategies.md.
    """
    return classes(largest, bonus=1 if left <= 2 else 0)


def entropy(largest: int, left: int) -> Objective:
    """The most information in bits, which is the entropy of the classes.

    The sum of -n log2 n, up to a constant of the set, in fixed point.
    """
    sizes = torch.arange(largest + 1, dtype=torch.float64)
    bits = torch.special.xlogy(sizes, sizes) / math.log(2)
    return Objective(-(bits * ENTROPY_SCALE).round().to(torch.int64))


def expected_size(largest: int, left: int) -> Objective:
    """The fewest candidates left, as expected.

    The sum of -n^2, up to a constant of the set.
    """
    return Objective(-(torch.arange(largest + 1, dtype=torch.int64) ** 2))


def largest_class(largest: int, left: int) -> Objective:
    """The smallest largest class: the fewest candidates left when things go worst."""
    return Objective(-torch.arange(largest + 1, dtype=torch.int64), largest=True)


def points(largest: int, left: int) -> Objective:
    """The most expected points, by a table of what a class of each size is worth.

    The starting values: a class is worth V[left - 1][n], a candidate one turn more.
    """
    table = (
        value_table(largest, left - 1)[left - 1] if left > 1 else torch.zeros(largest + 1, dtype=torch.int64)
    )
    return Objective(table, bonus=SCALE)


BY_NAME: dict[str, ObjectiveOf] = {
    "parts": parts,
    "entropy": entropy,
    "expected_size": expected_size,
    "largest_class": largest_class,
    "points": points,
}


def loaded_objective(name: str) -> ObjectiveOf:
    """Load a user's objective, named `module:function`; the module is also looked for in the current folder.

    The function gets the class sizes 0, 1, .. n as an int64 tensor and returns what a class of each size is
    worth: n + 1 whole numbers, the first of them 0. Guesses are ranked by the sum over their classes.

    Raises:
        ValueError: there is no such function, or what it returns is no such table.
    """
    module_name, _, function_name = name.partition(":")
    if (folder := str(Path.cwd())) not in sys.path:
        sys.path.append(folder)
    with _users_code(f"cannot load strategy {name!r}", "name it module:function"):
        function = getattr(importlib.import_module(module_name), function_name)
        if not callable(function):
            raise TypeError(f"{function_name} is of type {type(function).__name__}, no function")

    def objective(largest: int, left: int) -> Objective:
        with _users_code(f"strategy {name!r} failed on sizes 0..{largest}", "mend it"):
            returned = function(torch.arange(largest + 1))
        return Objective(_checked_table(name, returned, largest + 1))

    objective(2, 2)  # so that a wrong function is told before the work starts
    return objective


@contextmanager
def _users_code(failed: str, remedy: str) -> Iterator[None]:
    """Whatever the user's code raises is its fault and told in one line, an exit too; it prints to stderr."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ValueError(f"{failed} ({_reason(error)}): {remedy}") from error


def _reason(error: BaseException) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _checked_table(name: str, returned: Any, entries: int) -> torch.Tensor:
    """The user's table as int64, or an error that says what it should have been."""
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
    if Objective(table).most_a_word(entries - 1) * entries > 1 << 61:
        raise ValueError(
            f"strategy {name!r} returned numbers whose sums pass 61 bits, {expected}: use a smaller scale"
        )
    return table

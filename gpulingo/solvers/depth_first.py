"""Depth-first branch and bound over the guesses of a set and their classes.

The value of a set is the greatest, over its guesses, of the sum of its classes' values; or a set is won
if all classes of some guess are won. Games differ in the parts of the search, which are compiled into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpulingo.solvers.transpositions import UNKNOWN
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled, inner

# A node of the search, one for each depth.
FRAME = [
    ("start", "i8"), ("stop", "i8"),  # the set: members[depth, start:stop]
    ("left", "i8"),  # turns; lives if letters are guessed
    ("alpha", "i8"), ("beta", "i8"),  # window: values up to alpha are not needed, no value is above beta
    ("hash", "i8"), ("check", "i8"),  # two sums that identify the set
    ("best", "i8"), ("move", "i8"), ("moves", "i8"),  # best guess; next to try; number of ordered guesses
    ("guess", "i8"), ("total", "i8"),  # the guess in progress; upper bound of its value
    ("child", "i8"), ("children", "i8"), ("cap", "i8"),  # class in progress, or -1; classes; its bound
]  # fmt: skip
# Knowledge of a set; STOPPED: the search ended without an answer.
STOPPED, OPEN, LOST, WON = range(-2, 2)
NO_LABEL = -1


def new_frames(depths: int, *more: str) -> Array:
    """Return [depths] frames, with additional fields for the parts of a search."""
    return np.zeros(depths, np.dtype([*FRAME, *((name, "i8") for name in more)], align=True))


@inner
def fill(row, number):
    for k in range(row.shape[0]):
        row[k] = number


@inner
def copy(source, target):
    for k in range(source.shape[0]):
        target[k] = source[k]


@inner
def split_words(labels, words, start, stop, below, place, sizes, kinds, starts, first):
    """Sort words[start:stop] into `below` from a place on, by label; return the number of classes.

    They are in the order of their first words, the label `first` before all if it is among them. `kinds`
    becomes their labels, `starts` where each begins and the last ends; `sizes` stays 0 for all labels.
    """
    classes = 0
    for t in range(start, stop):
        label = labels[words[t]]
        if sizes[label] == 0:
            kinds[classes] = label
            classes += 1
            if label == first:
                kinds[classes - 1], kinds[0] = kinds[0], label
        sizes[label] += 1
    for c in range(classes):
        starts[c] = place
        place += sizes[kinds[c]]
        sizes[kinds[c]] = starts[c]
    starts[classes] = place
    for t in range(start, stop):
        label = labels[words[t]]
        below[sizes[label]] = words[t]
        sizes[label] += 1
    for c in range(classes):
        sizes[kinds[c]] = 0
    return classes


@inner
def nothing(space, depth, *value):
    """Do nothing; for a search that does not need some part."""


def depth_first(
    known: Callable[..., Any],
    next_guess: Callable[..., Any],
    enter: Callable[..., Any],
    learn: Callable[..., Any],
    keep: Callable[..., Any],
    keep_part: Callable[..., Any],
) -> Any:
    """Return an inner search function; its arguments are `space`, for the parts, and `count`.

    `space` is a tuple whose first item has the `frames`, the first one filled in. The search counts in
    count[0] and stops above count[1]. It returns the value of the first set if that is above
    alpha, otherwise an upper bound that is at most alpha; UNKNOWN if it stopped.

    Args:
        known: (space, depth, count): the value of a set, or a bound that is at most alpha, without
            trying a guess; otherwise UNKNOWN, with the frame ready for guesses.
        next_guess: (space, depth, count): whether there is a guess that may be above alpha; it is written
            to the frame, with its classes.
        enter: (space, depth): begin with the next class of the guess, at the depth below.
        learn: (space, depth, value): record the value of the class that was searched.
        keep: (space, depth): store the result of all guesses, and return it.
        keep_part: (space, depth): store what is known of a set when the search stops.
    """

    @inner
    def search(space, count):
        # A stack of frames instead of recursive calls, which numba does not cache on disk.
        frames, depth = space[0].frames, np.int64(0)
        value = np.int64(known(space, depth, count))
        while count[0] <= count[1]:
            frame = frames[depth]
            if value >= 0:  # the set at this depth is done
                if depth == 0:
                    return value
                depth -= 1
                frame = frames[depth]
                learn(space, depth, value)
                frame.total += min(value, frame.cap) - frame.cap
                frame.child += 1
                value = np.int64(UNKNOWN)
            if frame.child < 0:
                if not next_guess(space, depth, count):
                    value = np.int64(keep(space, depth))
            elif frame.total <= frame.alpha:
                frame.child = UNKNOWN
            elif frame.child == frame.children:  # all are exact, and the guess is better than earlier ones
                frame.best, frame.alpha, frame.child = frame.guess, frame.total, UNKNOWN
            else:
                enter(space, depth)
                depth += 1
                value = np.int64(known(space, depth, count))
        for stopped in range(depth, -1, -1):
            keep_part(space, np.int64(stopped))
        return np.int64(UNKNOWN)

    return search


@inner
def begin(frame, start, stop, left, alpha, beta):
    """Begin with a set: its part of a row, turns or lives left, and its window."""
    frame.start, frame.stop, frame.left, frame.alpha, frame.beta = start, stop, left, alpha, beta
    frame.best, frame.move, frame.moves, frame.total, frame.child = UNKNOWN, 0, 0, UNKNOWN, UNKNOWN


def decision_search(
    known: Callable[..., Any],
    next_guess: Callable[..., Any],
    enter: Callable[..., Any],
    keep_won: Callable[..., Any],
    keep_lost: Callable[..., Any],
    backtrack: Callable[..., Any],
) -> Any:
    """Return the kernel of a search that returns what is known of the first set; see `depth_first`.

    Args:
        known: (space, depth, count): what is known of a set without trying a guess.
        next_guess: (space, depth, count): whether there is another guess to try; it is written to the frame.
        enter: (space, depth): begin with the next class of the guess, at the depth below.
        keep_won: (space, depth): store that a set is won.
        keep_lost: (space, depth, count): store that a set is lost; LOST, or STOPPED.
        backtrack: (space, depth): the depth at which to try another guess after a set is lost.
    """

    @compiled
    def search(space, count):
        # A stack of frames instead of recursive calls, which numba does not cache on disk.
        frames, depth = space[0].frames, np.int64(0)
        state = np.int64(known(space, depth, count))
        while count[0] <= count[1] and state != STOPPED:
            if state != OPEN:
                depth = np.int64(backtrack(space, depth)) if state == LOST else depth - 1
                if depth < 0:
                    return state
                frames[depth].child = OPEN if state == LOST else frames[depth].child + 1
                state = np.int64(OPEN)
            if frames[depth].child < 0:
                if not next_guess(space, depth, count):
                    state = np.int64(keep_lost(space, depth, count))
            elif frames[depth].child == frames[depth].children:
                keep_won(space, depth)
                state = np.int64(WON)
            else:
                enter(space, depth)
                depth += 1
                state = np.int64(known(space, depth, count))
        return np.int64(STOPPED)

    return search

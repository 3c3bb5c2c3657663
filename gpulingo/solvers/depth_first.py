"""Depth-first searches by branch and bound, over the guesses of a set and their classes.

The value of a set is the greatest, over its guesses, of the sum of the values of the classes; or a set is won
if all classes of some guess are won. Games differ in the parts of the search, which are compiled into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpulingo.solvers.transpositions import UNKNOWN
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.wordtable import Array

# A node of the search, one for each depth.
FRAME = [
    ("start", "i8"), ("stop", "i8"),  # the set: members[depth, start:stop]
    ("left", "i8"),  # turns; lives where letters are guessed
    ("alpha", "i8"), ("beta", "i8"),  # window: values up to alpha are of no interest, none is above beta
    ("hash", "i8"), ("check", "i8"),  # two sums that tell the set apart
    ("best", "i8"), ("move", "i8"), ("moves", "i8"),  # best guess; next to try; how many are in order
    ("guess", "i8"), ("total", "i8"),  # that is tried; what it has at most
    ("child", "i8"), ("children", "i8"), ("cap", "i8"),  # its class that is searched, or -1; classes; bound
]  # fmt: skip
# What is known of a set; STOPPED: the search ends without an answer.
STOPPED, OPEN, LOST, WON = range(-2, 2)


def new_frames(depths: int, *more: str) -> Array:
    """Return [depths] frames, with fields more that the parts of a search keep."""
    return np.zeros(depths, np.dtype([*FRAME, *((name, "i8") for name in more)], align=True))


@inner
def fill(row, number):
    """Set all numbers of a row."""
    for k in range(row.shape[0]):
        row[k] = number


@inner
def copy(source, target):
    """Set the first numbers of a row to those of another."""
    for k in range(source.shape[0]):
        target[k] = source[k]


def depth_first(
    known: Callable[..., Any],
    next_guess: Callable[..., Any],
    enter: Callable[..., Any],
    learn: Callable[..., Any],
    keep: Callable[..., Any],
    keep_part: Callable[..., Any],
) -> Any:
    """Return a part of kernels that searches; its arguments are `space`, what the parts need, and `count`.

    `space` is a tuple, the first of which has the `frames`, the first one filled in. It counts in
    count[0] and stops where that is above count[1]. It returns the value of the first set if that is above
    alpha, otherwise a bound that is not; UNKNOWN where it stopped.

    Args:
        known: (space, depth, count): the value of a set, or a bound that is not above alpha, without
            trying a guess; otherwise UNKNOWN, and the frame is ready for guesses.
        next_guess: (space, depth, count): whether there is a guess that may be above alpha, which it
            notes in the frame, with its classes.
        enter: (space, depth): begin with the next class of the guess, at the depth below.
        learn: (space, depth, value): note the value of the class that was searched.
        keep: (space, depth): note what all guesses lead to, and return that.
        keep_part: (space, depth): note what is known of a set when the search stops.
    """

    @inner
    def search(space, count):
        # On a stack of frames instead of recursive calls, which numba does not keep on disk.
        frames, depth = space[0].frames, np.int64(0)
        value = np.int64(known(space, depth, count))
        while count[0] <= count[1]:
            frame = frames[depth]
            if value >= 0:  # of the set at this depth, which is done
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
            elif frame.child == frame.children:  # all are exact, and the guess is better than those before
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
    """Begin with a set: a stretch of its row, turns or lives left, and its window."""
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
    """Return the kernel of a search; its arguments are `space`, what the parts need, and `count`.

    `space` is a tuple, the first of which has the `frames`, the first one filled in. It counts in
    count[0] and stops where that is above count[1]. It returns what is known of the first set.

    Args:
        known: (space, depth, count): what is known of a set without trying a guess.
        next_guess: (space, depth, count): whether there is another guess to try, which it notes in the frame.
        enter: (space, depth): begin with the next class of the guess, at the depth below.
        keep_won: (space, depth): note that a set is won.
        keep_lost: (space, depth, count): note that a set is lost; LOST, or STOPPED.
        backtrack: (space, depth): after a set is lost the depth at which another guess is to be tried.
    """

    @compiled
    def search(space, count):
        # On a stack of frames instead of recursive calls, which numba does not keep on disk.
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

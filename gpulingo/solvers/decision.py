"""A depth-first search for yes or no: a set is won if all classes of some guess are won.

Games differ in the parts of the search, which are compiled into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpulingo.tensors.cpu.compile import compiled

STOPPED, OPEN, LOST, WON = range(-2, 2)  # what is known of a set; STOPPED: the search ends without an answer
# A frame: where the set begins and ends in its row; the turns or misses that are left; the guess that is
# tried; the next of its classes, OPEN where another guess is to be tried, and how many have to be won. From
# OWN on what the parts keep.
START, STOP, LEFT, TRIED, CLASS, CLASSES, OWN = range(7)
FRAME = OWN + 2


def decision_search(
    known: Callable[..., Any],
    next_guess: Callable[..., Any],
    enter: Callable[..., Any],
    keep_won: Callable[..., Any],
    keep_lost: Callable[..., Any],
    backtrack: Callable[..., Any],
) -> Any:
    """Return the kernel of a search; its arguments are `space`, what the parts need, and `count`.

    `space` is a tuple, the first of which has the `frames`, [depths, FRAME] int64, that of the first set
    filled in. The search counts in count[0] and stops where that is above count[1]. It returns what is known
    of the first set.

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
                frames[depth, CLASS] = OPEN if state == LOST else frames[depth, CLASS] + 1
                state = np.int64(OPEN)
            if frames[depth, CLASS] < 0:
                if not next_guess(space, depth, count):
                    state = np.int64(keep_lost(space, depth, count))
            elif frames[depth, CLASS] == frames[depth, CLASSES]:
                keep_won(space, depth)
                state = np.int64(WON)
            else:
                enter(space, depth)
                depth += 1
                state = np.int64(known(space, depth, count))
        return np.int64(STOPPED)

    return search

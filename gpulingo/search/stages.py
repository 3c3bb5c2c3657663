"""How many openings a search plays out, one stage after the other, and how widely."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """How many openings are played out, and how widely.

    Attributes:
        openings: the best so many of the stage before.
        widths: turns left -> guesses to play out for each set.
    """

    openings: int
    widths: Mapping[int, int]


def stages(turns: int) -> list[Stage]:
    """Fewer and fewer openings, played out more and more widely: numbers that did well at 4 to 7 letters."""
    kinds = ((200, 1, 1), (40, 4, 4), (12, 12, 8), (4, 40, 20), (2, 100, 50))
    later = range(3, turns - 1)
    return [Stage(count, {turns - 1: first} | dict.fromkeys(later, then)) for count, first, then in kinds]

"""Choice of the openings that a search rolls out, one stage after the other, and how widely."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from gpulingo.words.shown import brief

# Of the first opening of a stage, which is to wait for the stages before. With a quarter the first opening of
# 12 guesses for each set comes after 4 of one and 1 of 4, which take about as long.
AHEAD = 0.25


@dataclass(frozen=True)
class Stage:
    """Number of openings to roll out, and how widely.

    Attributes:
        openings: number of the best of the stage before.
        widths: turns left -> guesses to expand for each set.

    >>> Stage(200, {5: 10, 4: 10, 3: 10})
    Stage(200 openings, widths 5:10 4:10 3:10)
    """

    openings: int
    widths: Mapping[int, int]

    def __repr__(self) -> str:
        widths = " ".join(f"{left}:{width}" for left, width in self.widths.items())
        return brief("Stage", f"{self.openings:,} openings, widths {widths}")


@dataclass
class Stages:
    """Stages, and the openings that were rolled out in them.

    Stages run side by side: the one with the smallest share done comes next. A wide stage of few openings
    begins once the narrow ones before it have taken about as long as one of its openings takes, so that a
    search that is stopped early has tried wide stages too.

    Attributes:
        plan: the stages, in order.
        played: stage, opening -> value in credits.
    """

    plan: Sequence[Stage]
    played: list[dict[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.played = self.played or [{} for _ in self.plan]

    def next(
        self, first: Callable[[], list[int]], promising: Callable[[int], bool], most: int = 1
    ) -> tuple[int, list[int]] | None:
        """Number of a stage and openings to play out in it; None when all stages are done.

        Args:
            first: openings for the first stage, the best first.
            promising: whether an opening may have more than is known.
            most: openings of the first stage at once, and of the others in proportion.
        """
        for number in sorted(range(len(self.plan)), key=self._share):
            openings = first() if number == 0 else self.best(number - 1)
            played, count = self.played[number], self.plan[number].openings
            left = (each for each in openings[:count] if each not in played and promising(each))
            if some := list(islice(left, max(1, most * count // self.plan[0].openings))):
                return number, some
        return None

    def _share(self, number: int) -> float:
        """Part of a stage that is done, as if a part of an opening had been rolled out before the first."""
        return (len(self.played[number]) + AHEAD) / self.plan[number].openings

    def note(self, widths: Mapping[int, int], values: Mapping[int, int]) -> None:
        """Note openings rolled out beside the plan, opening -> value, in the stage that is as wide."""
        for stage, played in zip(self.plan, self.played, strict=True):
            if stage.widths == widths:
                played |= values

    def best(self, number: int) -> list[int]:
        """Openings of a stage, the best first."""
        values = self.played[number]
        return sorted(values, key=lambda opening: (-values[opening], opening))


def stages(turns: int) -> list[Stage]:
    """Return a plan of fewer and fewer openings, rolled out more and more widely."""
    # Openings, guesses for each set with all but one turn left, and later. By `gpulingo solve --length 4
    # --time 40s --fresh` half as many openings, twice the widths or the first stage alone come to one tree:
    # what the later ones find takes minutes (checkpoints/README.md).
    kinds = ((200, 1, 1), (40, 4, 4), (12, 12, 8), (4, 40, 20), (2, 100, 50))
    later = range(3, turns - 1)
    return [Stage(count, {turns - 1: first} | dict.fromkeys(later, then)) for count, first, then in kinds]

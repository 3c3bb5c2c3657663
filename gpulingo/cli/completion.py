"""What the shell completes after an option: names that are known without loading anything."""

from __future__ import annotations

from collections.abc import Callable

from gpulingo.player.arguments import DEVICES
from gpulingo.player.names import NAMES, OBJECTIVES, TUNED
from gpulingo.trees.kept import BEST

Completion = Callable[[str], list[str]]


def one_of(*names: str) -> Completion:
    """A completion of one name."""

    def completed(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return completed


def several_of(*names: str) -> Completion:
    """A completion of the last of names that are joined by commas, each once."""

    def completed(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        given = before.split(",")
        return [f"{before}{comma}{name}" for name in names if name.startswith(last) and name not in given]

    return completed


strategy = one_of(*NAMES, TUNED, BEST)
strategies = several_of("all", *NAMES, TUNED, BEST)
objectives = several_of(*OBJECTIVES)
device = one_of(*DEVICES)

"""Early ends of a run."""

from __future__ import annotations

import math
from contextlib import nullcontext as interrupted_by_sigterm

from gpulingo.cli.run import late_interrupt
from gpulingo.tensors.clock import clock

__all__ = ["end_of", "interrupted_by_sigterm", "late_interrupt"]


def end_of(time: float | None) -> float:
    """When a time in seconds is over, on the clock of `tensors.clock`; never without one."""
    return math.inf if time is None else clock() + time

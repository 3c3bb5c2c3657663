"""What takes long, done on the spot."""

from __future__ import annotations

import threading
from collections.abc import Callable

from gpulingo.web.requests import Answer, Work


def ended(
    work: Work, tell: Callable[[Answer], None] = lambda part: None, stop: threading.Event | None = None
) -> Answer:
    """The answer of some work."""
    return work(tell, stop or threading.Event())

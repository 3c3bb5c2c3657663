"""The time that a player has for a whole round, and what the referee says when it is over."""

from __future__ import annotations

import time

from gpulingo.match.referee import PlayerError

USUAL = 60.0  # seconds, where nobody says otherwise


class Timeout:
    """The time of one player in one round; it runs from `begin` on.

    Args:
        seconds: for the whole round.
    """

    def __init__(self, seconds: float = USUAL) -> None:
        self.seconds = seconds
        self._begun = 0.0
        self._end = seconds

    def begin(self) -> None:
        """Let the time run."""
        self._begun = time.monotonic()
        self._end = self._begun + self.seconds

    def cut(self, seconds: float) -> None:
        """Leave at most this number of seconds from now on."""
        self._end = min(self._end, time.monotonic() + seconds)

    @property
    def passed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._begun

    @property
    def left(self) -> float:
        """Seconds that are left; below 0 where it is over."""
        return self._end - time.monotonic() if self._begun else self.seconds

    def checked(self) -> float:
        """Seconds that are left.

        Raises:
            PlayerError: none are.
        """
        left = self.left
        if left <= 0:
            raise PlayerError(f"Player program timed out after {self.seconds:g} s", "timeout")
        return left

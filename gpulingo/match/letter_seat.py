"""A guesser's process over many words: one for all if it continues with the next word, otherwise one each.

A test finds out which: after the player's last line of a word it gets the next word. If it has ended by that
time, or never writes a last line, every later word has a process of its own. So a player that is started
without its option for a loop loses only the time that the test takes.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence

from gpulingo.games.game import Game
from gpulingo.match.process import Ending, ProcessPlayer
from gpulingo.match.referee import Transcript, play_round

GRACE = 5.0  # seconds for a player's last line of a word


class LetterSeat:
    """One player's place at the referee.

    Args:
        argv: its command. folder: it is started in. timeout: seconds for a word.
    Attributes:
        starts: of its process so far.
    """

    def __init__(self, argv: Sequence[str], folder: str | None, timeout: float) -> None:
        self._argv, self._folder, self._timeout = list(argv), folder, timeout
        self._player: ProcessPlayer | None = None
        self._single = False  # a process plays one word
        self._silent = False  # it says no last line
        self._cpu = 0.0  # seconds that rounds were told of
        self.starts = 0

    @property
    def taken(self) -> bool:
        """Return True if a process waits for the next word."""
        return self._player is not None

    def play(
        self, word: str, game: Game, tell: Callable[[str], object] = lambda line: None
    ) -> tuple[Transcript, Ending]:
        """Play a word.

        Returns:
            What happened; and how the process ended, or what a waiting process used meanwhile.
        """
        if self._player is not None:
            self._player.next_round()
            lines: list[str] = []
            transcript = self._heard(self._player, word, game, lines.append)
            if transcript.guesses or not transcript.fault:
                for line in lines:
                    tell(line)
                return transcript, self._after(self._player, transcript)
            # It has not gone on: no word is lost by that.
            self._single = True
            self._ended(self._player)
        player = ProcessPlayer(
            self._argv, self._folder, timeout=self._timeout, alone=True, stderr=subprocess.PIPE
        )
        self._player, self._cpu = player, 0.0
        self.starts += 1
        transcript = self._heard(player, word, game, tell)
        return transcript, self._after(player, transcript)

    def close(self) -> None:
        """End the waiting process, if any: its input ends first, so that it can end by itself."""
        if self._player is not None:
            self._ended(self._player)

    def _heard(
        self, player: ProcessPlayer, word: str, game: Game, tell: Callable[[str], object]
    ) -> Transcript:
        """Play a word with a process; one that is interrupted is killed."""

        def hurry() -> None:
            player.hurry(0.0 if self._silent else GRACE)

        try:
            return play_round(player, word, (), game, hear=player.show, tell=tell, hurry=hurry)
        except BaseException as error:
            self._player = None
            player.__exit__(type(error), error, None)
            raise

    def _after(self, player: ProcessPlayer, transcript: Transcript) -> Ending:
        """Keep a process that waits for the next word, or end it; the ending."""
        wall = player.passed
        if transcript.ended and not self._single:
            before, self._cpu = self._cpu, cpu_seconds(player.pid)
            return Ending(None, False, round(max(0.0, self._cpu - before), 6), round(wall, 6))
        if not transcript.fault and not transcript.ended:
            self._single = self._silent = True
        before = self._cpu
        ending = self._ended(player)
        cpu = round(max(0.0, ending.cpu - before), 6)
        return Ending(ending.exit, ending.lingered, cpu, ending.wall, ending.complaints)

    def _ended(self, player: ProcessPlayer) -> Ending:
        """End a process; the ending."""
        self._player = None
        player.__exit__(None, None, None)
        return player.ending


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, without its children; 0 if they are unknown."""
    if os.name != "posix" or not hasattr(time, "clock_gettime"):
        return 0.0
    try:
        # Linux makes a process' clock of its number; clock_getcpuclockid does no more.
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, OverflowError):
        return 0.0

"""A referee of our own: marks the guesses of one round, of a function or of a process.

It knows one game at a time and keeps no totals: matches are more than one round.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from types import TracebackType

from gpulingo.rules.lingo import Lingo, feedback

LONGEST_LINE = 4096  # bytes: a player that writes more without a newline is no player


class PlayerError(RuntimeError):
    """The player process ended early, said nothing in time, or does not keep to lines."""


@dataclass(frozen=True)
class Transcript:
    """What happened in one round.

    Attributes:
        target: the word to find.
        guesses: as they came, one per turn.
        marks: one per guess.
        points: 0 when the word was not found.
        error: why the player stopped, when it ended early; else empty.
    """

    target: str
    guesses: tuple[str, ...]
    marks: tuple[str, ...]
    points: int
    error: str = ""


History = list[tuple[str, str]]
Guesser = Callable[[History], str]


def play_round(player: Guesser, target: str, words: Collection[str], game: Lingo) -> Transcript:
    """Play one round.

    Args:
        player: gives the next guess after the (guess, marks) pairs so far; PlayerError when it has none.
        target: the word to find.
        words: the words that may be guessed; another guess costs a turn and gets all X.
        game: turns and points.
    Returns:
        The round; 0 points when the player ends early.
    """
    history: History = []
    points, error = 0, ""
    for turn in range(1, game.turns + 1):
        try:
            guess = player(list(history))
        except PlayerError as ended:
            error = str(ended)
            break
        valid = len(guess) == len(target) and guess in words
        history.append((guess, feedback(guess, target) if valid else "X" * len(target)))
        if guess == target:
            points = game.points(turn)
            break
    if isinstance(player, ProcessPlayer) and history and not error:
        player.tell(history[-1][1])
    guesses, marks = tuple(guess for guess, _ in history), tuple(row for _, row in history)
    return Transcript(target, guesses, marks, points, error)


class ProcessPlayer:
    """A player in a process of its own, one line per guess and one per marks; a guesser inside its `with`.

    Args:
        argv: the command, the word length already appended.
        cwd: the folder it is started in.
        timeout: seconds it may take for one guess.
    """

    def __init__(
        self, argv: Sequence[str], cwd: str | os.PathLike[str] | None = None, *, timeout: float = 60
    ) -> None:
        self.argv, self.cwd, self.timeout = list(argv), cwd, timeout
        self._rest = b""

    def __enter__(self) -> ProcessPlayer:
        """Start the process.

        Raises:
            PlayerError: it cannot be started.
        """
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(self.argv, cwd=self.cwd, stdin=pipe, stdout=pipe, bufsize=0)
        except OSError as error:
            raise PlayerError(f"cannot start {self.argv[0]}: {error.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the pipes; a process that does not end within a second is killed."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __call__(self, history: History) -> str:
        """The next guess, after the last marks were sent.

        Raises:
            PlayerError: the process has ended, or no line came in time.
        """
        if history:
            self.tell(history[-1][1])
        deadline = time.monotonic() + self.timeout
        while b"\n" not in self._rest:
            self._rest += self._read(deadline - time.monotonic())
            if len(self._rest) > LONGEST_LINE:
                raise PlayerError(f"the player wrote {len(self._rest)} bytes without a newline")
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def tell(self, marks: str) -> None:
        """Send marks; a player that has left need not hear them."""
        assert self._process.stdin
        try:
            self._process.stdin.write(f"{marks}\n".encode())
        except BrokenPipeError:
            pass

    def _read(self, seconds: float) -> bytes:
        """What the process writes next."""
        assert self._process.stdout
        if not select.select([self._process.stdout], [], [], max(seconds, 0))[0]:
            raise PlayerError(f"the player wrote no guess in {self.timeout:g} seconds")
        data = os.read(self._process.stdout.fileno(), LONGEST_LINE)
        if not data:
            raise PlayerError("the player ended before the round")
        return data

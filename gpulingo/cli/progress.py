"""Progress of a command over all its work, and the time left: a bar on a terminal, lines elsewhere.

All of it goes to stderr.
"""

from __future__ import annotations

import contextlib
import datetime
import math
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from gpulingo.cli.errors import tell
from gpulingo.tensors.clock import clock

if TYPE_CHECKING:
    from rich.table import Table

DRAWN, WIDE = 5, 12  # times a second; characters of the bar
QUIET = 60.0  # seconds before the first line where there is no terminal
EVERY = 30.0  # seconds between two such lines
SOON = 2.0  # seconds between two lines about a search
LOOKED = 0.2  # seconds between two looks at work that is work to look at
TRUSTED = 0.5  # seconds of work from which on the time left is shown


class Bar:
    """Progress of a command; its total is in a unit that grows evenly in time, None if unknown."""

    def __init__(self, name: str, total: float | None) -> None:
        self.name, self.total, self.done, self.text = name, total, 0.0, ""
        self.ends = math.inf
        self._before, self._looked = 0.0, 0.0
        self._started, self._began = perf_counter(), clock()

    def begin(self, total: float, done: float = 0.0) -> None:
        """Only now the work is known; what went before it says nothing about the time that it takes."""
        self.total, self._before, self._began = total, done, clock()
        self.reach(done)

    def skip(self, amount: float) -> None:
        """Count an amount that was done before, or took no time."""
        self._before += amount
        self.advance(amount)

    def reach(self, done: float, text: str | None = None) -> None:
        """Set the amount done of the total; `text` is the current item."""
        self.done = done
        if text is not None:
            self.text = text
        self._update()

    def advance(self, amount: float = 1.0, text: str | None = None) -> None:
        self.reach(self.done + amount, text)

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return perf_counter() - self._started

    @property
    def left(self) -> float | None:
        """Seconds left, at the pace of this run so far; None while it is unknown."""
        worked = self.done - self._before
        passed = clock() - self._began
        if self.total is None or worked <= 0 or passed < TRUSTED:
            return None
        rest = passed * max(0.0, self.total - self.done) / worked
        return min(rest, max(0.0, self.ends - clock()))

    @property
    def due(self) -> bool:
        """Return True if it is time to measure progress, where that itself takes time."""
        now = perf_counter()
        if now - self._looked < LOOKED:
            return False
        self._looked = now
        return True

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away while the block prints."""
        yield

    def _update(self) -> None:
        """Show what is new, where nobody looks for it."""

    def _times(self) -> list[str]:
        """The share that is done, the time passed, the time left; empty where they are not known."""
        share = f"{100 * min(1.0, self.done / self.total):.0f} %" if self.total else ""
        left = "" if self.left is None else f"{time_text(self.left)} left"
        return [share, time_text(self.seconds), left]


class _Lines(Bar):
    """A line now and then, once the work takes long."""

    def __init__(self, name: str, total: float | None) -> None:
        super().__init__(name, total)
        self._next = perf_counter() + QUIET

    def _update(self) -> None:
        now = perf_counter()
        if now < self._next:
            return
        self._next = now + EVERY
        share, passed, left = self._times()
        parts = [share, f"{passed} passed", left and f"about {left}", self.text]
        tell(f"{self.name}: {', '.join(filter(None, parts))}")


class _Drawn(Bar):
    """A bar on a terminal, gone when the work is done."""

    def __init__(self, name: str, total: float | None) -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__(name, total)
        # Rich would send to stderr what others print to stdout. What they print to stderr is put above it.
        self._live = Live(
            get_renderable=self._row, console=Console(stderr=True), transient=True,
            redirect_stdout=False, redirect_stderr=True, refresh_per_second=DRAWN,
        )  # fmt: skip

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        self._live.start(refresh=True)
        try:
            yield
        finally:
            self._live.stop()

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away while the block prints; for good, where the block fails."""
        self._live.stop()
        yield
        self._live.start(refresh=True)

    def _row(self) -> Table:
        """The bar as a single line, however long the text is."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        text = f"{self.name}: {self.text}" if self.text else self.name
        cells: list[Text | ProgressBar] = [Text(text, no_wrap=True, overflow="ellipsis")]
        drawn = self.total or None  # nothing to do is drawn as something endless
        cells.append(
            ProgressBar(drawn, self.done, width=WIDE, pulse=drawn is None, animation_time=self.seconds)
        )
        cells += [Text(part, no_wrap=True) for part in self._times()]
        row = Table.grid(padding=(0, 1, 0, 0))
        for cell in cells:
            row.add_column(no_wrap=cell is not cells[0])
        row.add_row(*cells)
        return row


class News:
    """Lines on stderr about a search, each where it is a new one and some time has passed."""

    def __init__(self) -> None:
        self.started = self.shown = clock()
        self.line = ""

    def show(self, line: Callable[[], str]) -> None:
        """Print a line if it is time for one."""
        now = clock()
        if now - self.shown > SOON:
            self.shown = now
            if (text := line()) not in ("", self.line):
                self.line = text
                print(f"{now - self.started:8.0f} s  {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def total_bar(name: str, total: float | None, *, ends: float = math.inf, lines: bool = True) -> Iterator[Bar]:
    """Show how far the work of the block is; the block prints to stdout only where the bar is `hidden`.

    Without `lines` it prints nothing where there is no terminal.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        bar = (_Lines if lines else Bar)(name, total)
        bar.ends = ends
        yield bar
        return
    drawn = _Drawn(name, total)
    drawn.ends = ends
    with drawn.shown():
        yield drawn


def time_text(seconds: float) -> str:
    """Seconds as hours, minutes and seconds: 0:02:10."""
    return str(datetime.timedelta(seconds=round(seconds)))

"""A run of a command: its limits, its progress, how it ends early, what it prints and writes.

Progress goes to stderr: a bar on a terminal, lines elsewhere. Ctrl-C does harm in places: torch aborts
if interrupted during import, numba ignores it while it loads kernels.
"""

from __future__ import annotations

import contextlib
import datetime
import math
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from gpulingo.cli.errors import Interrupted, tell, wrong_usage
from gpulingo.cli.signals import late_interrupt
from gpulingo.cli.tables import print_rows
from gpulingo.storage.faults import refuse
from gpulingo.storage.files import check_destination
from gpulingo.storage.printed import Form, LineFile, line_of
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from gpulingo.machines.plays import Executor
    from gpulingo.tensors.arrays import Device


T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)
DRAWN, WIDE = 5, 12  # redraws per second; characters of the bar
QUIET = 60.0  # seconds before the first line without a terminal
EVERY = 30.0  # seconds between two such lines, and a tenth of the work if its total is known
NOTEBOOK = "JPY_PARENT_PID"  # set in cells, which call themselves terminals but keep each redrawn bar
SOON = 2.0  # seconds between two lines about a search
PATIENCE, SAID = 4.0, 0.5  # seconds without one before a line says what is searched; between looks for it
LOOKED = 0.2  # seconds between two looks at the amounts of a search, which take time themselves
TRUSTED = 0.5  # seconds of work after which the time left is shown


class Run:
    """A run: its time limit, its progress, whether it was interrupted, and what it prints.

    Its time begins here, before lists are read. It is given what it prints as objects, for `--json`, and as
    texts and tables.
    """

    def __init__(self, name: str, time: float | None = None, *, as_json: bool = False) -> None:
        self.name, self.as_json = name, as_json
        self.ends = math.inf if time is None else clock() + time  # on the clock of `tensors.clock`
        self.interrupted = False
        self.noted: Callable[[], None] = lambda: None  # raises KeyboardInterrupt after Ctrl-C

    def entry(self, entry: Mapping[str, Any]) -> None:
        """Print an object with `--json`."""
        if self.as_json:
            print(line_of(self.name, entry), flush=True)

    def text(self, *lines: str) -> None:
        if not self.as_json and lines:
            print(*lines, sep="\n")

    def table(self, rows: Sequence[Mapping[str, str]], caption: str | None = None, **options: Any) -> None:
        """Print rows; below a blank line and a caption, which may be empty, if one is given."""
        if not self.as_json and rows:
            if caption is not None:
                print(caption and f"\n{caption}")
            print_rows(rows, **options)

    @property
    def over(self) -> bool:
        return clock() > self.ends

    def check(self) -> None:
        """Raise KeyboardInterrupt after Ctrl-C, and TimeIsUp after the end."""
        self.noted()
        if self.over:
            raise TimeIsUp("the time was over before there was any result: give more with --time")

    @contextlib.contextmanager
    def working(self, total: float | None = None, *, late: bool = True) -> Iterator[Bar]:
        """Work, with a bar over `total`. Ctrl-C ends the block; with `late` the first only at a `check`."""
        begun, noting = False, late_interrupt() if late else contextlib.nullcontext(self.noted)
        try:
            with noting as self.noted, self.bar(total) as bar:
                begun = True
                yield bar
        except KeyboardInterrupt:
            if not begun:  # there is no block to end
                raise
            self.interrupted = True

    @contextlib.contextmanager
    def bar(self, total: float | None, *, lines: bool = True) -> Iterator[Bar]:
        """Show the progress of the block, which may print to stdout only while the bar is `hidden`.

        Without `lines` nothing is printed without a terminal.
        """
        terminal = bool(sys.stderr and sys.stderr.isatty()) and NOTEBOOK not in os.environ
        bar = Bar(self, total, lines=lines and not terminal)
        with bar.drawn() if terminal else contextlib.nullcontext():
            yield bar

    def news(self, seconds: float | None = None) -> contextlib.AbstractContextManager[Bar]:
        """Show the progress of a search, of at most some seconds, by a bar on a terminal, and by lines."""
        run = self if seconds is None else Run(self.name, seconds)
        run.noted = self.noted
        return run.bar(None, lines=False)

    def results(self, results: Iterable[T], what: str, total: int) -> Iterator[T]:
        """Yield the results until the end; if that cuts them short, it is reported on stderr."""
        done = 0
        try:
            for result in results:
                done += 1
                yield result
                if self.over and done != total:
                    break
            else:
                return
        except TimeIsUp:
            if not done:
                raise
        tell(f"the time is up after {done:,} of {total:,} {what}: --time was too short for all")

    def in_order(
        self, work: Callable[[Bar], Iterable[T]], what: str, keys: Sequence[Key], key: Callable[[T], Key],
        show: Callable[[T], object],
    ) -> dict[Key, T]:  # fmt: skip
        """Return results by key, in the order of keys; until the end or Ctrl-C they come in any order.

        Each is shown once those before it are; the rest at the end.
        """
        done, waiting = dict[Key, T](), list(keys)
        with self.working() as bar:
            for result in self.results(work(bar), what, len(keys)):
                done[key(result)] = result
                while waiting and waiting[0] in done:
                    show(done[waiting.pop(0)])
        for late in waiting:
            if late in done:
                show(done[late])
        return {name: done[name] for name in keys if name in done}

    def finish(self, when: str) -> None:
        """Raise Interrupted if the run was, with when that was and how to continue."""
        if self.interrupted:
            raise Interrupted(f"interrupted {when}")


def kept_lines(out: Path | None, resume: bool, form: Form[T], inputs: Iterable[Path]) -> LineFile[T]:
    """Return the file of results, with those to continue from. It must not be one of the inputs."""
    refuse({"--resume without --out: name the file of results to continue": resume and out is None})
    if out is not None:
        check_destination(out, inputs)
    with wrong_usage("--out"):
        lines = LineFile(out, form)
    lines.kept = lines.kept if resume else []
    return lines


def reached_text(out: Path | None, done: int, total: int, results: str) -> str:
    """Return when a run was interrupted, with `done` of `total` results, for `Run.finish`."""
    remedy = f"{out} has them, --resume continues" if out else "with --out FILE.jsonl they can be kept"
    if out and not done:
        remedy = "run it again"
    return f"after {done} of {total} {results}; {remedy}"


class Bar:
    """Progress of a command; its total is in a unit that grows evenly in time, None if unknown.

    With `lines` it prints a line now and then, once the work takes long. A search has lines of its own, each
    printed if it is new and some time has passed; see `Watch`.
    """

    def __init__(self, run: Run, total: float | None, *, lines: bool = False) -> None:
        self.run, self.check, self.ends = run, run.check, run.ends
        self.name, self.total, self.done, self.text = run.name, total, 0.0, ""
        self._before = 0.0
        self._started, self._began = perf_counter(), clock()
        self.started = self.shown = self._began  # for lines about a search
        self.looked, self.line = 0.0, ""
        self._next = self._started + QUIET if lines else math.inf
        self._live: Live | None = None
        self._tenth: int | None = None  # of the last line

    def begin(self, total: float, done: float = 0.0) -> None:
        """Set the total once it is known; what was done before does not count for the estimate of time."""
        self.total, self._before, self._began = total, done, clock()
        self.reach(done)

    def reach(self, done: float, text: str | None = None) -> None:
        """Set the amount done; `text` is the current item."""
        self.done = done
        if text is not None:
            self.text = text
        tenth = int(10 * self.done / self.total) if self.total else None
        if perf_counter() < self._next or (tenth is not None and tenth == self._tenth):
            return
        self._next, self._tenth = perf_counter() + EVERY, tenth
        share, passed, left = self._times()
        parts = [share, f"{passed} passed", left and f"about {left}", self.text]
        tell(f"{self.name}: {', '.join(filter(None, parts))}")

    def advance(self, amount: float = 1.0, text: str | None = None) -> None:
        self.reach(self.done + amount, text)

    def looking(self, text: Callable[[], str | None] = lambda: None) -> Callable[..., None]:
        """Return a function to be called often: it checks the limits, and shows the time and a text."""

        def often(*_: object) -> None:
            self.check()
            self.advance(0, text())

        return often

    def look(
        self, line: Callable[[], str], amounts: Callable[[], tuple[float, float] | None] = lambda: None
    ) -> bool:
        """Check for Ctrl-C, move the bar by the limited time or amounts; True if a line was printed."""
        self.run.noted()
        now = clock()
        if self.ends < math.inf:
            self.total = self.ends - self.started
            self.reach(min(self.total, now - self.started))
        elif now - self.looked >= LOOKED and (known := amounts()):
            self.looked, (done, total) = now, known
            if self.total is None:
                self.begin(total, done)
            self.reach(done)
        if clock() - self.shown <= SOON or (text := line()) in ("", self.line):
            return False
        self.line = text
        self.say(text)
        return True

    @contextlib.contextmanager
    def reminded(self, work: Callable[[], str]) -> Iterator[None]:
        """Say what is done where nothing was said for a while: a kernel may take longer than that."""
        over = Event()
        reminder = Thread(target=self.remind, args=(work, over.wait), daemon=True)
        reminder.start()
        try:
            yield
        finally:
            over.set()
            reminder.join()

    def remind(self, work: Callable[[], str], over: Callable[[float], bool]) -> None:
        while not over(SAID):
            if clock() - self.shown > PATIENCE:
                self.say(work())

    def say(self, text: str) -> None:
        self.shown = clock()
        if sys.stderr:
            with contextlib.suppress(OSError, ValueError):
                print(f"{self.shown - self.started:8.0f} s  {text}", file=sys.stderr, flush=True)

    @property
    def seconds(self) -> float:
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

    @contextlib.contextmanager
    def drawn(self) -> Iterator[None]:
        from rich.console import Console
        from rich.live import Live

        # Rich would send other output on stdout to stderr. Other output on stderr is printed above the bar.
        with Live(
            get_renderable=self._row, console=Console(stderr=True), transient=True,
            redirect_stdout=False, redirect_stderr=True, refresh_per_second=DRAWN,
        ) as self._live:  # fmt: skip
            self._live.refresh()
            yield

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while the block prints; for good, if the block fails."""
        if self._live:
            self._live.stop()
        yield
        if self._live:
            self._live.start(refresh=True)

    def _row(self) -> Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Column, Table
        from rich.text import Text

        text = Text(
            f"{self.name}: {self.text}" if self.text else self.name, "", no_wrap=True, overflow="ellipsis"
        )
        drawn = self.total or None  # with nothing to do, the bar is drawn without an end
        bar = ProgressBar(drawn, self.done, width=WIDE, pulse=drawn is None, animation_time=self.seconds)
        row = Table.grid(Column(), *[Column(no_wrap=True) for _ in range(4)], padding=(0, 1, 0, 0))
        row.add_row(text, bar, *self._times())
        return row

    def _times(self) -> list[str]:
        share = f"{100 * min(1.0, self.done / self.total):.0f} %" if self.total else ""
        left = "" if self.left is None else f"{time_text(self.left)} left"
        return [share, time_text(self.seconds), left]


def time_text(seconds: float) -> str:
    """Seconds as hours, minutes and seconds: 0:02:10."""
    return str(datetime.timedelta(seconds=round(seconds)))


# By kind of work: its part on the CPU, and its part on the GPU, as in the table of docs/howto/gpu.md.
PARTS = {
    "hangman": ("hangman's words and letters are searched", "patterns of letters are made"),
    "openings": ("openings are bounded", "they are rolled out"),
    "prove": ("values of sets are searched", "classes are counted"),
    "review": ("every guess is searched", "guesses are ranked"),
    "solve": ("every guess and values of sets are searched", "openings are rolled out"),
    "weights": ("sets of words with weights are ranked", "sets are split"),
}


def device_for(name: str, work: str | None) -> Device:
    """Return the device of a name; for a GPU, report which part of the work (in PARTS) the CPU does."""
    from gpulingo.tensors.arrays import is_gpu
    from gpulingo.tensors.device import find_device

    with wrong_usage("--device"):
        place = find_device(name)
    if not is_gpu(place):
        return place
    named = f"{place.type}:{place.index or 0}"
    if find_spec("triton") is None:
        tell(f"Triton is not installed, so {named} works in plain torch: install it, or use --device cpu")
    if work is not None:
        on_cpu, on_gpu = PARTS[work]
        tell(f"{on_cpu} on the CPU; {on_gpu} on {named}")
    return place


@contextlib.contextmanager
def executor_at(
    address: str | None, device: str, report: Callable[..., None]
) -> Iterator[tuple[Executor, str]]:
    """Yield the executor of tasks and their device: a cluster, or without an address this process.

    Args:
        device: as given by the user; without an address one of this machine. report: see `LocalTasks`.
    """
    from gpulingo.machines.plays import LocalTasks, device_at

    if address is None:
        yield LocalTasks(report), device
        return
    from gpulingo.machines.ray_tasks import connected

    with contextlib.ExitStack() as stack:
        with wrong_usage("--ray"):
            cluster = stack.enter_context(connected(address))
        with wrong_usage("--device"):
            device = device_at(cluster, device)
        yield cluster, device

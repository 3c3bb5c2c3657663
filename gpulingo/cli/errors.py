"""Errors become one line on stderr and an exit code.

1 the run failed, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

import typer
from typer.core import TyperGroup

from gpulingo.cli.panels import sections
from gpulingo.words.letters import leave
from gpulingo.words.listing import UnknownWordError

FAILED, WRONG, INTERRUPTED = 1, 2, 130
# Ours are ValueErrors or UnknownWordErrors; torch raises RuntimeError, as when a GPU has no memory left.
# Anything else is a slip in the program and keeps its traceback, but for a check that says what is wrong.
TOLD = (ValueError, UnknownWordError, OSError, MemoryError, RuntimeError, AssertionError)
EXAMPLES = [
    ("gpulingo suggest crane:BYBBG --game wordle", "the next guess"),
    ("gpulingo simulate --length 5", "mean score over every 5-letter word"),
    ("gpulingo solve 13", "the best strategy, with proof"),
]
MORE = """
`gpulingo COMMAND --help` shows options and examples; `gpulingo help TOPIC`
explains games, strategies, marks, lists, files and JSON.
"""
DASHED = ("-word", "-player", "-rounds", "-debug", "-length")  # as the original engine of the pit spells them
UsageError: Any = typer.BadParameter.__mro__[1]  # typer does not name the base of its own usage errors


class WrongUsage(ValueError):
    """The command line is wrong: one line that says what was seen, what was expected and what to do."""


class Interrupted(RuntimeError):
    """Ctrl-C, with one line that names the stored results and how to continue."""


@contextlib.contextmanager
def wrong_usage(option: str) -> Iterator[None]:
    """Errors inside are the fault of an option: they become WrongUsage."""
    try:
        yield
    except (ValueError, LookupError) as error:
        raise WrongUsage(f"{option}: {error}") from error


def tell(text: str) -> None:
    """Tell one line on stderr, if there is anyone to tell."""
    if sys.stderr:
        with contextlib.suppress(OSError, ValueError):
            print("gpulingo:", " ".join(text.split()), file=sys.stderr, flush=True)


def need_report() -> None:
    """Check that what draws and writes pages is there.

    Raises:
        RuntimeError: it is not; one line with the command that installs it.
    """
    for name in ("jinja2", "vl_convert"):
        try:
            import_module(name)
        except ImportError as error:
            command = f"{shlex.quote(sys.executable)} -m pip install 'gpulingo[report]'"
            raise RuntimeError(f"charts need {error.name}, which is not installed: run {command}") from None


def commanded(args: Sequence[str]) -> list[str]:
    """A command line; `referee`, which the original's ranking script calls, is `pit` with a transcript."""
    if [*args[:1]] != ["referee"]:
        return [*args]
    given = [f"-{arg}" if arg.partition("=")[0] in DASHED else arg for arg in args[1:]]
    seed = int.from_bytes(os.urandom(7))
    return ["pit", "--transcript", "--rounds=1", "--length=5", f"--seed={seed}", *given]


class Written:
    """A stream to which words go as they are written, see `letters.leave`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        return self._stream.write(leave(text))


class Guard(TyperGroup):
    """The group of all commands; nothing a user does wrong leaves it as a traceback."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run a command and end the process, under one name however it was started."""
        given = sys.argv[1:] if args is None else args
        run, words = super().main, commanded(given or ["--help"])
        extra |= {"prog_name": "gpulingo", "standalone_mode": False}
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (cast(TextIO, stream and Written(stream)) for stream in streams)
        try:
            code = guarded(lambda: run(words, **extra))
        finally:
            sys.stdout, sys.stderr = streams
        sys.exit(code)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands in their groups, each with its whole first line: typer's own list cuts it."""
        shown: list[tuple[str, Any]] = [
            (name, each) for name, each in self.commands.items() if not each.hidden
        ]
        rows = [(each.rich_help_panel, (name, each.help.split("\n\n")[0])) for name, each in shown]
        sections(rows, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write examples, and where more is said."""
        with formatter.section("Examples"):
            formatter.write_dl(EXAMPLES)
        formatter.write(MORE)


def guarded(run: Callable[[], int | None]) -> int:
    """Run something and flush what it printed; report an error in one line.

    Returns:
        The exit code.
    """
    try:
        code = run() or 0
        if sys.stdout:
            sys.stdout.flush()
    except Interrupted as error:
        tell(str(error))
        return INTERRUPTED
    except (*TOLD, UsageError) as error:
        code = _told(error)
        _discard_output()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:  # typer returns it for Ctrl-C
        tell("interrupted")
    return code


def _told(error: BaseException) -> int:
    """Tell an error; the exit code that it means."""
    if isinstance(error, UsageError):
        text = " ".join(error.format_message().split()).rstrip(".")
        path = error.ctx.command_path if error.ctx else "gpulingo"
        tell(f"{text[:1].lower()}{text[1:]}; see `{path} --help`")
        return WRONG
    if not isinstance(error, BrokenPipeError):  # there, whoever read the output has seen enough
        tell(failure_text(error))
    return WRONG if isinstance(error, WrongUsage) else FAILED


def failure_text(error: BaseException) -> str:
    """An error in words."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else f"cannot write: {error.strerror}"
    if isinstance(error, MemoryError):
        return "not enough memory: use a shorter list"
    if type(error).__name__ == "OutOfMemoryError":  # torch's, which nothing but a GPU's work imports
        return "the GPU has no memory left: end what else runs on it, or use --device cpu"
    if isinstance(error, UnicodeEncodeError):
        letter = error.object[error.start]
        return f"the output's encoding {error.encoding} has no {letter!a}: set PYTHONIOENCODING=utf-8"
    if isinstance(error, AssertionError):
        check = traceback.extract_tb(error.__traceback__)[-1]
        seen = f"{str(error) or check.line} ({Path(check.filename).name}, line {check.lineno})"
        return f"a check of the result failed, which is a fault of gpulingo: {seen}; please report it"
    return str(error) or type(error).__name__


def _discard_output() -> None:
    """Let what stdout cannot take go nowhere, so that Python does not fail on it once more while it ends."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)

"""Errors become one line on stderr and an exit code.

1: the run failed, 2: wrong usage, 130: interrupted.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

import typer

from gpulingo.cli.signals import INTERRUPTED
from gpulingo.cli.wording import FAILED, WRONG, worded
from gpulingo.storage.faults import Fault, UsageError
from gpulingo.words.letters import leave
from gpulingo.words.wordlist import UnknownWordError

# Our errors are ValueErrors or UnknownWordErrors; torch raises RuntimeError, for example without GPU memory.
# Any other is a bug and keeps its traceback, except a check that says what is wrong.
TOLD = (
    ValueError, UnknownWordError, OSError, MemoryError, RuntimeError, AssertionError, ModuleNotFoundError,
)  # fmt: skip
TyperError: Any = typer.BadParameter.__mro__[1]  # typer does not export the base of its usage errors


class Interrupted(RuntimeError):
    """Ctrl-C, with one line that names the stored results and how to continue."""


@contextlib.contextmanager
def wrong_usage(option: str) -> Iterator[None]:
    """Errors inside are caused by an option: they become a UsageError."""
    try:
        yield
    except (ValueError, LookupError) as error:
        raise UsageError(f"{option}: {worded(error)}") from error


def tell(fault: Fault | str) -> None:
    """Print one line on stderr, if there is one."""
    if sys.stderr:
        with contextlib.suppress(OSError, ValueError):
            print("gpulingo:", " ".join(worded(fault).split()), file=sys.stderr, flush=True)


def tell_skipped(fault: Fault) -> None:
    tell(Fault(fault, "skipped"))


def need_report() -> None:
    for name in ("jinja2", "vl_convert"):
        if find_spec(name) is None:
            command = f"{shlex.quote(sys.executable)} -m pip install 'gpulingo[report]'"
            raise RuntimeError(f"charts need {name}, which is not installed: run {command}")


class Written:
    """A stream that gets words in their written form, see `letters.leave`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self._stream.write(leave(text))


def guarded(run: Callable[[], int | None]) -> int:
    """Run a function and flush its output; report an error in one line. Returns the exit code."""
    try:
        code = run() or 0
        if sys.stdout:
            sys.stdout.flush()
        told = "interrupted" if code == INTERRUPTED else ""  # typer returns it for Ctrl-C
    except (Interrupted, KeyboardInterrupt) as error:
        code, told = INTERRUPTED, str(error) or "interrupted"
    except TyperError as error:
        code, text = WRONG, " ".join(error.format_message().split()).rstrip(".")
        path = error.ctx.command_path if error.ctx else "gpulingo"
        told = f"{text[:1].lower()}{text[1:]}; see `{path} --help`"
    except TOLD as error:
        code = WRONG if isinstance(error, UsageError) else FAILED
        told = "" if isinstance(error, BrokenPipeError) else failure_text(error)  # its reader has seen enough
    if told:
        tell(told)
    if code:  # discard output that stdout cannot take, so that Python does not fail on it again at exit
        try:
            if sys.stdout:
                sys.stdout.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, sys.stdout.fileno())
                os.close(nowhere)
    return code


def failure_text(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else f"cannot write: {error.strerror}"
    if isinstance(error, ModuleNotFoundError):  # torch, where gpulingo was installed without it
        return f"{error.name} is needed here, which is not installed: run pip install {error.name}"
    if isinstance(error, MemoryError):
        return "not enough memory: use a shorter list"
    if type(error).__name__ == "OutOfMemoryError":  # torch's; only work on a GPU imports it
        return "the GPU has no memory left: end what else runs on it, or use --device cpu"
    if isinstance(error, UnicodeEncodeError):
        letter = error.object[error.start]
        return f"the output's encoding {error.encoding} has no {letter!a}: set PYTHONIOENCODING=utf-8"
    if isinstance(error, AssertionError):
        check = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{str(error) or check.line} ({Path(check.filename).name}, line {check.lineno})"
        return f"a check of the result failed, which is a fault of gpulingo: {what}; please report it"
    return worded(error) or type(error).__name__

"""Files that a command will write: tried before the long work, so that its result is not lost after it.

Those of results grow by lines: `--out FILE.jsonl` and `--resume`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gpulingo.cli.errors import WrongUsage, need_report, tell
from gpulingo.storage.files import check_replaceable, replace_file
from gpulingo.words.letters import leave

if TYPE_CHECKING:
    from gpulingo.report.frame import Making

Entry = TypeVar("Entry")
FORM = rb"(?i)<!doctype html"  # how a page begins that may be replaced


def check_destination(path: Path, inputs: Iterable[Path | None] = (), form: bytes = b"") -> None:
    """Check that a file can be written beside `path`, and then be renamed to it without a loss.

    Args:
        inputs: files that it must not replace.
        form: expression for how a file begins that may be replaced; an empty one always may.
    """
    for read in inputs:
        if read is not None and path.exists() and read.exists() and path.samefile(read):
            raise WrongUsage(f"{path} would replace a file that is read: name another file to write")
    try:
        check_replaceable(path, form)
    except ValueError as error:
        raise WrongUsage(str(error)) from None
    check_folder(path.parent)


def put_work_aside(path: Path, ending: str, what: str) -> None:
    """Rename a work file, if there is one, so that it stays, and say what made it."""
    if aside := put_aside(path, ending):
        tell(f"{path} of an earlier {what} is now {aside}: --resume would have continued it")


def put_aside(path: Path, ending: str) -> Path | None:
    """Rename a file, if there is one, to a name that is free, such as NAME.old1 and its ending."""
    if not path.exists():
        return None
    stem = path.name.removesuffix(ending)
    names = (path.with_name(f"{stem}.old{number}{ending}") for number in count(1))
    free = next(name for name in names if not name.exists())
    path.replace(free)
    return free


def check_folder(folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(
            error.errno, f"cannot write there ({error.strerror}); name another place", str(folder)
        ) from None


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(
            error.errno, f"cannot make this folder ({error.strerror}); name another", str(folder)
        ) from None
    check_folder(folder)


@dataclass(frozen=True)
class Page:
    """A page to write, and the command that writes it."""

    path: Path
    command: str

    def check(self, read: Path | None) -> None:
        """Check that it can be written, and that what draws it is there; `read` is a file that is read."""
        need_report()
        check_destination(self.path, [read], FORM)

    def write(self, text: Callable[[Making], str]) -> None:
        """Write the page and report its path."""
        from gpulingo.report.frame import Making
        from gpulingo.report.results import today
        from gpulingo.storage.printed import version

        page = text(Making(today().isoformat(), version(), self.command))
        replace_file(str(self.path), leave(page).encode())
        tell(f"{self.path} has the page")

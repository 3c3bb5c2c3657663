"""Pages that a command writes beside what it prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import need_report, tell
from gpulingo.cli.outputs import check_destination
from gpulingo.storage.files import replace_file

if TYPE_CHECKING:
    from gpulingo.report.frame import Making

FORM = rb"(?i)<!doctype html"  # how a file begins that may be replaced


@dataclass(frozen=True)
class Page:
    """A page to write.

    Attributes:
        path: of it. command: that writes it.
    """

    path: Path
    command: str

    def check(self, read: Path | None) -> None:
        """Check that it can be written, and that what draws it is there; `read` is a file that is read.

        Raises:
            WrongUsage, OSError: as `check_destination`. RuntimeError: as `need_report`.
        """
        need_report()
        check_destination(self.path, [read], FORM)

    def write(self, text: Callable[[Making], str]) -> None:
        """Write the page and report its path."""
        from gpulingo.report.frame import Making
        from gpulingo.report.origin import today
        from gpulingo.storage.printed import version

        page = text(Making(today().isoformat(), version(), self.command))
        replace_file(str(self.path), page.encode())
        tell(f"{self.path} has the page")

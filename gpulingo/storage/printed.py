"""Lines of entries: JSON objects that commands print with `--json`, and files that grow by whole lines.

`schema/output-1.json` describes the printed objects; the owner of a file defines its entries.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gpulingo.storage.faults import Fault
from gpulingo.storage.files import append_file, locked, parsed_file

SCHEMA = 1  # number of the schema; it rises when a field is removed or redefined
PRINTED = b'{"schema": '  # beginning of each line of `--json`, which may have been saved to a file
MOST_BYTES = 1 << 30  # of a file: an entry takes some 300 to 400
Entry = TypeVar("Entry")


def version() -> str:
    from importlib import metadata

    try:
        return metadata.version("gpulingo")
    except metadata.PackageNotFoundError:  # a checkout on the path, never installed
        return "not installed"


def line_of(command: str, entry: Mapping[str, Any]) -> str:
    """Return the line that a command prints: schema, command, version, then an entry, maybe with its own."""
    import json

    head = {"schema": SCHEMA, "command": command, "version": version()}
    return json.dumps(head | dict(entry), ensure_ascii=False)


@dataclass(frozen=True)
class Form(Generic[Entry]):
    """Format of a file's lines."""

    parsed: Callable[[str], Entry]  # entry of a line, or a ValueError such as `has no length`
    begins: str  # beginning of a line written by a program; a printed line begins with PRINTED
    remedy: str  # what to do if a file has other content

    def entries(self, data: bytes, name: str) -> tuple[list[Entry], int]:
        """Return the entries of a file and their bytes; a last line cut short by a kill is ignored."""
        *lines, last = data.split(b"\n")
        entries = [self._entry(line, f"line {number} of {name}") for number, line in enumerate(lines, 1)]
        starts = (self.begins.encode(), PRINTED)
        try:
            if last:  # complete except for its newline
                entries.append(self._entry(last, f"line {len(entries) + 1} of {name}"))
        except ValueError:
            if not (last.startswith(starts) or any(start.startswith(last) for start in starts)):
                raise
            return entries, len(data) - len(last)
        return entries, len(data)

    def _entry(self, line: bytes, place: str) -> Entry:
        try:
            return self.parsed(line.decode())
        except UnicodeDecodeError:
            raise Fault(f"{place} is not UTF-8 text", self.remedy) from None
        except ValueError as error:
            raise Fault(f"{place} {error}", self.remedy) from None


class LineFile(Generic[Entry]):
    """A file that is read once and then appended to, so that a kill loses at most the current line.

    Several processes may append to it. Without a path it holds nothing.
    """

    def __init__(self, path: str | os.PathLike[str] | None, form: Form[Entry]) -> None:
        self.path = path
        self.kept: list[Entry] = []
        if path is None or not os.path.exists(path):
            return
        with locked(path):
            data = parsed_file(path, MOST_BYTES, bytes, "", form.remedy)
            self.kept, whole = form.entries(data, os.fspath(path))
            if whole < len(data):
                os.truncate(path, whole)
            ended = not whole or data[:whole].endswith(b"\n")
            append_file(path, b"" if ended else b"\n")  # shows at once if it cannot be written

    def append(self, text: str) -> None:
        """Write an entry at once, as a line."""
        if self.path is not None:
            with locked(self.path):
                append_file(self.path, f"{text}\n".encode())

"""`--out FILE.jsonl` and `--resume` of the commands whose results are lines of a file that grows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from gpulingo.cli.errors import Interrupted, WrongUsage, wrong_usage
from gpulingo.cli.outputs import check_destination
from gpulingo.storage.linefile import Form, LineFile

Entry = TypeVar("Entry")

Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE.jsonl", help="Append each result to this file at once, a JSON object a line."),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Leave out what the file of --out holds, and go on with the rest.")
]


@contextlib.contextmanager
def kept_lines(
    out: Path | None, resume: bool, form: Form[Entry], inputs: Iterable[Path]
) -> Iterator[LineFile[Entry] | None]:
    """The file of results, if there is to be one; what it holds stays.

    Args:
        inputs: files that it must not be.
    Raises:
        WrongUsage: it holds something else, is no plain file, or is not named. OSError: it cannot be written.
    """
    if out is None:
        if resume:
            raise WrongUsage("--resume without --out: name the file of results to go on with")
        yield None
        return
    check_destination(out, inputs)
    with wrong_usage("--out"):
        lines = LineFile(out, form)
    with contextlib.closing(lines):
        yield lines


def interrupted(out: Path | None, done: int, total: int, things: str) -> Interrupted:
    """What to tell after Ctrl-C."""
    on = f"{out} has them, --resume goes on" if out else "with --out FILE.jsonl they can be kept"
    if out and not done:
        on = "run it again"
    return Interrupted(f"interrupted after {done} of {total} {things}; {on}")

"""`gpulingo openings`: first guesses in the order of what they really yield."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import ranking_order
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.kept_lines import Out, Resume, interrupted, kept_lines
from gpulingo.cli.limits import end_of, in_time, until
from gpulingo.cli.lists import found_sources, read_files
from gpulingo.cli.parse import between, parsed_widths, widths_text
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt

if TYPE_CHECKING:
    from gpulingo.report.openings import PlayedOpening
    from gpulingo.storage.linefile import LineFile
    from gpulingo.words.listing import WordList

Top = Annotated[int, typer.Option(parser=between(1, 10**9), metavar="NUMBER", help="Openings to play out.")]
Width = Annotated[
    str,
    typer.Option(
        metavar="TURNS:GUESSES,...", help="Guesses played out for each set by turns left, as 4:4,3:4."
    ),
]


def openings(
    length: options.Length,
    top: Top = 20,
    wordlist: options.Wordlist = None,
    width: Width = "",
    turns: options.Turns = 5,
    device: options.Device = "auto",
    time: options.Time = None,
    memory: options.Memory = options.MEMORY,
    out: Out = None,
    resume: Resume = False,
    as_json: options.Json = False,
) -> None:
    """Rank openings by what they yield when they are played out."""
    if turns < 3:
        raise WrongUsage(
            f"--turns {turns}, expected at least 3: with fewer the number of classes says it all"
        )
    source = found_sources([length], wordlist)[0]
    with wrong_usage("--width"):
        widths = parsed_widths(width, turns) if width else {}
    with late_interrupt():
        from gpulingo.report.openings import FORM

    ends, total = end_of(time), min(top, len(source.wordlist))
    found: list[PlayedOpening] = []
    with kept_lines(out, resume, FORM, read_files([source])) as lines:
        try:
            playing = _played(source.wordlist, turns, top, widths, device, lines, resume, ends, memory)
            with contextlib.closing(playing):  # and with it the bar
                for one in in_time(playing, ends, "openings", total):
                    found.append(one)
        except KeyboardInterrupt:
            if found:
                _print(source.wordlist, found, as_json)
            raise interrupted(out, len(found), total, "openings") from None
    _print(source.wordlist, found, as_json)


def _played(words: WordList, turns: int, top: int, widths: dict[int, int], device: str,
            lines: LineFile[PlayedOpening] | None, resume: bool, ends: float,
            memory: int) -> Generator[PlayedOpening]:  # fmt: skip
    """The openings, those that the file holds first; each of the others goes to the file at once.

    Raises:
        WrongUsage: there is no such device.
    """
    with interrupted_by_sigterm(), late_interrupt() as noted:
        check = until(ends, noted)
        from gpulingo.report.openings import opening_text, played_opening
        from gpulingo.search.openings import openings as played
        from gpulingo.strategies.objectives import points
        from gpulingo.tensors.device import find_device
        from gpulingo.tensors.wordtable import encode

        with wrong_usage("--device"):
            table = encode(words.words).to(find_device(device))
        order = ranking_order(words, turns)
        name, text = "points" if order is points else "tuned", widths_text(widths)
        known = {}
        for one in lines.kept if lines and resume else ():
            if (one.fingerprint, one.turns, one.width, one.order) == (words.fingerprint, turns, text, name):
                word = words.index(one.opening)
                known[word] = one.turned(word)
        if resume:
            tell(f"{lines and lines.path}: {len(known)} openings are there")
        total, done = min(top, len(words)), 0
        with total_bar("openings", total, ends=ends) as bar:

            def report(pairs: int) -> None:
                check()
                bar.advance(0, f"{done:,} of {total:,}")

            for best in played(table, turns, top, order, widths, report, memory, known):
                entry = played_opening(best, words, turns, width=text, order=name, device=str(table.device))
                if best.word in known:
                    bar.skip(1)
                else:
                    bar.advance()
                    if lines:
                        lines.append(opening_text(entry))
                done += 1
                yield entry
                check()


def _print(words: WordList, found: list[PlayedOpening], as_json: bool) -> None:
    """A row for each opening, the best first, of equal ones the first of the list; or a JSON object."""
    from gpulingo.cli.tables import guesses_text, print_table

    found = sorted(found, key=lambda one: (-one.mean_points, words.index(one.opening)))
    if as_json:
        for one in found:
            entry = asdict(one) | {"mean_guesses": one.mean_guesses}
            print(json.dumps(entry, ensure_ascii=False))
        return
    devices = ", ".join(dict.fromkeys(one.device for one in found))
    print(f"list: {words.source}; {len(words):,} words of {words.length} letters; device: {devices}")
    rows = []
    for one in found:
        means = [f"{one.mean_points:.3f}", guesses_text(one.mean_guesses), f"{one.bound:.3f}"]
        rows.append([one.opening, *means, f"{one.classes:,}", f"{one.largest_class:,}"])
    columns = ["opening", "mean points", "mean guesses", "bound", "classes", "largest class"]
    print_table(columns, rows, left=["opening"])

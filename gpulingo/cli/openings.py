"""`gpulingo openings`: first guesses in the order of what they really yield."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.guard import WrongUsage, wrong_usage
from gpulingo.cli.interrupts import late_interrupt
from gpulingo.cli.limits import end_of, in_time, until
from gpulingo.cli.numbers import between, parsed_widths
from gpulingo.cli.progress import counting_bar
from gpulingo.cli.sources import found_sources
from gpulingo.cli.standing import ranking_order
from gpulingo.rules.lingo import Lingo

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
    as_json: options.Json = False,
) -> None:
    """Rank openings by what they yield when they are played out."""
    if turns < 3:
        raise WrongUsage(
            f"--turns {turns}, expected at least 3: with fewer the number of classes says it all"
        )
    words = found_sources([length], wordlist)[0].wordlist
    with wrong_usage("--width"):
        widths = parsed_widths(width, turns) if width else {}
    ends = end_of(time)
    with late_interrupt() as interrupted:
        check = until(ends, interrupted)
        from gpulingo.search.ranking import openings as played
        from gpulingo.tensors.device import find_device
        from gpulingo.words.encode import encode

        with wrong_usage("--device"):
            table = encode(words.words).to(find_device(device))
        order = ranking_order(words, turns)
        found = []
        with counting_bar("openings", 0, min(top, len(words))) as count:
            ranked = played(table, turns, top, order, widths, lambda pairs: check(), memory)
            for one in in_time(ranked, ends, "openings", min(top, len(words))):
                found.append(one)
                count()
    found.sort(key=lambda one: (-one.value, one.word))
    entries: list[dict[str, Any]] = [
        {
            "opening": words[one.word],
            "mean_points": 100 * one.value / len(words),
            "mean_guesses": Lingo(turns).mean_guesses(100 * one.value / len(words)),
            "bound": 100 * one.bound / len(words),
            "classes": one.classes,
            "largest_class": one.largest,
        }
        for one in found
    ]
    if as_json:
        for entry in entries:
            print(json.dumps(entry, ensure_ascii=False))
        return
    from gpulingo.cli.tables import guesses_text, print_table

    print(f"list: {words.source}; {len(words):,} words of {length} letters; device: {table.device}")
    rows = []
    for e in entries:
        counts = [f"{e['classes']:,}", f"{e['largest_class']:,}"]
        means = [f"{e['mean_points']:.3f}", guesses_text(e["mean_guesses"]), f"{e['bound']:.3f}"]
        rows.append([e["opening"], *means, *counts])
    columns = ["opening", "mean points", "mean guesses", "bound", "classes", "largest class"]
    print_table(columns, rows, left=["opening"])

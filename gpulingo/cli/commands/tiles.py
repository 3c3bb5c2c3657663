"""`gpulingo tiles`: the best words of racks that are given or drawn, and of all that a bag allows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.cli.outputs import check_destination
from gpulingo.cli.parse import between, memory_bytes, parsed_numbers
from gpulingo.search import MEMORY

TILES = 7  # drawn where nothing is said
MOST_TILES = 255  # of a rack
USUAL_BAG, BAGS = "challenge", ("challenge", "scrabble")
Rack = Annotated[
    list[str] | None,
    typer.Option(metavar="LETTERS", help="Letters of a rack, for example AGZEQUI; ? is a blank. Repeatable."),
]
Draw = Annotated[
    str | None,
    typer.Option(metavar="N", show_default=str(TILES), help="Tiles to draw; with --all also 1-8 or 6,7."),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        parser=between(1, 1_000_000),
        metavar="NUMBER",
        show_default="1",
        help="Racks to draw, each from the whole bag.",
    ),
]
Every = Annotated[
    bool, typer.Option("--all", help="Every rack that can be drawn, with its exact distribution.")
]
BagName = Annotated[
    str,
    typer.Option(
        "--bag",
        metavar="NAME|FILE.tsv",
        autocompletion=options.one_of(*BAGS),
        help="challenge, scrabble, or a file; `gpulingo help files`.",
    ),
]
MinLength = Annotated[
    int, typer.Option(parser=between(1, MOST_TILES), metavar="N", help="Leave out words of fewer letters.")
]
Top = Annotated[
    int | None,
    typer.Option(
        parser=between(1, 10_000),
        metavar="NUMBER",
        show_default="the best; 10 racks",
        help="Number of words per --rack, or of racks of --all.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE.npz", help="With --all: write the points of every rack, for --table."),
]
Table = Annotated[
    Path | None,
    typer.Option(metavar="FILE.npz", help="Read the points from this file of --out."),
]
Memory = Annotated[
    int,
    typer.Option(parser=memory_bytes, metavar="SIZE", show_default="4G", help="Memory limit of --all."),
]


def tiles(
    rack: Rack = None,
    draw: Draw = None,
    rounds: Rounds = None,
    every: Every = False,
    bag: BagName = USUAL_BAG,
    wordlist: options.Wordlist = None,
    min_length: MinLength = 1,
    top: Top = None,
    out: Out = None,
    table: Table = None,
    memory: Memory = MEMORY,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Find the best words for racks of letter tiles."""
    sizes = _sizes(draw, every)
    _check_mode(rack, draw, rounds, every, out, top, sizes)
    if table and (not (rack or every) or draw is not None or wordlist or bag != USUAL_BAG or min_length > 1):
        raise WrongUsage("--table: bag, list and draw are those of the file; give it --rack or --all alone")
    if table and device not in ("auto", "cpu"):
        raise WrongUsage(f"--table with --device {device}: a table is only looked up; leave out --device")
    if not rack and min_length > max(sizes):
        raise WrongUsage(
            f"--min-length {min_length} with {max(sizes)} tiles drawn: no word has room; give less"
        )
    if out:
        check_destination(out, [wordlist, table, Path(bag)], table_begins())
    from gpulingo.cli import tile_results as results
    from gpulingo.cli.tile_sources import named_source, table_source

    source = table_source(table, thorough=every) if table else named_source(bag, wordlist, min_length, device)
    if rack:
        results.print_given(source, rack, top, as_json)
    elif every:
        results.print_every(source, sizes, top=top or results.SHOWN, out=out, memory=memory, as_json=as_json)
    else:
        results.print_drawn(source, sizes[0], rounds=rounds or 1, seed=seed, as_json=as_json)


def _sizes(draw: str | None, every: bool) -> list[int]:
    """The numbers of tiles to draw.

    Raises:
        WrongUsage: no such number, or several without --all.
    """
    with wrong_usage("--draw"):
        sizes = sorted(parsed_numbers(draw if draw is not None else str(TILES), "number", 1, MOST_TILES))
    if len(sizes) > 1 and not every:
        raise WrongUsage(f"--draw {draw}: one number of tiles, or several with --all")
    return sizes


def _check_mode(
    rack: list[str] | None,
    draw: str | None,
    rounds: int | None,
    every: bool,
    out: Path | None,
    top: int | None,
    sizes: list[int],
) -> None:
    """Raise WrongUsage where options exclude each other."""
    if rack and (draw is not None or rounds or every):
        raise WrongUsage("--rack with --draw, --rounds or --all: racks are given, drawn, or all; choose one")
    if every and rounds:
        raise WrongUsage("--all with --rounds: all racks are counted, none is drawn; leave one out")
    if out and not (every and len(sizes) == 1):
        remedy = "draw one" if every else "add --all"
        raise WrongUsage(f"--out: it takes the racks of --all with one number of tiles; {remedy}")
    if top and every and len(sizes) > 1:
        raise WrongUsage("--top with several numbers of tiles: the best racks are listed for one number only")
    if top and not (rack or every):
        raise WrongUsage("--top: it is for --rack or --all; of drawn racks --json has all best words")


def table_begins() -> bytes:
    """The first bytes of a file that another table may replace."""
    from gpulingo.tiles.table_file import BEGINS

    return BEGINS

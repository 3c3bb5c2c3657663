"""`gpulingo tiles`: the best words of racks that are given or drawn, and of all that a bag allows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.cli.options import argument, option
from gpulingo.cli.outputs import check_destination
from gpulingo.cli.parse import between, memory_bytes, parsed_numbers
from gpulingo.optimise import MEMORY

TILES = 7  # drawn where nothing is said
MOST_TILES = 255  # of a rack
USUAL_BAG, BAGS = "challenge", ("challenge", "scrabble")


@options.group
class RackOptions:
    """Options of `gpulingo tiles`, as the user wrote them."""

    rack: list[str] | None = option(
        "LETTERS", "Letters of a rack, for example AGZEQUI; ? is a blank. Repeatable."
    )
    draw: str | None = option("N", "Tiles to draw; with --all also 1-8 or 6,7.", shown=str(TILES))
    rounds: int | None = option(
        "NUMBER", "Racks to draw, each from the whole bag.", shown="1", parser=between(1, 1_000_000)
    )
    every: bool = option("", "Every rack that can be drawn, with its exact distribution.", "--all")
    bag: str = option(
        "NAME|FILE.tsv", "challenge, scrabble, or a file; `gpulingo help files`.", default=USUAL_BAG,
        among=options.one_of(*BAGS),
    )  # fmt: skip
    wordlist: Path | None = options.WORDLIST
    min_length: int = option(
        "N", "Leave out words of fewer letters.", default=1, parser=between(1, MOST_TILES)
    )
    top: int | None = option(
        "NUMBER", "Number of words per --rack, or of racks of --all.", shown="the best; 10 racks",
        parser=between(1, 10_000),
    )  # fmt: skip
    out: Path | None = option("FILE.npz", "With --all: write the points of every rack, for --table.")
    table: Path | None = option("FILE.npz", "Read the points from this file of --out.")
    memory: int = option("SIZE", "Memory limit of --all.", default=MEMORY, shown="4G", parser=memory_bytes)
    device: str = options.DEVICE
    seed: int = options.SEED

    @property
    def sizes(self) -> list[int]:
        with wrong_usage("--draw"):
            draw = str(TILES) if self.draw is None else self.draw
            sizes = sorted(parsed_numbers(draw, "number", 1, MOST_TILES))
        if len(sizes) > 1 and not self.every:
            raise WrongUsage(f"--draw {self.draw}: one number of tiles, or several with --all")
        return sizes

    def check(self, sizes: list[int]) -> None:
        """Raise WrongUsage where options exclude each other."""
        every, given = self.every, self.rack or self.every
        if self.rack and (self.draw is not None or self.rounds or every):
            seen = "--rack with --draw, --rounds or --all"
            raise WrongUsage(f"{seen}: racks are given, drawn, or all; choose one")
        if every and self.rounds:
            raise WrongUsage("--all with --rounds: all racks are counted, none is drawn; leave one out")
        if self.out and not (every and len(sizes) == 1):
            remedy = "draw one" if every else "add --all"
            raise WrongUsage(f"--out: it takes the racks of --all with one number of tiles; {remedy}")
        if self.top and every and len(sizes) > 1:
            seen = "--top with several numbers of tiles"
            raise WrongUsage(f"{seen}: the best racks are listed for one number only")
        if self.top and not given:
            raise WrongUsage("--top: it is for --rack or --all; of drawn racks --json has all best words")
        of_table = (self.draw, self.wordlist, self.bag, self.min_length) == (None, None, USUAL_BAG, 1)
        if self.table and not (given and of_table):
            seen = "--table: bag, list and draw are those of the file"
            raise WrongUsage(f"{seen}; give it --rack or --all alone")
        if self.table and self.device not in ("auto", "cpu"):
            seen = f"--table with --device {self.device}"
            raise WrongUsage(f"{seen}: a table is only looked up; leave out --device")
        if not self.rack and self.min_length > max(sizes):
            seen = f"--min-length {self.min_length} with {max(sizes)} tiles drawn"
            raise WrongUsage(f"{seen}: no word has room; give less")


def tiles(
    racks: list[str] | None = argument("RACK", "The same as --rack."),
    *,
    own: RackOptions,
    as_json: bool = options.JSON,
) -> None:
    """Find the best words for racks of letter tiles."""
    if racks:
        own = replace(own, rack=[*racks, *(own.rack or [])])
    sizes = own.sizes
    own.check(sizes)
    if own.out:
        check_destination(own.out, [own.wordlist, own.table, Path(own.bag)], table_begins())
    from gpulingo.cli.racks import SHOWN, named_source, print_drawn, print_every, print_given, table_source

    if own.table:
        source = table_source(own.table, thorough=own.every)
    else:
        source = named_source(own.bag, own.wordlist, own.min_length, own.device)
    if own.rack:
        print_given(source, own.rack, own.top, as_json)
    elif own.every:
        top = own.top or SHOWN
        print_every(source, sizes, top=top, out=own.out, memory=own.memory, as_json=as_json)
    else:
        print_drawn(source, sizes[0], rounds=own.rounds or 1, seed=own.seed, as_json=as_json)


def table_begins() -> bytes:
    from gpulingo.tiles.rack_table import BEGINS

    return BEGINS

"""`gpulingo tiles`: the best words of given or drawn racks, and of all that a bag allows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.lists import all_sources, sources_text
from gpulingo.cli.options import argument, option
from gpulingo.cli.parse import between, memory_bytes, parsed_numbers
from gpulingo.cli.run import check_destination
from gpulingo.optimise import MEMORY
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.tiles.bag import Bag, find_bag, shown

if TYPE_CHECKING:
    from gpulingo.tiles.best_words import Spelling
    from gpulingo.tiles.rack_table import RackTable
    from gpulingo.tiles.summary import Draws, DrawSummary

TILES = 7  # default number to draw
MOST_TILES = 255  # of a rack
USUAL_BAG, BAGS = "challenge", ("challenge", "scrabble")
BAR = 40  # columns of text of the longest bar
SHOWN = 10  # racks


@options.group
class RackOptions:
    """Options of `gpulingo tiles` as given."""

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

    def sizes(self) -> list[int]:
        """Return the numbers of tiles to draw, ascending, after checking that the options go together."""
        with wrong_usage("--draw"):
            draw = str(TILES) if self.draw is None else self.draw
            sizes = sorted(parsed_numbers(draw, "number", 1, MOST_TILES))
        every, given, several = self.every, self.rack or self.every, len(sizes) > 1
        of_table = (self.draw, self.wordlist, self.bag, self.min_length) == (None, None, USUAL_BAG, 1)
        remedy = "draw one" if every else "add --all"
        refusals = {
            f"--draw {self.draw}: one number of tiles, or several with --all": several and not every,
            "--rack with --draw, --rounds or --all: racks are given, drawn, or all; choose one":
                self.rack and (self.draw is not None or self.rounds or every),
            "--all with --rounds: all racks are counted, none is drawn; leave one out":
                every and self.rounds,
            f"--out: it takes the racks of --all with one number of tiles; {remedy}":
                self.out and (several or not every),
            "--top with several numbers of tiles: the best racks are listed for one number only":
                self.top and several,
            "--top: it is for --rack or --all; of drawn racks --json has all best words":
                self.top and not given,
            "--table: bag, list and draw are those of the file; give it --rack or --all alone":
                self.table and not (given and of_table),
            f"--table with --device {self.device}: a table is only looked up; leave out --device":
                self.table and self.device not in ("auto", "cpu"),
            f"--min-length {self.min_length} with {max(sizes)} tiles drawn: no word has room; give less":
                not self.rack and self.min_length > max(sizes),
        }  # fmt: skip
        for text, refused in refusals.items():
            if refused:
                raise WrongUsage(text)
        return sizes


def tiles(
    racks: list[str] | None = argument("RACK", "The same as --rack."),
    *,
    own: RackOptions,
    as_json: bool = options.JSON,
) -> None:
    """Find the best words for racks of letter tiles."""
    if racks:
        own = replace(own, rack=[*racks, *(own.rack or [])])
    sizes = own.sizes()
    if own.out:
        from gpulingo.tiles.rack_table import BEGINS

        check_destination(own.out, [own.wordlist, own.table, Path(own.bag)], BEGINS)
    source = _source(own)
    if own.rack:
        _print_given(source, own.rack, own, as_json)
    elif own.every:
        _print_every(source, sizes, own, as_json)
    else:
        _print_drawn(source, sizes[0], own, as_json)


@dataclass(frozen=True)
class RackSource:
    """The bag, the words up to a length, and their origin: lists, or a table."""

    bag: Bag
    text: str
    spelling: Callable[[int], Spelling]
    table: RackTable | None = None


def _source(own: RackOptions) -> RackSource:
    """Return the bag and the words that the user named; for a summary, a table is checked first."""
    if own.table:
        from gpulingo.tiles.rack_table import check_rack_table, read_rack_table

        with wrong_usage("--table"):
            table, text = read_rack_table(own.table)
            if own.every:
                check_rack_table(table)
        return RackSource(table.bag, text, lambda tiles: table.spelling, table)
    with wrong_usage("--bag"):
        bag = find_bag(own.bag)
    sources = [source for source in all_sources(own.wordlist) if source.wordlist.length >= own.min_length]
    if not sources:
        raise WrongUsage(
            f"--min-length {own.min_length}: no word of the list has as many letters; give fewer"
        )

    def spelling(tiles: int) -> Spelling:
        from gpulingo.tiles.best_words import spelled

        lists = [source.wordlist for source in sources if source.wordlist.length <= tiles]
        return spelled((word for words in lists for word in words.words), bag, tiles)

    return RackSource(bag, sources_text(sources), spelling)


def _print_given(source: RackSource, texts: Sequence[str], own: RackOptions, as_json: bool) -> None:
    from gpulingo.tiles.best_words import best_of, laid

    bag = source.bag
    with wrong_usage("--rack"):
        racks = [bag.rack(text) for text in texts]
        known = dict(zip(racks, source.table.points_of(racks), strict=True)) if source.table else {}
    for rack in racks:
        if beyond := bag.beyond(rack):
            letter, count = beyond[0], bag.counts[bag.kinds[beyond[0]]]
            tell(f"rack {shown(rack)[:40]} has more tiles {shown(letter)} than the bag {bag.name}: {count}")
    spelling = source.spelling(max(map(len, racks)))
    for best in best_of(racks, spelling, own.device):
        if known and (known[best.rack] or 0) != best.points:
            seen = f"{known[best.rack]} points for rack {shown(best.rack)}, its words have {best.points}"
            raise ValueError(f"the table says {seen}: it is damaged, make it again")
        words = laid(best.rack, spelling)[: own.top] if own.top else []
        if as_json:
            more = {"top": [{"word": word, "points": points} for word, points in words]} if own.top else {}
            print(line_of("tiles", best.entry() | more))
        elif words:
            print(f"{shown(best.rack)}:")
            _table(["points", "word"], [[f"{points:,}", word] for word, points in words], "word")
        else:
            print(best.text())


def _print_drawn(source: RackSource, tiles: int, own: RackOptions, as_json: bool) -> None:
    """Draw racks and print their best words; for several also the spread of points, and their mean."""
    from gpulingo.tiles.best_words import best_of

    rounds = own.rounds or 1
    with wrong_usage("--draw"):
        racks = source.bag.drawn(tiles, rounds, own.seed)
    results = best_of(racks, source.spelling(tiles), own.device)
    if rounds == 1:
        print(line_of("tiles", results[0].entry()) if as_json else results[0].text())
        return
    from gpulingo.tiles.summary import Draws

    counts = Counter(best.points for best in results if best.words)
    draws = Draws(dict(sorted(counts.items())), rounds - counts.total())
    mean = draws.expected
    error = (float(sum((best.points - mean) ** 2 for best in results)) / (rounds - 1) / rounds) ** 0.5
    top = max(results, key=lambda best: (bool(best.words), best.points))
    if as_json:
        means = {"mean_points": float(mean), "standard_error": error, "without_word": draws.without / rounds}
        entries = [best.entry() for best in results]
        print(line_of("tiles", {"rounds": rounds, **means, "best": top.entry(), "draws": entries}))
    else:
        _print_spread(draws)
        print(f"\nmean of {rounds:,} draws: {float(mean):.3f} points, standard error {error:.3f}")
        print(f"best draw: {top.text()}")


def _print_every(source: RackSource, sizes: Sequence[int], own: RackOptions, as_json: bool) -> None:
    """Print the summary of all draws, in full for a single number of tiles; then write the file."""
    from gpulingo.tiles.best_words import best_of
    from gpulingo.tiles.rack_table import write_rack_table
    from gpulingo.tiles.summary import draw_summary

    started, bag = clock(), source.bag
    summaries: list[DrawSummary] = []
    for table in [source.table] if source.table else _tables(source, sizes, own):
        summaries.append(draw_summary(table))
        best = best_of(table.best(own.top or SHOWN), table.spelling)
        if as_json:
            entry = {"tiles": table.tiles, "bag": bag.name, "list": source.text} | summaries[-1].entry()
            entry["best"] = [{**each.entry(), "draws": bag.ways(each.rack)} for each in best]
            print(line_of("tiles", entry | {"seconds": round(clock() - started, 3)}), flush=True)
    try:
        if not as_json:
            print(f"bag: {bag.name}, {bag.tiles:,} tiles; list: {source.text}")
            columns = ["tiles", "racks", "draws", "expected", "deviation", "without a word, %"]
            _table(columns, [[f"{done.tiles}", f"{done.racks:,}", *done.draws.cells()] for done in summaries])
        if not as_json and len(summaries) == 1:
            print()
            _print_spread(summaries[0].draws)
            print()
            rows = [
                [shown(each.rack), f"{each.points:,}", f"{bag.ways(each.rack):,}", ", ".join(each.words)]
                for each in best
            ]
            _table(["best rack", "points", "draws", "words"], rows, "best rack", "words")
            print()
            columns = ["tile", "in the bag", "value", "drawn, %", "expected with it", "without", "gain"]
            _table(columns, [tile.cells(bag) for tile in summaries[0].held], "tile")
        sys.stdout.flush()
    finally:  # even if the output is closed
        if own.out:
            write_rack_table(own.out, table, source.text)


def _tables(source: RackSource, sizes: Sequence[int], own: RackOptions) -> Iterable[RackTable]:
    """Yield the tables of racks of each size, ascending; the last may be written to a file."""
    from gpulingo.tiles.rack_table import check_size, rack_tables, racks_memory

    most = max(sizes)
    spelling = source.spelling(most)
    with wrong_usage("--draw"):
        needed, racks = racks_memory(spelling, most)
    if needed > own.memory:
        words = " and words with their blanks" * (source.bag.blanks > 0)
        seen = f"{racks:,} racks of up to {most} tiles{words} take {size_text(needed)}"
        raise WrongUsage(f"{seen}, --memory allows {size_text(own.memory)}: draw fewer tiles, or give more")
    if own.out:
        with wrong_usage("--out"):
            check_size(racks)
    return rack_tables(spelling, sizes, own.device)


def size_text(size: int) -> str:
    """Return bytes as text, in GiB, or in MiB if few."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**29 else f"{size / 2**20:.1f} MiB"


def _print_spread(draws: Draws) -> None:
    """Print the number of draws by points, with bars."""
    spread = draws.spread()
    bar, most = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#", max(spread.values())
    rows = [
        [name, f"{count:,}", f"{100 * count / draws.total:.4f}", bar * round(BAR * count / most)]
        for name, count in spread.items()
    ]
    _table(["points", "draws", "%", "histogram"], rows, "histogram")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], *left: str) -> None:
    from gpulingo.cli.tables import print_table  # here: importing it takes as long as the racks

    print_table(columns, rows, left=left)

"""`gpulingo tiles`: the best words of given or drawn racks, and of all that a bag allows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import lists_of, sources_text
from gpulingo.cli.options import between, memory_bytes, option
from gpulingo.cli.run import Run
from gpulingo.optimise import MEMORY
from gpulingo.storage.faults import UsageError, refuse
from gpulingo.storage.files import check_destination
from gpulingo.tensors.clock import clock
from gpulingo.tiles.bag import BY_NAME, USUAL, Bag, find_bag, shown
from gpulingo.tiles.summary import ALL, HELD, Draws, DrawSummary, best_racks, draw_summary, drawn_summary
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.tiles.best_words import Spelling
    from gpulingo.tiles.rack_table import RackTable

TILES, SHOWN = 7, 10  # drawn where nothing is said; best racks
MOST_TILES = 255  # of a rack
BAR = 40  # characters of the longest bar


@options.group
class RackOptions(options.Printed):
    racks: list[str] | None = options.argument("RACK", "The same as --rack.")
    rack: list[str] | None = option(
        "LETTERS", "Letters of a rack, for example AGZEQUI; ? is a blank. Repeatable."
    )
    draw: str | None = option("N", "Tiles to draw; with --all also 1-8 or 6,7.", shown=str(TILES))
    rounds: int | None = option(
        "NUMBER", "Racks to draw, each from the whole bag.", shown="1", parser=between(1, 1_000_000)
    )
    every: bool = option("", "Every rack that can be drawn, with its exact distribution.", "--all")
    bag: str = option(
        "NAME|FILE.tsv", "challenge, scrabble, or a file; `gpulingo help files`.", default=USUAL,
        among=options.one_of(*BY_NAME),
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
    def given(self) -> list[str]:
        return [*(self.racks or []), *(self.rack or [])]

    def sizes(self) -> list[int]:
        """Return the numbers of tiles to draw, ascending, after checking that the options go together."""
        with wrong_usage("--draw"):
            draw = str(TILES) if self.draw is None else self.draw
            sizes = sorted(options.parsed_numbers(draw, "number", MOST_TILES))
        every, racks, several = self.every, self.given, len(sizes) > 1
        of_table = (self.draw, self.wordlist, self.bag, self.min_length) == (None, None, USUAL, 1)
        remedy = "draw one" if every else "add --all"
        refuse({
            f"--draw {self.draw}: one number of tiles, or several with --all": several and not every,
            "--rack with --draw, --rounds or --all: racks are given, drawn, or all; choose one":
                racks and (self.draw is not None or self.rounds or every),
            "--all with --rounds: all racks are counted, none is drawn; leave one out":
                every and self.rounds,
            f"--out: it takes the racks of --all with one number of tiles; {remedy}":
                self.out and (several or not every),
            "--top with several numbers of tiles: the best racks are listed for one number only":
                self.top and several,
            "--top: it is for --rack or --all; of drawn racks --json has all best words":
                self.top and not (racks or every),
            "--table: bag, list and draw are those of the file; give it --rack or --all alone":
                self.table and not ((racks or every) and of_table),
            f"--table with --device {self.device}: a table is only looked up; leave out --device":
                self.table and self.device not in ("auto", "cpu"),
            f"--min-length {self.min_length} with {max(sizes)} tiles drawn: no word has room; give less":
                not racks and self.min_length > max(sizes),
        })  # fmt: skip
        return sizes


def tiles(args: RackOptions) -> None:
    """Find the best words for racks of letter tiles."""
    sizes, run = args.sizes(), Run("tiles", as_json=args.as_json)
    if args.out:
        from gpulingo.tiles.rack_table import BEGINS

        check_destination(args.out, [args.wordlist, args.table, Path(args.bag)], BEGINS)
    from gpulingo.tiles.best_words import best_of, laid, spelled

    table, bag, lists, source = _source(args)
    with wrong_usage("--rack"):
        given = [bag.rack(rack) for rack in args.given]
        known = table.points_of(given) if table else []
    for rack in given:
        for letter in bag.beyond(rack)[:1]:
            more = f"more tiles {shown(letter)} than the bag {bag.name}: {bag.counts[bag.kinds[letter]]}"
            tell(f"rack {shown(rack)[:40]} has {more}")
    most = max(map(len, given), default=sizes[-1])
    words = (word for words in lists if words.length <= most for word in words.words)
    spelling = table.spelling if table else spelled(words, bag, most)
    if args.every:
        _print_every(spelling, sizes, args, run, table, source)
        return
    with wrong_usage("--draw"):
        drawn = [] if given else bag.drawn(sizes[0], args.rounds or 1, args.seed)
    results = best_of(given or drawn, spelling, args.device)
    if len(drawn) > 1:
        draws, best, entry = drawn_summary(results)
        run.entry(entry)
        run.table(_spread(draws), left=["histogram"])
        mean = f"{entry['mean_points']:.3f} points, standard error {entry['standard_error']:.3f}"
        run.text(f"\nmean of {len(results):,} draws: {mean}", f"best draw: {best.text()}")
        return
    for best, points in zip_longest(results, known):
        if table and (points or 0) != best.points:
            what = f"{points} points for rack {shown(best.rack)}, its words have {best.points}"
            raise ValueError(f"the table says {what}: it is damaged, make it again")
        top = laid(best.rack, spelling)[: args.top] if args.top else None
        run.entry(best.entry(top))
        run.text(f"{shown(best.rack)}:" if top else best.text())
        run.table([{"points": f"{points:,}", "word": word} for word, points in top or []], left=["word"])


def _source(args: RackOptions) -> tuple[RackTable | None, Bag, list[WordList], str]:
    """The table of a file, or none; the bag, the words of lists, and where they come from."""
    if args.table:
        from gpulingo.tiles.rack_table import read_rack_table

        with wrong_usage("--table"):
            table, source = read_rack_table(args.table, checked=args.every)
        return table, table.bag, [], source
    with wrong_usage("--bag"):
        bag = find_bag(args.bag)
    lists = [words for words in lists_of(args).every() if words.length >= args.min_length]
    least = f"--min-length {args.min_length}"
    refuse({f"{least}: no word of the list has as many letters; give fewer": not lists})
    return None, bag, lists, sources_text(lists)


def _print_every(
    spelling: Spelling, sizes: Sequence[int], args: RackOptions, run: Run, known: RackTable | None,
    source: str,
) -> None:  # fmt: skip
    """Print the summary of all draws, in full for a single number of tiles; then write the file."""
    from gpulingo.tiles.rack_table import check_size, rack_tables, racks_memory, write_rack_table

    started, bag = clock(), spelling.bag
    if known is None:
        with wrong_usage("--draw"):
            needed, racks = racks_memory(spelling, sizes[-1])
        if needed > args.memory:
            words = " and words with their blanks" * (bag.blanks > 0)
            fault = f"{racks:,} racks of up to {sizes[-1]} tiles{words} take {options.memory_text(needed)}"
            allowed = f"--memory allows {options.memory_text(args.memory)}"
            raise UsageError(f"{fault}, {allowed}: draw fewer tiles, or give more")
        with wrong_usage("--out"):
            check_size(racks if args.out else 0)
    summaries: list[DrawSummary] = []
    for table in [known] if known else rack_tables(spelling, sizes, args.device):
        summaries.append(done := draw_summary(table))
        best = best_racks(table, args.top or SHOWN)
        entry = {"tiles": table.tiles, "bag": bag.name, "list": source, **done.entry(), "best": best}
        run.entry(entry | {"seconds": round(clock() - started, 3)})
    try:
        run.text(f"bag: {bag.name}, {bag.tiles:,} tiles; list: {source}")
        run.table([dict(zip(ALL, done.cells(), strict=True)) for done in summaries])
        if len(summaries) == 1:
            run.table(_spread(done.draws), "", left=["histogram"])
            rows = [
                {"best rack": row["rack"], "points": f"{row['points']:,}", "draws": f"{row['draws']:,}"}
                | {"words": ", ".join(row["words"])}
                for row in best
            ]
            run.table(rows, "", left=["best rack", "words"])
            held = [dict(zip(HELD, tile.cells(bag), strict=True)) for tile in done.held]
            run.table(held, "", left=["tile"])
        sys.stdout.flush()
    finally:  # even if the output is closed
        if args.out:
            write_rack_table(args.out, table, source)


def _spread(draws: Draws) -> list[dict[str, str]]:
    """Return how many draws have which points, with bars."""
    spread = draws.spread()
    bar, most = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#", max(spread.values())
    return [
        {"points": name, "draws": f"{count:,}", "%": f"{100 * count / draws.total:.4f}"}
        | {"histogram": bar * round(BAR * count / most)}
        for name, count in spread.items()
    ]

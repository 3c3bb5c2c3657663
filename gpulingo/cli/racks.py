"""Results of `gpulingo tiles`: bag and words, the best words of racks, summaries of all draws."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.lists import all_sources, sources_text
from gpulingo.cli.tables import NONE, print_table
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import Bag, find_bag, shown
from gpulingo.tiles.best_words import BestWords, best_of, laid
from gpulingo.tiles.rack_table import (
    RackTable,
    check_rack_table,
    check_size,
    rack_tables,
    racks_memory,
    read_rack_table,
    write_rack_table,
)
from gpulingo.tiles.spelling import Spelling, on_device, spelled
from gpulingo.tiles.summary import Draws, DrawSummary, draw_summary, ranges_text
from gpulingo.words.shown import counted

BAR = 40  # columns of text of the longest bar
SHOWN = 10  # racks
Best = Sequence[tuple[BestWords, int]]  # best words of racks, and in how many draws each rack is


@dataclass(frozen=True)
class Source:
    """The sources of bag and words."""

    bag: Bag
    words: Sequence[str]
    text: str
    device: str
    table: RackTable | None = None

    def spelling(self, tiles: int) -> Spelling:
        if self.table:
            return self.table.spelling
        return on_device(spelled(self.words, self.bag, tiles), find_device(self.device))

    def tables(self, sizes: Sequence[int], memory: int, *, filed: bool) -> Iterable[RackTable]:
        """The tables of racks of each size, ascending, the last for a file if `filed`; or the one read."""
        if self.table:
            return [self.table]
        with wrong_usage("--draw"):
            self.bag.check_draw(max(sizes))
        spelling = self.spelling(max(sizes))
        with wrong_usage("--draw"):
            needed, racks = racks_memory(spelling, max(sizes))
        if needed > memory:
            words = " and words with their blanks" * (self.bag.blanks > 0)
            seen = f"{racks:,} racks of up to {max(sizes)} tiles{words} take {size_text(needed)}"
            raise WrongUsage(f"{seen}, --memory allows {size_text(memory)}: draw fewer tiles, or give more")
        if filed:
            with wrong_usage("--out"):
                check_size(racks)
        return rack_tables(spelling, sizes)


def size_text(size: int) -> str:
    """Bytes as text, in GiB, or MiB where they are few."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**29 else f"{size / 2**20:.1f} MiB"


def named_source(bag: str, wordlist: Path | None, min_length: int, device: str) -> Source:
    """The bag and the words that the user named."""
    with wrong_usage("--bag"):
        tiles = find_bag(bag)
    sources = [source for source in all_sources(wordlist) if source.wordlist.length >= min_length]
    if not sources:
        raise WrongUsage(f"--min-length {min_length}: no word of the list has as many letters; give fewer")
    words = [word for source in sources for word in source.wordlist.words]
    return Source(tiles, words, sources_text(sources), device)


def table_source(path: Path, thorough: bool) -> Source:
    """The bag and the words of a table, which is checked against its words where that is asked for."""
    with wrong_usage("--table"):
        table, text = read_rack_table(path)
        if thorough:
            check_rack_table(table)
    return Source(table.bag, table.spelling.words, text, "cpu", table)


def rack_text(best: BestWords) -> str:
    if not best.words:
        return f"{shown(best.rack)}: no word"
    return f"{shown(best.rack)}: {counted(best.points, 'point')}: {', '.join(best.words)}"


def rack_entry(best: BestWords) -> dict[str, Any]:
    return {"rack": shown(best.rack), "points": best.points, "words": list(best.words)}


def print_spread(draws: Draws) -> None:
    """Print how many draws have which points, with bars."""
    spread = draws.spread()
    most = max(draws.without, *(count for _, _, count in spread), 1)
    bar = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#"
    rows = [
        [name, f"{count:,}", f"{100 * count / draws.total:.4f}", bar * round(BAR * count / most)]
        for name, count in {"none": draws.without, **ranges_text(spread)}.items()
    ]
    print_table(["points", "draws", "%", "histogram"], rows, left=["histogram"])


def print_best(best: Best) -> None:
    rows = [[shown(own.rack), f"{own.points:,}", f"{ways:,}", ", ".join(own.words)] for own, ways in best]
    print_table(["best rack", "points", "draws", "words"], rows, left=["best rack", "words"])


def print_held(bag: Bag, done: DrawSummary) -> None:
    rows = []
    for tile in done.held:
        kind = bag.kinds[tile.letter]
        numbers = [f"{bag.counts[kind]:,}", f"{bag.values[kind]:,}", f"{100 * float(tile.share):.2f}"]
        means = [
            NONE if mean is None else f"{float(mean):.3f}" for mean in (tile.given, tile.less, tile.gain)
        ]
        rows.append([shown(tile.letter), *numbers, *means])
    columns = ["tile", "in the bag", "value", "drawn, %", "expected with it", "without", "gain"]
    print_table(columns, rows, left=["tile"])


def summary_cells(done: DrawSummary) -> list[str]:
    expected, without = float(done.draws.expected), float(100 * done.draws.share_without)
    sizes = [f"{done.tiles}", f"{done.racks:,}", f"{done.draws.total:,}"]
    return [*sizes, f"{expected:.6f}", f"{done.draws.deviation:.6f}", f"{without:.6f}"]


def summary_entry(bag: Bag, text: str, done: DrawSummary, best: Best, seconds: float) -> dict[str, Any]:
    draws = done.draws
    held = [
        {"tile": shown(tile.letter), "share": float(tile.share), "given": float(tile.given)}
        | {
            name: None if mean is None else float(mean)
            for name, mean in (("less", tile.less), ("gain", tile.gain))
        }
        for tile in done.held
    ]
    entry = {"tiles": done.tiles, "bag": bag.name, "list": text, "racks": done.racks, "draws": draws.total}
    return entry | {
        "expected": float(draws.expected),
        "total_points": sum(points * count for points, count in draws.by_points.items()),
        "deviation": draws.deviation,
        "without_word": float(draws.share_without),
        "draws_without_word": draws.without,
        "best": [{**rack_entry(own), "draws": ways} for own, ways in best],
        "distribution": [{"points": points, "draws": count} for points, count in draws.by_points.items()],
        "held": held,
        "seconds": round(seconds, 3),
    }


def print_given(source: Source, texts: Sequence[str], top: int | None, as_json: bool) -> None:
    bag = source.bag
    with wrong_usage("--rack"):
        racks = [bag.rack(text) for text in texts]
        known = dict(zip(racks, source.table.points_of(racks), strict=True)) if source.table else {}
    for rack in racks:
        if beyond := bag.beyond(rack):
            letter, count = beyond[0], bag.counts[bag.kinds[beyond[0]]]
            tell(f"rack {shown(rack)[:40]} has more tiles {shown(letter)} than the bag {bag.name}: {count}")
    spelling = source.spelling(max(map(len, racks)))
    for best in best_of(racks, spelling):
        if known and (known[best.rack] or 0) != best.points:
            seen = f"{known[best.rack]} points for rack {shown(best.rack)}, its words have {best.points}"
            raise ValueError(f"the table says {seen}: it is damaged, make it again")
        _print_rack(best, laid(best.rack, spelling)[:top] if top else None, as_json)


def print_drawn(source: Source, tiles: int, *, rounds: int, seed: int, as_json: bool) -> None:
    """Draw racks and print their best words; of several how their points are spread, and their mean."""
    with wrong_usage("--draw"):
        racks = source.bag.drawn(tiles, rounds, seed)
    results = best_of(racks, source.spelling(tiles))
    if rounds == 1:
        _print_rack(results[0], None, as_json)
        return
    without = sum(not best.words for best in results)
    mean = Fraction(sum(best.points for best in results), rounds)
    error = (float(sum((best.points - mean) ** 2 for best in results)) / (rounds - 1) / rounds) ** 0.5
    top = max(results, key=lambda best: (bool(best.words), best.points))
    if as_json:
        means = {"mean_points": float(mean), "standard_error": error, "without_word": without / rounds}
        entry = {"rounds": rounds, **means, "best": rack_entry(top), "draws": [*map(rack_entry, results)]}
        print(line_of("tiles", entry))
        return
    counts = Counter(best.points for best in results if best.words)
    print_spread(Draws(dict(sorted(counts.items())), without))
    print(f"\nmean of {rounds:,} draws: {float(mean):.3f} points, standard error {error:.3f}")
    print(f"best draw: {rack_text(top)}")


def print_every(
    source: Source, sizes: Sequence[int], *, top: int, out: Path | None, memory: int, as_json: bool
) -> None:
    """Print the summary of all draws, in full for a single number of tiles; then write the file."""
    started, bag = clock(), source.bag
    summaries: list[DrawSummary] = []
    for table in source.tables(sizes, memory, filed=out is not None):
        done = draw_summary(table)
        racks = table.best(top)
        best = list(zip(best_of(racks, table.spelling), map(bag.ways, racks), strict=True))
        summaries.append(done)
        if as_json:
            entry = summary_entry(bag, source.text, done, best, clock() - started)
            print(line_of("tiles", entry), flush=True)
    try:
        if not as_json:
            _print_summaries(source, summaries, best)
            sys.stdout.flush()
    finally:  # also where nobody reads on
        if out:
            write_rack_table(out, table, source.text)


def _print_summaries(source: Source, summaries: Sequence[DrawSummary], best: Best) -> None:
    """Print a line for each number of tiles, and the details of a single one."""
    bag = source.bag
    print(f"bag: {bag.name}, {bag.tiles:,} tiles; list: {source.text}")
    columns = ["tiles", "racks", "draws", "expected", "deviation", "without a word, %"]
    print_table(columns, list(map(summary_cells, summaries)))
    if len(summaries) > 1:
        return
    (done,) = summaries
    print()
    print_spread(done.draws)
    print()
    print_best(best)
    print()
    print_held(bag, done)


def _print_rack(best: BestWords, top: Sequence[tuple[str, int]] | None, as_json: bool) -> None:
    """Print a rack and its best words, or the best of all that can be laid."""
    if as_json:
        entry = rack_entry(best)
        if top is not None:
            entry["top"] = [{"word": word, "points": points} for word, points in top]
        print(line_of("tiles", entry))
    elif not top:
        print(rack_text(best))
    else:
        print(f"{shown(best.rack)}:")
        print_table(["points", "word"], [[f"{points:,}", word] for word, points in top], left=["word"])

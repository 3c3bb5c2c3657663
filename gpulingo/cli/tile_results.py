"""Results of `gpulingo tiles`: the best words of racks, given or drawn, and summaries of all draws."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.tables import print_table
from gpulingo.cli.tile_sources import Source
from gpulingo.cli.tile_tables import (
    Best,
    print_best,
    print_held,
    print_spread,
    rack_entry,
    rack_text,
    summary_cells,
    summary_entry,
)
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.tiles.bag import shown
from gpulingo.tiles.best_words import best_of, laid
from gpulingo.tiles.parts import BestWords
from gpulingo.tiles.summary import Draws, DrawSummary, draw_summary
from gpulingo.tiles.table_file import write_rack_table

SHOWN = 10  # racks


def print_given(source: Source, texts: Sequence[str], top: int | None, as_json: bool) -> None:
    """Print the best words of racks that the user wrote.

    Raises:
        WrongUsage: a rack has tiles that the bag lacks.
    """
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
    """Draw racks and print their best words; of several how their points are spread, and their mean.

    Raises:
        WrongUsage: more tiles are drawn than there are.
    """
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
        entry = {
            "rounds": rounds,
            **means,
            "best": rack_entry(top),
            "draws": list(map(rack_entry, results)),
        }
        print(line_of("tiles", entry))
        return
    counts = Counter(best.points for best in results if best.words)
    print_spread(Draws(dict(sorted(counts.items())), without))
    print(f"\nmean of {rounds:,} draws: {float(mean):.3f} points, standard error {error:.3f}")
    print(f"best draw: {rack_text(top)}")


def print_every(
    source: Source, sizes: Sequence[int], *, top: int, out: Path | None, memory: int, as_json: bool
) -> None:
    """Print the summary of all draws, in full for a single number of tiles; then write the file.

    Raises:
        WrongUsage: more tiles are drawn than there are, or the memory is too little.
    """
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

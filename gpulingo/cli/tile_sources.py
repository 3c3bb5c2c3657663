"""The bag and the words of `gpulingo tiles`, and the tables of all their racks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.cli.lists import all_sources, sources_text
from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import Bag, find_bag
from gpulingo.tiles.rack_table import RackTable, rack_tables, racks_memory
from gpulingo.tiles.spelling import Spelling, on_device, spelled
from gpulingo.tiles.table_file import check_rack_table, check_size, read_rack_table


@dataclass(frozen=True)
class Source:
    """The sources of bag and words.

    Attributes:
        bag: of tiles. words: distinct. text: where they come from, for the user.
        device: where to compute. table: that was read, if any.
    """

    bag: Bag
    words: Sequence[str]
    text: str
    device: str
    table: RackTable | None = None

    def spelling(self, tiles: int) -> Spelling:
        """The words of up to `tiles` letters."""
        if self.table:
            return self.table.spelling
        return on_device(spelled(self.words, self.bag, tiles), find_device(self.device))

    def tables(self, sizes: Sequence[int], memory: int, *, filed: bool) -> Iterable[RackTable]:
        """The tables of racks of each size, ascending; or the one that was read.

        Args:
            memory: bytes that they may take. filed: the last is to be written to a file.
        Raises:
            WrongUsage: more tiles are drawn than there are, the memory is too little, or the file would be
                too large.
        """
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
    """The bag and the words that the user named.

    Raises:
        WrongUsage: there is no such bag or list. WordListError: a list cannot be used.
    """
    with wrong_usage("--bag"):
        tiles = find_bag(bag)
    sources = [source for source in all_sources(wordlist) if source.wordlist.length >= min_length]
    if not sources:
        raise WrongUsage(f"--min-length {min_length}: no word of the list has as many letters; give fewer")
    words = [word for source in sources for word in source.wordlist.words]
    return Source(tiles, words, sources_text(sources), device)


def table_source(path: Path, thorough: bool) -> Source:
    """The bag and the words of a table, which is checked against its words where that is asked for.

    Raises:
        WrongUsage: there is not one at the path.
    """
    with wrong_usage("--table"):
        table, text = read_rack_table(path)
        if thorough:
            check_rack_table(table)
    return Source(table.bag, table.spelling.words, text, "cpu", table)

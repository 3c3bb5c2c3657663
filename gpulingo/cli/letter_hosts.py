"""`gpulingo compare --opponent adversary`: who wins hangman against a host who cheats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpulingo.cli.lists import sources_text
from gpulingo.cli.misses import Held, held, misses_text
from gpulingo.games.catalogue import hangman
from gpulingo.search.fixed_players import GUESSERS, HOSTS, against_guesser, against_host
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.cli.solving import Setting

LIMIT = 20_000_000  # words that a search against a host of a known rule goes through: some seconds


@dataclass(frozen=True)
class Row:
    """The results of one list.

    Attributes:
        length: letters per word. words: that the host may have.
        held: what a perfect host can force of a perfect guesser.
        hosts: by name, the misses that a perfect guesser needs: the most known to be needed, and enough.
        guessers: by name, the most misses that a perfect host forces.
    """

    length: int
    words: int
    held: Held
    hosts: dict[str, tuple[int, int]]
    guessers: dict[str, int]

    def entry(self) -> dict[str, Any]:
        """As a JSON object."""
        misses = self.held.misses
        entry: dict[str, Any] = {"length": self.length, "words": self.words, "misses": misses.lower}
        entry |= {"enough": misses.upper, "optimal": misses.lower == misses.upper}
        entry |= {"hosts": self.hosts, "guessers": self.guessers}
        return entry | {"seconds": self.held.seconds, "positions": self.held.positions}

    def winner(self, lives: int) -> str:
        """The winner with a number of lives: G the guesser, H the host, ? if it is not known."""
        misses = self.held.misses
        return "H" if misses.lower >= lives else "G" if misses.upper < lives else "?"


def print_hosts(settings: Sequence[Setting], as_json: bool) -> None:
    """Search each list and print what is known, also where it is interrupted."""
    rows: list[Row] = []
    try:
        for setting in settings:
            rows.append(_row(setting))
            if as_json:
                print(line_of("compare", rows[-1].entry()), flush=True)
            setting.check()
    finally:
        if rows and not as_json:
            _print_tables(settings, rows)


def _row(setting: Setting) -> Row:
    """Search the results of the list of a setting."""
    from gpulingo.tensors.wordtable import table_of

    words = setting.source.wordlist
    found, table = held(setting), table_of(words, hangman())
    hosts = {host: against_host(table, host, LIMIT) for host in HOSTS}
    guessers = {guesser: against_guesser(words, guesser) for guesser in GUESSERS}
    return Row(words.length, words.target_count, found, hosts, guessers)


def _print_tables(settings: Sequence[Setting], rows: Sequence[Row]) -> None:
    """The misses of each pair of players, then who wins with how many lives."""
    from gpulingo.cli.tables import print_rows, print_table

    print(f"list: {sources_text([setting.source for setting in settings])}; misses that can be forced")
    cells = []
    for row in rows:
        cell = {"length": str(row.length), "words": f"{row.words:,}"}
        cell |= {"both perfect": misses_text(row.held.misses)}
        cell |= {f"host {host}": _between(row.hosts[host]) for host in HOSTS}
        cell |= {f"guesser {guesser}": str(row.guessers[guesser]) for guesser in GUESSERS}
        cells.append(cell | {"seconds": f"{row.held.seconds:.1f}"})
    print_rows(cells)
    most = max(row.held.misses.upper for row in rows) + 1
    print("\nwinner by lives, both perfect: G the guesser, H the host")
    grid = [[str(row.length), *(row.winner(lives) for lives in range(1, most + 1))] for row in rows]
    print_table(["length", *map(str, range(1, most + 1))], grid)


def _between(bounds: tuple[int, int]) -> str:
    """Two bounds in a cell, one number where they meet."""
    return f"{bounds[0]}" if bounds[0] == bounds[1] else f"{bounds[0]}..{bounds[1]}"

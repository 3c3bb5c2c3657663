"""Books of openings on the command line: the stored one as a table, and a new one, opening by opening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.cli.run import Run, make_folder
from gpulingo.cli.tables import print_rows
from gpulingo.report.values import Values
from gpulingo.storage.faults import Fault
from gpulingo.storage.files import BOOK, FOLDERS, file_name
from gpulingo.storage.printed import line_of
from gpulingo.trees.book import Book, new_book, write_book
from gpulingo.trees.stored import stored_books
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.words.listing import WordList


def stored_book(
    words: WordList, game: Game, folders: Iterable[Path | str] = FOLDERS
) -> tuple[str, Book] | None:
    """Return the path of the first sound book of a list, and the book; the faults of others are reported."""
    books, faults = stored_books(words, game, map(str, folders))
    for fault in faults:
        tell(Fault(fault, "skipped"))
    return next(iter(books.items()), None)


def print_book(path: str, book: Book, words: WordList, top: int, as_json: bool) -> None:
    """Print a row for each opening, the best first, or a JSON object."""
    values, total = Values(book.game, book.targets), words.total_weight
    rows, best = list[dict[str, str]](), None
    for opening, found in [*book.openings.items()][:top]:
        mean, lost = book.game.mean_points(found, total), total - sum(found)
        value = values.of_mean(mean)
        figure = values.figure(value)
        best = figure if best is None else best
        if as_json:
            entry = {"opening": words[opening], "mean_points": mean, "bound": mean}
            entry |= {"cost": abs(figure - best), "found": found, "lost": lost, "book": path}
            entry |= {**list_entry(words), "length": words.length, "words": total}
            entry |= {"fingerprint": words.fingerprint} | values.entry(len(words), value, value)
            entry.pop("optimal", None)  # its bound is only for strategies that begin with it
            print(line_of("openings", entry | {"game": book.game.name}))
        else:
            row = {"opening": words[opening]} | values.cells(value, lost)
            row |= {"cost": values.figure_text(abs(figure - best))} | values.turn_cells(found, lost)
            rows.append(row)
    if not as_json:
        print(f"list: {list_text(words)}; {words.target_count:,} words of {words.length} letters")
        print_rows(rows, left=["opening"])
        print(f"{counted(len(rows), 'opening')} of {path}, proven best after each; --search ranks others")


def make_book(
    folder: Path, words: WordList, game: Game, run: Run, *, named: Sequence[str], count: int
) -> tuple[str, Book]:
    """Search openings to the end, and write each to the book in a folder; those that it has are kept.

    Args:
        named: first guesses; []: the `count` that make most classes.
    """
    make_folder(folder)
    stored = stored_book(words, game, [folder])
    path = str(folder / file_name(game.code, words.length, words.fingerprint, BOOK))
    book = new_book(words, game) if stored is None else stored[1]
    with run.working() as bar, wrong_usage("--save"):
        from gpulingo.positions.book import opening_trees, openings_of_most_classes

        def often(pairs: int) -> None:
            run.check()
            bar.advance(0, f"{bar.done:,.0f} of {len(openings):,}")

        openings = [words.index(word) for word in named] or openings_of_most_classes(words, game, count)
        bar.begin(len(openings))
        missing = [opening for opening in openings if opening not in book.openings]
        bar.skip(len(openings) - len(missing))
        for tree in run.results(opening_trees(words, game, missing, often), "openings", len(missing)):
            book = book.with_trees([tree])
            write_book(book, path)
            bar.advance()
            run.check()
    return path, book

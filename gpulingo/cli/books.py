"""Books of openings on the command line: the stored one as a table, and a new one, opening by opening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import tell_skipped, wrong_usage
from gpulingo.cli.lists import count_text, list_entry, list_text
from gpulingo.cli.run import Run, make_folder
from gpulingo.cli.tables import print_rows
from gpulingo.report.values import Values
from gpulingo.storage.faults import reported
from gpulingo.storage.files import BOOK, file_name, locked
from gpulingo.storage.printed import line_of
from gpulingo.trees.book import OpeningTree, new_book, write_book
from gpulingo.trees.stored import stored_openings
from gpulingo.trees.tree import Tree
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.optimise.openings import Opening
    from gpulingo.words.listing import WordList


Starts = Sequence[tuple[str, Tree]]  # paths and trees, the best first


def improved(opening: Opening, starts: Starts) -> Opening:
    """Return a rolled-out opening with what stored trees know better."""
    trees = [tree for _, tree in starts]
    limits = [tree.bound_value for tree in trees if not isinstance(tree, OpeningTree)]  # of any strategy
    value = max([opening.value, *(tree.value for tree in trees if tree.guess[0] == opening.word)])
    bound = min([opening.bound, *(limit for limit in limits if limit is not None)])
    return replace(opening, value=value, bound=max(value, bound))


def print_book(starts: Starts, words: WordList, game: Game, as_json: bool, top: int | None = None) -> None:
    """Print a row for each opening with a proven tree, the best first, at most `top`; or a JSON object."""
    every = {tree.guess[0]: (path, tree) for path, tree in reversed(starts) if tree.optimal}
    openings = dict(islice(reversed(every.items()), top))
    values, total = Values(game, words.target_count), words.total_weight
    rows, best = list[dict[str, str]](), None
    for opening, (path, tree) in openings.items():
        found = tree.turn_counts()
        mean, lost = game.mean_points(found, total), total - sum(found)
        value = values.of_mean(mean)
        figure = values.figure(value)
        best = figure if best is None else best
        if as_json:
            entry = {"opening": words[opening], "mean_points": mean, "bound": mean}
            entry |= {"cost": abs(figure - best), "found": found, "lost": lost, "book": path}
            entry |= {**list_entry(words), "length": words.length, "words": total}
            entry |= {"fingerprint": words.fingerprint} | values.entry(len(words), value, value)
            entry.pop("optimal", None)  # its bound is only for strategies that begin with it
            print(line_of("openings", entry | {"game": game.name}))
        else:
            row = {"opening": words[opening]} | values.cells(value, lost)
            row |= {"cost": values.figure_text(abs(figure - best))} | values.game.turn_cells(found, lost)
            rows.append(row)
    if not as_json:
        print(f"list: {list_text(words)}; {count_text(words, game)}")
        print_rows(rows, left=["opening"])
        paths = " and ".join(dict.fromkeys(path for path, _ in openings.values())) or "no book"
        print(f"{counted(len(rows), 'opening')} of {paths}, proven best after each; --search ranks others")


def make_book(
    folder: Path, words: WordList, game: Game, run: Run, *, named: Sequence[int], count: int
) -> tuple[str, Starts]:
    """Search openings to the end, and write each to the book in a folder; those that it has are kept.

    Args:
        named: first guesses; []: the `count` that make most classes.
    """
    make_folder(folder)
    stored = reported(stored_openings(words, game, [str(folder)]), tell_skipped)
    path = str(folder / file_name(game.code, words.length, words.fingerprint, BOOK))
    with run.working() as bar, wrong_usage("--save"):
        from gpulingo.positions.book import opening_trees, openings_of_most_classes

        def often(pairs: int) -> None:
            run.check()
            bar.advance(0, f"{bar.done:,.0f} of {len(openings):,}")

        openings = [*named] or openings_of_most_classes(words, game, count)
        bar.begin(len(openings))
        missing = [opening for opening in openings if opening not in stored]
        bar.skip(len(openings) - len(missing))
        for tree in run.results(opening_trees(words, game, missing, often), "openings", len(missing)):
            with locked(path):  # other searches may write to it too
                stored, _ = stored_openings(words, game, [str(folder)])
                trees = [*(own for _, own in stored.values()), tree]
                write_book(new_book(words, game).with_trees(trees), path)
            bar.advance()
            run.check()
    return path, [*stored_openings(words, game, [str(folder)])[0].values()]

"""First guesses side by side: their lines in files, and their rows in tables and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gpulingo.games.catalogue import LINGO, fault_of_name
from gpulingo.games.game import CREDIT, Game
from gpulingo.storage import fields
from gpulingo.storage.faults import OPENINGS_FILE
from gpulingo.storage.printed import Form
from gpulingo.trees.values import Values
from gpulingo.words.letters import joined
from gpulingo.words.listing import WordList

if TYPE_CHECKING:
    from gpulingo.optimise.openings import Opening

Entry = dict[str, Any]  # the fields of an opening
Row = tuple[Entry, dict[str, str]]  # and its cells by column

OPENING: fields.Shape = {
    **dict.fromkeys(("opening", "list", "fingerprint", "width", "order", "device"), fields.text),
    **dict.fromkeys(("classes", "largest_class", "length", "words", "turns"), fields.whole()),
    **dict.fromkeys(("mean_points", "bound"), fields.number()),
    **dict.fromkeys(("bits", "expected_size", "single_words"), (fields.or_none(fields.number()), None)),
    "game": (fault_of_name, LINGO),
}


def opening_entry(opening: Opening, words: WordList, game: Game, **how: str) -> Entry:
    """Return a rolled-out opening as a JSON object; `how` are its width, order and device, see OPENING."""
    entry = {
        "opening": ",".join(words[word] for word in opening.words),
        "mean_points": game.points_of(opening.value, words.total_weight),
        "bound": game.points_of(opening.bound, words.total_weight),
        **opening.figures(),
        "length": words.length,
        "words": words.target_count,
        "list": words.source,
        "fingerprint": words.fingerprint,
        "turns": game.turns,
        **how,
    }
    return entry if game.name == LINGO else entry | {"game": game.name}


def known_opening(entry: Entry, words: WordList) -> tuple[int, tuple[int, int]]:
    """Return the index of an entry's opening, and its value and bound, in credits as the search counts."""
    value, bound = (round(entry[name] * entry["words"] / CREDIT) for name in ("mean_points", "bound"))
    return words.index(entry["opening"]), (value, bound)


def widths_text(widths: Mapping[int, int]) -> str:
    """Return guesses to expand by turns left as text, for example 4:4,3:4."""
    return ",".join(f"{left}:{widths[left]}" for left in sorted(widths, reverse=True))


def parsed_opening(text: str) -> Entry:
    """Return the entry of a line, with its game; a ValueError is to be read after the name of the file."""
    return fields.checked(fields.parsed_json(joined(text)), OPENING, others=True)


FORM = Form(parsed_opening, '{"opening": ', OPENINGS_FILE)


def opening_rows(entries: Iterable[Entry], words: WordList, game: Game) -> list[Row]:
    """Return rolled-out openings, the best first, on ties in list order."""
    values, rows = Values(game, words.total_weight), list[Row]()
    order = sorted(entries, key=lambda entry: words.index(entry["opening"].split(",")[0]))
    for entry in sorted(order, key=lambda entry: -entry["mean_points"]):
        value, bound = values.of_mean(entry["mean_points"]), values.of_mean(entry["bound"])
        cells = {"opening": entry["opening"]} | values.cells(value) | {"bound": values.bound(bound)}
        rows.append((entry | _derived(values, len(words), value, bound), cells | class_cells(entry)))
    return rows


def book_rows(
    stored: Mapping[int, tuple[str, list[int]]], words: WordList, game: Game, origin: Entry
) -> list[Row]:
    """Return openings with a proven tree, the best first, and what each costs beside the best.

    Args:
        stored: path and targets found on turn 1, 2, .. of each. origin: fields of the list.
    """
    means = {opening: game.mean_points(counts, words.target_count) for opening, (_, counts) in stored.items()}
    values, total, rows = Values(game, words.target_count), words.total_weight, list[Row]()
    best = values.figure(values.of_mean(max(means.values(), default=0.0)))
    for opening in sorted(means, key=lambda word: (-means[word], word)):
        (path, counts), mean = stored[opening], means[opening]
        value, lost = values.of_mean(mean), total - sum(counts)
        cost = abs(values.figure(value) - best)
        entry = {"opening": words[opening], "mean_points": mean, "bound": mean, "cost": cost}
        entry |= {"found": counts, "lost": lost, "book": path, **origin}
        entry |= {"length": words.length, "words": total, "fingerprint": words.fingerprint}
        entry |= _derived(values, len(words), value, value) | {"game": game.name}
        cells = {"opening": words[opening]} | values.cells(value, lost)
        rows.append((entry, cells | {"cost": values.figure_text(cost)} | game.turn_cells(counts, lost)))
    return rows


def host_row(opening: Opening, words: WordList, least: int, most: int) -> Row:
    """Return an opening against a host, and the guesses that it needs: at least and at most."""
    word = words[opening.words[0]]
    entry = {"opening": word, "at_least": least, "at_most": most, **opening.figures()}
    guesses = f"{least}" if least == most else f"{least} to {most}"
    return entry, {"opening": word, "guesses": guesses} | class_cells(entry)


def class_cells(entry: Entry) -> dict[str, str]:
    """Return the cells of the classes of an opening."""
    cells = {"bits": f"{entry['bits']:.3f}", "expected size": f"{entry['expected_size']:.2f}"}
    whole = {"classes": "classes", "largest": "largest_class", "single": "single_words"}
    return cells | {name: f"{entry[key]:,}" for name, key in whole.items()}


def _derived(values: Values, pool: int, value: int, bound: int) -> Entry:
    """Return the fields of an opening's value; its bound is only for strategies that begin with it."""
    return {name: of for name, of in values.entry(pool, value, bound).items() if name != "optimal"}

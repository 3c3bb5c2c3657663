"""Rolled-out openings as lines of a file; plays nothing."""

from __future__ import annotations

import json
from typing import Any

from gpulingo.games.catalogue import LINGO, fault_of_name
from gpulingo.games.game import CREDIT, Game
from gpulingo.optimise.openings import Opening
from gpulingo.storage import fields
from gpulingo.storage.printed import Form
from gpulingo.words.letters import joined, leave
from gpulingo.words.listing import WordList

Entry = dict[str, Any]
FIELDS = {
    **dict.fromkeys(("opening", "list", "fingerprint", "width", "order", "device"), fields.text),
    **dict.fromkeys(("classes", "largest_class", "length", "words", "turns"), fields.whole()),
    **dict.fromkeys(("mean_points", "bound"), fields.number()),
    "game": fault_of_name,
}


def entry_of(opening: Opening, words: WordList, game: Game, *, width: str, order: str, device: str) -> Entry:
    """Return a rolled-out opening as a JSON object; the game is omitted if it is lingo.

    Args:
        width: guesses expanded for each set by turns left, for example 4:4,3:4.
        order: objective that ranked the guesses.
    """
    entry = {
        "opening": words[opening.word],
        "mean_points": game.points_of(opening.value, words.total_weight),
        "bound": game.points_of(opening.bound, words.total_weight),
        "classes": opening.classes,
        "largest_class": opening.largest,
        "length": words.length,
        "words": words.target_count,
        "list": words.source,
        "fingerprint": words.fingerprint,
        "turns": game.turns,
        "width": width,
        "order": order,
        "device": device,
    }
    return entry if game.name == LINGO else entry | {"game": game.name}


def opening_of(entry: Entry, words: WordList) -> Opening:
    """Return the opening of an entry, in the search's credits."""
    value, bound = (round(entry[name] * entry["words"] / CREDIT) for name in ("mean_points", "bound"))
    word = words.index(entry["opening"])
    return Opening(word, value, bound, entry["classes"], entry["largest_class"])


def entry_text(entry: Entry) -> str:
    """Return an entry as a line, without a newline."""
    return leave(json.dumps(entry, ensure_ascii=False))


def parsed_entry(text: str) -> Entry:
    """Return the entry of a line, with its game; a ValueError continues the name of the file."""
    return fields.checked(fields.parsed_json(joined(text)), FIELDS, defaults={"game": LINGO}, others=True)


FORM = Form(parsed_entry, '{"opening": ', "name openings, or a new file")

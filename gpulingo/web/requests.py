"""Parts that all views share: the setting, its word lists, checks of requests, refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gpulingo.games import marks
from gpulingo.games.catalogue import ANSWERS, FAMILIES, HOSTED, find_game
from gpulingo.games.game import Game
from gpulingo.player.question import ListNames
from gpulingo.positions.service import RequestError
from gpulingo.storage import fields
from gpulingo.storage.faults import FieldError
from gpulingo.words.listing import COLOURS, EMBEDDED_NAME, WordList

MOST_LENGTH = marks.LONGEST  # letters
MOST_ROUNDS = 32  # guesses of a history
HARD = (*FAMILIES, *HOSTED)  # games that have a hard mode
letters = fields.whole(1, MOST_LENGTH)  # of a word
ROUND: fields.Shape = {
    "colours": (fields.whole(0, len(COLOURS)), 0),  # of codes; 0: the default number
    "hard": (fields.one_of("", "hard", "from3-hard", "from4-hard", "from5-hard"), ""),
    "history": (fields.list_of(fields.text), []),
}  # of every request about a round, in addition to its game

BUILT_IN = "built-in list"


@dataclass(frozen=True)
class Setting:
    """The user's choices at the start of the page; no request can change them."""

    load_engine: Callable[[], Any]
    names: ListNames = field(default_factory=ListNames)
    seconds: float = 2.0  # of one search
    device: str = "auto"


def game_of(name: str, rule: str = "") -> Game:
    """Return a game of the page, also one against a host, under a rule of legal guesses if it has such."""
    game = HOSTED[name]() if name in HOSTED else find_game(name)
    return game.under(rule) if rule and name in HARD else game


def asked_of(record: Any, shape: fields.Shape) -> dict[str, Any]:
    """Return a checked request, with the values of missing fields."""
    try:
        request = fields.checked(record, shape)
    except ValueError as error:
        raise RequestError(f"the request {error}") from None
    history = request.get("history", ())
    if len(history) > MOST_ROUNDS or any(len(part) > 4 * MOST_LENGTH for part in history):
        raise RequestError(f"the round is too long, expected at most {MOST_ROUNDS} guesses")
    return request


def worded(error: ValueError | str) -> str:
    """Return an error of rounds, lists, games or devices in one line, in the page's wording."""
    field = f"{error.field}: " if isinstance(error, FieldError) else ""
    return f"{field}{' '.join(str(error).split())}"


def list_text(words: WordList) -> str:
    """Return the origin of words, in the page's wording."""
    return BUILT_IN if words.source == EMBEDDED_NAME else words.source


def source_text(words: WordList) -> str:
    """Return the origin of words, and of the answers among them, in the page's wording."""
    source, answers = list_text(words), words.targets_source
    kind = "its usual" if answers.startswith(ANSWERS) and source == BUILT_IN else "answers:"
    return f"{source}, {kind} {answers}" if answers else source

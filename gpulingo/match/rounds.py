"""A match: many rounds, with words drawn in advance and the same for every player; results stored in a file.

`workers` plays the rounds, `standings` sums them up.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from gpulingo.games.catalogue import lingo
from gpulingo.storage.faults import ROUNDS_FILE
from gpulingo.storage.fields import Shape, checked, flag, list_of, number, or_none, parsed_json, text, whole
from gpulingo.storage.printed import Form
from gpulingo.words.letters import joined, leave
from gpulingo.words.listing import WordList

LINGO5 = lingo().code  # the game of a line that has no game
FIELDS: Shape = {
    **dict.fromkeys(("player", "wordlist", "word", "fault", "error"), text),
    "game": (text, LINGO5),
    **dict.fromkeys(("points", "invalid"), whole()),
    **dict.fromkeys(("cpu", "wall"), number(0, 1e12)),
    "guesses": list_of(text),
    "exit": or_none(whole(-(1 << 31), 1 << 32)),
    "lingered": flag,
}


@dataclass(frozen=True)
class Planned:
    """One player, one word."""

    player: str  # its name, or its command as written by the user
    wordlist: str  # first digits of the fingerprint of the words that may be guessed, and the targets
    word: str
    game: str = LINGO5  # code of the game


@dataclass(frozen=True)
class StartTrial:
    """A player to start once before the match, with the lengths of words that it will play."""

    player: str
    lengths: tuple[int, ...]


Question = TypeVar("Question", Planned, StartTrial)  # that a match asks a referee


@dataclass(frozen=True)
class RoundResult:
    """Result of a round; see `Transcript` and `Ending`."""

    round: Planned
    points: int
    guesses: tuple[str, ...]  # printable, long ones cut
    invalid: int
    fault: str
    error: str
    exit: int | None
    lingered: bool
    cpu: float
    wall: float


def drawn_words(wordlist: WordList, rounds: int, seed: int) -> list[str]:
    """Draw distinct targets, all equally likely; all in list order if the list has at most `rounds`.

    The same seed draws the same words of a list, independent of other lists.
    """
    targets = wordlist.targets
    if rounds >= len(targets):
        return list(targets)
    return random.Random(f"{seed}/{wordlist.length}").sample(targets, rounds)


def trials_of(rounds: Iterable[Planned]) -> list[StartTrial]:
    lengths: dict[str, dict[int, None]] = {}
    for planned in rounds:
        lengths.setdefault(planned.player, {})[len(planned.word)] = None
    return [StartTrial(player, tuple(of_player)) for player, of_player in lengths.items()]


def _parsed(line: str) -> RoundResult:
    try:
        return result_of(parsed_json(joined(line)))
    except ValueError as error:
        raise ValueError(f"is no result of a round: it {error}") from None


FORM = Form(_parsed, '{"player": ', ROUNDS_FILE)


def result_text(result: RoundResult) -> str:
    return leave(json.dumps(entry_of(result), ensure_ascii=False))


def entry_of(result: RoundResult) -> dict[str, Any]:
    """Return a result as a flat JSON object; the game is omitted if it is lingo with five turns."""
    entry = asdict(result)
    planned = entry.pop("round")
    if planned["game"] == LINGO5:
        del planned["game"]
    return planned | entry


def result_of(entry: dict[str, Any]) -> RoundResult:
    """Return the result of such an object; the inverse of `entry_of`. ValueError describes the fault."""
    values = checked(entry, FIELDS, others=True)
    planned = Planned(*(values.pop(field.name) for field in fields(Planned)))
    return RoundResult(planned, **values | {"guesses": tuple(values["guesses"])})

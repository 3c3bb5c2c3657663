"""Parts of requests that all views share: checks, refusals and settings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import perm
from typing import Any

from gpulingo.advice.candidates import fitting, readings
from gpulingo.games.catalogue import COUNTED, FAMILIES, HOSTED, UnknownGameError, feedback_of, is_of_codes
from gpulingo.games.game import Game
from gpulingo.storage import fields
from gpulingo.words.codes import COLOURS, usual_colours
from gpulingo.words.listing import Listing

MOST_LENGTH = 39  # letters
MOST_ROUNDS = 32  # guesses of a history
HARD = (*FAMILIES, *HOSTED)  # games that have a hard mode
MOST_CODES = 1 << 16  # of a game, so that an answer takes seconds
Answer = dict[str, Any]
letters = fields.whole(1, MOST_LENGTH)  # of a word
colours = fields.whole(0, len(COLOURS))  # of codes; 0: the usual number
hard_mode = fields.one_of("", "hard", "from3-hard", "from4-hard", "from5-hard")  # the rule of a round

ROUND = {"colours": colours, "hard": hard_mode, "history": fields.list_of(fields.text)}  # beside its game
ROUND_DEFAULTS = {"game": "wordle", "colours": 0, "hard": "", "history": []}

# What takes long: told its progress to, and stopped, from outside; gives the answer or raises RequestError.
Work = Callable[[Callable[[Answer], None], threading.Event], Answer]


class RequestError(ValueError):
    """A request that nothing can be said to, in one line.

    Args:
        status: of the answer. slip: see `slip_of`.
    """

    def __init__(self, text: str, status: int = 400, slip: Answer | None = None) -> None:
        super().__init__(text)
        self.status, self.slip = status, slip

    def entry(self) -> Answer:
        """Return what the page is sent."""
        return {"error": str(self)} | ({"slip": self.slip} if self.slip else {})


@dataclass(frozen=True)
class Setting:
    """The user's choices when the page was started; no request can change them.

    Attributes:
        load_engine: loads what searches.
        wordlist, targets: as named, or read already; None where not.
        without: words that are no targets.
        seconds: that a search may take.
        device: where to search.
    """

    load_engine: Callable[[], Any]
    wordlist: str | Listing | None = None
    targets: str | Listing | None = None
    without: Listing | None = None
    seconds: float = 2.0
    device: str = "auto"


def colours_of_codes(game: str, pegs: int, wanted: int) -> int:
    """Return the colours of the codes of a game; 0 where words are guessed. The page makes all codes.

    Raises:
        RequestError: there are too many codes for the page.
    """
    if not is_of_codes(game):
        return 0
    is_repeated = bool(COUNTED[game][1])
    number = wanted or usual_colours(repeated=is_repeated)
    count = number**pegs if is_repeated else perm(number, pegs)
    if count > MOST_CODES:
        seen = f"{count:,} codes, expected at most {MOST_CODES:,} on the page"
        raise RequestError(f"{seen}: use fewer pegs or colours, or the command line", 422)
    return number


def asked_of(record: Any, shape: Mapping[str, fields.Check], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request, checked; what it leaves out has its default.

    Raises:
        RequestError: a field is unknown or missing, or has another value.
    """
    try:
        return fields.checked(record, shape, defaults=defaults)
    except ValueError as error:
        raise RequestError(f"the request {error}") from None


def asked_round(
    record: Any, shape: Mapping[str, fields.Check], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a request about a round, checked; `shape` and `defaults` are beside those of every round.

    Raises:
        RequestError: as `asked_of`, or the round is too long.
    """
    asked = asked_of(record, ROUND | dict(shape), ROUND_DEFAULTS | dict(defaults))
    history = asked["history"]
    if len(history) > MOST_ROUNDS or any(len(part) > 4 * MOST_LENGTH for part in history):
        raise RequestError(f"the round is too long, expected at most {MOST_ROUNDS} guesses")
    return asked


def slip_of(targets: Sequence[str], history: Sequence[tuple[str, str]], game: Game) -> Answer | None:
    """Return the other marks of a guess that most words fit where none fits a history, or None."""
    rule = feedback_of(game)
    if fitting(targets, history, rule):
        return None
    for own in readings(targets, history, rule)[:1]:
        return {"turn": own.turn, "place": own.place, "marks": own.marks}
    return None


@contextmanager
def refused(what: str = "") -> Iterator[None]:
    """Turn errors in the user's input into RequestError; `what` stands before them."""
    try:
        yield
    except RequestError:
        raise
    except (UnknownGameError, ValueError) as error:  # of rounds, lists, games and devices
        raise RequestError(what + line_of(error), 422) from None


def line_of(error: Exception) -> str:
    """Return an error in one line, without what can be done on a command line alone."""
    text = " ".join(str(error).split())
    cuts = (", or use --game", ""), ("give --target WORD", "give the target")
    for here, there in cuts:
        head, cut, _ = text.partition(here)
        text = head + there if cut else text
    return text

"""Play on the page: rounds against a host, stored here under names that cannot be guessed.

The host's knowledge never leaves the server before a round is over.
"""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Callable
from datetime import date
from typing import Any

from gpulingo.games.catalogue import FAMILIES, HOSTED
from gpulingo.storage import fields
from gpulingo.web.cache import LruCache
from gpulingo.web.daily import MOST_DAY, DailyDraw, check_day, daily_entry, daily_word
from gpulingo.web.lists import Lists
from gpulingo.web.requests import MOST_LENGTH, MOST_ROUNDS, RequestError, Setting, asked_of, hard_mode
from gpulingo.web.rounds import HANGMAN, HARD, HONEST, HOSTS, Choices, Pool, Round, begun

MOST_KEPT = 1000  # that are kept; the one that was looked at longest ago goes
MOST_GUESS = 4 * MOST_LENGTH  # characters
MOST_TURN = 1 << 16
KINDS = tuple(dict.fromkeys(host for hosts in HOSTS.values() for host in hosts))
NEW = {
    "game": fields.one_of(*HOSTS),
    "length": fields.whole(1, MOST_LENGTH),
    "hard": hard_mode,
    "host": fields.or_none(fields.one_of(*KINDS)),
    "words": fields.flag,
    "day": fields.or_none(fields.whole(-MOST_DAY, MOST_DAY)),
    "guesses": fields.list_of(fields.text),
}
NEW_DEFAULTS = {"game": "wordle", "length": 5, "hard": "", "host": None, "words": False, "day": None,
                "guesses": []}  # fmt: skip
LOOK = {"round": fields.text, "words": fields.flag}
LOOK_DEFAULTS = {"words": False}
GUESS = {**LOOK, "guess": fields.text, "turn": fields.whole(1, MOST_TURN)}


class Play:
    """Rounds against hosts. Words are read once.

    Args:
        setting: what the user said when the page was started. draw: draws words; None: as the system does.
        today: the date of this machine.
    """

    def __init__(
        self, setting: Setting, draw: random.Random | None = None, today: Callable[[], date] = date.today
    ) -> None:
        self._lists, self._draw, self._today = Lists(setting), draw or random.SystemRandom(), today
        self._rounds: LruCache[str, Round] = LruCache(MOST_KEPT)
        self._pools: dict[tuple[str, int], Pool] = {}
        self._lengths: list[int] = []
        self._reading = threading.Lock()

    def games(self) -> dict[str, Any]:
        """Return the choices on the page: hosts of each game, games of a hard mode, lengths of words."""
        with self._reading:
            if not self._lengths:
                self._lengths = self._lists.lengths()
        return {"games": {game: list(hosts) for game, hosts in HOSTS.items()}, "hard": list(HARD),
                "segments": {"practice": [*reversed(FAMILIES)], "evil": list(HOSTED), "hangman": [HANGMAN]},
                "lengths": self._lengths}  # fmt: skip

    def new(self, record: Any) -> dict[str, Any]:
        """Begin a round and return it.

        Args:
            record: what was sent, as NEW says; no host is the first of the game's. A `day` is that of a daily
                word, `guesses` are those so far.
        Raises:
            RequestError: it is something else, or there are no such words.
        """
        asked = asked_of(record, NEW, NEW_DEFAULTS)
        game = asked["game"]
        host = asked["host"] or HOSTS[game][0]
        if host not in HOSTS[game]:
            raise RequestError(f"host {host!r} of {game}, expected {' or '.join(HOSTS[game])}")
        day, pool, draw = asked["day"], self._pool(game, asked["length"]), self._draw
        if day is not None:
            check_day(day, self._today())
            game, host, draw = "wordle", HONEST, DailyDraw()
            draw.word = daily_word(pool.words, day)
        choices = Choices(game, asked["length"], asked["hard"] if game in HARD else "", host)
        round_ = begun(choices, pool, draw)
        if day is not None:
            round_.daily = daily_entry(pool.words, day)
        for guess in asked["guesses"][:MOST_ROUNDS]:
            round_.guess(guess)
        name = secrets.token_urlsafe(16)
        self._rounds.put(name, round_)
        return {"round": name, **round_.told(asked["words"])}

    def round(self, record: Any) -> dict[str, Any]:
        """Return the present state of a round.

        Raises:
            RequestError: no round has the name.
        """
        asked = asked_of(record, LOOK, LOOK_DEFAULTS)
        round_ = self._found(asked["round"])
        with round_.lock:
            return {"round": asked["round"], **round_.told(asked["words"])}

    def guess(self, record: Any) -> dict[str, Any]:
        """A round after a guess; with a `note`, and without the guess, where it is not that one's turn.

        Raises:
            RequestError: there is no such round, or the guess is not allowed.
        """
        asked = asked_of(record, GUESS, LOOK_DEFAULTS)
        size = len(asked["guess"])
        if size > MOST_GUESS:
            raise RequestError(f"a guess of {size:,} characters, expected at most {MOST_GUESS}")
        round_, note = self._found(asked["round"]), {}
        with round_.lock:
            if asked["turn"] == len(round_.history) + 1:
                round_.guess(asked["guess"])
            else:
                note = {"note": "You played on in another tab. This is the round now; nothing was guessed."}
            return {"round": asked["round"], **round_.told(asked["words"]), **note}

    def end(self, record: Any) -> dict[str, Any]:
        """Give up a round and return it; one that is over stays as it is.

        Raises:
            RequestError: no round has the name.
        """
        asked = asked_of(record, LOOK, LOOK_DEFAULTS)
        round_ = self._found(asked["round"])
        with round_.lock:
            round_.given_up = True
            return {"round": asked["round"], **round_.told(asked["words"])}

    def _found(self, name: str) -> Round:
        """Return the round of a name.

        Raises:
            RequestError: no round has the name, or it was dropped for newer ones.
        """
        found = self._rounds.get(name)
        if found is None:
            raise RequestError("This round has expired. Start a new one.", 410)
        return found

    def _pool(self, game: str, length: int) -> Pool:
        """Return the words of a game, shared by all games that draw from the same targets.

        Raises:
            RequestError: the game has no such words.
        """
        listed = game if game in FAMILIES else "lingo" if game == "hangman" else "wordle"
        with self._reading:
            if (listed, length) not in self._pools:
                words = self._lists.drawn(length, FAMILIES[listed]())
                letters = "".join(sorted(set("".join(words.words))))
                self._pools[listed, length] = Pool(words, words.targets, letters)
            return self._pools[listed, length]

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

from gpulingo.advice.candidates import fitting
from gpulingo.advice.notation import read_history
from gpulingo.games.catalogue import FAMILIES, HOSTED, feedback_of, hangman
from gpulingo.games.game import Game
from gpulingo.storage import fields
from gpulingo.web.cache import LruCache
from gpulingo.web.daily import MOST_DAY, FixedDraw, check_day, daily_entry, daily_word
from gpulingo.web.lists import Lists
from gpulingo.web.requests import HARD, MOST_LENGTH, RequestError, Setting, asked_of, asked_round, refused
from gpulingo.web.rounds import HANGMAN, HONEST, HOSTS, LETTER, Choices, Pool, Round, begun
from gpulingo.web.walk import Walk
from gpulingo.words.letters import in_order

MOST_KEPT = 1000  # that are kept; the one that was looked at longest ago goes
MOST_GUESS = 4 * MOST_LENGTH  # characters
MOST_TURN = 1 << 16
KINDS = tuple(dict.fromkeys(host for hosts in HOSTS.values() for host in hosts))
NEW = {
    "game": fields.one_of(*HOSTS),
    "length": fields.whole(1, MOST_LENGTH),
    "host": fields.or_none(fields.one_of(*KINDS)),
    "words": fields.flag,
    "day": fields.or_none(fields.whole(-MOST_DAY, MOST_DAY)),
}
NEW_DEFAULTS = {"length": 5, "host": None, "words": False, "day": None}
LOOK = {"round": fields.text, "words": fields.flag}
LOOK_DEFAULTS = {"words": False}
GUESS = {**LOOK, "guess": fields.text, "turn": fields.whole(1, MOST_TURN)}


class Play:
    """Rounds against hosts. Words are read once.

    Args:
        setting: what the user said when the page was started. draw: draws words; None: as the system does.
        today: the date of this machine. walk: gives a stored strategy to be walked, or raises RequestError.
    """

    def __init__(
        self,
        setting: Setting,
        draw: random.Random | None = None,
        today: Callable[[], date] = date.today,
        walk: Callable[[Game, int], Walk] | None = None,
    ) -> None:
        self._lists, self._draw, self._today = Lists(setting), draw or random.SystemRandom(), today
        self._walk = walk
        self._rounds: LruCache[str, Round] = LruCache(MOST_KEPT)
        self._pools: LruCache[tuple[str, int], Pool] = LruCache(len(FAMILIES) * MOST_LENGTH)
        self._lengths: list[int] = []
        self._reading = threading.Lock()

    def games(self) -> dict[str, Any]:
        """Return the choices on the page: hosts of each game, games of a hard mode, lengths of words."""
        with self._reading:
            if not self._lengths:
                self._lengths = self._lists.lengths()
        segments = {"practice": [*reversed(FAMILIES), LETTER], "evil": list(HOSTED), "hangman": [HANGMAN]}
        games = {game: list(hosts) for game, hosts in HOSTS.items()}
        return {"games": games, "hard": list(HARD), "segments": segments, "lengths": self._lengths}

    def new(self, record: Any) -> dict[str, Any]:
        """Begin a round and return it.

        Args:
            record: what was sent, a round with the fields of NEW; no host is the first of the game's. A `day`
                is that of a daily word. The word of an honest host fits the marks of the history.
        Raises:
            RequestError: it is something else, or there are no such words.
        """
        asked = asked_round(record, NEW, NEW_DEFAULTS)
        game, history = asked["game"], asked["history"]
        host = asked["host"] or HOSTS[game][0]
        if host not in HOSTS[game]:
            raise RequestError(f"host {host!r} of {game}, expected {' or '.join(HOSTS[game])}")
        day, pool, draw = asked["day"], self._pool(game, asked["length"]), self._draw
        if day is not None:
            check_day(day, self._today())
            game, host, draw = "wordle", HONEST, FixedDraw()
            draw.word = daily_word(pool.words, day)
        elif history and host == HONEST:
            draw = FixedDraw()
            draw.word = self._draw.choice(_fitting(pool, history, game))
        choices = Choices(game, asked["length"], asked["hard"] if game in HARD else "", host)
        round_ = begun(choices, pool, draw)
        if day is not None:
            round_.daily = daily_entry(pool.words, day)
        for row in history:
            round_.guess(row.partition(":")[0])
        round_.helped = bool(history) and day is None
        name = secrets.token_urlsafe(16)
        self._rounds.put(name, round_)
        return self._told(name, round_, asked["words"])

    def round(self, record: Any, given_up: bool = False) -> dict[str, Any]:
        """Return the present state of a round, or give it up first; one that is over stays as it is.

        Raises:
            RequestError: no round has the name.
        """
        asked = asked_of(record, LOOK, LOOK_DEFAULTS)
        round_ = self._found(asked["round"])
        with round_.lock:
            round_.given_up = round_.given_up or given_up
            return self._told(asked["round"], round_, asked["words"])

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
            return {**self._told(asked["round"], round_, asked["words"]), **note}

    def _told(self, name: str, round_: Round, words: bool) -> dict[str, Any]:
        """Return the page's view of a round; at hangman's end with what the stored strategy asks."""
        told = {"round": name, **round_.told(words)}
        if round_.over and round_.host.game.guesses_letters and self._walk:
            try:
                told["asks"] = self._walk(hangman(), round_.choices.length).asks(told["word"])
            except RequestError:  # no strategy is stored, or it knows other words
                told["asks"] = ""
        return told

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
        listed = game if game in FAMILIES else "wordle" if game in HOSTED else "lingo"

        def read() -> Pool:
            words = self._lists.drawn(length, FAMILIES[listed]())
            return Pool(words, words.targets, "".join(in_order("".join(words.words))))

        return self._pools.made((listed, length), read)


def _fitting(pool: Pool, history: list[str], game: str) -> list[str]:
    """Return the words of a pool that fit guesses with their marks.

    Raises:
        RequestError: the history is invalid, or no word fits.
    """
    rule = feedback_of(hangman() if game == HANGMAN else FAMILIES["lingo"]())
    with refused():
        left = fitting(pool.targets, read_history(history, rule, pool.words.enter), rule)
    if not left:
        raise RequestError("No usual answer fits these colours. Start a new round.", 422)
    return left

"""Play on the page: rounds against a host, stored under unguessable names, and the daily word.

Hosts are those of `gpulingo.hosts`. Their words never leave the server before a round is over. A daily
word is the same for everybody with the same list and date. No word is repeated in a cycle, which has as many
days as there are targets. The words are not secret: they follow from the list.
"""

from __future__ import annotations

import random
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from gpulingo.advice.notation import fitting, read_history
from gpulingo.advice.sentences import filled, squares
from gpulingo.games.catalogue import FAMILIES, HOSTED, feedback_of, hangman
from gpulingo.games.game import Game
from gpulingo.hosts.host import KEEPS, TRIED, Host, WorstCase, used_text
from gpulingo.player.question import Lists
from gpulingo.positions.service import LruCache, RequestError
from gpulingo.storage import fields
from gpulingo.web import requests
from gpulingo.web.atlas import Walk
from gpulingo.web.requests import HARD, MOST_LENGTH, Setting
from gpulingo.words.letters import capitals, in_order
from gpulingo.words.listing import EMBEDDED_NAME
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList

MOST_KEPT = 1000  # rounds in memory; the least recently used one is dropped
MOST_GUESS = 4 * MOST_LENGTH  # characters
MOST_TURN = 1 << 16
HONEST, LARGEST, ADVERSARY, HANGMAN, LETTER = "honest", "largest", "adversary", "hangman", "lingo-letter"
# Game -> possible hosts; the first is the default.
HOSTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(FAMILIES, (HONEST, LARGEST, ADVERSARY)),
    LETTER: (HONEST,),
    **{name: (make().opponent,) for name, make in HOSTED.items()},
    HANGMAN: tuple(KEEPS),
}
MOST_SHOWN = 500  # words left in one answer
MOST_SEED = 1 << 62
# With so many targets an adversary tries fewer guesses: an answer takes about a second of CPU at most.
MANY, TRIED_OF_MANY = 16_000, 8
FIRST = date(2026, 1, 1)  # day 0, number 1
MOST_DAY = 1 << 20
AHEAD = 1  # days that a player's date may be ahead of the server's
KINDS = tuple(dict.fromkeys(host for hosts in HOSTS.values() for host in hosts))
NEW: fields.Shape = {
    **requests.ROUND,
    "game": (fields.one_of(*HOSTS), "wordle"),
    "length": (fields.whole(1, MOST_LENGTH), 5),
    "host": (fields.or_none(fields.one_of(*KINDS)), None),  # None: the first of the game's hosts
    "words": (fields.flag, False),
    "day": (fields.or_none(fields.whole(-MOST_DAY, MOST_DAY)), None),  # of a daily word
}
LOOK: fields.Shape = {"round": fields.text, "words": (fields.flag, False)}
GUESS: fields.Shape = {**LOOK, "guess": fields.text, "turn": fields.whole(1, MOST_TURN)}


class RoundServer:
    """Rounds against hosts. Words are read once."""

    def __init__(
        self,
        setting: Setting,
        draw: random.Random | None = None,  # of words; None: by the system
        today: Callable[[], date] = date.today,  # on this machine
        walk: Callable[[Game, int], Walk] | None = None,  # through a stored strategy, or RequestError
    ) -> None:
        self._lists, self._draw, self._today = Lists(setting.names), draw or random.SystemRandom(), today
        self._walk = walk
        self._rounds: LruCache[str, HostedRound] = LruCache(MOST_KEPT)
        self._drawn: LruCache[tuple[str, int], WordList] = LruCache(len(FAMILIES) * MOST_LENGTH)

    def games(self) -> dict[str, Any]:
        segments = {"practice": [*reversed(FAMILIES), LETTER], "evil": list(HOSTED), "hangman": [HANGMAN]}
        games = {game: list(hosts) for game, hosts in HOSTS.items()}
        return {"games": games, "hard": list(HARD), "segments": segments, "lengths": self._lists.lengths}

    def new(self, record: Any) -> dict[str, Any]:
        """Begin a round and return it; an honest host draws a word that fits the history."""
        request = requests.asked_of(record, NEW)
        game, history = request["game"], request["history"]
        host = request["host"] or HOSTS[game][0]
        if host not in HOSTS[game]:
            raise RequestError(f"host {host!r} of {game}, expected {' or '.join(HOSTS[game])}")
        day, length, word, daily = request["day"], request["length"], "", dict[str, Any]()
        # Words are shared by all games that draw from the same targets.
        family = game if game in FAMILIES else "wordle" if game in HOSTED else "lingo"
        words = self._drawn.made((family, length), lambda: self._lists.drawn(length, FAMILIES[family]()))
        if day is not None:
            check_day(day, self._today())
            game, host, word, daily = "wordle", HONEST, daily_word(words, day), daily_entry(words, day)
        elif history and host == HONEST:
            rule = feedback_of(requests.game_of(game))
            left = fitting(words.targets, read_history(history, rule, words.enter), rule)
            if not left:
                raise RequestError("No usual answer fits these colours. Start a new round.", 422)
            word = self._draw.choice(left)
        draw = SimpleNamespace(choice=lambda words: word) if word else self._draw
        hard = request["hard"] if game in HARD else ""
        choices = {"game": game, "length": length, "hard": hard, "host": host, **daily}
        round_ = HostedRound(choices, words, draw)
        for row in history:
            round_.take(row.partition(":")[0])
        round_.helped = bool(history) and not daily
        name = secrets.token_urlsafe(16)
        self._rounds.put(name, round_)
        return self._told(name, round_, request["words"])

    def round(self, record: Any, given_up: bool = False) -> dict[str, Any]:
        """Return the state of a round, after giving it up if wanted; one that is over does not change."""
        request = requests.asked_of(record, LOOK)
        round_ = self._found(request["round"])
        with round_.lock:
            round_.given_up = round_.given_up or given_up
            return self._told(request["round"], round_, request["words"])

    def guess(self, record: Any) -> dict[str, Any]:
        request = requests.asked_of(record, GUESS)
        size = len(request["guess"])
        if size > MOST_GUESS:
            raise RequestError(f"a guess of {size:,} characters, expected at most {MOST_GUESS}")
        round_, note = self._found(request["round"]), {}
        with round_.lock:
            if request["turn"] == len(round_.history) + 1:
                round_.take(request["guess"])
            else:
                note = {"note": "You played on in another tab. This is the round now; nothing was guessed."}
            return {**self._told(request["round"], round_, request["words"]), **note}

    def _told(self, name: str, round_: HostedRound, words: bool) -> dict[str, Any]:
        """Return the page's view of a round; at the end in hangman with the stored strategy's letters."""
        told = {"round": name, **round_.told(words)}
        if round_.over and round_.game.guesses_letters and self._walk:
            try:
                told["asks"] = self._walk(hangman(), round_.words.length).asks(told["word"])
            except ValueError:  # no strategy is stored, or it is for other words
                told["asks"] = ""
        return told

    def _found(self, name: str) -> HostedRound:
        round_ = self._rounds.get(name)
        if round_ is None:
            raise RequestError("This round has expired. Start a new one.", 410)
        return round_


class HostedRound(Host):
    """A round of words or letters; its lock is held while it is used.

    Attributes:
        choices: at its start, as sent by the page: game, length, hard mode and host; and its day, see
            `daily_entry`. `draw` draws the word, and makes random choices of a cheating host.
        helped: whether the user saw the words left. before: words left before the last guess.
    """

    def __init__(self, choices: dict[str, Any], words: WordList, draw: Any) -> None:
        game, host = requests.game_of(choices["game"], choices["hard"]), choices["host"]
        keep, chance = KEEPS.get(host), draw if game.guesses_letters or host == HONEST else None
        if host == ADVERSARY:
            tried = TRIED_OF_MANY if words.target_count > MANY else TRIED
            keep = WorstCase(words, game, draw.randrange(MOST_SEED), tried=tried).hardest
        elif game.guesses_letters and host != HONEST:
            chance = random.Random(draw.randrange(MOST_SEED))
        super().__init__(words, game, keep, chance)
        self.choices = choices
        if not game.given:
            self.left = words.targets  # shared: a copy for each round would fill the memory
        self.lock, self.helped, self.before = threading.Lock(), False, len(self.left)

    def take(self, text: str) -> None:
        if self.over:
            raise RequestError("The round is over. Start a new one.", 422)
        guess = self.words.enter(text.strip())
        fault = self.fault(guess)
        if fault:
            if not self.game.guesses_letters and guess not in self.words:
                fault = "Not in the list" if len(guess) == self.words.length else fault
            what = f"{guess[:40]!r}: " if fault.startswith("that") else ""
            raise RequestError(f"{what}{fault}. It costs nothing.", 422)
        self.before = len(self.left)
        self.answer(guess)

    def told(self, words: bool) -> dict[str, Any]:
        """Return the page's view: the turns, or in hangman the revealed letters, all at the end."""
        left, over = self.left, self.over
        self.helped = self.helped or (words and not over)
        told = {
            **self.choices,
            "source": requests.source_text(self.words), "targets": self.words.target_count,
            "letters": "".join(in_order("".join(self.words.words))), "history": self.history,
            "left": len(left), "words": left[:MOST_SHOWN] if words else [], "over": over,
            "end": self._end() if over else "", "before": self.before, "helped": self.helped,
            **({"word": self.word(), "share": self._share()} if over else {}),
        }  # fmt: skip
        if self.game.given:
            told["letter"] = self.word()[0]
        if not self.game.guesses_letters:
            told["hints"] = self._hints() if self.choices["hard"] and not over else ""
            turns = self.game.turns
            points = [self.game.points(turn) for turn in range(1, turns + 1)]
            shown = points if self.game.shown == "points" else []
            return {**told, "turns": None if self.endless else turns, "points": shown}
        return {**told, "shown": self.shown, "misses": self.used, "lives": self.game.turns}

    def _hints(self) -> str:
        """Return the hints that the next guess must use in hard mode; empty if there are no hints."""
        placed, held = dict[int, str](), Counter[str]()
        for guess, row in self.history:
            placed |= {place: letter for place, letter in enumerate(guess, 1) if row[place - 1] == "O"}
            held |= Counter(sign for sign, mark in zip(guess, row, strict=True) if mark != "X")  # the maximum
        hints = [f"{capitals(letter)} in place {place}" for place, letter in sorted(placed.items())]
        hints += map(capitals, (held - Counter(placed.values())).elements())
        if not hints or len(self.history) + 1 < self.game.since:
            return ""
        *first, last = hints
        return f"Hard mode: use {', '.join(first) + ' and ' if first else ''}{last}."

    def _share(self) -> str:
        """Return a text to share, with coloured squares; empty without squares."""
        if self.game.guesses_letters or not self.history:
            return ""
        most = "" if self.endless else f"/{self.game.turns}"
        return squares(f"{len(self.history) if self.found else 'X'}{most}", self.history)

    def _end(self) -> str:
        game = self.game
        if self.found and game.guesses_letters:
            return f"Found with {used_text(self)}."
        if self.found:
            points = f": {game.points(self.used)} points" if game.shown == "points" else ""
            return filled("round found", count=self.used, points=points)
        how = f"No {'life' if game.counts_misses else 'guess'} is left." if self.lost else "Given up."
        word = capitals(self.word())
        if self.honest:
            return filled("round lost" if self.lost else "round given up", word=word)
        if len(self.left) > 1:
            return f"{how} {counted(len(self.left), 'word')} fit, such as {word}."
        return f"{how} " + (f"The word was {word}." if game.guesses_letters else f"Only {word} fits.")


def daily_word(words: WordList, day: int) -> str:
    """Return the word of a day, counted from FIRST."""
    cycle, place = divmod(day, words.target_count)
    return _cycle(words, cycle)[place]


@lru_cache(maxsize=16)
def _cycle(words: WordList, cycle: int) -> list[str]:
    head = f"gpulingo daily 1 {words.fingerprint} {words.length} {cycle}"
    return sorted(words.targets, key=lambda word: sha256(f"{head} {word}".encode()).hexdigest())


def daily_entry(words: WordList, day: int) -> dict[str, Any]:
    """Return the page's data of a day: its title, its date, and its series."""
    usual = words.source == EMBEDDED_NAME and words.targets_source == "answers"
    tag, dated = "" if usual else f" · {words.fingerprint[:4]}", FIRST + timedelta(days=day)
    return {
        "day": day,
        "number": f"{day + 1}{tag}",
        "dated": f"{dated:%-d %B}",
        "series": f"{words.fingerprint}/{words.length}",
    }


def check_day(day: int, today: date) -> None:
    """Reject days that have no word yet."""
    if day < 0:
        raise RequestError(f"The first daily word is that of {FIRST:%-d %B %Y}: set the clock.", 422)
    if day > (today - FIRST).days + AHEAD:
        claimed = FIRST + timedelta(days=day)
        what = f"This device says {claimed:%-d %B %Y}, the server {today:%-d %B %Y}"
        raise RequestError(f"{what}: set the clock, or practise.", 422)

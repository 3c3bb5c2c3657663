"""Rounds that are played on the page: a host, one guesser at a time, and the view of the page.

Hosts are those of `gpulingo.hosts`; `play` stores the rounds.
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from typing import Any

from gpulingo.advice.sentences import filled
from gpulingo.advice.verdict import squares
from gpulingo.games.catalogue import FAMILIES, HOSTED, find_game
from gpulingo.hosts.host import KEEPS, Host
from gpulingo.hosts.session import used_text
from gpulingo.hosts.worst_case import TRIED, WorstCase
from gpulingo.web.lists import source_text
from gpulingo.web.requests import RequestError
from gpulingo.words.letters import capitals
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList

HONEST, LARGEST, ADVERSARY, HANGMAN, LETTER = "honest", "largest", "adversary", "hangman", "lingo-letter"
# Game -> who may hold the word; the first where none is named.
HOSTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(FAMILIES, (HONEST, LARGEST, ADVERSARY)),
    LETTER: (HONEST,),
    **{name: (make().opponent,) for name, make in HOSTED.items()},
    HANGMAN: tuple(KEEPS),
}
MOST_SHOWN = 500  # words left that are told at once
MOST_SEED = 1 << 62
# Of so many targets an adversary tries fewer guesses: an answer takes about a second of CPU at most.
MANY, TRIED_OF_MANY = 16_000, 8


@dataclass(frozen=True)
class Choices:
    """Choices at the start of a round: the game, letters of the word, hard mode, and the host."""

    game: str
    length: int
    hard: str
    host: str


@dataclass(frozen=True)
class Pool:
    """Words that rounds share.

    Attributes:
        words: what may be guessed. targets: those that may have to be found, a list for all rounds.
        letters: of all words, in their order.
    """

    words: WordList
    targets: list[str]
    letters: str


class Round:
    """A round of words or letters.

    Args:
        choices: what it was begun with.
        pool: its words.
        host: who holds the word.
    Attributes:
        lock: held by the caller that guesses or looks.
        given_up: whether the user has had enough. helped: whether it saw the words left.
        before: words left before the last guess. daily: the day and its title, of a daily round.
    """

    def __init__(self, choices: Choices, pool: Pool, host: Host) -> None:
        self.choices, self.pool, self.host = choices, pool, host
        if not host.game.given:
            host.left = pool.targets  # a list of its own for each round would fill the memory
        self.lock, self.given_up, self.helped = threading.Lock(), False, False
        self.before, self.daily = len(host.left), dict[str, Any]()

    @property
    def history(self) -> list[tuple[str, str]]:
        """Guesses and what they showed."""
        return self.host.history

    @property
    def over(self) -> str:
        """End of the round: found, lost, given up; empty while the round continues."""
        if self.host.found:
            return "found"
        if self.host.lost:
            return "lost"
        return "given up" if self.given_up else ""

    def guess(self, text: str) -> None:
        """Take a guess.

        Raises:
            RequestError: it may not be guessed, or the round is over; nothing is lost.
        """
        if self.over:
            raise RequestError("The round is over. Start a new one.", 422)
        guess = self.pool.words.enter(text.strip())
        fault = self.host.fault(guess)
        if fault:
            if not self.host.game.guesses_letters and guess not in self.pool.words:
                fault = "Not in the list" if len(guess) == self.choices.length else fault
            seen = f"{guess[:40]!r}: " if fault.startswith("that") else ""
            raise RequestError(f"{seen}{fault}. It costs nothing.", 422)
        self.before = len(self.host.left)
        self.host.answer(guess)

    def told(self, words: bool) -> dict[str, Any]:
        """Return the page's view: the turns, or in hangman the revealed letters, all at the end.

        Args:
            words: include the words that are left.
        """
        choices, host, left, over = self.choices, self.host, self.host.left, self.over
        self.helped = self.helped or (words and not over)
        told = {
            "game": choices.game, "length": choices.length, "hard": choices.hard, "host": choices.host,
            "source": source_text(self.pool.words), "targets": len(self.pool.targets),
            "letters": self.pool.letters, "history": self.history, "left": len(left),
            "words": left[:MOST_SHOWN] if words else [], "over": over,
            "end": self._end() if over else "", "before": self.before, "helped": self.helped,
            **self.daily, **({"word": host.word(), "share": self._share()} if over else {}),
        }  # fmt: skip
        if host.game.given:
            told["letter"] = host.word()[0]
        if not host.game.guesses_letters:
            turns = host.game.turns
            points = [host.game.points(turn) for turn in range(1, turns + 1)]
            shown = points if host.game.shown == "points" else []
            return {**told, "turns": None if host.endless else turns, "points": shown}
        return {**told, "shown": host.shown, "misses": host.used, "lives": host.game.turns}

    def _share(self) -> str:
        """Return a text to be sent to others, with coloured squares; empty without any."""
        host = self.host
        if host.game.guesses_letters or not host.history:
            return ""
        most = "" if host.endless else f"/{host.game.turns}"
        return squares(f"{len(host.history) if host.found else 'X'}{most}", host.history)

    def _end(self) -> str:
        """Return a sentence on how the round ended."""
        host, game = self.host, self.host.game
        if host.found and game.guesses_letters:
            return f"Found with {used_text(host)}."
        if host.found:
            points = f": {game.points(host.used)} points" if game.shown == "points" else ""
            return filled("round found", count=host.used, points=points)
        how = f"No {'life' if game.counts_misses else 'guess'} is left." if host.lost else "Given up."
        word = capitals(host.word())
        if host.honest:
            return filled("round lost" if host.lost else "round given up", word=word)
        if len(host.left) > 1:
            return f"{how} {counted(len(host.left), 'word')} fit, such as {word}."
        return f"{how} " + (f"The word was {word}." if game.guesses_letters else f"Only {word} fits.")


def begun(choices: Choices, pool: Pool, draw: random.Random) -> Round:
    """Begin a round and return it.

    Args:
        draw: draws the word, and what a host who cheats leaves to chance.
    """
    game, words = HOSTED[choices.game]() if choices.game in HOSTED else find_game(choices.game), pool.words
    game = game.under(choices.hard) if choices.hard else game
    if choices.host == ADVERSARY:
        tried = TRIED_OF_MANY if words.target_count > MANY else TRIED
        worst = WorstCase(words, game, draw.randrange(MOST_SEED), tried=tried)
        return Round(choices, pool, Host(words, game, worst.hardest))
    if game.guesses_letters and choices.host != HONEST:
        draw = random.Random(draw.randrange(MOST_SEED))
    own = draw if game.guesses_letters or choices.host == HONEST else None
    return Round(choices, pool, Host(words, game, KEEPS[choices.host], own))

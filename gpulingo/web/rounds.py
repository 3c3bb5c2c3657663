"""Rounds that are played on the page: a host, whoever guesses at a time, and what the page is told.

Hosts are those of `gpulingo.hosts`; the rounds are kept by `play`.
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from typing import Any

from gpulingo.games.catalogue import FAMILIES, HOSTED, hangman
from gpulingo.games.game import Game
from gpulingo.games.positions import ABSENT, THERE
from gpulingo.hosts.honest import HonestHost
from gpulingo.hosts.host import Host
from gpulingo.hosts.letter_host import HOSTS as LETTER_HOSTS
from gpulingo.hosts.letter_host import LetterHost
from gpulingo.hosts.letter_session import misses_text, words_text
from gpulingo.hosts.worst_case import TRIED, WorstCase
from gpulingo.web.requests import RequestError
from gpulingo.words.wordlist import WordList

HONEST, LARGEST, ADVERSARY, HANGMAN = "honest", "largest", "adversary", "hangman"
# Game -> who may hold the word; the first where none is named.
HOSTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(FAMILIES, (HONEST, LARGEST, ADVERSARY)),
    **{name: (make().opponent,) for name, make in HOSTED.items()},
    HANGMAN: tuple(LETTER_HOSTS),
}
HARD = (*FAMILIES, *HOSTED)  # games that have a hard mode
MOST_SHOWN = 500  # words left that are told at once
MOST_SEED = 1 << 62
# Of so many targets an adversary tries fewer guesses: an answer takes about a second of CPU at most.
MANY, TRIED_OF_MANY = 16_000, 8


@dataclass(frozen=True)
class Choices:
    """What a round was begun with: the game, letters of the word, hard mode, and who holds the word."""

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

    @property
    def source(self) -> str:
        """What to tell the user of where they come from."""
        more = self.words.targets_source
        return f"{self.words.source}, targets {more}" if more else self.words.source


class Round:
    """A round, whatever is guessed.

    Args:
        choices: what it was begun with. pool: its words. host: who holds the word.
    Attributes:
        lock: held by whoever guesses or looks. given_up: whether the user has had enough.
    """

    def __init__(self, choices: Choices, pool: Pool, host: Any) -> None:
        self.choices, self.pool, self.host = choices, pool, host
        host.left = pool.targets  # a list of its own for each round would fill the memory
        self.lock, self.given_up = threading.Lock(), False

    @property
    def history(self) -> list[tuple[str, str]]:
        """Guesses and their marks."""
        raise NotImplementedError

    @property
    def over(self) -> str:
        """How the round ended: found, lost, given up; empty while it goes on."""
        raise NotImplementedError

    def _refused(self, guess: str) -> str:
        """Why nothing is guessed by a text, in one line; empty where something is."""
        raise NotImplementedError

    def _end(self) -> str:
        """How the round ended, in a sentence."""
        raise NotImplementedError

    def guess(self, text: str) -> None:
        """Take a guess.

        Raises:
            RequestError: it may not be guessed, or the round is over; nothing is lost.
        """
        if self.over:
            raise RequestError("the round is over: begin a new one", 422)
        guess = text.strip().lower()
        fault = self._refused(guess)
        if fault:
            raise RequestError(f"{fault}: guess another, this one costs nothing", 422)
        self.host.answer(guess)

    def told(self, words: bool) -> dict[str, Any]:
        """What the page is told; the words that are left only where they are asked for."""
        choices, left, over = self.choices, self.host.left, self.over
        return {
            "game": choices.game, "length": choices.length, "hard": choices.hard, "host": choices.host,
            "source": self.pool.source, "targets": len(self.pool.targets), "letters": self.pool.letters,
            "history": self.history, "left": len(left), "words": left[:MOST_SHOWN] if words else [],
            "over": over, "end": self._end() if over else "",
        }  # fmt: skip


class WordRound(Round):
    """A round of words; arguments and attributes as of `Round`."""

    host: Host

    @property
    def history(self) -> list[tuple[str, str]]:
        """Guesses and their marks."""
        return self.host.history

    @property
    def over(self) -> str:
        """How the round ended: found, lost, given up; empty while it goes on."""
        if self.host.found:
            return "found"
        if len(self.host.history) >= self.host.game.turns:
            return "lost"
        return "given up" if self.given_up else ""

    def _refused(self, guess: str) -> str:
        return self.host.fault(guess)

    def told(self, words: bool) -> dict[str, Any]:
        """What the page is told; no `turns` where a round goes on until the word is found."""
        turns = None if self.choices.game in HOSTED else self.host.game.turns
        return {**super().told(words), "turns": turns}

    def _end(self) -> str:
        host, count = self.host, len(self.host.history)
        if host.found:
            points = f": {host.game.points(count)} points" if host.game.shown == "points" else ""
            return f"Found with guess {count}{points}."
        how = "Given up." if self.over == "given up" else "No guess is left."
        word = getattr(host, "word", "")
        if word:
            return f"{how} The word was {word}."
        if len(host.left) == 1:
            return f"{how} {host.left[0]} is the only word that fits."
        return f"{how} {words_text(len(host.left))} fit, such as {host.left[0]}."


class LetterRound(Round):
    """A round of hangman; arguments and attributes as of `Round`."""

    host: LetterHost

    @property
    def history(self) -> list[tuple[str, str]]:
        """Letters and their places."""
        shown = self.host.shown
        return [
            (letter, "".join(THERE if sign == letter else ABSENT for sign in shown))
            for letter in self.host.guessed
        ]

    @property
    def over(self) -> str:
        """How the round ended: found, lost, given up; empty while it goes on."""
        if self.host.found:
            return "found"
        if self.host.lost:
            return "lost"
        return "given up" if self.given_up else ""

    def _refused(self, guess: str) -> str:
        fault = self.host.fault(guess)
        return f"{guess[:40]!r}: {fault}" if fault.startswith("that") else fault

    def told(self, words: bool) -> dict[str, Any]:
        """What the page is told: lives and misses too, the word as far as it is shown, in the end all."""
        host = self.host
        word = {"word": host.word()} if self.over else {}
        return {
            **super().told(words), "shown": host.shown, "misses": host.misses, "lives": host.lives, **word
        }  # fmt: skip

    def _end(self) -> str:
        host, over = self.host, self.over
        if over == "found":
            return f"Found with {misses_text(host.misses)}."
        how = "Given up." if over == "given up" else "No life is left."
        if self.choices.host == HONEST or len(host.left) == 1:
            return f"{how} The word was {host.word()}."
        return f"{how} {words_text(len(host.left))} fit, such as {host.word()}."


def begun(choices: Choices, pool: Pool, draw: random.Random) -> Round:
    """A round that begins.

    Args:
        draw: draws the word, and what a host who cheats leaves to chance.
    """
    if choices.game == HANGMAN:
        lives, keep = hangman().turns, LETTER_HOSTS[choices.host]
        return LetterRound(choices, pool, LetterHost(pool.targets, lives, keep, draw.randrange(MOST_SEED)))
    game = (FAMILIES | HOSTED)[choices.game]()
    game = game.under(choices.hard) if choices.hard else game
    return WordRound(choices, pool, _word_host(choices.host, pool.words, game, draw))


def _word_host(name: str, words: WordList, game: Game, draw: random.Random) -> Host:
    """The host of that name."""
    if name == HONEST:
        return HonestHost(words, game, draw)
    if name == LARGEST:
        return Host(words, game)
    tried = TRIED_OF_MANY if words.target_count > MANY else TRIED
    return Host(words, game, WorstCase(words, game, draw.randrange(MOST_SEED), tried=tried).hardest)

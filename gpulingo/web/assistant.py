"""The assistant: a position in, the words left and guesses out.

Requests are not believed: every field is checked, and none names a file.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpulingo.advice import sentences
from gpulingo.advice.adviser import Adviser
from gpulingo.advice.contradiction import NoAnswer
from gpulingo.advice.notation import word_length
from gpulingo.advice.outlook import GuessStats, measure
from gpulingo.games.catalogue import COUNTED
from gpulingo.games.game import Game
from gpulingo.player.question import MOST_TOP, Limits, Question
from gpulingo.storage import fields
from gpulingo.trees.checkpoint import FOLDERS
from gpulingo.web.requests import (
    HARD,
    Answer,
    LruCache,
    RequestError,
    Setting,
    Work,
    asked_round,
    colours_of_codes,
    game_of,
    letters,
    refused,
    slip_of,
)
from gpulingo.words.levels import unfit_words
from gpulingo.words.wordlist import WordList

GAMES = (*HARD, "hangman", *COUNTED)
MOST_KEPT, MOST_ADVISERS = 512, 64  # answers and advisers that are remembered
REQUEST = {
    "game": fields.one_of(*GAMES),
    "length": letters,
    "top": fields.whole(1, MOST_TOP),
    "longer": fields.flag,
}
DEFAULTS = {"length": 5, "top": 10, "longer": False}
LONGER, LONGEST = 10, 60.0  # times as long, and at most so many seconds


class Assistant:
    """Answers to positions. Words and trees are read once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._advisers: LruCache[tuple[Any, ...], tuple[Adviser, threading.Lock]] = LruCache(MOST_ADVISERS)
        self._answers: LruCache[tuple[Any, ...], Answer] = LruCache(MOST_KEPT)

    def games(self) -> Answer:
        return {"games": list(GAMES), "hard": list(HARD)}

    def suggest(self, record: Any) -> Answer:
        """Return the words left in a position, and the stored tree's guess; without a search."""
        asked = self._asked(record)
        key = _key("tree", asked)
        return self._answers.get(key) or self._answers.put(key, self._advised(asked, _Nothing()))

    def search(self, record: Any) -> Work:
        """Return work that finds the best guesses of a position, by a search that reports the best so far."""
        asked = self._asked(record)

        def work(tell: Callable[[Answer], None], stop: threading.Event) -> Answer:
            key = _key("search", asked)
            if known := self._answers.get(key):
                return known
            first = self.suggest(record)
            watched = _Watched(self.setting.load_engine(), tell, stop, first["turn"], first["left"])
            answer = self._advised(asked, watched)
            return answer if stop.is_set() else self._answers.put(key, answer)

        return work

    def _asked(self, record: Any) -> dict[str, Any]:
        asked = asked_round(record, REQUEST, DEFAULTS)
        if asked["game"] not in HARD:
            asked["hard"] = ""
        asked["colours"] = colours_of_codes(asked["game"], asked["length"], asked["colours"])
        return asked

    def _advised(self, asked: Mapping[str, Any], engine: Any) -> Answer:
        adviser, lock = self._adviser(asked, isinstance(engine, _Nothing))
        notes: list[str] = []
        with lock:
            adviser.complain, adviser.load_engine = notes.append, lambda: engine
            seconds = self.setting.seconds
            if asked["longer"]:
                seconds = max(seconds, min(LONGEST, LONGER * seconds))
            limits = Limits(seconds=seconds, device=self.setting.device, top=asked["top"])
            adviser.question = replace(adviser.question, length=asked["length"], limits=limits)
            with refused():  # no history, no answer, no such list, a guess that is not allowed
                history = adviser.read(asked["history"])
                try:
                    answer = adviser.answer(history)
                except NoAnswer as error:
                    if not history:
                        raise
                    words = adviser.words(word_length(*history[0], adviser.rule), wider=True)
                    slip = slip_of(words.targets, history, adviser.game)
                    raise RequestError(str(error), 422, slip) from None
        answer.guesses = _good(answer.guesses, len(answer.left))
        targets = len(adviser.words(len(answer.left[0])).targets)
        open_ = answer.turn <= adviser.game.turns  # whether a guess is left
        entry = answer.entry() | sentences.entry(answer)
        entry["stored"] = bool(answer.guesses) and isinstance(engine, _Nothing)
        entry["whose"] = sentences.whose_text(answer.fit, adviser.game, targets)
        for folder in FOLDERS:  # whoever reads may be at another machine
            entry["how"] = entry["how"].replace(f"{Path(folder)}{os.sep}", "")
        return {**entry, "measure": measure(adviser.game), "notes": notes, "open": open_}

    def _adviser(self, asked: Mapping[str, Any], quick: bool) -> tuple[Adviser, threading.Lock]:
        """Return the adviser of a game, and the lock of its user; quick answers do not wait for searches."""
        key = asked["game"], asked["hard"], asked["colours"], quick
        question = Question(game=game_of(*key[:2]), words=self.setting.names(asked["colours"]))
        return self._advisers.made(
            key, lambda: (Adviser(question, _Nothing, lambda fault: None), threading.Lock())
        )


class _Nothing:
    """An engine that finds nothing: what is asked first is answered without a search."""

    DeviceError: type[Exception] = LookupError

    def outlooks(self, *_: Any, **__: Any) -> tuple[list[GuessStats], str]:
        return [], ""


@dataclass(frozen=True)
class _Watched:
    """An engine whose search tells the best so far, and can be stopped."""

    engine: Any
    tell: Callable[[Answer], None]
    stop: threading.Event
    turn: int
    left: int

    @property
    def DeviceError(self) -> type[Exception]:
        """The error of a missing device."""
        return self.engine.DeviceError

    def outlooks(
        self, words: WordList, game: Game, history: Sequence[tuple[str, str]], **options: Any
    ) -> tuple[list[GuessStats], str]:
        unfit = unfit_words(words.length)

        def progress(best: Sequence[GuessStats], how: str) -> None:
            shown = [own for own in best if own.guess not in unfit]
            told = sentences.guess_entries(_good(shown, self.left), game, self.turn, self.left)
            self.tell({**told, "how": how})

        found: tuple[list[GuessStats], str] = self.engine.outlooks(
            words, game, history, progress=progress, stop=self.stop, **options
        )
        return found


def _good(guesses: Sequence[GuessStats], left: int) -> list[GuessStats]:
    """Return the guesses to be shown: of two words left no other one is good."""
    words = [own for own in guesses if own.target] if left <= 2 else []
    return words or list(guesses)


def _key(kind: str, asked: Mapping[str, Any]) -> tuple[Any, ...]:
    names = "game", "length", "colours", "hard", "top", "longer"
    return (kind, *(asked[name] for name in names), *asked["history"])

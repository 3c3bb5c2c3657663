"""The review: a played round in, what its choices lost and its marks gave out; as `gpulingo review` has it.

A round is read first, in whichever form it was pasted, and reviewed then, which takes a search.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gpulingo.advice import round as rounds
from gpulingo.advice.adviser import Adviser, among
from gpulingo.advice.review import Review
from gpulingo.advice.review_text import entry, sentences, turn_rows, verdict
from gpulingo.advice.sentences import filled
from gpulingo.games.catalogue import ASKED, COUNTED, FAMILIES, HOSTED, LETTERS, usual_targets, wordle
from gpulingo.games.game import Game
from gpulingo.games.units import unit_of
from gpulingo.player.question import Question
from gpulingo.storage import fields
from gpulingo.web.requests import (
    MOST_ROUNDS,
    Answer,
    LruCache,
    RequestError,
    Setting,
    Work,
    asked_round,
    colours_of_codes,
    game_of,
    refused,
    slip_of,
    source_text,
)
from gpulingo.words.wordlist import WordList

GAMES = (*FAMILIES, *HOSTED, *LETTERS, *COUNTED)
MOST_KEPT, MOST_LISTS = 128, 16  # reviews and lists that are remembered
MOST_PASTED = 20_000  # characters
LONGER = 30  # times what one search may take: a review searches before and after every guess
READ = {"game": fields.one_of(*GAMES), "text": fields.text, "words": fields.text, "target": fields.text}
REVIEW = {"game": fields.one_of(*GAMES)}
READ_DEFAULTS = {"text": "", "words": "", "target": ""}


class Reviewer:
    """Reviews of rounds. Words are read once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.seconds = LONGER * max(1.0, setting.seconds)
        self._advisers: LruCache[str, Adviser] = LruCache(MOST_LISTS)
        self._answers: LruCache[tuple[Any, ...], Answer] = LruCache(MOST_KEPT)

    def games(self) -> Answer:
        return {"games": list(GAMES), "hard": list(FAMILIES), "letters": list(LETTERS)}

    def read(self, record: Any) -> Answer:
        """Return a round as it was pasted: with marks, as a share text and words, or a target and guesses."""
        asked = asked_round(record, READ, READ_DEFAULTS)
        if sum(len(asked[name]) for name in ("text", "words", "target")) > MOST_PASTED:
            raise RequestError(f"more than {MOST_PASTED:,} characters were pasted: paste one round")
        with refused():
            game = self._game(asked["game"], asked["hard"], MOST_ROUNDS)
            played = _read(asked, game)
            number = colours_of_codes(asked["game"], played.length, asked["colours"])
            words = self._words(game, played.length, number) if played.target else None
            if words is not None and played.target not in words.targets:
                raise rounds.RoundError(rounds.fault_of(played, words, game))
        if len(played.guesses) > MOST_ROUNDS:
            raise RequestError(f"{len(played.guesses)} guesses, expected at most {MOST_ROUNDS}")
        return {"length": played.length, "history": [f"{guess}:{row}" for guess, row in played.guesses]}

    def review(self, record: Any) -> Work:
        """Return work that reviews a round guess by guess and tells the seconds that this has taken."""
        asked = asked_round(record, REVIEW, {})
        with refused():
            game = self._game(asked["game"], asked["hard"], len(asked["history"]))
            played = rounds.marked_round(asked["history"], game)
            rounds.check_round(played, game)
            number = colours_of_codes(asked["game"], played.length, asked["colours"])

        host = asked["game"] if asked["game"] in HOSTED else ""

        def work(tell: Callable[[Answer], None], stop: threading.Event) -> Answer:
            key = host, game.code, number, *played.guesses
            answer = self._answers.get(key)
            if answer is None:
                watch = _Watch(tell, stop, self.seconds)
                answer = self._answers.put(key, self._reviewed(played, game, host, number, watch))
            if not host:
                return answer
            seen = f"reviewed as {game.code}: the host of {host} chooses the marks"
            return {**answer, "notes": [f"{seen}, so luck is due to it", *answer["notes"]]}

        return work

    def _game(self, name: str, hard: str, guesses: int) -> Game:
        """The game of a round; one against a host is a game of Wordle that lasts as long as the round did."""
        if name in HOSTED:
            return wordle(max(guesses, wordle().turns))
        return game_of(name, hard if name in FAMILIES else "")

    def _words(self, game: Game, length: int, number: int = 0, wider: bool = False) -> WordList:
        """Return the words of a length, or all of them as targets; games with the same targets share them."""
        question = Question(game=game, words=self.setting.names(number))
        kind = f"{game.name} {number}" if number else usual_targets(game, ASKED) or ""
        made = partial(Adviser, question, self.setting.load_engine, lambda fault: None)
        return self._advisers.made(kind, made).words(length, wider)

    def _reviewed(self, played: rounds.Round, game: Game, host: str, number: int, watch: _Watch) -> Answer:
        with refused():
            from gpulingo.positions.rounds import reviewed

            words, notes = self._words(game, played.length, number), list[str]()
            every = partial(self._words, game, played.length, wider=True)
            wider = every if self.setting.targets is None else None
            watch.check()
            (own,), words = reviewed(
                [played], words, game, wider,
                report=notes.append, device=self.setting.device, check=watch.check,
            )  # fmt: skip
        if not isinstance(own, Review):
            raise RequestError(str(own), 422, slip_of(words.targets, played.guesses, game))
        strange = [f"{guess} is not among {among(words, game)}; its marks are taken"
                   for guess in rounds.strange_guesses(played, words, game)]  # fmt: skip
        sums, *hows = sentences(own)
        judged = verdict(own, words.targets, hosted=bool(host))
        return {
            "list": source_text(words), **entry(own), "rises": unit_of(game).rises,
            "rows": turn_rows(own), "sums": sums, "hows": hows, "notes": [*notes, *strange],
            "verdict": judged.entry(), "scores": judged.scores,
        }  # fmt: skip


class _Watch:
    """Watches the time of a review, which it tells, and whether anybody still waits."""

    def __init__(self, tell: Callable[[Answer], None], stop: threading.Event, seconds: float) -> None:
        self.tell, self.stop, self.seconds = tell, stop, seconds
        self._began, self._told = 0.0, 0

    def check(self) -> None:
        """Raise unless the review may continue."""
        from gpulingo.tensors.clock import clock

        if self.stop.is_set():
            raise RequestError("the review was stopped", 409)
        self._began = self._began or clock()
        passed = clock() - self._began
        if passed > self.seconds:
            raise RequestError(filled("review late", seconds=f"{self.seconds:g}"), 422)
        if int(passed) > self._told:
            self._told = int(passed)
            self.tell({"seconds": self._told, "most": self.seconds})


def _read(asked: Mapping[str, Any], game: Game) -> rounds.Round:
    words, target = asked["words"].replace(",", " ").split(), asked["target"].strip()
    played = rounds.read_round(asked["text"], game, words=words, target=target, bare=True)
    if all(guess for guess, _ in played.guesses):
        rounds.check_round(played, game)
    return played

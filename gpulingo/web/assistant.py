"""The assistant and the review: a round in; words left and guesses out, or the losses of its choices.

Requests are checked field by field, and none names a file. A round for review is parsed
first, from any form in which it may be pasted, and then reviewed by a search, like `gpulingo review`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import perm
from pathlib import Path
from typing import Any

from gpulingo.advice import round as rounds
from gpulingo.advice import sentences
from gpulingo.advice.adviser import Adviser, unlisted_text
from gpulingo.advice.notation import NoAnswer, fitting, readings, word_length
from gpulingo.advice.outlook import GuessStats, measure
from gpulingo.advice.round import Review
from gpulingo.games import catalogue
from gpulingo.games.game import Game
from gpulingo.games.units import unit_of
from gpulingo.player.question import MOST_TOP, Limits, Question
from gpulingo.storage import fields
from gpulingo.storage.files import FOLDERS
from gpulingo.web.requests import (
    HARD,
    MOST_ROUNDS,
    ROUND,
    Answer,
    LruCache,
    RequestError,
    Setting,
    Work,
    asked_of,
    game_of,
    letters,
    refused,
    source_text,
)
from gpulingo.words.listing import usual_colours
from gpulingo.words.wordlist import WordList

History = Sequence[tuple[str, str]]
GAMES = (*HARD, "hangman", *catalogue.COUNTED)
REVIEWED = (*HARD, *catalogue.LETTERS, *catalogue.COUNTED)
MOST_KEPT, MOST_ADVISERS = 640, 64  # answers and advisers in memory
MOST_PASTED = 20_000  # characters
MOST_CODES = 1 << 16  # of a game, so that an answer takes seconds
POSITION = {
    **ROUND,
    "game": (fields.one_of(*GAMES), "wordle"),
    "length": (letters, 5),
    "top": (fields.whole(1, MOST_TOP), 10),
    "longer": (fields.flag, False),
}
REVIEW = {**ROUND, "game": (fields.one_of(*REVIEWED), "wordle")}
PASTED = {**REVIEW, **dict.fromkeys(("text", "words", "target"), (fields.text, ""))}
LONGER, LONGEST = 10, 60.0  # factor of a longer search's time, and its most seconds
REVIEW_LONGER = 30  # factor of the time of one search: a review searches before and after every guess


class Assistant:
    """Answers to positions, and reviews of rounds. Words and trees are read once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.review_seconds = REVIEW_LONGER * max(1.0, setting.seconds)
        self._advisers: LruCache[tuple[Any, ...], tuple[Adviser, threading.Lock]] = LruCache(MOST_ADVISERS)
        self._answers: LruCache[tuple[Any, ...], Answer] = LruCache(MOST_KEPT)

    def suggest(self, record: Any) -> Answer:
        """Return the words left in a position, and the stored tree's guess; without a search."""
        asked = self._asked(record)
        key = "tree", str(asked)
        return self._answers.get(key) or self._answers.put(key, self._advised(asked))

    def search(self, record: Any) -> Work:
        """Return work that finds the best guesses of a position, by a search that reports the best so far."""
        asked = self._asked(record)

        def work(tell: Callable[[Answer], None], stop: threading.Event) -> Answer:
            key = "search", str(asked)
            if known := self._answers.get(key):
                return known
            first, game = self.suggest(record), game_of(asked["game"], asked["hard"])

            def progress(best: Sequence[GuessStats], how: str) -> None:
                shown = _good(best, first["left"])
                tell({**sentences.guess_entries(shown, game, first["turn"], first["left"]), "how": how})

            answer = self._advised(asked, {"progress": progress, "stop": stop})
            return answer if stop.is_set() else self._answers.put(key, answer)

        return work

    def _asked(self, record: Any) -> dict[str, Any]:
        asked = asked_of(record, POSITION)
        if asked["game"] not in HARD:
            asked["hard"] = ""
        asked["colours"] = colours_of_codes(asked["game"], asked["length"], asked["colours"])
        return asked

    def _advised(self, asked: Mapping[str, Any], watch: Mapping[str, Any] | None = None) -> Answer:
        quick, notes = watch is None, list[object]()  # quick answers do not wait for searches
        key = asked["game"], asked["hard"], asked["colours"], quick
        question = Question(game=game_of(*key[:2]), words=self.setting.names(asked["colours"]))
        adviser, lock = self._adviser(key, question)
        with lock:
            adviser.complain = notes.append
            seconds = self.setting.seconds
            if asked["longer"]:
                seconds = max(seconds, min(LONGEST, LONGER * seconds))
            limits = Limits(seconds=seconds, device=self.setting.device, top=asked["top"])
            adviser.question = replace(adviser.question, length=asked["length"], limits=limits)
            with refused():  # no history, no answer, no such list, a guess that is not legal
                history = adviser.read(asked["history"])
                try:
                    answer = adviser.answer(history, watch)
                except NoAnswer as error:
                    if not history:
                        raise
                    words = adviser.words(word_length(*history[0], adviser.rule), wider=True)
                    slip = slip_of(words.targets, history, adviser.game)
                    raise RequestError(str(error), 422, slip) from None
        answer.guesses = _good(answer.guesses, len(answer.left))
        targets = len(adviser.words(len(answer.left[0])).targets)
        open_ = answer.turn <= adviser.game.turns  # whether a guess is left
        entry = answer.entry() | sentences.answer_entry(answer)
        entry["stored"] = bool(answer.guesses) and quick
        entry["whose"] = sentences.whose_text(answer.fit, adviser.game, targets)
        for folder in FOLDERS:  # the reader may be at another machine
            entry["how"] = entry["how"].replace(f"{Path(folder)}{os.sep}", "")
        return {**entry, "measure": measure(adviser.game), "notes": [*map(str, notes)], "open": open_}

    def _adviser(self, key: tuple[Any, ...], question: Question) -> tuple[Adviser, threading.Lock]:
        """Return the adviser for a question, and its lock."""
        return self._advisers.made(
            key, lambda: (Adviser(question, self.setting.load_engine, lambda fault: None), threading.Lock())
        )

    def read(self, record: Any) -> Answer:
        """Return a pasted round: with marks, as a share text and words, or a target and guesses."""
        asked = asked_of(record, PASTED)
        if sum(len(asked[name]) for name in ("text", "words", "target")) > MOST_PASTED:
            raise RequestError(f"more than {MOST_PASTED:,} characters were pasted: paste one round")
        with refused():
            game, target = _reviewed_game(asked, MOST_ROUNDS), asked["target"].strip()
            guesses = asked["words"].replace(",", " ").split()
            played = rounds.read_round(asked["text"], game, words=guesses, target=target, bare=True)
            number = colours_of_codes(asked["game"], played.length, asked["colours"])
            words = partial(self._words, game, played.length, number)
            if all(guess for guess, _ in played.guesses):
                rounds.check_round(played, game, words)
            if played.target and played.target not in words().targets:
                raise rounds.RoundError(rounds.fault_of(played, words(), game))
        if len(played.guesses) > MOST_ROUNDS:
            raise RequestError(f"{len(played.guesses)} guesses, expected at most {MOST_ROUNDS}")
        return {"length": played.length, "history": [f"{guess}:{row}" for guess, row in played.guesses]}

    def review(self, record: Any) -> Work:
        """Return work that reviews a round guess by guess, with the seconds that it took."""
        asked = asked_of(record, REVIEW)
        with refused():
            game = _reviewed_game(asked, len(asked["history"]))
            played = rounds.marked_round(asked["history"], game)
            rounds.check_round(played, game)
            number = colours_of_codes(asked["game"], played.length, asked["colours"])
        host = asked["game"] if asked["game"] in catalogue.HOSTED else ""

        def work(tell: Callable[[Answer], None], stop: threading.Event) -> Answer:
            key = "review", host, game.code, number, *played.guesses
            answer = self._answers.get(key)
            if answer is None:
                watch = _Watch(tell, stop, self.review_seconds)
                answer = self._answers.put(key, self._reviewed(played, game, host, number, watch))
            if not host:
                return answer
            seen = f"reviewed as {game.code}: the host of {host} chooses the marks"
            return {**answer, "notes": [f"{seen}, so luck is due to it", *answer["notes"]]}

        return work

    def _words(self, game: Game, length: int, number: int = 0, wider: bool = False) -> WordList:
        """Return the words of a length, or all of them as targets; games with the same targets share them."""
        key = f"{game.name} {number}" if number else catalogue.usual_targets(game, catalogue.ASKED) or ""
        question = Question(game=game, words=self.setting.names(number))
        return self._adviser((key,), question)[0].words(length, wider)

    def _reviewed(self, played: rounds.Round, game: Game, host: str, number: int, watch: _Watch) -> Answer:
        with refused():
            from gpulingo.positions.rounds import reviewed

            words, notes = self._words(game, played.length, number), list[object]()
            every = partial(self._words, game, played.length, wider=True)
            wider = every if self.setting.targets is None else None
            watch.check()
            (own,), words = reviewed(
                [played], words, game, wider,
                report=notes.append, device=self.setting.device, check=watch.check,
            )  # fmt: skip
        if not isinstance(own, Review):
            raise RequestError(str(own), 422, slip_of(words.targets, played.guesses, game))
        strange = [unlisted_text(guess, words, game) for guess in rounds.strange_guesses(played, words, game)]
        sums, *hows = sentences.sentences(own)
        judged = sentences.verdict(own, words.targets, hosted=bool(host))
        return {
            "list": source_text(words), **sentences.entry(own), "rises": unit_of(game).rises,
            "rows": sentences.turn_rows(own), "sums": sums, "hows": hows, "verdict": judged.entry(),
            "notes": [*map(str, notes), *strange], "scores": judged.scores,
        }  # fmt: skip


def _good(guesses: Sequence[GuessStats], left: int) -> list[GuessStats]:
    """Return the guesses to show: with two words left only these."""
    words = [own for own in guesses if own.target] if left <= 2 else []
    return words or list(guesses)


class _Watch:
    """Watches the time of a review, which it reports, and whether anybody still waits."""

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
            raise RequestError(sentences.filled("review late", seconds=f"{self.seconds:g}"), 422)
        if int(passed) > self._told:
            self._told = int(passed)
            self.tell({"seconds": self._told, "most": self.seconds})


def _reviewed_game(asked: Mapping[str, Any], guesses: int) -> Game:
    """Return the game of a round; one against a host becomes Wordle with as many turns as the round had."""
    if asked["game"] in catalogue.HOSTED:
        return catalogue.wordle(max(guesses, catalogue.wordle().turns))
    return game_of(asked["game"], asked["hard"] if asked["game"] in catalogue.FAMILIES else "")


def colours_of_codes(game: str, pegs: int, wanted: int) -> int:
    """Return the colours of the codes of a game; 0 if words are guessed. The page generates all codes."""
    if not catalogue.is_of_codes(game):
        return 0
    is_repeated = bool(catalogue.COUNTED[game][1])
    number = wanted or usual_colours(repeated=is_repeated)
    count = number**pegs if is_repeated else perm(number, pegs)
    if count > MOST_CODES:
        seen = f"{count:,} codes, expected at most {MOST_CODES:,} on the page"
        raise RequestError(f"{seen}: use fewer pegs or colours, or the command line", 422)
    return number


def slip_of(targets: Sequence[str], history: History, game: Game) -> Answer | None:
    """Return the correction of one mark that most words fit, if none fits a history, or None."""
    rule = catalogue.feedback_of(game)
    if fitting(targets, history, rule):
        return None
    for own in readings(targets, history, rule)[:1]:
        return {"turn": own.turn, "place": own.place, "marks": own.marks}
    return None

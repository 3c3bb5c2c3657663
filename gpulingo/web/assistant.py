"""The assistant, of one board or several, and the review: words left and guesses, or the losses of choices.

Requests are checked field by field, and none names a file. A round for review is parsed
first, from any form in which it may be pasted, and then reviewed by a search, like `gpulingo review`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import perm
from typing import Any

from gpulingo.advice import review_text, sentences
from gpulingo.advice import round as rounds
from gpulingo.advice.adviser import Adviser
from gpulingo.advice.notation import History, fitting, readings, word_length
from gpulingo.advice.outlook import GuessStats, measure
from gpulingo.games import catalogue
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.games.units import unit_of
from gpulingo.player.question import MOST_TOP, Limits, ListNames, Question
from gpulingo.positions.service import Entry, Notes, RequestError, Service, Work
from gpulingo.storage import fields
from gpulingo.tensors.clock import clock
from gpulingo.web import requests
from gpulingo.web.requests import HARD, MOST_ROUNDS, Setting
from gpulingo.words.listing import usual_colours

GAMES = (*HARD, "hangman", *catalogue.COUNTED)
REVIEWED = (*HARD, *catalogue.LETTERS, *catalogue.COUNTED)
MOST_PASTED = 20_000  # characters
MOST_CODES = 1 << 16  # of a game, so that an answer takes seconds
POSITION = {
    **requests.ROUND,
    "game": (fields.one_of(*GAMES), "wordle"),
    "length": (requests.letters, 5),
    "top": (fields.whole(1, MOST_TOP), 10),
    "longer": (fields.flag, False),
}
BOARDS = {
    "game": (fields.one_of(*catalogue.BOARDED), "quordle"),
    **{name: POSITION[name] for name in ("length", "history", "top")},
}
REVIEW = {**requests.ROUND, "game": (fields.one_of(*REVIEWED), "wordle")}
PASTED = {**REVIEW, **dict.fromkeys(("text", "words", "target"), (fields.text, ""))}
LONGER, LONGEST = 10, 60.0  # factor of a longer search's time, and its most seconds
REVIEW_LONGER = 30  # factor of the time of one search: a review searches before and after every guess


class Assistant(Service):
    """Answers to positions, and reviews of rounds. Words and trees are read once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.review_seconds = REVIEW_LONGER * max(1.0, setting.seconds)
        super().__init__(setting.load_engine)

    def suggest(self, record: Any) -> Entry:
        """Return the words left in a position, and the stored tree's guess; without a search."""
        return self.known(self._asked(record, POSITION))

    def search(self, record: Any) -> Work:
        """Return work that finds the best guesses of a position, by a search that reports the best so far."""
        return self.better(self._asked(record, POSITION))

    def boards(self, record: Any) -> Work:
        """Return work that finds the best guesses for several boards; it reports first what each has left."""
        question = self._asked(record, BOARDS)

        def work(tell: Callable[[Entry], None], stop: threading.Event) -> Entry:
            tell({"boards": self.known(question)["boards"]})
            return self.better(question)(tell, stop)

        return work

    def _asked(self, record: Any, shape: fields.Shape) -> Question:
        request, seconds = requests.asked_of(record, shape), self.setting.seconds
        name, parts, length = request["game"], tuple(request["history"]), request["length"]
        if request.get("longer"):
            seconds = max(seconds, min(LONGEST, LONGER * seconds))
        game = requests.game_of(name, request.get("hard", ""))
        names = self._names(name, length, request.get("colours", 0))
        limits = Limits(seconds=seconds, top=request["top"], device=self.setting.device)
        return Question(game=game, words=names, length=0 if parts else length, parts=parts, limits=limits)

    def _names(self, game: str, pegs: int, wanted: int) -> ListNames:
        """Return the lists of a game; of codes, all of which the page generates, the number of colours."""
        if not catalogue.is_of_codes(game):
            return self.setting.names
        is_repeated = bool(catalogue.COUNTED[game][1])
        number = wanted or usual_colours(repeated=is_repeated)
        count = number**pegs if is_repeated else perm(number, pegs)
        if count > MOST_CODES:
            fault = f"{count:,} codes, expected at most {MOST_CODES:,} on the page"
            raise RequestError(f"{fault}: use fewer pegs or colours, or the command line", 422)
        return ListNames(colours=number)

    def corrected(self, error: ContradictionError, question: Question) -> ContradictionError | RequestError:
        """Return the error, with the correction of a mark if one helps."""
        if not question.parts or question.game.boards > 1:
            return error
        with self.adviser(question, Notes()) as adviser:  # none fits, or a guess is not legal
            return with_slip(error, adviser, adviser.read(question.parts))

    def entry(self, answer: Any, question: Question, searched: bool) -> Entry:
        if question.game.boards > 1:
            return answer.entry()
        answer.guesses = _good(answer.guesses, len(answer.left))
        told = sentences.guess_entries(answer.guesses, answer.game, answer.turn, len(answer.left))
        return {
            **answer.entry(), **told, "noun": unit_of(answer.game).noun, "card": sentences.state_card(answer),
            "rarer": sentences.rarer_text(answer), "measure": measure(answer.game),
            "whose": sentences.whose_text(answer.fit, answer.game),
            "stored": bool(answer.guesses) and not searched,
            "open": answer.turn <= answer.game.turns,  # whether a guess is left
        }  # fmt: skip

    def improved(self, first: Entry, best: Sequence[Any], game: Game) -> Entry:
        if game.boards > 1:
            return super().improved(first, best, game)
        shown = _good(best, first["left"])
        return sentences.guess_entries(shown, game, first["turn"], first["left"])

    def read(self, record: Any) -> Entry:
        """Return a pasted round: with marks, as a share text and words, or a target and guesses."""
        request = requests.asked_of(record, PASTED)
        if sum(len(request[name]) for name in ("text", "words", "target")) > MOST_PASTED:
            raise RequestError(f"more than {MOST_PASTED:,} characters were pasted: paste one round")
        words, target = request["words"].replace(",", " ").split(), request["target"].strip()
        read = partial(rounds.read_round, request["text"], words=words, target=target, bare=True)
        played, _ = self._spelled(request, MOST_ROUNDS, read, Notes())
        if len(played.guesses) > MOST_ROUNDS:
            raise RequestError(f"{len(played.guesses)} guesses, expected at most {MOST_ROUNDS}")
        return {"length": played.length, "history": [f"{guess}:{row}" for guess, row in played.guesses]}

    def review(self, record: Any) -> Work:
        """Return work that reviews a round guess by guess, with the seconds that it took."""
        request, spelling = requests.asked_of(record, REVIEW), Notes()
        read = partial(rounds.line_round, request["history"])
        played, question = self._spelled(request, len(request["history"]), read, spelling)
        host = request["game"] if request["game"] in catalogue.HOSTED else ""

        def work(tell: Callable[[Entry], None], stop: threading.Event) -> Entry:
            code, key = question.game.code, ("review", host, question, *played.guesses)
            answer = self.answers.get(key)
            if answer is None:
                check = watched(tell, stop, self.review_seconds)
                answer = self.answers.put(key, self._reviewed(played, question, host, check))
            what = f"reviewed as {code}: the host of {host} chooses the marks, so luck is due to it"
            notes = [*([what] if host else []), *spelling, *answer["notes"]]
            return {**answer, "notes": [*dict.fromkeys(notes)]}

        return work

    def _spelled(
        self, request: Mapping[str, Any], guesses: int, read: Callable[..., rounds.Round], notes: Notes
    ) -> tuple[rounds.Round, Question]:
        """Return a checked round, as its list spells it, and the question about it."""
        if request["game"] in catalogue.HOSTED:  # Wordle, with as many turns as the round had
            game = catalogue.wordle(max(guesses, catalogue.wordle().turns))
        else:
            game = requests.game_of(request["game"], request["hard"])
        names = self._names(request["game"], read(game).length, request["colours"])
        question = Question(game=game, words=names, limits=Limits(device=self.setting.device))
        with self.adviser(question, notes) as adviser:
            played = rounds.checked_round(adviser, read(game, entered=adviser.entering()))
            words = adviser.words(played.length, wider=True)
        if played.target and played.target not in words.targets:
            raise rounds.RoundError(rounds.fault_of(played, words, game))
        return played, question

    def _reviewed(
        self, played: rounds.Round, question: Question, host: str, check: Callable[[], None]
    ) -> Entry:
        from gpulingo.positions.rounds import every_review

        check()
        game, notes = question.game, Notes()
        with self.adviser(question, notes, searching=True) as adviser:
            try:
                (review,), words = every_review(adviser, [played], check=check)
            except rounds.RoundError as error:
                raise with_slip(error, adviser, played.guesses) from None
        sums, *hows = review_text.review_sentences(review)
        judged = review_text.verdict(review, words.targets, hosted=bool(host))
        return {
            "list": requests.source_text(words), **review_text.review_entry(review),
            "rises": unit_of(game).rises, "rows": review_text.turn_rows(review), "sums": sums, "hows": hows,
            "verdict": judged, "notes": [*notes], "scores": review_text.scores_text(judged),
        }  # fmt: skip


def _good(guesses: Sequence[GuessStats], left: int) -> list[GuessStats]:
    """Return the guesses to show: with two words left only these."""
    words = [stats for stats in guesses if stats.target] if left <= 2 else []
    return words or list(guesses)


def watched(tell: Callable[[Entry], None], stop: threading.Event, most: float) -> Callable[[], None]:
    """Return a check that reports each second of a review from now on, and raises if it must end."""
    began, reported = clock(), 0

    def check() -> None:
        nonlocal reported
        passed = clock() - began
        if stop.is_set():
            raise RequestError("the review was stopped", 409)
        if passed > most:
            raise RequestError(sentences.filled("review late", seconds=f"{most:g}"), 422)
        if int(passed) > reported:
            reported = int(passed)
            tell({"seconds": reported, "most": most})

    return check


def with_slip(error: ValueError, adviser: Adviser, history: History) -> RequestError:
    """Return an error about a history; if none fits, with the correction of one mark that most words fit."""
    targets, rule = adviser.words(word_length(*history[0]), wider=True).targets, adviser.rule
    fixes = [] if fitting(targets, history, rule) else readings(targets, history, rule)
    slips = [{"turn": fix.turn, "place": fix.place, "marks": fix.marks} for fix in fixes[:1]]
    return RequestError(str(error), 422, *slips)

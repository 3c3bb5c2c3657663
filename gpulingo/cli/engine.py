"""The line protocol of `gpulingo suggest -`: a JSON object per request, answered as soon as it is ready.

docs/howto/engine.md describes it. Quick answers never wait for a search; searches run one after the other.
"""

from __future__ import annotations

import json
import os
import threading
import traceback
from collections.abc import Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gpulingo.advice.adviser import Adviser
from gpulingo.cli import pipes
from gpulingo.cli.arguments import parsed_suggest, unknown_option
from gpulingo.cli.request import ADVISER, OPTIONS, SPELLINGS, Request, given_letter
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import one_board
from gpulingo.player.question import ListNames, Question
from gpulingo.positions.service import FAILED, Entry, LruCache, Queue, RequestError, Service, Work
from gpulingo.storage import fields
from gpulingo.storage.faults import Fault
from gpulingo.storage.printed import line_of
from gpulingo.words.listing import WordListError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpulingo.advice.outlook import GuessStats

MOST_LISTS = 32  # in memory
TEXTS = fields.list_of(fields.text)
Own = dict[str, Any]  # fields of a request other than options, by name
NAMED: fields.Shape = {
    "id": (lambda value: "" if isinstance(value, str | int | None) else "a text or a whole number", None),
    "question": (lambda value: "", "suggest"),
}  # of every line, also a faulty one
OWN: fields.Shape = {
    **NAMED,
    "question": (fields.one_of("suggest", "review", "score"), "suggest"),
    "stop": (fields.flag, False),
    "history": (TEXTS, []),
    "target": (fields.text, ""),
    "guesses": (TEXTS, []),
    "rounds": (fields.list_of(lambda item: "" if type(item) in (str, dict) else "texts or objects"), []),
}


@dataclass(eq=False)
class Pending:
    """A request without its final answer; the lists that it names may wait for the writer of a pipe."""

    name: Any
    own: Own
    options: Request
    lists: Future[ListNames]
    stop: threading.Event = field(default_factory=threading.Event)

    def question(self, *, begun: bool = True) -> Question:
        return replace(self.options.question(begun=begun), words=self.lists.result())


class Engine:
    """Answers requests; every answer has the id of its request, and `final` with the last one.

    Args:
        words: options of the command line, which hold where a request names no others.
    """

    def __init__(self, words: Sequence[str], load: pipes.Load, write: pipes.Write) -> None:
        self._usual = parsed_suggest(words)
        self._service, self._queue = Service(partial(load, pipes.OUTLOOKS)), Queue()
        self._written = write
        self._guard = threading.Condition()  # of the output and the open requests; told when one ends
        self._open: dict[Any, Pending] = {}  # by id
        self._lists: LruCache[ListNames, Future[ListNames]] = LruCache(MOST_LISTS)
        self._gone: OSError | None = None  # the output cannot be written

    def take(self, line: str) -> None:
        """Begin the answer to a request, or stop one."""
        if self._gone:
            raise self._gone
        values = fields.checked({}, NAMED)
        try:
            with _one_line():
                if len(line) > pipes.MOST_LINE:
                    what = f"a request of {len(line):,} characters"
                    raise RequestError(f"{what}, expected at most {pipes.MOST_LINE:,}")
                try:
                    record = fields.parsed_json(line)
                    values = fields.checked(record, NAMED, others=True)
                    values = fields.checked(record, OWN, others=True)
                except ValueError as error:
                    raise RequestError(f"the request {error}") from None
                options = {name: value for name, value in record.items() if name not in OWN}
                if values["stop"]:
                    name, values["id"] = values["id"], None  # answers with this id are those of its request
                    self._stop(name)
                else:
                    self._begin(values, self._taken(options))
        except RequestError as error:
            self._tell(values, error.entry(), final=True)

    def close(self) -> None:
        """Wait for all answers."""
        with self._guard:
            self._guard.wait_for(lambda: not self._open)
        wait(self._queue.waiting())

    def stop(self) -> None:
        """End all answers early."""
        with self._guard:
            for name in [*self._open]:
                self._stop(name)

    def write(self, text: str) -> None:
        """Write a line, from any thread."""
        with self._guard:
            self._written(text)

    def _taken(self, options: dict[str, Any]) -> Request:
        """Return the options of a question; those of the command line are the defaults."""
        request = Request(several=True)
        for key, value in options.items():
            name = key.replace("_", "-")
            name = SPELLINGS.get(name, name)
            stated = OPTIONS.get(name)
            if stated is None or ADVISER not in stated.readers:
                raise unknown_option(f"--{name}", ADVISER)
            if type(value) not in ((str, int, float) if stated.metavar else (bool,)):
                shown, wanted = json.dumps(value, ensure_ascii=False), stated.metavar or "true or false"
                raise RequestError(f"{key} is {shown[:40]}, expected {wanted}")
            request.take(name, str(value) if stated.metavar else value, ADVISER)
        for name in {*self._usual.given} - {*request.given}:
            name = name.replace("-", "_")
            setattr(request, name, getattr(self._usual, name))
        return request

    def _begin(self, values: Own, options: Request) -> None:
        name = object() if values["id"] is None else values["id"]
        with self._guard:
            if name in self._open:
                values["id"] = None  # the answers with this id are the other request's
                raise RequestError(f"id {name!r} is that of a request without its final answer: use another")
            names = options.question(begun=False).words
            lists = self._lists.get(names)
            if lists is None or (lists.done() and lists.exception()):
                lists = self._lists.put(names, _opened(names))
            self._open[name] = request = Pending(name, values, options, lists)
        if lists.done():
            self._answer(request)
        else:
            lists.add_done_callback(lambda _: self._answer(request))

    def _answer(self, request: Pending) -> None:
        """Answer by what is known at once, and begin the search for more."""

        def tell(part: Entry | None) -> None:
            if part is not None:
                entry = part.get("progress") or part.get("answer") or part
                self._tell(request.own, entry, final="progress" not in part, request=request)

        try:
            with _one_line():
                work = (self._suggest if request.own["question"] == "suggest" else self._review)(request)
                if work is not None:
                    task, _ = self._queue.begin(work, tell, request.stop)
                    task.add_done_callback(_report)
        except RequestError as error:
            tell(error.entry())
        except BaseException:
            tell({"error": FAILED})
            raise

    def _stop(self, name: Any) -> None:
        with self._guard:
            if name not in self._open:
                raise RequestError(f"no answer to id {name!r} is under way")
            request = self._open[name]
            request.stop.set()
        if not request.lists.done():
            late = {"error": "stopped before its lists were read"}
            self._tell(request.own, late, final=True, request=request)

    def _suggest(self, request: Pending) -> Work | None:
        """Answer by what is known at once; return the search, if one is missing."""

        def answered(watch: dict[str, Any] | None) -> tuple[Any, Entry]:
            notes = dict[str, None]()
            with self._adviser(request.question(), notes, searching=watch is not None) as adviser:
                answer = adviser.advised(request.own["history"], watch)
            return answer, answer.entry(request.options.all, pipes.BY_OPTION) | {"notes": [*notes]}

        first, known = answered(None)
        self._tell(request.own, known, final=first.final, request=request)

        def work(tell: Any, stop: threading.Event) -> Entry:
            def progress(best: list[GuessStats], how: str) -> None:
                suggestions = [stats.entry(first.game, best[0]) for stats in best]
                tell({**known, "suggestions": suggestions, "how": how})

            with _one_line():
                return answered({"progress": progress, "stop": stop})[1]

        return None if first.final else work

    def _review(self, request: Pending) -> Work:
        """Return the review of a round, or the scores of many."""
        own, options = request.own, request.options
        from gpulingo.advice import round as rounds
        from gpulingo.advice.review_text import review_entry, summary_entry
        from gpulingo.advice.verdict import verdict

        question, notes = request.question(begun=False), dict[str, None]()
        if question.game.boards > 1 and own["question"] == "review":
            return self._review_boards(question, own, notes)
        game = one_board(question.game)
        many, length = own["question"] == "score", options.length
        one = {"target": own["target"], "guesses": own["guesses"]} if own["target"] else own["history"]
        played = list[rounds.Round]()
        for number, given in enumerate(own["rounds"] if many else [one], 1):
            read = partial(rounds.given_round, given, game, question.letter)
            with rounds.named_round(number) if many else nullcontext():
                with self._adviser(question, notes) as adviser:
                    played.append(rounds.spelled(adviser, str(given), read))
                    rounds.check_round(played[-1], game, partial(adviser.words, played[-1].length))
                if game.given and not played[-1].letter:
                    given_letter("", game)
                length = length or played[0].length
                if played[-1].length != length:
                    raise rounds.RoundError(f"{played[-1].length} letters, expected {length}")
        if not played:
            raise RequestError("no rounds, expected at least one")

        def work(tell: Any, stop: threading.Event) -> Entry:
            pipes.find_packages()
            from gpulingo.positions.rounds import every_review

            with _one_line(), self._adviser(question, notes, searching=True) as adviser:
                reviews, words = every_review(
                    adviser,
                    played,
                    many=many,
                    check=partial(_check_going, stop),
                    seconds=options.time if many else None,
                    stop=stop,
                )
            if many:
                return summary_entry(reviews, []) | {"notes": [*notes]}
            judged = verdict(reviews[0], words.targets).entry()
            return {"list": words.source, **review_entry(reviews[0]), "verdict": judged, "notes": [*notes]}

        return work

    def _review_boards(self, question: Question, values: Own, notes: dict[str, None]) -> Work:
        targets = values["target"].replace(",", " ").split()

        def work(tell: Any, stop: threading.Event) -> Entry:
            pipes.find_packages()
            from gpulingo.advice.review_text import review_entry
            from gpulingo.positions.boards import reviewed

            text = " ".join(values["guesses"] if targets else values["history"])
            with _one_line(), self._adviser(question, notes, searching=True) as adviser:
                review = reviewed(adviser, text, targets=targets, check=partial(_check_going, stop))
                source = adviser.words(len(review.turns[0].guess)).source
            return {"list": source, **review_entry(review), "notes": [*notes]}

        return work

    def _adviser(
        self, question: Question, notes: dict[str, None], *, searching: bool = False
    ) -> AbstractContextManager[Adviser]:
        return self._service.adviser(
            question, lambda fault: notes.setdefault(worded(fault)), searching=searching
        )

    def _tell(self, values: Own, entry: Entry, *, final: bool, request: Pending | None = None) -> None:
        """Write an answer; of a request that is open, unless its final one is written."""
        try:
            reviews = values["question"] != "suggest" and not {"error", "status"} & entry.keys()
            command = "review" if reviews else "suggest"
            line = line_of(command, {"id": values["id"], "final": final, **entry})
            with self._guard:
                if request is not None and self._open.get(request.name) is not request:
                    return
                if final and request is not None:
                    del self._open[request.name]
                    self._guard.notify_all()
                self._written(line)
        except OSError as error:
            self._gone = error
            self.stop()


def _opened(names: ListNames) -> Future[ListNames]:
    """Return the lists with their files read: at once, or by a thread if one is a pipe."""
    opened: Future[ListNames] = Future()

    def read() -> None:
        try:
            opened.set_result(names.opened())
        except BaseException as error:
            opened.set_exception(error)

    every = names.wordlist, names.targets, names.without, names.weights
    named = [name for name in every if isinstance(name, str)]
    if [*map(os.path.isfile, named)] == [*map(os.path.exists, named)]:
        read()
    else:
        threading.Thread(target=read, daemon=True).start()
    return opened


def _check_going(stop: threading.Event) -> None:
    if stop.is_set():
        raise RequestError("the review was stopped")


def _report(task: Future[None]) -> None:
    """Write a fault of the program to stderr."""
    if error := task.exception():
        traceback.print_exception(error)


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn errors in a request into RequestError."""
    try:
        yield
    except (Fault, WordListError) as error:
        raise error if isinstance(error, RequestError) else RequestError(worded(error)) from None

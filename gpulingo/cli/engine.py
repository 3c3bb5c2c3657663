"""The line protocol of `gpulingo suggest -`: a JSON object per request, answered as soon as it is ready.

docs/howto/engine.md describes it. Quick answers never wait for a search; searches run one after the other.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from gpulingo.advice.round import given_rounds
from gpulingo.cli import pipes
from gpulingo.cli.request import ADVISER, OPTIONS, SPELLINGS, Request, parsed_suggest, unknown_option
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import one_board
from gpulingo.player.question import ListNames, Question
from gpulingo.positions.service import Entry, LruCache, Notes, Queue, Service, Work, answered_by
from gpulingo.storage import fields
from gpulingo.storage.faults import Fault
from gpulingo.storage.printed import line_of

MOST_LISTS = 32  # in memory
TEXTS = fields.list_of(fields.text)
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
SEARCH = "top", "search", "all", "every"  # options of suggestions alone
UNUSED = {  # fields that a question does not use
    "suggest": ("target", "guesses", "rounds"),
    "review without target": ("guesses", "rounds", *SEARCH),
    "review with target": ("history", "rounds", *SEARCH),
    "score": ("history", "target", "guesses", *SEARCH),
}


@dataclass(eq=False)
class Pending:
    """A request without its final answer; the lists that it names may wait for the writer of a pipe."""

    name: Any
    own: Entry  # its fields other than options
    options: Request
    lists: Future[ListNames]
    stop: threading.Event = field(default_factory=threading.Event)

    def question(self, *, begun: bool = True) -> Question:
        question, parts = self.options.question(begun=begun), tuple(self.own["history"])
        return replace(question, words=self.lists.result(), parts=parts)


class Engine(Service):
    """Answers requests; every answer has the id of its request, and `final` with the last one.

    Args:
        words: options of the command line, which hold where a request names no others.
    """

    worded = staticmethod(worded)

    def __init__(self, words: Sequence[str], load: pipes.Load, write: pipes.Write) -> None:
        self._usual = parsed_suggest(words)
        super().__init__(partial(load, pipes.OUTLOOKS))
        self._queue = Queue(worded)
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
        with answered_by(lambda entry: self._write(values, entry, final=True), worded):
            if len(line) > pipes.MOST_LINE:
                what = f"a request of {len(line):,} characters"
                raise Fault(f"{what}, expected at most {pipes.MOST_LINE:,}")
            try:
                record = fields.parsed_json(line)
                values = fields.checked(record, NAMED, others=True)
                values = fields.checked(record, OWN, others=True)
            except ValueError as error:
                raise Fault(f"the request {error}") from None
            if values["stop"]:
                name, values["id"] = values["id"], None  # answers with this id are those of its request
                return self._stop(name)
            kind = values["question"]
            kind += f" with{'' if values['target'] else 'out'} target" * (kind == "review")
            if unused := [name for name in UNUSED[kind] if name in record]:
                raise Fault(f"the request has {unused[0]}, which {kind} does not use: leave it out")
            self._begin(values, {name: value for name, value in record.items() if name not in OWN})

    def close(self) -> None:
        """Wait for all answers."""
        with self._guard:
            self._guard.wait_for(lambda: not self._open)
        wait(self._queue.waiting())

    def stop(self) -> None:
        with self._guard:
            for name in [*self._open]:
                self._stop(name)

    def write(self, text: str) -> None:
        """Write a line, from any thread."""
        with self._guard:
            self._written(text)

    def _begin(self, values: Entry, given: dict[str, Any]) -> None:
        """Begin to answer a question; options that are not given are those of the command line."""
        options = replace(self._usual, given=[])
        for key, value in given.items():
            option = key.replace("_", "-")
            option = SPELLINGS.get(option, option)
            stated = OPTIONS.get(option)
            if stated is None or ADVISER not in stated.readers:
                raise unknown_option(f"--{option}", ADVISER)
            if type(value) not in ((str, int, float) if stated.metavar else (bool,)):
                shown, wanted = json.dumps(value, ensure_ascii=False), stated.metavar or "true or false"
                raise Fault(f"{key} is {shown[:40]}, expected {wanted}")
            options.take(option, str(value) if stated.metavar else value, ADVISER)
        name = object() if values["id"] is None else values["id"]
        with self._guard:
            if name in self._open:
                values["id"] = None  # the answers with this id are the other request's
                raise Fault(f"id {name!r} is that of a request without its final answer: use another")
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
                self._tell(request, entry, final="progress" not in part)

        with answered_by(tell, worded):
            if request.own["question"] == "suggest":
                question = request.question()
                known = self.known(question)
                self._tell(request, known, final=known["final"])
                if known["final"]:
                    return
                work = self.better(question)
            else:
                work = self._review(request)
            self._queue.begin(work, tell, request.stop)

    def _stop(self, name: Any) -> None:
        with self._guard:
            if name not in self._open:
                raise Fault(f"no answer to id {json.dumps(name)} is under way")
            request = self._open[name]
            request.stop.set()
        if not request.lists.done():
            self._tell(request, {"error": "stopped before its lists were read"}, final=True)

    def entry(self, answer: Any, question: Question, searched: bool) -> Entry:
        return {"final": answer.final, **answer.entry(question.limits.listed, pipes.BY_OPTION)}

    def _review(self, request: Pending) -> Work:
        values, question, notes = request.own, request.question(begun=False), Notes()
        many, target = values["question"] == "score", values["target"]
        several, guesses = question.game.boards > 1 and not many, values["guesses" if target else "history"]
        timed = many or "time" in request.options.given
        limits: dict[str, Any] = {"seconds": request.options.time} if timed else {}
        if not several:
            one_board(question.game)
            given = values["rounds"] if many else [{"target": target, "guesses": guesses}]
            with self.adviser(question, notes) as adviser:
                played = given_rounds(adviser, given, many=many)

        def work(tell: Any, stop: threading.Event) -> Entry:
            pipes.find_packages()
            from gpulingo.advice.review_text import judged_entry, summary_entry
            from gpulingo.positions.boards import reviewed
            from gpulingo.positions.rounds import every_review

            def check() -> None:
                if stop.is_set():
                    raise Fault("the review was stopped")

            with self.adviser(question, notes, searching=True) as adviser:
                if several:
                    targets = target.replace(",", " ").split()
                    reviews = [reviewed(adviser, " ".join(guesses), targets=targets, check=check, **limits)]
                    words = adviser.words(len(reviews[0].turns[0].guess))
                else:
                    watch = {"check": check, "stop": stop}
                    reviews, words = every_review(adviser, played, many=many, **watch, **limits)
            entry = summary_entry(reviews, []) if many else judged_entry(reviews[0], words)
            return entry | {"notes": [*notes]}

        return work

    def _tell(self, request: Pending, entry: Entry, *, final: bool) -> None:
        """Write an answer to a request, unless its final one is written."""
        with self._guard:
            if self._open.get(request.name) is not request:
                return
            if final:
                del self._open[request.name]
                self._guard.notify_all()
            self._write(request.own, entry, final=final)

    def _write(self, values: Entry, entry: Entry, *, final: bool) -> None:
        reviews = values["question"] != "suggest" and not {"error", "status"} & entry.keys()
        command = "review" if reviews else "suggest"
        try:
            self.write(line_of(command, {"id": values["id"], "final": final, **entry}))
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

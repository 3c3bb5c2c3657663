"""A service for fronts that are asked often: what is known of a position, its search, a queue of long work.

A front (line protocol, page) makes the question and words the answer; lists, trees and answers are cached.
"""

from __future__ import annotations

import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

from gpulingo.advice.adviser import Adviser
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.player.question import Question
from gpulingo.storage.faults import Fault
from gpulingo.tensors.clock import told_of_compiling

Entry = dict[str, Any]  # a JSON object
Notes = dict[str, None]  # about lists and guesses, each once
Worded = Callable[[ValueError | str], str]  # of errors, and of notes about lists and guesses
# Long work: gets a function for its progress and an event that stops it; returns the answer or a ValueError.
Work = Callable[[Callable[[Entry], None], threading.Event], Entry]
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
MOST_ADVISERS = 64  # in memory, with their lists and trees
MOST_ANSWERS = 640  # in memory
FAILED = "the search failed: see what the server wrote"


class RequestError(Fault):
    """A request that cannot be answered, in one line, with the page's status and the correction of a mark."""

    def __init__(self, text: Exception | str, status: int = 400, slip: Entry | None = None) -> None:
        super().__init__(text)
        self.status, self.slip = status, slip


class Service:
    """Answers to questions about positions; a front words them by the methods that it has of its own."""

    worded: Worded = str
    entry: Callable[[Any, Question, bool], Entry]  # of an answer, searched or not, without its notes

    def __init__(self, load_engine: Callable[[], Any]) -> None:
        self.load_engine = load_engine
        self.answers: LruCache[Hashable, Entry] = LruCache(MOST_ANSWERS)
        self._searched: LruCache[Question, tuple[float, Entry]] = LruCache(MOST_ANSWERS)  # seconds, answer
        self._advisers = LruCache[tuple[Hashable, ...], tuple[Adviser, threading.Lock]](MOST_ADVISERS)

    def corrected(self, error: ContradictionError, question: Question) -> ContradictionError | RequestError:
        """Return an error about a question in the form that the front answers with."""
        return error

    def improved(self, first: Entry, best: Sequence[Any], game: Game) -> Entry:
        """Return what a search reports of its best guesses so far; `first`: the answer without a search."""
        return {**first, "suggestions": [guess.entry(game, best[0]) for guess in best]}

    def known(self, question: Question) -> Entry:
        """Return the answer that is known at once, without a search."""
        return self.answers.get(question) or self.answers.put(question, self._answered(question, None))

    def better(self, question: Question) -> Work:
        """Return the search for the best guesses, or for the answer of an earlier one that had as much time.

        An answer that is stopped is not cached.
        """
        limits = question.limits
        key = replace(question, limits=replace(limits, seconds=0.0))

        def work(tell: Callable[[Entry], None], stop: threading.Event) -> Entry:
            seconds, answer = self._searched.get(key) or (-1.0, Entry())
            if seconds >= limits.seconds:
                return answer
            first = self.known(question)

            def progress(best: Sequence[Any], how: str) -> None:
                tell({**self.improved(first, best, question.game), "how": how})

            answer = self._answered(question, {"progress": progress, "stop": stop})
            return answer if stop.is_set() else self._searched.put(key, (limits.seconds, answer))[1]

        return work

    def _answered(self, question: Question, watch: dict[str, Any] | None) -> Entry:
        notes, searched = Notes(), watch is not None
        try:
            with self.adviser(question, notes, searching=searched) as adviser:
                answer = adviser.advised(question.parts, watch)
        except ContradictionError as error:
            raise self.corrected(error, question) from None
        return {**self.entry(answer, question, searched), "notes": [*notes]}

    @contextmanager
    def adviser(self, question: Question, notes: Notes, *, searching: bool = False) -> Iterator[Adviser]:
        """Yield the adviser of a question, to one thread at a time; those that search delay no others."""

        def complain(fault: Fault | str) -> None:
            notes[self.worded(fault)] = None

        key = searching, question.game, question.words, question.letter
        adviser, guard = self._advisers.made(
            key, lambda: (Adviser(question, self.load_engine, complain), threading.Lock())
        )
        with guard:
            adviser.question, adviser.complain = question, complain
            yield adviser


class Queue:
    """Long work, for which quick answers never wait; in one thread, as each keeps memory of its searches."""

    def __init__(self, worded: Worded = str) -> None:
        self._worker, self._worded = ThreadPoolExecutor(1), worded
        self._tasks: list[Future[None]] = []  # in order; changed by one thread only

    def waiting(self) -> list[Future[None]]:
        """Return the tasks that are not done, in order."""
        self._tasks = [task for task in self._tasks if not task.done()]
        return self._tasks

    def begin(
        self, work: Work, tell: Callable[[Entry | None], None], stop: threading.Event
    ) -> tuple[Future[None], list[Future[None]]]:
        """Add work; return its task, and those before it. `tell` gets parts with `progress`, whose `status`
        says what it waits for, then the `answer` or an `error`, and None at the end.
        """

        def worked() -> None:
            with answered_by(tell, self._worded), told_of_compiling(lambda text: tell(status(str(text)))):
                if earlier:
                    tell(status("searching"))
                tell({"answer": work(lambda part: tell({"progress": part}), stop)})
            tell(None)

        earlier = self.waiting()
        task = self._worker.submit(worked)
        self._tasks = [*earlier, task]
        return task, earlier


@contextmanager
def answered_by(tell: Callable[[Entry], None], worded: Worded) -> Iterator[None]:
    """Answer by an error that occurs inside; one of the program is written to stderr."""
    try:
        yield
    except ValueError as error:
        tell(refusal(error, worded))
    except Exception:
        traceback.print_exc()
        tell({"error": FAILED})


def refusal(error: ValueError, worded: Worded) -> Entry:
    """Return the answer to a request that cannot be answered."""
    slip = getattr(error, "slip", None)
    return {"error": worded(error)} | ({"slip": slip} if slip else {})


def status(text: str) -> Entry:
    """Return a part of an answer that says what it waits for."""
    return {"progress": {"status": f"{text[0].upper()}{text[1:]}."}}


class LruCache(Generic[Key, Value]):
    """Up to `most` values by key."""

    def __init__(self, most: int) -> None:
        self.most, self._guard = most, threading.RLock()
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return a value, if it is still in the cache."""
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Key, value: Value) -> Value:
        """Store a value, and return it."""
        with self._guard:
            self._values[key] = value
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value

    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return a value; a missing one is made, one at a time."""
        with self._guard:
            known = self.get(key)
            return self.put(key, make()) if known is None else known

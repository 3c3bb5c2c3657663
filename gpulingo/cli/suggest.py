"""`gpulingo suggest`: guesses and marks in, words left and guesses out; on stdin one history per line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.answer import terminal_width
from gpulingo.advice.notation import NotationError
from gpulingo.cli import pipes
from gpulingo.cli.request import parsed_suggest
from gpulingo.cli.signals import late_interrupt
from gpulingo.cli.wording import FAILED, WRONG, worded
from gpulingo.games.marks import ContradictionError
from gpulingo.storage.faults import Complain, UsageError, refuse
from gpulingo.storage.printed import line_of
from gpulingo.words.listing import WordListError

MOST_LINE = 40_000  # characters of a history: 255 words of 39 letters in squares are 30,600


def run(
    words: Sequence[str],
    load: pipes.Load = pipes.load,
    read: pipes.Read = pipes.read_line,
    write: pipes.Write = pipes.write_line,
    complain: Complain = pipes.complain,
) -> int:
    """Answer the histories of a command line, or of stdin if it has none and stdin is no terminal; return
    the exit code, on stdin the greatest. Ctrl-C and the like end it with the best guesses so far.
    """

    def work() -> int:
        arguments = parsed_suggest(words)
        arguments.question(begun=False)  # refuses options at once; a request in JSON may give the letter

        @cache
        def adviser() -> Adviser:
            return Adviser(arguments.question(), partial(load, pipes.OUTLOOKS), complain)

        engine: Any = None  # for requests in JSON

        def answered(parts: list[str], size: int = 0) -> int:
            try:
                fault = f"a line of {size:,} characters, expected at most {MOST_LINE:,}"
                refuse({f"{fault}: give one history per line": size > MOST_LINE})
                answer = adviser().advised(parts, {"stop": noted})
                if arguments.json:
                    text = line_of("suggest", answer.entry(arguments.all, pipes.BY_OPTION))
                else:
                    text = "\n".join(answer.lines(arguments.all, terminal_width(), pipes.BY_OPTION))
                (engine.write if engine else write)(text)
            except (UsageError, WordListError, ContradictionError) as error:
                complain(worded(error))
                return WRONG if isinstance(error, UsageError | NotationError) else FAILED
            return 0

        worst, alone = None, bool(arguments.parts or arguments.length or (sys.stdin and sys.stdin.isatty()))
        with late_interrupt() as noted:
            if "-" not in words and alone:
                return answered(arguments.parts)
            refuse({"guesses and -, which reads them from stdin: give one of them": arguments.parts})
            try:
                for line in _lines(lambda: noted.waiting(read)):
                    if line.lstrip().startswith("{"):
                        from gpulingo.cli.engine import Engine  # here: only requests in JSON need it

                        engine, worst = engine or Engine(words, load, write), worst or 0
                        engine.take(line)
                        continue
                    parts = line[:MOST_LINE].split()
                    code = answered([] if parts == ["-"] else parts, len(line))  # -: before the first guess
                    worst = max(worst or 0, code)
                    if code and arguments.json:
                        (engine.write if engine else write)("{}")
                if engine:
                    noted.waiting(engine.close)
            finally:
                if engine:
                    engine.stop()
                    engine.close()
            return answered([]) if worst is None and "-" not in words else worst or 0

    return pipes.exit_code(work, complain, gone=FAILED, what="the answer")


def _lines(read: pipes.Read) -> Iterator[str]:
    """Yield the lines that are not blank, and all very long ones."""
    while True:
        try:
            line = read()
        except EOFError:
            return
        if line.strip() or len(line) > MOST_LINE:
            yield line

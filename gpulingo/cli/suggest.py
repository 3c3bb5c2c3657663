"""`gpulingo suggest`: guesses and marks in, words left and guesses out; on stdin one history per line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

from gpulingo.advice.adviser import Adviser, terminal_width
from gpulingo.advice.contradiction import NoAnswer
from gpulingo.advice.notation import NotationError, word_length
from gpulingo.cli import pipes
from gpulingo.cli.arguments import Arguments, parsed_asked
from gpulingo.cli.wording import FAILED, WRONG, worded
from gpulingo.games.marks import LONGEST
from gpulingo.storage.faults import Complain, UsageError
from gpulingo.storage.printed import line_of
from gpulingo.words.listing import WordListError

NOTHING = "-"  # a line for a history without guesses
MOST_LINE = 40_000  # characters of a history: 255 words of 39 letters in squares are 30,600


def run(
    words: Sequence[str],
    load: pipes.Load = pipes.load,
    read: pipes.Read = pipes.read_line,
    write: pipes.Write = pipes.write_line,
    complain: Complain = pipes.complain,
) -> int:
    """Answer the histories of a command line, or of stdin if it has none and stdin is no terminal; return
    the exit code.
    """

    def work() -> int:
        asked = parsed_asked(words)
        adviser = Adviser(asked.question(), partial(load, pipes.OUTLOOKS), complain)
        piped = "-" in words or not (asked.parts or asked.length or (sys.stdin and sys.stdin.isatty()))
        if not piped:
            return _answered(adviser, asked, write, complain)
        if asked.parts:
            raise UsageError("guesses and -, which reads them from stdin: give one of them")
        code = _piped(adviser, asked, read, write, complain)
        if code is None and "-" not in words:
            seen = "no guesses in the arguments or on stdin, expected a history per line"
            raise UsageError(f"{seen}: for the first guess give --length, for example --length 5")
        return code or 0

    return pipes.exit_code(work, complain, named=pipes.names_list(words), gone=FAILED, what="the answer")


def _answered(adviser: Adviser, asked: Arguments, write: pipes.Write, complain: Complain) -> int:
    try:
        history = adviser.read(asked.parts)
    except NotationError as error:
        raise UsageError(worded(error)) from None
    length = max((word_length(*own, adviser.rule) for own in history), default=0)
    if history and asked.length not in (0, word_length(*history[0], adviser.rule)):
        seen = f"--length {asked.length} and marks of {word_length(*history[0], adviser.rule)} letters"
        raise UsageError(f"{seen}: leave --length out")
    if length > LONGEST:
        raise UsageError(f"words of {length} letters, expected at most {LONGEST}")
    try:
        answer = adviser.answer(history)
    except NoAnswer as error:
        complain(worded(error))
        return FAILED
    if asked.json:
        write(line_of("suggest", answer.entry(asked.all, pipes.BY_OPTION)))
    else:
        write("\n".join(answer.lines(asked.all, terminal_width(), pipes.BY_OPTION)))
    return 0


def _piped(
    adviser: Adviser,
    asked: Arguments,
    read: pipes.Read,
    write: pipes.Write,
    complain: Complain,
) -> int | None:
    """Answer one history per line; return the worst exit code, None without a history.

    A line of - is before the first guess.
    """
    worst: int | None = None
    while True:
        try:
            line = read()
        except EOFError:
            return worst
        asked.parts = line[:MOST_LINE].split()
        if not asked.parts and len(line) <= MOST_LINE:
            continue
        asked.parts = [] if asked.parts == [NOTHING] else asked.parts
        try:
            if len(line) > MOST_LINE:
                seen = f"a line of {len(line):,} characters, expected at most {MOST_LINE:,}"
                raise UsageError(f"{seen}: give one history per line")
            code = _answered(adviser, asked, write, complain)
        except (UsageError, WordListError) as error:
            complain(worded(error))
            code = WRONG if isinstance(error, UsageError) else FAILED
        worst = max(worst or 0, code)
        if code and asked.json:
            write("{}")

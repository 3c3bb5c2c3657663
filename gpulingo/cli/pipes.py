"""A round of `play` on pipes: guesses or answers as lines on stdout, marks as lines on stdin.

Complaints go to stderr. The pit starts a process per round: only modules that it needs are imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gpulingo.cli.request import Request, parsed_play
from gpulingo.cli.wording import FAILED, TEACH, WRONG, worded
from gpulingo.player.question import host_of, letter_player, word_player
from gpulingo.storage.faults import Complain, Fault, UsageError
from gpulingo.words.letters import leave
from gpulingo.words.listing import WordList, WordListError

if TYPE_CHECKING:  # saves 4 ms of a round of the pit, which has no host
    from gpulingo.hosts.host import Host, Keep
    from gpulingo.player.guesser import Guesser

# Modules that search if no stored tree answers: for a player, advice, hangman's perfect cheating host.
BUILD = "gpulingo.strategies.build"
OUTLOOKS = "gpulingo.positions.outlooks"
ADVERSARY = "gpulingo.optimise.adversary"
Read = Callable[[], str]
Write = Callable[[str], None]
Load = Callable[[str], Any]  # imports one of these modules
MOST_LINE = 1 << 20  # bytes of a line of stdin
BY_OPTION = ": --every adds unfit guesses, and nothing else"
# Remedies in conversations for a word that a list or its targets lack.
REMEDIES = {"teach": TEACH, "targets": "--targets all takes every word"}


def exit_code(
    work: Callable[[], int],
    complain: Complain,
    *,
    gone: int = 0,  # exit code if the output is closed
    what: str = "a guess",  # what is written
) -> int:
    """Return the exit code of a command, or of the error that ends it, which is reported in one line."""
    try:
        return work()
    except (UsageError, WordListError) as error:
        complain(worded(error))
        return WRONG if isinstance(error, UsageError) else FAILED
    except BrokenPipeError:
        return gone
    except OSError as error:
        complain(f"cannot write {what}: {error.strerror}")
    return FAILED


def find_packages() -> None:
    """Enable imports of packages, if Python was started without site, as by `scripts/gpulingo`.

    The light path needs none, and a Ctrl-C while Python searches for them would end in a traceback.
    """
    if sys.flags.no_site and "site" not in sys.modules:
        import site

        site.main()


def load(module: str) -> Any:
    """Import a module that searches; compilation is reported on stderr."""
    find_packages()
    from gpulingo.tensors.clock import when_compiling

    when_compiling(complain)
    return import_module(module)


def run(words: Sequence[str], load: Load = load) -> int:
    """Play one round on the pipes of this process; return the exit code."""

    def work() -> int:
        arguments = parsed_play(words)
        if arguments.hosted:
            return exit_code(lambda: hosted(arguments, load), complain, gone=FAILED, what="an answer")
        if arguments.letters:
            serve(asked_guesser(arguments, complain))
        else:
            engine, named = partial(load, BUILD), (arguments.strategy, arguments.checkpoint)
            serve(word_player(arguments.question(), engine, complain, *named))
        return 0

    return exit_code(work, complain)


def hosted(arguments: Request, load: Load) -> int:
    """Host a round until the word is found or lost or the input ends; 0 if it was found, otherwise 1."""
    from gpulingo.hosts.host import HostOnPipes

    view = HostOnPipes(asked_host(arguments, load), complain, tell=arguments.tell)
    serve(view)
    complain(view.end())
    return 0 if view.host.found else FAILED


def asked_guesser(arguments: Request, complain: Complain) -> Guesser:
    try:
        return letter_player(arguments.question(), complain, loop=arguments.loop)
    except WordListError as error:
        raise WordListError(f"--wordlist: {error}") from None


def asked_host(arguments: Request, load: Load, draw: Any = None) -> Host:
    def exact(words: WordList) -> Keep:
        return load(ADVERSARY).adversary_host(words)

    return host_of(arguments.question(), complain, arguments.host, exact, arguments.seed or 0, draw)


def serve(view: Any) -> None:
    """Exchange lines with a round on the pipes of this process; see `converse`."""
    if view.hint and sys.stdin and sys.stdin.isatty():
        complain(view.hint)
    converse(view, read_line, write_line)


def converse(view: Any, read: Read, write: Write) -> bool:
    """Exchange lines with a round until it has `ended`; return False if the input ends first.

    Its `greeting()` and `take(line)` return the lines to write.
    """
    for line in view.greeting():
        write(line)
    while not view.ended:
        try:
            text = read()
        except EOFError:
            return False
        for line in view.take(text):
            write(line)
    return True


def read_line() -> str:
    """Return the next line of stdin; the beginning of one of more than MOST_LINE bytes, which is reported."""
    line = sys.stdin.buffer.readline(MOST_LINE + 1) if sys.stdin else b""
    if not line:
        raise EOFError
    if len(line) > MOST_LINE and not line.endswith(b"\n"):
        complain(f"a line of more than {MOST_LINE:,} bytes, the most that are read: the rest is left out")
        while (rest := sys.stdin.buffer.readline(MOST_LINE)) and not rest.endswith(b"\n"):
            pass
    return line.decode(errors="replace").rstrip("\r\n")


def write_line(text: str) -> None:
    """Write one line to stdout at once; without a buffer, the end of the process cannot fail."""
    data = f"{leave(text)}\n".encode(errors="replace")  # a path may not be valid text
    while data:  # a signal cuts a write short
        data = data[os.write(1, data) :]


def complain(fault: Fault | str) -> None:
    """Print one line on stderr, if there is one."""
    with suppress(OSError):
        os.write(2, f"gpulingo: {leave(worded(fault))}\n".encode(errors="replace"))

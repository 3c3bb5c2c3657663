"""A round of `play` on pipes: guesses or answers as lines on stdout, marks as lines on stdin.

Complaints go to stderr. The pit starts a process per round: nothing is loaded that it does not need.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from gpulingo.cli.arguments import Arguments, parsed_arguments
from gpulingo.cli.wording import TEACH, worded
from gpulingo.hosts.host import KEEPS, Host, MakeKeep, host_round
from gpulingo.player.guesser import ASK, FORM, GREETING, answer_of, taken, unknown_text
from gpulingo.player.player import WordPlayer
from gpulingo.player.seats import seated, seated_guesser, seated_host
from gpulingo.storage.faults import Complain, Fault, UsageError
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.letters import leave
from gpulingo.words.listing import MissingListError, WordListError, find_listing

WRONG, FAILED = 2, 1
Read = Callable[[], str]
Write = Callable[[str], None]


def exit_code(
    work: Callable[[], int],
    complain: Complain,
    *,
    named: bool,  # the list; one that the folder should have is no fault of the command
    gone: int = 0,  # the code where nobody reads on
    what: str = "a guess",  # is written
) -> int:
    """Return the exit code of a command, or of the error that ends it, which is reported in one line."""
    try:
        return work()
    except UsageError as error:
        complain(worded(error))
        return WRONG
    except MissingListError as error:
        complain(f"--wordlist: {error}" if named else worded(error))
        return WRONG if named else FAILED
    except WordListError as error:
        complain(worded(error))
    except BrokenPipeError:
        return gone
    except OSError as error:
        complain(f"cannot write {what}: {error.strerror}")
    return FAILED


def names_list(words: Sequence[str]) -> bool:
    """Return True if arguments name a list."""
    return any(word == "-w" or word.partition("=")[0] == "--wordlist" for word in words)


def run(words: Sequence[str], load_engine: Callable[[], Any], load_host: MakeKeep | None = None) -> int:
    """Play one round on the pipes of this process; the exit code."""

    def work() -> int:
        arguments = parsed_arguments(words)
        if arguments.hosted:
            host = asked_host(arguments, load_host)
            return host_round(host, read_line, write_line, complain, tell=arguments.tell)
        if arguments.letters:
            run_letters(arguments, read_line, write_line, complain)
        else:
            strategy, checkpoint = asked_strategy(arguments), arguments.checkpoint
            player = seated(arguments.question(), load_engine, complain, strategy, checkpoint)
            play(player, read_line, write_line)
        return 0

    return exit_code(work, complain, named=names_list(words))


def asked_strategy(arguments: Arguments) -> str | None:
    """The strategy to search every turn by; None: the stored tree is followed."""
    return None if arguments.strategy == BEST else arguments.strategy


def asked_host(arguments: Arguments, load_host: MakeKeep | None, draw: Any = None) -> Host:
    """The host that the arguments ask for."""
    question, exact = arguments.question(), arguments.host == "exact"
    if exact and load_host is None:
        raise UsageError(f"--host exact cannot be played here: use {' or '.join(KEEPS)}")
    return seated_host(
        question, complain, arguments.host,
        exact=load_host if exact else None, seed=arguments.seed or 0, draw=draw,
    )  # fmt: skip


def play(player: WordPlayer, read: Read, write: Write) -> None:
    """Play one round: until all letters are placed, the turns are over or the input ends."""
    for _ in range(player.game.turns):
        write(player.choose())
        try:
            marks = read()
        except EOFError:
            return
        if player.learn(marks):
            return


def run_letters(arguments: Arguments, read_line: Read, write: Write, complain: Complain) -> None:
    """Answer lines until the word is over, or in a loop until the input ends."""
    guesser, loop = seated_guesser(arguments.question(), complain), arguments.loop
    try:
        if arguments.wordlist is not None:
            find_listing(0, arguments.wordlist, same=arguments.same)
    except MissingListError:
        raise
    except WordListError as error:
        raise WordListError(f"--wordlist: {error}") from None
    if sys.stdin and sys.stdin.isatty():
        complain(GREETING)
    answer = ASK
    while True:
        try:
            line = read_line()
        except EOFError:
            return
        fault = taken(guesser, line, complain, loop=loop)
        if fault:
            complain(f"{fault}: {FORM}")
        else:
            answer = answer_of(guesser)
        write(answer)
        if guesser.over and not fault:
            if unknown := unknown_text(guesser):
                complain(f"{unknown}: {TEACH}")
            if not loop:
                return
            guesser.begin()
            answer = ASK


def read_line() -> str:
    """The next line of stdin without its end."""
    line = sys.stdin.buffer.readline() if sys.stdin else b""
    if not line:
        raise EOFError
    return line.decode(errors="replace").rstrip("\r\n")


def write_line(text: str) -> None:
    """Send one line to stdout at once; no buffer is left to fail when the process ends."""
    os.write(1, f"{leave(text)}\n".encode(errors="replace"))  # a path may hold what is no text


def complain(fault: Fault | str) -> None:
    """Tell one line on stderr, if there is anyone to tell."""
    try:
        os.write(2, f"gpulingo: {leave(worded(fault))}\n".encode(errors="replace"))
    except OSError:
        pass

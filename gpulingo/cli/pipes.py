"""A round of `play` on pipes: guesses or answers as lines on stdout, marks as lines on stdin.

Complaints go to stderr. The pit starts a process per round: only modules that it needs are imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gpulingo.cli.arguments import Arguments, parsed_arguments
from gpulingo.cli.wording import FAILED, WRONG, worded
from gpulingo.player.player import WordPlayer
from gpulingo.player.seats import seated, seated_guesser, seated_host
from gpulingo.storage.faults import Complain, Fault, UsageError
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.letters import leave
from gpulingo.words.listing import MissingListError, WordList, WordListError, find_listing

if TYPE_CHECKING:  # saves 4 ms of a round of the pit, which has no host
    from gpulingo.hosts.host import Host, Keep

# Modules that search if no stored tree answers: for a player, advice, hangman's perfect cheating host.
BUILD, OUTLOOKS, ADVERSARY = (
    "gpulingo.strategies.build",
    "gpulingo.positions.outlooks",
    "gpulingo.positions.adversary",
)
Read = Callable[[], str]
Write = Callable[[str], None]
Load = Callable[[str], Any]  # imports one of these modules
BY_OPTION = ": --every adds unfit guesses, and nothing else"
TEACH = "to teach it, add it to a file of words and give that by --wordlist"
# Remedies in conversations for a word that a list or its targets lack.
REMEDIES = {"teach": TEACH, "targets": "--targets all takes every word"}


def exit_code(
    work: Callable[[], int],
    complain: Complain,
    *,
    named: bool,  # whether the list was named; a faulty default list is not a usage error
    gone: int = 0,  # exit code if the output is closed
    what: str = "a guess",  # what is written
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
    return any(word == "-w" or word.partition("=")[0] == "--wordlist" for word in words)


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
        arguments = parsed_arguments(words)
        if arguments.hosted:
            from gpulingo.hosts.host import host_round

            host = asked_host(arguments, load)
            return host_round(host, read_line, write_line, complain, tell=arguments.tell)
        if arguments.letters:
            run_letters(arguments, read_line, write_line, complain)
        else:
            strategy, checkpoint = asked_strategy(arguments), arguments.checkpoint
            player = seated(arguments.question(), partial(load, BUILD), complain, strategy, checkpoint)
            play(player, read_line, write_line)
        return 0

    return exit_code(work, complain, named=names_list(words))


def asked_strategy(arguments: Arguments) -> str | None:
    """Return the strategy to search every turn; None: the stored tree is followed."""
    return None if arguments.strategy == BEST else arguments.strategy


def asked_host(arguments: Arguments, load: Load, draw: Any = None) -> Host:
    name, exact = arguments.host, None
    if name == "exact":

        def exact(words: WordList) -> Keep:
            return load(ADVERSARY).adversary_host(words)

    return seated_host(arguments.question(), complain, name, exact=exact, seed=arguments.seed or 0, draw=draw)


def play(player: WordPlayer, read: Read, write: Write) -> None:
    """Play one round until all letters are placed, the turns are over or the input ends."""
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
    from gpulingo.player.guesser import ASK, FORM, GREETING, answer_of, taken, unknown_text

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
    line = sys.stdin.buffer.readline() if sys.stdin else b""
    if not line:
        raise EOFError
    return line.decode(errors="replace").rstrip("\r\n")


def write_line(text: str) -> None:
    """Write one line to stdout at once; without a buffer, the end of the process cannot fail."""
    os.write(1, f"{leave(text)}\n".encode(errors="replace"))  # a path may not be valid text


def complain(fault: Fault | str) -> None:
    """Print one line on stderr, if there is one."""
    try:
        os.write(2, f"gpulingo: {leave(worded(fault))}\n".encode(errors="replace"))
    except OSError:
        pass

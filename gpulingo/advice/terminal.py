"""`gpulingo play` at a terminal: which conversation the arguments ask for, and its lines in and out."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence

from gpulingo.advice.answer import WIDTH, terminal_width, wrapped
from gpulingo.advice.seats import AnyConversation, Loaders, seated
from gpulingo.games.rules import UsageError
from gpulingo.player.protocol import complain, write_line
from gpulingo.words.letters import leave
from gpulingo.words.listing import MissingListError, WordListError

FAILED, WRONG, INTERRUPTED = 1, 2, 130
BYE = "Bye."
LEAST = 20  # columns of text, however narrow the terminal


def run(words: Sequence[str], loaders: Loaders) -> int:
    """Converse with the user at the terminal.

    Args:
        words: the arguments after `play`. loaders: of what searches.
    Returns:
        The exit code: 0, 130 where the user interrupts, 1 without a list, 2 for wrong usage.
    """
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        # An end at once would leave the terminal as the line editor has set it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return converse(seated(list(words), loaders, complain), _read, _write)
    except UsageError as error:
        complain(str(error))
        return WRONG
    except MissingListError as error:
        named = any(word.partition("=")[0] == "--wordlist" for word in words)
        complain(f"--wordlist: {error}" if named else str(error))  # as of `protocol.run`
        return WRONG if named else FAILED
    except WordListError as error:
        complain(str(error))
        return FAILED
    except KeyboardInterrupt:
        write_line(f"\n{BYE}")
        return INTERRUPTED
    except OSError:  # the terminal is gone
        return FAILED


def converse(conversation: AnyConversation, read: Callable[[str], str], write: Callable[[str], None]) -> int:
    """Hold a conversation until the user or the input ends it; the exit code.

    Args:
        read: the next line after a prompt; raises EOFError at the end. write: takes a line.
    """
    for line in conversation.greeting():
        write(line)
    while not conversation.ended:
        try:
            text = read(conversation.prompt)
        except EOFError:
            write("")
            break
        except UnicodeError:
            write("That was no text: type it again.")
            continue
        for line in conversation.take(text):
            write(line)
    write(BYE)
    return 0


def _read(prompt: str) -> str:
    """The next line, edited with the keys of the terminal where Python has them."""
    try:
        import readline  # noqa: F401  # input() uses it
    except ImportError:
        pass
    sys.stdout.flush()
    return input(leave(prompt))


def _write(line: str) -> None:
    """Write a line, folded where it is too long for the terminal and has no colours."""
    columns = max(LEAST, min(WIDTH, terminal_width()))
    if len(line) <= columns or "\x1b" in line:
        write_line(line)
        return
    for part in wrapped(line, columns):
        write_line(part)

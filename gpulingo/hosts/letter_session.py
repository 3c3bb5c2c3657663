"""A round of hangman against a host: a letter a line is read, the word as far as it is shown is answered.

Every line is answered; one that is no new letter is told so and costs nothing.
"""

from __future__ import annotations

import sys

from gpulingo.games.rules import UsageError
from gpulingo.hosts.letter_host import HOSTS, LetterHost
from gpulingo.hosts.session import UNFINISHED, WON, drawn_words, exit_code
from gpulingo.words.shown import named_letter, shown_line
from gpulingo.words.wordlist import WordList

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable

    from gpulingo.hosts.letter_arguments import LetterArguments
    from gpulingo.hosts.letter_host import Keep

    MakeKeep = Callable[[WordList, int], Keep]


def host_letters(
    arguments: LetterArguments,
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    exact: MakeKeep | None = None,
) -> int:
    """Host one round.

    Args:
        arguments: with a host.
        read: the next line of input, without its end; raises EOFError when there is none.
        write: sends one answer.
        complain: takes one line on what went wrong, or how the round ended.
        exact: makes what the host `exact` keeps classes by, of a list and the lives; None: there is none.
    Returns:
        The exit code: 0 when the word was found, 1 when it was not or there is no list, 2 for wrong usage.
    """

    def played() -> int:
        host = seated_host(arguments, exact)
        if sys.stdin and sys.stdin.isatty():
            what = f"{words_text(len(host.left))} of {len(host.shown)} letters, {lives_text(host.lives)}"
            complain(f"hangman: {what}: type a letter a line; Ctrl-D ends")
        return play_out(host, read, write, complain, tell=arguments.tell)

    return exit_code(played, complain)


def seated_host(arguments: LetterArguments, exact: MakeKeep | None = None) -> LetterHost:
    """The host that the arguments ask for.

    Raises:
        WordListError: there is no list, or no word of that length.
        UsageError: there is no such host, or there are no such lives.
    """
    lives = arguments.rules().turns
    if arguments.host not in HOSTS and exact is None:
        raise UsageError(f"--host {arguments.host} cannot be played here: use {' or '.join(HOSTS)}")
    drawn = drawn_words(arguments, arguments.rules())
    words = WordList(drawn.source, drawn.targets)
    keep = HOSTS[arguments.host] if arguments.host in HOSTS else exact and exact(words, lives)
    return LetterHost(words.words, lives, keep, arguments.seed)


def play_out(
    host: LetterHost,
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    tell: bool,
) -> int:
    """Answer letters until the word is found or lost or the input ends; the exit code.

    An answer is the word as far as it is shown, then misses of lives, and where that is to be told how many
    words could still be named. The last one shows a whole word.
    """
    while True:
        over = host.found or host.lost
        words = f" {len(host.left)}" if tell else ""
        write(f"{shown_line(host.word() if over else host.shown)} {host.misses}/{host.lives}{words}")
        if over:
            how = f"{'found' if host.found else 'lost'} with {misses_text(host.misses)}"
            complain(f"hangman: {how}: the word is {host.word()}")
            return WON if host.found else UNFINISHED
        try:
            line = read()
        except EOFError:
            seen = f"the input ended after {misses_text(host.misses)} with {words_text(len(host.left))} left"
            complain(f"hangman: {seen}: the word was not found, it is {host.word()}")
            return UNFINISHED
        letter = named_letter(line)
        fault = host.fault(letter)
        if fault:
            complain(f"{line[:40]!r}: {fault}: guess another")
        else:
            host.answer(letter)


def misses_text(count: int) -> str:
    """How many misses there were."""
    return f"{count} miss{'' if count == 1 else 'es'}"


def words_text(count: int) -> str:
    """How many words there are."""
    return f"{count:,} word{'' if count == 1 else 's'}"


def lives_text(count: int) -> str:
    """How many lives there are."""
    return f"{count} {'life' if count == 1 else 'lives'}"

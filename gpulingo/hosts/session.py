"""A round against a host: a guess a line is read, its marks are a line of the answer; complaints go apart.

Every line is answered, and one that is no legal guess by dashes: it is told why, and counts nothing.
"""

from __future__ import annotations

import sys

from gpulingo.games.catalogue import DRAWN, HOSTED, repeats_colours, usual_targets
from gpulingo.games.rules import UsageError, under_rule
from gpulingo.hosts.arguments import HostArguments, parsed_host_arguments
from gpulingo.hosts.host import Host
from gpulingo.words.listing import MissingListError, WordListError, find_words

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpulingo.games.game import Game
    from gpulingo.hosts.letter_arguments import LetterArguments
    from gpulingo.words.wordlist import WordList

WON, UNFINISHED, WRONG = 0, 1, 2
REFUSED = "-"  # a letter's answer to what is no legal guess


def host(
    words: Sequence[str],
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Host one round.

    Args:
        words: the arguments after `play`.
        read: the next line of input, without its end; raises EOFError when there is none.
        write: sends one answer.
        complain: takes one line on what went wrong, or how the round ended.
    Returns:
        The exit code: 0 when the word was found, 1 when it was not or there is no list, 2 for wrong usage.
    """

    def played() -> int:
        arguments = parsed_host_arguments(words)
        host = seated_host(arguments)
        if sys.stdin and sys.stdin.isatty():
            count = f"{len(host.left):,} words of {host.words.length} letters"
            complain(f"{host.game.name}: {count}: type a guess a line; Ctrl-D ends")
        return play_out(host, read, write, complain, tell=arguments.tell)

    return exit_code(played, complain)


def exit_code(played: Callable[[], int], complain: Callable[[str], None]) -> int:
    """The exit code of a round; what keeps it from being played, or cuts it short, is told in a line."""
    try:
        return played()
    except UsageError as error:
        complain(str(error))
        return WRONG
    except MissingListError as error:
        complain(f"--wordlist: {error}")
        return WRONG
    except WordListError as error:
        complain(str(error))
        return UNFINISHED
    except BrokenPipeError:
        return UNFINISHED  # nobody reads on
    except OSError as error:
        complain(f"cannot write an answer: {error.strerror}")
        return UNFINISHED


def seated_host(arguments: HostArguments) -> Host:
    """The host that the arguments ask for.

    Raises:
        WordListError: there is no list, or no word of that length.
        UsageError: the targets are none of the list.
    """
    game = under_rule(HOSTED[arguments.game](), arguments.rule)
    pool = drawn_words(arguments, game)
    if game.opponent != "adversary":
        return Host(pool, game)
    from gpulingo.hosts.worst_case import WorstCase  # imports random

    return Host(pool, game, WorstCase(pool, game, arguments.seed).hardest)


def drawn_words(arguments: HostArguments | LetterArguments, game: Game) -> WordList:
    """The words that may be guessed, with the targets of which a host may draw one.

    Raises:
        WordListError: there is no list, or no word of that length.
        UsageError: there are no such targets, or none of the words is one.
    """
    from gpulingo.words.targets import drawn, left_out

    listing = find_words(arguments.length, arguments.wordlist, repeats_colours(game))
    listing.of_length(arguments.length)  # that it lacks the length is no fault of the targets
    try:
        words = drawn(listing, arguments.length, arguments.targets, usual_targets(game, DRAWN))
    except WordListError as error:
        raise UsageError(f"--targets: {error}") from None
    try:
        return words if arguments.without is None else left_out(words, arguments.without)
    except WordListError as error:
        raise UsageError(f"--without: {error}") from None


def play_out(
    host: Host,
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    tell: bool,
) -> int:
    """Answer guesses until the word is found or the input ends; the exit code."""
    name, length = host.game.name, host.words.length
    while not host.found:
        try:
            guess = read().strip().lower()
        except EOFError:
            seen = f"the input ended after {counted(host)} with {len(host.left):,} words left"
            complain(f"{name}: {seen}: the word was not found")
            return UNFINISHED
        fault = host.fault(guess)
        if fault:
            complain(f"{fault}: guess again")
            write(REFUSED * length)
            continue
        marks = host.answer(guess)
        write(f"{marks} {len(host.left)}" if tell else marks)
    complain(f"{name}: found in {counted(host)}")
    return WON


def counted(host: Host) -> str:
    """How many guesses there were."""
    count = len(host.history)
    return f"{count} guess{'' if count == 1 else 'es'}"

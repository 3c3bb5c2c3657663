"""A round against a host: a guess per line is read, and each is answered by a line; complaints go apart.

A word is answered by its marks, or by dashes where it is not a legal guess; a letter by the word as far as it
is shown. What is not a legal guess is reported and costs nothing.
"""

from __future__ import annotations

import sys

from gpulingo.games.catalogue import DRAWN, repeats_colours, usual_targets
from gpulingo.hosts.arguments import HostUsageError
from gpulingo.hosts.host import KEEPS, Host, largest
from gpulingo.words.listing import MissingListError, WordListError, find_words
from gpulingo.words.shown import counted, named_letter, shown_line
from gpulingo.words.wordlist import WordList

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from gpulingo.games.game import Game
    from gpulingo.hosts.arguments import HostArguments
    from gpulingo.hosts.host import Keep
    from gpulingo.hosts.letter_arguments import LetterArguments

    MakeKeep = Callable[[WordList], Keep]
WON, UNFINISHED, WRONG = 0, 1, 2
REFUSED = "-"  # a letter's answer to what is no legal guess


def host(
    parsed: Callable[[], HostArguments | LetterArguments],
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    exact: MakeKeep | None = None,
) -> int:
    """Host one round.

    Args:
        parsed: reads the arguments.
        read: the next line of input, without its end; raises EOFError when there is none.
        write: sends one answer.
        complain: takes one line on what went wrong, or how the round ended.
        exact: makes what the host `exact` of hangman keeps classes by; None: there is none.
    Returns:
        The exit code: 0 when the word was found, 1 when it was not or there is no list, 2 for wrong usage.
    """
    try:
        arguments = parsed()
        host = seated_host(arguments, exact)
        if sys.stdin and sys.stdin.isatty():
            complain(f"{name_of(host)}: {_begin(host)} a line; Ctrl-D ends")
        return play_out(host, read, write, complain, tell=arguments.tell)
    except HostUsageError as error:
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


def seated_host(
    arguments: HostArguments | LetterArguments,
    exact: MakeKeep | None = None,
    draw: random.Random | None = None,
) -> Host:
    """The host that the arguments ask for.

    Args:
        exact: as of `host`. draw: draws the word, where one is drawn; None: by the seed.
    Raises:
        WordListError: there is no list, or no word of that length.
        HostUsageError: there is no such host or game, or the targets are none of the list.
    """
    game, name = arguments.rules(), getattr(arguments, "host", "") or "honest"
    if name not in KEEPS and exact is None:
        raise HostUsageError(f"--host {name} cannot be played here: use {' or '.join(KEEPS)}")
    words = drawn_words(arguments, game)
    if game.opponent == "largest":
        return Host(words, game, largest)
    if game.opponent == "adversary":
        from gpulingo.hosts.worst_case import WorstCase  # imports random

        return Host(words, game, WorstCase(words, game, arguments.seed).hardest)
    if draw is None:
        import random

        draw = random.Random(arguments.seed)
    keep = KEEPS[name] if name in KEEPS else exact and exact(WordList(words.source, words.targets))
    return Host(words, game, keep, draw)


def play_out(
    host: Host,
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    tell: bool,
) -> int:
    """Answer guesses until the word is found or lost or the input ends; the exit code.

    Args:
        tell: whether every answer says how many words could still be meant. Others: as of `host`.
    """
    letters = host.game.guesses_letters
    if letters:
        write(answer_text(host, "", tell=tell))
    while not (host.found or host.lost):
        try:
            line = read()
        except EOFError:
            seen = f"the input ended after {used_text(host)} with {counted(len(host.left), 'word')} left"
            word = f", it is {host.word()}" if letters else ""
            complain(f"{name_of(host)}: {seen}: the word was not found{word}")
            return UNFINISHED
        guess = named_letter(line) if letters else line.strip().lower()
        fault = host.fault(guess)
        if fault:
            complain(f"{line[:40]!r}: {fault}: guess another" if letters else f"{fault}: guess again")
        write(answer_text(host, "" if fault else host.answer(guess), tell=tell))
    how = f"with {used_text(host)}: the word is {host.word()}" if letters else f"in {used_text(host)}"
    complain(f"{name_of(host)}: {'found' if host.found else 'lost'} {how}")
    return WON if host.found else UNFINISHED


def answer_text(host: Host, marks: str, *, tell: bool) -> str:
    """The answer to a word: its marks, or dashes without any; to a letter: the word as far as it is shown."""
    words = f" {len(host.left)}" if tell else ""
    if not host.game.guesses_letters:
        return f"{marks}{words}" if marks else REFUSED * host.words.length
    text = host.word() if host.found or host.lost else host.shown
    return f"{shown_line(text)} {host.used}/{host.game.turns}{words}"


def name_of(host: Host) -> str:
    """What a round is called: hangman whatever is counted there, else the game and its rule."""
    return "hangman" if host.game.guesses_letters else host.game.name


def used_text(host: Host) -> str:
    """Guesses, or misses, so far."""
    return counted(host.used, "miss" if host.game.counts_misses else "guess")


def drawn_words(arguments: HostArguments | LetterArguments, game: Game) -> WordList:
    """The words that may be guessed, with the targets of which a host may draw one.

    Raises:
        WordListError: there is no list, or no word of that length.
        HostUsageError: there are no such targets, or none of the words is one.
    """
    from gpulingo.words.targets import drawn, left_out

    listing = find_words(arguments.length, arguments.wordlist, repeats_colours(game))
    listing.of_length(arguments.length)  # that it lacks the length is no fault of the targets
    try:
        words = drawn(listing, arguments.length, arguments.targets, usual_targets(game, DRAWN))
    except WordListError as error:
        raise HostUsageError(f"--targets: {error}") from None
    try:
        return words if arguments.without is None else left_out(words, arguments.without)
    except WordListError as error:
        raise HostUsageError(f"--without: {error}") from None


def _begin(host: Host) -> str:
    """What is to be guessed, and how."""
    words = f"{counted(len(host.left), 'word')} of {host.words.length} letters"
    if host.game.guesses_letters:
        return f"{words}, {counted(host.game.turns, 'life')}: type a letter"
    return f"{words}: type a guess"

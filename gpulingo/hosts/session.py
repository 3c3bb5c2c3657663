"""A round against a host: a guess per line is read, and each is answered by a line; complaints go apart.

A word is answered by its marks, or by dashes where it is not a legal guess; a letter by the word as far as it
is shown. What is not a legal guess is reported and costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from gpulingo.games.catalogue import guessed
from gpulingo.hosts.host import Host
from gpulingo.words.shown import counted, named_letter, shown_line

WON, UNFINISHED = 0, 1
REFUSED = "-"  # a letter's answer to what is no legal guess


def play_out(
    host: Host,
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    tell: bool,
) -> int:
    """Host one round: answer guesses until the word is found or lost or the input ends.

    Args:
        read: the next line of input, without its end; raises EOFError at the end of the input.
        write: sends one answer.
        complain: takes one line on an illegal guess, or on how the round ended.
        tell: add to every answer the number of words still possible.
    Returns:
        The exit code: 0 when the word was found, 1 otherwise.
    """
    if sys.stdin and sys.stdin.isatty():
        complain(f"{name_of(host)}: {_begin(host)} a line; Ctrl-D ends")
    try:
        return _played(host, read, write, complain, tell=tell)
    except BrokenPipeError:
        return UNFINISHED  # nobody reads on
    except OSError as error:
        complain(f"cannot write an answer: {error.strerror}")
        return UNFINISHED


def _played(
    host: Host,
    read: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    tell: bool,
) -> int:
    """The same where answers can be written."""
    letters, noun, entered = host.game.guesses_letters, guessed(host.game)[0], host.words.enter
    if letters:
        write(answer_text(host, "", tell=tell))
    while not (host.found or host.lost):
        try:
            line = read()
        except EOFError:
            seen = f"the input ended after {used_text(host)} with {counted(len(host.left), noun)} left"
            word = f", it is {host.word()}" if letters else ""
            complain(f"{name_of(host)}: {seen}: the {noun} was not found{word}")
            return UNFINISHED
        guess = named_letter(line, entered) if letters else entered(line.strip())
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
    """Return the title of a round: hangman whatever is counted there, otherwise the game and its rule."""
    return "hangman" if host.game.guesses_letters else host.game.name


def used_text(host: Host) -> str:
    """Guesses, or misses, so far."""
    return counted(host.used, "miss" if host.game.counts_misses else "guess")


def _begin(host: Host) -> str:
    """Return the line that says what is to be guessed, and how."""
    noun, signs = guessed(host.game)
    words = f"{counted(len(host.left), noun)} of {host.words.length} {signs}"
    if host.game.guesses_letters:
        return f"{words}, {counted(host.game.turns, 'life')}: type a letter"
    return f"{words}: type a guess"

"""Hangman as the quiz's programs play it: a line shows the word as far as it is known, the answer a letter.

One process plays one word, or word after word. Every line is answered by one line; a fault is reported apart,
and the answer before it is given again. How letters are chosen is the guesser's business.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from gpulingo.games.positions import outline
from gpulingo.player.arguments import Arguments
from gpulingo.player.guesser import Followed, Guesser, QuizRule
from gpulingo.trees.kept import kept_trees
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import MissingListError, WordListError, find_listing
from gpulingo.words.shown import ShownError, shown_line

FOUND, LOST = "I guessed your word", "I'm out of guesses"
ASK = "Show me your word, as _ _ _ _"  # the answer to a first line that shows none
FORM = "show the word again, as _ i _ _"
GREETING = (
    "think of a word and type an underscore for each letter, as _ _ _ _; after each guess type it with the "
    "letter at all its places, or the same again where it has none; Ctrl-D ends"
)


def run_letters(
    arguments: Arguments,
    read_line: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Guess words.

    Args:
        read_line: the next line of input, without its end; raises EOFError at the end.
        write: sends one answer. complain: takes one line on what went wrong.
    Returns:
        The exit code: 0 when the words are over or the input ends, 1 where a list cannot be used, 2 where it
        is missing.
    Raises:
        UsageError: there are no such lives.
    """
    guesser = seated_guesser(arguments, complain)
    try:
        if arguments.wordlist is not None:
            find_listing(0, arguments.wordlist, same=arguments.same)
    except WordListError as error:
        complain(f"--wordlist: {error}")
        return 2 if isinstance(error, MissingListError) else 1
    if sys.stdin and sys.stdin.isatty():
        complain(GREETING)
    try:
        play_words(guesser, read_line, write, complain, loop=arguments.loop)
    except BrokenPipeError:
        pass  # who shows words has left
    except WordListError as error:
        complain(str(error))
        return 1
    except OSError as error:
        complain(f"cannot write a guess: {error.strerror}")
        return 1
    return 0


def seated_guesser(arguments: Arguments, complain: Callable[[str], None]) -> Guesser:
    """The guesser that the arguments ask for: it follows the stored tree of the list, or the rule.

    Raises:
        UsageError: there are no such lives.
    """
    game = arguments.played()

    def tree_of(form: str) -> Followed | None:
        try:
            words = find_listing(len(form), arguments.wordlist, same=arguments.same).of_outline(form)
        except WordListError:  # none of that length
            return None
        trees, faults = kept_trees(words, game, thorough=False)
        for fault in faults:
            complain(fault)
        return next(iter(trees.values()), None), guess_names(game, words.words)

    return Guesser(quiz_by(arguments), game, complain, tree_of, arguments.same)


def play_words(
    guesser: Guesser,
    read_line: Callable[[], str],
    write: Callable[[str], None],
    complain: Callable[[str], None],
    *,
    loop: bool,
) -> None:
    """Answer lines until the word is over, or in a loop until the input ends.

    Args:
        guesser: that has seen nothing yet. Others: see `run_letters`.
    Raises:
        WordListError: a list cannot be used.
    """
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
            tell_unknown(guesser, complain)
            if not loop:
                return
            guesser.begin()
            answer = ASK


def taken(guesser: Guesser, line: str, complain: Callable[[str], None], *, loop: bool) -> str:
    """Take a line, and choose the next letter; what is wrong with it, where that could not be done.

    In a loop a line without any letter, where some were shown or of another length, is the next word.
    """
    try:
        shown = guesser.parsed(line)
    except ShownError as error:
        return str(error)
    fault = guesser.fault(shown)
    if fault and loop and shown == outline(shown):
        complain(f"a word that came to {shown_line(guesser.shown)} is left: the next has begun")
        guesser.begin()
        fault = ""
    if not fault:
        guesser.learn(shown)
    return fault


def answer_of(guesser: Guesser) -> str:
    """The answer to what is shown."""
    if guesser.guess:
        return f"I guess the letter {guesser.guess!r}."
    return FOUND if guesser.found else LOST


def tell_unknown(guesser: Guesser, complain: Callable[[str], None]) -> None:
    """Tell where a word that is over cannot be one of the list, and how it could become one."""
    quiz, shown = guesser.quiz, guesser.shown
    if guesser.found and shown not in quiz:
        what = f"{shown!r} is not"
    elif not guesser.found and not quiz.candidates(shown, guesser.missed):
        what = f"no word that fits {shown_line(shown)} without {', '.join(guesser.missed)} is"
    else:
        return
    where = f"among the {len(quiz.words):,} words of {len(shown)} letters in the list"
    complain(f"{what} {where}: to teach it, add it to a file of words and give that by --wordlist")


def quiz_by(arguments: Arguments) -> Callable[[str], QuizRule]:
    """A function that gives the quiz's rule over the words of an outline in the list that the arguments name.

    It raises WordListError where the list cannot be used; one without words of that length can.
    """

    def rule(form: str) -> QuizRule:
        listing = find_listing(len(form), arguments.wordlist, same=arguments.same)
        try:
            return QuizRule(listing.of_outline(form).words)
        except WordListError:  # it has none of that outline
            text = "".join(filter(str.isalpha, "".join(listing.with_signs().words)))
        return QuizRule([], "".join(sorted({*text}, key=lambda letter: (-text.count(letter), letter))))

    return rule

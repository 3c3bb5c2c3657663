"""`gpulingo play` at a terminal: the conversation for the arguments, and its lines in and out."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from gpulingo.advice.adviser import WIDTH, Adviser, terminal_width, wrapped
from gpulingo.advice.conversation import Conversation, LetterFirst, Paint, paint_for
from gpulingo.advice.hosted import Hosted
from gpulingo.advice.marked import Marked
from gpulingo.advice.revealed import Revealed
from gpulingo.cli import pipes
from gpulingo.cli.arguments import Arguments, parsed_arguments
from gpulingo.cli.wording import FAILED, INTERRUPTED, worded
from gpulingo.player.seats import check_letter, named_strategy, named_tree, seated_guesser
from gpulingo.storage.faults import Complain, UsageError
from gpulingo.words.letters import leave
from gpulingo.words.listing import find_listing
from gpulingo.words.wordlist import WordList

MOST_SEED = 10**9
AnyConversation = Conversation | Hosted | LetterFirst


def seated(words: Sequence[str], load: pipes.Load, complain: Complain) -> AnyConversation:
    arguments, paint = parsed_arguments(words, terminal=True), paint_for(os.environ)
    if arguments.hosted:
        draws = _draws(arguments.seed, letters=arguments.letters)
        return Hosted(lambda: pipes.asked_host(arguments, load, next(draws)), paint, tell=arguments.tell)
    if not arguments.letters:
        return _guessing(arguments, load, paint, complain)
    if arguments.wordlist is not None:
        find_listing(0, arguments.wordlist, same=arguments.same)
    guesser = seated_guesser(arguments.question(), complain)
    return Revealed(guesser, paint, pipes.REMEDIES, arguments.length)


def _guessing(
    arguments: Arguments, load: pipes.Load, paint: Paint, complain: Complain
) -> Marked | LetterFirst:
    question = replace(arguments, top=1).question(begun=False)
    length, game, limits = question.length, question.game, question.limits

    def search() -> Any:
        if not loaded:
            complain("one moment: loading the search")
            loaded.append(load(pipes.OUTLOOKS))
        return loaded[0]

    loaded: list[Any] = []
    adviser = Adviser(question, search, complain)
    own = adviser.words(length)
    if arguments.checkpoint:
        tree = named_tree(own, game, arguments.checkpoint, complain)
        adviser.follow(length, arguments.checkpoint, tree)
    named = pipes.asked_strategy(arguments)
    searcher: Callable[[WordList], Any] | None = None
    if named is not None:
        engine = load(pipes.BUILD)
        strategy = named_strategy(named, own, game, engine, complain)

        def searcher(words: WordList) -> Any:
            return engine.Searcher(words, limits.device, strategy, game, adviser.letter)

    def begin(letter: str) -> Marked:
        adviser.letter = own.enter(letter)
        try:
            check_letter(letter, adviser.left(length, [])[1])
        except UsageError as error:
            raise UsageError(worded(error)) from None
        return Marked(adviser, length, paint, pipes.REMEDIES, searcher)

    title = f"{game.code}, {length} letters ({own.source})"
    return LetterFirst(begin, title) if game.given and not question.letter else begin(question.letter)


def _draws(seed: int | None, *, letters: bool) -> Iterator[random.Random]:
    """Yield the random draws of each round: for words one generator for all, for letters one each."""
    draw = random.Random(seed)
    while True:
        yield random.Random(seed) if letters else draw
        seed = draw.randrange(MOST_SEED) if letters else seed


BYE = "Bye."
LEAST = 20  # least columns of text, however narrow the terminal


def run(words: Sequence[str], load: pipes.Load = pipes.load) -> int:
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        # Ending at once would leave the terminal in the state of the line editor.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def work() -> int:
        try:
            return converse(seated(words, load, pipes.complain), _read, _write)
        except OSError:  # the terminal is gone
            return FAILED

    try:
        return pipes.exit_code(
            work, pipes.complain, named=any(word.startswith("--wordlist") for word in words)
        )
    except KeyboardInterrupt:
        pipes.write_line(f"\n{BYE}")
        return INTERRUPTED


def converse(conversation: AnyConversation, read: Callable[[str], str], write: Callable[[str], None]) -> int:
    """Hold a conversation until the user or the input ends it; return the exit code."""
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
    """Return the next line, with line editing if Python has it."""
    try:
        import readline  # noqa: F401  # input() uses it
    except ImportError:
        pass
    sys.stdout.flush()
    return input(leave(prompt))


def _write(line: str) -> None:
    """Write a line, folded if it is too long for the terminal and has no colours."""
    columns = max(LEAST, min(WIDTH, terminal_width()))
    if len(line) <= columns or "\x1b" in line:
        pipes.write_line(line)
        return
    for part in wrapped(line, columns):
        pipes.write_line(part)

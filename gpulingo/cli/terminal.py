"""`gpulingo play` at a terminal: the conversation for the arguments, and its lines in and out."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.answer import WIDTH, terminal_width, wrapped
from gpulingo.advice.conversation import Conversation, Hosted, Revealed, paint_for
from gpulingo.advice.marked import Boarded, Marked
from gpulingo.cli import pipes
from gpulingo.cli.request import parsed_play
from gpulingo.cli.signals import INTERRUPTED
from gpulingo.cli.wording import FAILED, worded
from gpulingo.player.question import letter_player, named_strategy, named_tree
from gpulingo.storage.faults import Complain, refuse
from gpulingo.words.letters import leave
from gpulingo.words.wordlist import WordList

MOST_SEED = 10**9


def conversation_of(words: Sequence[str], load: pipes.Load, complain: Complain) -> Conversation:
    arguments, paint = parsed_play(words, terminal=True), paint_for(os.environ)
    if arguments.hosted:
        draws = _draws(arguments.seed, letters=arguments.letters)
        return Hosted(lambda: pipes.asked_host(arguments, load, next(draws)), paint, tell=arguments.tell)
    if arguments.letters:
        guesser = letter_player(arguments.question(), complain)
        return Revealed(guesser, paint, pipes.REMEDIES, arguments.length)
    several, given = arguments.question(begun=False).game.boards > 1, arguments.given
    for name in ("strategy", "checkpoint", "search", "letter"):
        refuse({f"--{name} with several boards: leave it out": several and name in given})

    @cache
    def search() -> Any:
        complain("one moment: loading the search")
        return load(pipes.OUTLOOKS)

    adviser = Adviser(replace(arguments, top=1).question(begun=False), search, complain)
    length, game, limits = adviser.question.length, adviser.game, adviser.question.limits
    listed = adviser.words(length)
    if arguments.checkpoint:
        tree = named_tree(listed, game, arguments.checkpoint, complain)
        adviser.follow(length, arguments.checkpoint, tree)
    searcher: Callable[[WordList], Any] | None = None
    if (named := arguments.strategy) is not None:
        engine = load(pipes.BUILD)
        strategy = named_strategy(named, listed, game, engine, complain)

        def searcher(words: WordList) -> Any:
            return engine.Searcher(words, limits.device, strategy, game, adviser.letter)

    kind = Boarded if several else Marked
    return kind(adviser, length, paint, pipes.REMEDIES, searcher, worded)


def _draws(seed: int | None, *, letters: bool) -> Iterator[random.Random]:
    """Yield the random draws of each round: for words one generator for all, for letters one each."""
    draw = random.Random(seed)
    while True:
        yield random.Random(seed) if letters else draw
        seed = draw.randrange(MOST_SEED) if letters else seed


BYE = "Bye."
LEAST = 20  # least columns of text, however narrow the terminal


def run(words: Sequence[str], load: pipes.Load = pipes.load) -> int:
    begun = partial(conversation_of, words, load, pipes.complain)
    try:
        return pipes.exit_code(lambda: converse(begun()), pipes.complain, gone=FAILED)
    except KeyboardInterrupt:
        pipes.write_line(f"\n{BYE}")
        return INTERRUPTED


def converse(conversation: Conversation) -> int:
    """Hold a conversation until the user or the input ends it; return the exit code."""

    def read() -> str:
        while True:
            try:
                return _read(conversation.prompt)
            except UnicodeError:
                _write("That was no text: type it again.")

    if not pipes.converse(conversation, read, _write):
        _write("")
    _write(BYE)
    return 0


def _read(prompt: str) -> str:
    """Return the next line, with line editing if Python has it."""
    with suppress(ImportError):
        import readline  # noqa: F401  # input() uses it
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

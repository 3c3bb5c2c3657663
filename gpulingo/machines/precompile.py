"""Compile the kernels of first answers, simulations and `solve` before they are needed.

Two processes share the work. Other kernels, such as those of hosts, are compiled when they are needed.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import count, islice, permutations, product
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.synchronize import Lock
from threading import Thread

import numpy as np

from gpulingo.advice.round import Round
from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.positions.outlooks import outlooks
from gpulingo.positions.round_values import RoundValues
from gpulingo.solvers.solver import solver
from gpulingo.strategies.objectives import parts
from gpulingo.tensors.clock import unkept, when_compiling
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.operations import class_counts, most_classes, rank, refined, split
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList

LENGTHS = (4, 7, 11)  # they use the three types of codes of words of up to 20 letters
SEARCHES = [  # those that compile longest first
    ("lingo-hard", 4),
    ("hangman", 4),
    ("lingo3", 4),
    ("lingo", 4),
    ("lingo", 7),
    ("lingo-hard", 7),
    ("lingo-hard", 11),
    ("lingo", 11),
]
LARGE = 300  # words of a set whose classes take two bytes
WORDS = 120  # more than the 32, and the 100, of a set for which other kernels are used
ENOUGH = 1e9  # seconds: no limit
MEMORY = 1 << 20  # bytes of a search of a few words


def compile_operations() -> None:
    """Compile the operations that rank guesses, split sets, and bound openings."""
    for length in LENGTHS:
        words = ["".join(letters) for letters in islice(permutations("abcdefghijk", length), WORDS)]
        table = table_of(WordList("few", words), find_game("lingo"))
        every = whole(table)
        rank(table, every, table.pool, parts(WORDS, turns_left=2))
        for sets in (every, frontier([table.targets[:2]])):
            split(table, sets, table.pool[:1])
        refined(table, table.pool, every, np.ones(WORDS, np.int64))
        class_counts(table, table.targets)
        most_classes(table, every)


def compile_values(name: str, words: WordList) -> None:
    """Compile a game's search for values of sets."""
    game = find_game(name)
    table = table_of(words, game)
    search = solver(table, game, MEMORY)
    assert search is not None
    search.best(table.targets, game.turns, legal=table.pool)


def compile_large_sets() -> None:
    """Compile the search for values of sets of over 256 words, whose classes may not fit a byte."""
    for length in LENGTHS[1:]:
        letters = random.Random(length).choices("abcdefghijklmnopqrst", k=LARGE * length)
        words = {"".join(letters[at : at + length]) for at in range(0, len(letters), length)}
        compile_values("lingo", WordList("many", sorted(words)))


def compile_search(name: str, words: WordList) -> None:
    """Compile what else a game's suggestions and reviews need."""
    game = find_game(name)
    outlooks(words, game, [], seconds=ENOUGH, device="cpu")
    guess = words[0][: 1 if game.counts_misses else None]
    played = Round([(guess, feedback_of(game).feedback(guess, words[1]))])
    RoundValues([played], words, game, device="cpu").reviews()


Task = tuple[Callable[..., None], tuple[str | WordList, ...]]
FEW = {
    length: WordList("few", ["".join(letters) + "d" * (length - 3) for letters in product("abc", repeat=3)])
    for length in LENGTHS
}
TASKS: list[list[Task]] = [
    [
        (compile_operations, ()), (compile_large_sets, ()),
        *((compile_values, (name, FEW[length])) for name, length in SEARCHES),
    ],
    [(compile_search, (name, FEW[length])) for name, length in SEARCHES],
]  # fmt: skip


def precompile(on_progress: Callable[[int], object]) -> None:
    """Compile all of these kernels, unless they are stored, in two processes.

    Args:
        on_progress: called with the number of finished tasks of `TASKS`.
    Raises:
        RuntimeError: they cannot be stored.
    """
    context, finished = get_context("spawn"), count(1)
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), context, _begin, (context.Lock(),)) as pool:
        for tasks in TASKS:  # those of one row share few kernels
            heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # so do the processes that this starts
            running = [pool.submit(_done, *task) for task in tasks]
            signal.signal(signal.SIGINT, heard)
            try:
                for _ in as_completed(running):
                    on_progress(next(finished))
                why = next(filter(None, [done.result() for done in running]), "")
            except KeyboardInterrupt:
                for process in active_children():
                    process.terminate()
                raise
            if why:
                raise RuntimeError(why)


def _done(task: Callable[..., None], search: tuple[str | WordList, ...]) -> str:
    """Compile; return why the kernels are not stored, if they are not."""
    task(*search)
    return unkept()


def _begin(first: Lock) -> None:
    """Print a line from one process that compiles, unless there is a bar; end each with its parent."""
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    Thread(target=follow, daemon=True).start()

    def tell(text: str) -> None:
        if first.acquire(False):
            print(f"gpulingo: {text}", file=sys.stderr, flush=True)

    if not sys.stderr.isatty():
        when_compiling(tell)

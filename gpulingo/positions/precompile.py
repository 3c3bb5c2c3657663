"""Compile the kernels of first answers before they are needed: `python -m gpulingo.positions.precompile`.

With two cores, two processes share the work. Bounds and proofs compile what they need themselves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, permutations, product
from multiprocessing import get_context
from multiprocessing.synchronize import Lock

import torch

from gpulingo.advice.round import Round
from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.positions.outlooks import outlooks
from gpulingo.positions.round_values import reviews
from gpulingo.tensors.clock import when_compiling
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import encode
from gpulingo.words.wordlist import WordList

LENGTHS = (4, 7, 11)  # they use the three types of codes of words of up to 20 letters
SEARCHES = [
    ("hangman", 4),
    ("lingo-hard", 4),
    ("lingo", 4),
    ("lingo3", 4),
    ("lingo", 7),
    ("lingo-hard", 7),
    ("lingo-hard", 11),
    ("lingo", 11),
]
ENOUGH = 1e9  # seconds: no limit


def compile_ahead(*lengths: int) -> None:
    """Compile the kernels of `rank` and of `split` for words of these lengths."""
    for length in lengths:
        table = encode(["".join(letters) for letters in islice(permutations("abcdefghijk", length), 3)])
        rank(table, whole(table), table.pool, Objective(torch.tensor([0, 1, 1, 1])))
        for sets in (whole(table), frontier([table.targets[:2]])):
            split(table, sets, table.pool[:1])


def compile_search(name: str, length: int) -> None:
    """Compile the kernels of a game's suggestions and reviews."""
    game = find_game(name)
    words = WordList("few", ["".join(letters) + "d" * (length - 3) for letters in product("abc", repeat=3)])
    outlooks(words, game, [], seconds=ENOUGH, device="cpu")
    guess = words[0][: 1 if game.counts_misses else length]
    reviews([Round([(guess, feedback_of(game).feedback(guess, words[1]))])], words, game, device="cpu")


WORK: list[tuple[Callable[..., None], tuple[str | int, ...]]] = [
    *((compile_ahead, (length,)) for length in LENGTHS),
    *((compile_search, search) for search in SEARCHES),
]


def _tell_once(first: Lock) -> None:
    """Let the first process of a pool that compiles print a line."""
    when_compiling(
        lambda text: print(f"gpulingo: {text}", file=sys.stderr, flush=True) if first.acquire(False) else None
    )


if __name__ == "__main__":
    context = get_context("spawn")
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), context, _tell_once, (context.Lock(),)) as pool:
        for done in [pool.submit(compile_part, *words) for compile_part, words in WORK]:
            done.result()

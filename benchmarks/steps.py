#!/usr/bin/env python3
"""Steps a second of `gpulingo.Rounds`: one step is one guess of one round; resets are part of the time.

    python benchmarks/steps.py [--device cpu] [--rounds 65536] [--length 5] [--game wordle] [--games 20]
                               [--wordlist pool.txt [--targets targets.txt]] [--plain] [--parts] [--masks]

Guesses are random words. On the CPU there is one thread, and seconds are CPU seconds, because others may use
the machine; on a GPU seconds are those of the clock, until it has finished. Every line states the rounds that
were found and the sum of turns, which are the same on every device. `--plain` also measures the reference,
which is plain torch; `--parts` the CPU seconds of `parts` in `simulate`, and through `Rounds`;
`--masks` steps that are followed by the mask of the legal guesses, and the peak of memory that they add.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter, process_time

import torch
from rates import finish
from torch import Tensor

from gpulingo import Rounds, find_words, simulate
from gpulingo.tensors import reference
from gpulingo.tensors.device import find_device, is_gpu
from gpulingo.tensors.operations import paired_patterns


def seconds(work: Callable[[], object], device: torch.device, calls: int) -> float:
    """Median seconds of a call after two others."""
    now, spent = perf_counter if is_gpu(device) else process_time, []
    for _ in range(calls + 2):
        finish(device)
        begun = now()
        work()
        finish(device)
        spent.append(now() - begun)
    return median(spent[2:])


def measure(rounds: Rounds, guesses: list[Tensor], step: Callable[[Tensor], Tensor], calls: int) -> str:
    """Rates of whole games, of steps alone, and of the patterns of as many pairs."""
    device, many = rounds.table.device, rounds.count
    every = torch.ones_like(rounds.done)
    rounds.reset(every, seed=1)

    def game() -> None:
        for row in guesses:
            step(row)
        rounds.reset(rounds.done)

    whole = seconds(game, device, calls)
    alone = whole - seconds(lambda: rounds.reset(every), device, calls)
    pairs = seconds(lambda: paired_patterns(rounds.table, guesses[0], rounds.targets), device, calls)
    for row in guesses:
        step(row)
    found, turns = int((rounds.credits > 0).sum()), int(rounds.turn.sum())
    said = f"{found:,} found, {turns:,} turns, marks {int(rounds.marks.sum(dtype=torch.int64)):,}"
    rates = [f"{many * part / spent / 1e6:,.1f}" for part, spent in
             ((len(guesses), whole), (len(guesses), alone), (1, pairs))]  # fmt: skip
    each = 1e6 * alone / len(guesses)
    return (
        f"{rates[0]} M steps/s with resets, {rates[1]} without ({each:,.1f} us each), "
        f"{rates[2]} M pairs/s; {said}"
    )


def main() -> None:
    """Print a line for each number of rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", default="65536")
    parser.add_argument("--length", type=int, default=5)
    parser.add_argument("--game", default="wordle")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--wordlist", type=Path)
    parser.add_argument("--targets")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--masks", action="store_true")
    given = parser.parse_args()
    torch.set_num_threads(1)
    device = find_device(given.device)
    words = find_words(given.length, given.wordlist, given.targets)
    name = torch.cuda.get_device_name(device) if is_gpu(device) else "cpu"
    print(f"{words}, {given.game}, {name}, torch {torch.__version__}")
    for many in map(int, given.rounds.split(",")):
        rounds = Rounds(words, given.game, many, device=device, seed=1)
        draw = torch.Generator().manual_seed(2)
        guesses = [
            torch.randint(rounds.table.words, (many,), dtype=torch.int32, generator=draw).to(device)
            for _ in range(rounds.game.turns)
        ]
        print(f"{many:,} rounds: {measure(rounds, guesses, rounds.step, given.games)}", flush=True)
        for packed in (True, False) if given.masks else ():
            before = getrusage(RUSAGE_SELF).ru_maxrss

            def masked(row: Tensor, packed: bool = packed, rounds: Rounds = rounds) -> Tensor:
                marks = rounds.step(row)
                rounds.legal(packed=packed)
                return marks

            text = measure(rounds, guesses, masked, given.games)
            peak = (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024
            print(f"  with {'packed ' * packed}masks, {peak:,.0f} MB more: {text}", flush=True)
        if given.plain:

            def plain(row: Tensor, rounds: Rounds = rounds) -> Tensor:
                return reference.play(rounds.table, rounds, row)

            print(f"  in plain torch: {measure(rounds, guesses, plain, given.games)}", flush=True)
    if given.parts:
        games = parts(words, given.game, device)
        print(f"parts: {games[0]:.3f} s in simulate, {games[1]:.3f} s through Rounds, CPU seconds")


def parts(words: object, game: str, device: torch.device) -> list[float]:
    """CPU seconds of a game of `parts` for every target: the median of five, in turn."""
    spent: list[list[float]] = [[], []]
    for _ in range(6):
        begun = process_time()
        done = simulate(words, "parts", game, device=device)
        between = process_time()
        rounds = Rounds(words, game, targets=done.wordlist.targets, device=device)
        while not bool(rounds.done.all()):
            rounds.step(rounds.choose("parts"))
        ended = process_time()
        spent[0].append(between - begun)
        spent[1].append(ended - between)
        found = [turn for _, turn in done.found_turns()]
        turns = torch.where(rounds.credits > 0, rounds.turn, 0).tolist()
        assert turns == found
    return [median(each[1:]) for each in spent]


if __name__ == "__main__":
    main()

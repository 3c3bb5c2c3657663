"""CPU seconds of `score` for 1,000 rounds of Wordle by players of ten lines, at first and again.

python benchmarks/score.py POOL TARGETS [SECONDS]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import torch

from gpulingo import Rounds, WordList, score

COUNT = 1000
PLAYERS = ("first fitting word", "parts", "random opening, then parts")


def played(words: WordList, player: str) -> Rounds:
    """The rounds of a player, to their ends."""
    rounds = Rounds(words, "wordle", COUNT, seed=0)
    if player == PLAYERS[2]:
        chance = torch.Generator().manual_seed(0)
        rounds.step(torch.randint(0, len(words), (COUNT,), dtype=torch.int32, generator=chance))
    while not bool(rounds.done.all()):
        if player == PLAYERS[0]:
            first = rounds.position().frontier.firsts
            rounds.step(first[rounds.sets.clamp(min=0)])
        else:
            rounds.step(rounds.choose("parts"))
    return rounds


def main(pool: str, targets: str, seconds: str = "60") -> None:
    """Print a line for each player and call."""
    words = WordList(pool, Path(pool).read_text().split()).with_targets(Path(targets).read_text().split())
    for player in PLAYERS:
        rounds = played(words, player)
        for call in ("cold", "again"):
            before = os.times()
            scores = score(rounds, seconds=float(seconds), device="cpu")
            used = sum(os.times()[:2]) - sum(before[:2])
            proven = int(scores.exact.all(1).sum())
            print(f"{player}, {call}: {used:.2f} CPU seconds, {proven:,} rounds proven, {scores}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

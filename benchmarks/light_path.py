#!/usr/bin/env python3
"""CPU of one game of `gpulingo play` that follows a kept tree, beside that of bare Python.

    python benchmarks/light_path.py [--runs 30] [--wordlist wordlist.txt] [--length 4,7,9,13] [STARTER ..]

A game is a round of the pit: a process that is started for it and marked until it has found the word. Its
CPU seconds, user and system, are those of the kernel's account. Bare Python is `python -c pass` of the Python
that runs this, `bare -S` the same without site. Games of all starters and bare Python take turns, on the same
words. It prints a line for each list and length: medians in ms, and how many times bare Python's a game is.
The starters are scripts/gpulingo of this checkout and the command beside Python, if no others are named.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from statistics import median

from gpulingo.games.catalogue import lingo
from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import PlayerError, play_round
from gpulingo.words.listing import Listing, embedded, read

STARTERS = [
    str(Path(__file__).parent.parent / "scripts" / "gpulingo"),
    str(Path(sys.executable).parent / "gpulingo"),
]
BARE = {"bare": [sys.executable, "-c", "pass"], "bare -S": [sys.executable, "-S", "-c", "pass"]}


def bare_cpu(command: list[str]) -> float:
    """CPU seconds of a process that says nothing."""
    with ProcessPlayer(command, alone=True) as player:
        try:
            player()
        except PlayerError:
            pass
    return player.ending.cpu


def game_cpu(starter: str, folder: str, target: str, words: frozenset[str]) -> float:
    """CPU seconds of one game, in which the word is found or lost by the tree."""
    with ProcessPlayer([starter, "play", str(len(target))], folder, alone=True) as player:
        transcript = play_round(player, target, words, lingo(), hear=player.hear)
    if transcript.error or transcript.invalid or player.ending.exit:
        sys.exit(f"{starter}: no clean game of {target}: {transcript}, {player.ending}")
    return player.ending.cpu


def measure(listing: Listing, folder: str, length: int, starters: list[str], runs: int) -> None:
    """Play, and print the line of a list and a length."""
    words = listing.of_length(length)
    legal, chance = frozenset(words.words), random.Random(length)
    seconds: dict[str, list[float]] = {name: [] for name in (*BARE, *starters)}
    for _ in range(runs):
        target = chance.choice(words.words)
        for name, command in BARE.items():
            seconds[name].append(bare_cpu(command))
        for starter in starters:
            seconds[starter].append(game_cpu(starter, folder, target, legal))
    medians = {name: 1000 * median(row) for name, row in seconds.items()}
    plain = "  ".join(f"{medians[name]:7.1f}" for name in BARE)
    games = "  ".join(f"{medians[name]:6.1f} {medians[name] / medians['bare']:5.2f}" for name in starters)
    print(f"{listing.source[-24:]:24}  {length:2}  {plain}  {games}", flush=True)


def main() -> None:
    """Measure what the options name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--wordlist", help="besides the embedded list")
    parser.add_argument("--length", default="4,7,9,13")
    parser.add_argument("starters", nargs="*", default=STARTERS)
    options = parser.parse_args()
    starters = [str(Path(starter).absolute()) for starter in options.starters]
    for number, starter in enumerate(starters, 1):
        print(f"game {number}: {starter}")
    games = "  ".join(f"game {number} times" for number in range(1, len(starters) + 1))
    print(f"{'list':24}   N  {'  '.join(f'{name:>7}' for name in BARE)}  {games}")
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as empty:
        lists = [(embedded(), empty)]
        if options.wordlist:
            (Path(own) / "wordlist.txt").symlink_to(Path(options.wordlist).absolute())
            lists.insert(0, (read(options.wordlist), own))
        for listing, folder in lists:
            for length in map(int, options.length.split(",")):
                measure(listing, folder, length, starters, options.runs)


if __name__ == "__main__":
    main()

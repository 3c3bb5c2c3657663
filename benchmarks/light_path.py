#!/usr/bin/env python3
"""CPU time of one game of `gpulingo play` that follows a stored tree, compared with bare Python.

    python benchmarks/light_path.py [--runs 30] [--wordlist wordlist.txt] [--length 4,7,9,13] [STARTER ..]

A game is a round of the pit: a process is started for it and gets marks until it has found the word. CPU
seconds, user and system, are the kernel's. Bare Python is `python -c pass` by the Python that runs this,
`bare -S` the same without site. Games of all starters and bare Python alternate, on the same words. Prints a
line for each list and length: medians in ms, and the ratio of a game to bare Python. A list that is named
twice is read as it is, then as a match lays it out, with wordlistN.txt in its folder. Without STARTER it
measures scripts/gpulingo of this checkout and the command installed with Python.
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
    """CPU seconds of a process that prints nothing."""
    with ProcessPlayer(command) as player:
        try:
            player()
        except PlayerError:
            pass
    return player.ending.cpu


def game_cpu(starter: str, folder: str, target: str, words: frozenset[str]) -> float:
    """CPU seconds of one game; the word is found, or lost as in the tree."""
    with ProcessPlayer([starter, "play", str(len(target))], folder) as player:
        transcript = play_round(player, target, words, lingo(), hear=player.hear)
    if transcript.error or transcript.invalid or player.ending.exit:
        sys.exit(f"{starter}: no clean game of {target}: {transcript}, {player.ending}")
    return player.ending.cpu


def measure(name: str, listing: Listing, folder: str, length: int, starters: list[str], runs: int) -> None:
    """Play, and print the line for a list and a length."""
    words = listing.of_length(length)
    legal, chance = frozenset(words.words), random.Random(length)
    seconds: dict[str, list[float]] = {row: [] for row in (*BARE, *starters)}
    for _ in range(runs):
        target = chance.choice(words.words)
        for bare, command in BARE.items():
            seconds[bare].append(bare_cpu(command))
        for starter in starters:
            seconds[starter].append(game_cpu(starter, folder, target, legal))
    ms = {row: 1000 * median(of_row) for row, of_row in seconds.items()}
    plain = "  ".join(f"{ms[row]:7.1f}" for row in BARE)
    games = "  ".join(f"{ms[row]:6.1f} {ms[row] / ms['bare']:5.2f}" for row in starters)
    print(f"{name:18}  {length:2}  {plain}  {games}", flush=True)


def main() -> None:
    """Measure what the options select."""
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
    print(f"{'list':18}   N  {'  '.join(f'{name:>7}' for name in BARE)}  {games}")
    lengths = [int(length) for length in options.length.split(",")]
    with tempfile.TemporaryDirectory() as top:
        rows = [("embedded list", embedded(), Path(top, "none"))]
        if options.wordlist:
            listing = read(options.wordlist)
            rows += [(name, listing, Path(top, name)) for name in ("list as it stands", "list in a match")]
        for _, listing, folder in rows:
            folder.mkdir()
            if listing.data:
                (folder / "wordlist.txt").write_bytes(listing.data)
        for length in lengths if options.wordlist else ():
            words = "".join(f"{word}\n" for word in listing.of_length(length).words)
            (folder / f"wordlist{length}.txt").write_text(words)
        for name, listing, folder in rows:
            for length in lengths:
                measure(name, listing, str(folder), length, starters, options.runs)


if __name__ == "__main__":
    main()

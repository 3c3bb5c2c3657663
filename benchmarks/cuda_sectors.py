#!/usr/bin/env python3
"""How many 32-byte sectors a warp of the tables kernel writes at once: the load of the L2 cache.

    python benchmarks/cuda_sectors.py [--wordlist FILE] [--letters 5,9]

For 60 random guesses and the whole list: mean number of sectors, 128-byte lines and distinct codes of 32
neighbouring lanes, for bytes and int32. Neighbouring lanes have neighbours of the list, or every 32nd word.
Needs no GPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from gpulingo.tensors.paircodes import codes, pair_codes
from gpulingo.tensors.wordtable import encode, target_features
from gpulingo.words.listing import embedded, read


def distinct(rows: np.ndarray) -> float:
    """Mean number of distinct entries per row."""
    ordered = np.sort(rows, axis=1)
    return float(((ordered[:, 1:] != ordered[:, :-1]).sum(1) + 1).mean())


def main() -> None:
    """Print a row for each length, width of entry and order of targets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wordlist", type=Path)
    parser.add_argument("--letters", default="5,9")
    options = parser.parse_args()
    listing = read(options.wordlist) if options.wordlist else embedded()
    print("letters", "entry bytes", "neighbours", "sectors", "lines", "codes", "mean range", sep="\t")
    for length in map(int, options.letters.split(",")):
        table = encode(listing.of_length(length).words)
        program = pair_codes(table)
        features = target_features(table.letters, len(table.alphabet), program.copies).numpy()
        whole = table.words // 1024 * 1024  # full words of 32 targets, full warps
        guesses = np.random.default_rng(1).choice(table.words, 60, replace=False)
        made = [codes(program, features, int(guess))[:whole].astype(np.int64) for guess in guesses]
        for size in (1, 4):
            for name, turned in (("in the list", False), ("every 32nd", True)):
                blocks = np.stack(made).reshape(-1, 32, 32)
                rows = (blocks.swapaxes(1, 2) if turned else blocks).reshape(-1, 32)
                numbers = [distinct(rows * size // 32), distinct(rows * size // 128), distinct(rows)]
                mean = float(program.ranges.astype(float).mean())
                print(length, size, name, *(f"{x:.1f}" for x in numbers), f"{mean:.0f}", sep="\t")


if __name__ == "__main__":
    main()

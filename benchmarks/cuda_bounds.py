#!/usr/bin/env python3
"""Compile the CUDA kernels of the operations for bounds, without a GPU, and count their instructions.

    python benchmarks/cuda_bounds.py [--letters 5,9,13] [--arch 90] [--sass FOLDER]

`pair` is lane instructions per pair of guess and target in the innermost loops; for marks per class.
`set` is the additional instructions of a warp for each set of a guess.
`ceiling` is the rate that instruction issue allows on 132 multiprocessors at 1.98 GHz, in thousand million
pairs a second; kernels that loop over sets are counted with sets of 64. Needs Triton and the tools it brings.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import torch
from cuda_code import TYPES, by_unit, ceiling, compiled, inner_loops, sass

from gpulingo.tensors.checks import code_type
from gpulingo.tensors.cuda import backend as cuda
from gpulingo.tensors.cuda.launch import Launch, Memory
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.wordtable import WordTable, encode
from gpulingo.words.listing import embedded

SET = 64  # words of a set, two turns of a warp
Lines = list[tuple[int, str, str]]
TYPES[torch.int16] = "*i16"


def refining(table: WordTable) -> list[Launch]:
    """The kernels of `refined`: of marks, and of parts."""
    n = table.words
    guesses, steps = torch.arange(64, dtype=torch.int32), torch.zeros(n, dtype=torch.int64)
    labels, memory = torch.zeros(64, n, dtype=torch.int32), Memory(table.device, 1 << 34)
    kind = getattr(torch, code_type(table.length))
    pairs = (table.letters[:64], table.letters), None, torch.empty(64, n, dtype=kind)
    parts = cuda.parting(labels, n, guesses, frontier([table.targets]), steps, memory)[1]
    return [parts, cuda.marks_launch(*pairs)]


def capping(wide: int, kind: torch.dtype) -> Launch:
    """The kernel of `greatest_capped` for `wide` classes and a type of caps."""
    classes = CappedClasses(torch.zeros(4, 4, dtype=kind), torch.zeros(4, wide, dtype=torch.int32))
    zeros = torch.zeros(1, dtype=torch.int64)
    front, memory = frontier([torch.arange(4)]), Memory(zeros.device, 1 << 30)
    return cuda.capping(classes, front, zeros, zeros, (0, 4), memory)


def spans(lines: Lines) -> list[tuple[int, int]]:
    """First and last address of each loop."""
    return [(int(to), at) for at, name, to in lines if name == "BRA" and to.isdigit() and int(to) < at]


def a_set(lines: Lines) -> int:
    """Instructions of the loop over sets, without the loops inside it."""
    loops = spans(lines)
    inner = [s for s in loops if not any(s[0] <= a and b <= s[1] and (a, b) != s for a, b in loops)]
    around = [s for s in loops if s not in inner and any(s[0] <= a and b <= s[1] for a, b in inner)]
    first, last = min(around, key=lambda span: span[1] - span[0])
    inside = [s for s in inner if first <= s[0] and s[1] <= last]
    return sum(first <= at <= last and not any(a <= at <= b for a, b in inside) for at, _, _ in lines)


def a_pair(launch: Launch, lines: Lines) -> dict[str, float]:
    """Instructions per pair by unit, or per class for marks; the stores give the pairs per loop iteration."""
    loops, kind = inner_loops(lines), launch.kernel.__name__
    if kind == "marks_kernel":
        return dict(by_unit(Counter(name for _, name, _ in lines)))
    found: dict[str, float] = {}
    for loop in loops:
        units = by_unit(loop)
        pairs = max(1, units.get("store", 0))
        for unit, count in units.items():
            found[unit] = found.get(unit, 0) + count / pairs
    return found


def main() -> None:
    """Print a row for each kernel."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--letters", default="5,9,13")
    parser.add_argument("--arch", type=int, default=90)
    parser.add_argument("--sass", type=Path, default=Path("sass"), help="folder for the machine code")
    options = parser.parse_args()
    options.sass.mkdir(parents=True, exist_ok=True)
    asked = [("4,000 classes", capping(4000, torch.int16))]
    for length in map(int, options.letters.split(",")):
        table = encode(embedded().of_length(length).words)
        asked += [(f"{length} letters", launch) for launch in refining(table)]
    print("of", "kernel", "pair", "set", "ceiling", sep="\t")
    for of, launch in asked:
        name = launch.kernel.__name__.removesuffix("_kernel")
        path = options.sass / f"{name}-{of.replace(' ', '-')}.cubin"
        lines = sass(compiled(launch, options.arch), path)
        found = a_pair(launch, lines)
        sets = a_set(lines) if name in ("counters", "parts") else 0
        # The instructions of a warp for a set are executed by 32 lanes, and shared by the words of the set.
        top = ceiling(found | {"other": found.get("other", 0) + 32 * sets / SET})
        print(of, name, f"{sum(found.values()):.1f}", sets, f"{top:.0f}", sep="\t", flush=True)


if __name__ == "__main__":
    sys.exit(main())

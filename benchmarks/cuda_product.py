#!/usr/bin/env python3
"""A rejected design: pair codes as a matrix product on tensor cores, compiled without a GPU and counted.

    python benchmarks/cuda_product.py [--sass FOLDER]

One loop computes the codes of a block of guesses and a block of targets, and marks them in a table for each
guess, as `tables_kernel` does with integers; 192 features: 5 letters, up to two copies, and padding. Prints
lane instructions per pair. benchmarks/README.md has the conclusion. The kernel is compiled, never run.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import triton
import triton.language as tl
from cuda_code import UNITS, by_unit, inner_loops, sass
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

FEATURES = 192
TYPES = {"weights": "*bf16", "features": "*bf16", "tables": "*u8", "slots": "i32", "n": "i32"}


@triton.jit
def product_kernel(weights, features, tables, slots, n, F: tl.constexpr, K: tl.constexpr,
                   GUESSES: tl.constexpr, TARGETS: tl.constexpr):  # fmt: skip
    """Mark the codes of GUESSES guesses against n targets, TARGETS at a time."""
    guess = tl.program_id(0) * GUESSES + tl.arange(0, GUESSES)
    table = tables + guess.to(tl.int64) * slots
    for start in range(0, n, TARGETS):
        target = start + tl.arange(0, TARGETS)
        codes = tl.zeros([GUESSES, TARGETS], tl.float32)
        for first in range(0, F, K):
            k = first + tl.arange(0, K)
            left = tl.load(weights + guess[:, None] * F + k[None, :])
            right = tl.load(features + target[:, None] * F + k[None, :])
            codes = tl.dot(left, tl.trans(right), codes)
        place = codes.to(tl.int32)
        tl.store(table[:, None] + place, (place & 0).to(tl.uint8) + 1, mask=target[None, :] < n)


def main() -> None:
    """Print a row for each size of block."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sass", type=Path, default=Path("sass"), help="folder for the machine code")
    folder = parser.parse_args().sass
    folder.mkdir(parents=True, exist_ok=True)
    units = [*UNITS, "other"]
    print("guesses", "targets", *units, "total", sep="\t")
    for guesses, targets in ((16, 256), (64, 128), (128, 128)):
        constants = {"F": FEATURES, "K": 64, "GUESSES": guesses, "TARGETS": targets}
        signature = TYPES | dict.fromkeys(constants, "constexpr")
        aligned = {(at,): [["tt.divisibility", 16]] for at in (0, 1)}
        source = ASTSource(product_kernel, signature, constants, attrs=aligned)
        made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
        lines = sass(bytes(made.asm["cubin"]), folder / f"product-{guesses}.cubin")
        found = by_unit(max(inner_loops(lines), key=lambda loop: sum(loop.values())))
        pairs = guesses * targets / 128  # of each lane
        row = [f"{found.get(unit, 0) / pairs:.1f}" for unit in units] + [f"{sum(found.values()) / pairs:.1f}"]
        print(guesses, targets, *row, sep="\t", flush=True)


if __name__ == "__main__":
    main()

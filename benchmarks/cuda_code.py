#!/usr/bin/env python3
"""Compile the kernel of small sets for one kind of GPU, without a GPU, and count their instructions per pair.

    python benchmarks/cuda_code.py [--letters 5,9,13] [--arch 90] [--sass FOLDER]

Prints lane instructions per pair of guess and target in the innermost loops, by the unit that executes them;
`other` are moves, branches and waits. Needs Triton and the tools it brings, no GPU.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from gpulingo.tensors.cuda.launch import Launch, Memory, Sets, Worth, launches, layout_of
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import embedded

UNITS = {
    "multiply": "IMAD IDP",
    "logic": "LOP3 SHF LEA IADD3 ISETP SEL PRMT SGXT IMNMX VIMNMX VIADD IABS LOP PLOP3 ISCADD R2P BMSK",
    "quarter": "POPC FLO MUFU I2F F2I",
    "load": "LDG LD",
    "store": "STG ST",
    "atomic": "RED ATOM ATOMG REDG",
}
TYPES = {torch.int32: "*i32", torch.int64: "*i64", torch.uint8: "*u8"}
LINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)(\S*)\s*(.*?);")


def compiled(launch: Launch, arch: int) -> bytes:
    """Compile the kernel of a launch for a compute capability, given as 90 for 9.0."""
    names = launch.kernel.arg_names
    kinds = [TYPES[a.dtype] if isinstance(a, torch.Tensor) else "i32" for a in launch.arguments]
    signature = dict(zip(names, kinds, strict=False)) | dict.fromkeys(launch.constants, "constexpr")
    source = ASTSource(launch.kernel, signature, launch.constants)
    made = triton.compile(source, target=GPUTarget("cuda", arch, 32), options={"num_warps": launch.warps})
    return bytes(made.asm["cubin"])


def sass(program: bytes, path: Path) -> list[tuple[int, str, str]]:
    """Address, instruction and operands of every line."""
    path.write_bytes(program)
    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "nvdisasm"
    text = subprocess.run([tool, "-c", path], capture_output=True, text=True, check=True).stdout
    path.with_suffix(".sass").write_text(text)
    lines, labels, pending = [], {}, []
    for line in text.splitlines():
        if label := re.match(r"(\.L_x_\d+):", line):
            pending.append(label[1])
        elif found := LINE.search(line):
            for name in pending:
                labels[name] = int(found[1], 16)
            pending = []
            lines.append((int(found[1], 16), found[2], found[4]))
    resolved = []
    for address, name, operands in lines:
        target = re.search(r"\.L_x_\d+", operands)
        resolved.append((address, name, str(labels.get(target[0], -1)) if target else operands))
    return resolved


def inner_loops(lines: list[tuple[int, str, str]]) -> list[Counter[str]]:
    """Instructions of every loop without an inner loop."""
    ends = [
        (int(to), at) for at, name, to in lines if name == "BRA" and re.fullmatch(r"\d+", to) and int(to) < at
    ]
    inner = [
        span for span in ends if not any(span[0] <= a and b <= span[1] and (a, b) != span for a, b in ends)
    ]
    return [Counter(name for at, name, _ in lines if first <= at <= last) for first, last in inner]


def by_unit(counts: Counter[str]) -> dict[str, int]:
    """Instructions by unit; those on uniform registers run once per warp and are left out."""
    known = {name: unit for unit, names in UNITS.items() for name in names.split()}
    found: Counter[str] = Counter()
    for name, count in counts.items():
        if not (name.startswith("U") and name != "UNDEF"):
            found[known.get(name, "other")] += count
    return dict(found)


def lanes_per_pair(lines: list[tuple[int, str, str]], size: int) -> dict[str, float]:
    """Instructions per pair, by unit, of the loop over pairs; loops over several words are averaged."""
    found: dict[str, float] = {}
    for w, loop in enumerate(inner_loops(lines)[: -(-size // 32)]):
        for unit, count in by_unit(loop).items():
            found[unit] = found.get(unit, 0) + count * min(32, size - 32 * w) / size
    return found


def ceiling(found: dict[str, float]) -> float:
    """Most thousand million pairs a second of 132 multiprocessors at 1.98 GHz, limited by issue alone.

    In one cycle a multiprocessor issues 64 lanes of logic, 64 of multiplication, 16 of the quarter-rate unit,
    32 of memory, and 128 in total.
    """
    memory = sum(found.get(unit, 0) for unit in ("load", "store", "atomic"))
    cycles = max(
        found.get("logic", 0) / 64, found.get("multiply", 0) / 64, found.get("quarter", 0) / 16, memory / 32,
        sum(found.values()) / 128,
    )  # fmt: skip
    return 132 * 1.98 / cycles


def sets_of(words: int, size: int) -> Sets:
    """One set of that size, ranked by every word of the table."""
    one = torch.ones(1, dtype=torch.int32)
    members = torch.arange(size, dtype=torch.int32)
    pool, zero = torch.arange(words, dtype=torch.int32), torch.zeros(1, dtype=torch.int64)
    return Sets(members, zero, one * size, size, pool, zero, one * words, words, zero)


def main() -> None:
    """Print a row for each length, size of set and kind of objective."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--letters", default="5,9,13")
    parser.add_argument("--sizes", default="20,200", help="at most 256")
    parser.add_argument("--arch", type=int, default=90)
    parser.add_argument("--sass", type=Path, default=Path("sass"), help="folder for the machine code")
    options = parser.parse_args()
    options.sass.mkdir(parents=True, exist_ok=True)
    units = [*UNITS, "other"]
    print("letters", "size", "classes", *units, "total", "ceiling", sep="\t")
    for length in map(int, options.letters.split(",")):
        table = encode(embedded().of_length(length).words)
        layout, memory = layout_of(table), Memory(table.device, 1 << 34)
        for text in options.sizes.split(","):
            size = int(text)
            for kind in ("count", "sizes", "largest"):
                zeros = torch.zeros(size + 1, dtype=torch.int64)
                worth = Worth(zeros, zeros.diff(), kind != "count", kind == "largest")
                launch = launches(layout, sets_of(table.words, size), worth, memory)[1][1]
                lines = sass(compiled(launch, options.arch), options.sass / f"{length}-{size}-{kind}.cubin")
                found = lanes_per_pair(lines, size)
                row = [f"{found.get(unit, 0):.1f}" for unit in units] + [f"{sum(found.values()):.1f}"]
                print(length, size, kind, *row, f"{ceiling(found):.0f}", sep="\t", flush=True)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compile the CUDA kernels for one kind of GPU, without having it, and count their instructions per pair.

    python benchmarks/cuda_code.py [--letters 5,9,13] [--arch 90] [--sass FOLDER]

Printed are the innermost loops in which pairs are worked on, lane instructions per pair of guess and target, by
the unit that runs them; `other` are moves, branches and waits. Needs Triton and the tools it brings, no GPU.
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

from gpulingo.tensors.cuda_launch import Launch, Memory, Sets, Worth, launches
from gpulingo.tensors.cuda_weights import weights_of
from gpulingo.words.encode import encode
from gpulingo.words.lists import embedded

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
    """The program of a launch for that compute capability, as 90 for 9.0."""
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
    """Instructions of every loop that holds no other."""
    ends = [(int(to), at) for at, name, to in lines if name == "BRA" and re.fullmatch(r"\d+", to) and int(to) < at]
    inner = [span for span in ends if not any(span[0] <= a and b <= span[1] and (a, b) != span for a, b in ends)]
    return [Counter(name for at, name, _ in lines if first <= at <= last) for first, last in inner]


def by_unit(counts: Counter[str]) -> dict[str, int]:
    """Instructions by unit; those on uniform registers are one for the whole warp, and left out."""
    known = {name: unit for unit, names in UNITS.items() for name in names.split()}
    found: Counter[str] = Counter()
    for name, count in counts.items():
        if not (name.startswith("U") and name != "UNDEF"):
            found[known.get(name, "other")] += count
    return dict(found)

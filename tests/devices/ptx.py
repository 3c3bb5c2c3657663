"""The PTX that Triton makes for a GPU of compute capability 9.0, run on this CPU by `warps.cpp`.

Not simulated: caches, the order in which other programs see writes, launching, and time.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import torch

from gpulingo.tensors.cuda.launch import Launch, Memory

SOURCE = Path(__file__).with_name("warps.cpp")
POINTERS = {
    torch.int32: "*i32", torch.int64: "*i64", torch.uint8: "*u8", torch.int16: "*i16", torch.uint16: "*u16"
}  # fmt: skip
WIDTHS = {"p": 8, "rs": 16, "r": 32, "rd": 64}
SPECIALS = ("tid.x", "ctaid.x", "ctaid.y", "nctaid.x", "nctaid.y", "laneid")
UNNAMED = 2  # parameters at the end of every kernel, for memory that our kernels do not use
SPAN = 40  # bits of an address for the offset in its tensor
NAMES = {"mad.wide": "WIDE", "mul.wide": "WIDE", "mul.lo": "MUL", "mul.hi": "HIGH", "mad.lo": "MAD"}
NAMES |= {"shfl.bfly": "BFLY", "shfl.idx": "IDX", "vote.ballot": "VOTE"}
NAMES |= {"shf.l": "LEFT", "shf.r": "RIGHT", "redux.add": "SUM", "redux.min": "LEAST", "redux.max": "MOST"}
NAMES |= {"add.s16x2": "ADD2"}  # two 16-bit numbers in a register
NAMES |= {f"setp.{name}": name.upper() for name in ("lt", "le", "gt", "ge", "eq", "ne")}
PLAIN = "add sub div rem min max and or xor not neg shl shr mov selp popc bfe lop3 prmt"
NAMES |= {name: name.upper() for name in PLAIN.split()}


class PtxError(RuntimeError):
    """An unknown step, or a forbidden access."""


@dataclass(frozen=True)
class Program:
    """A decoded kernel.

    Attributes:
        steps: nine numbers each, as in `Step` of warps.cpp.
        constants: initial values of the slots after the special ones; -1 - n for parameter n.
        slots: number of slots.
        shared: bytes of shared memory.
    """

    steps: list[tuple[int, ...]]
    constants: list[tuple[bool, int]]
    slots: int
    shared: int

    def flat(self) -> Any:
        """The steps in the layout of warps.cpp."""
        fields = [field for step in self.steps for field in step]
        return (ctypes.c_int64 * len(fields))(*fields)


@cache
def names(kind: str) -> dict[str, int]:
    """The numbers of an enumeration in warps.cpp."""
    found = re.search(rf"enum {kind} {{(.*?)}}", SOURCE.read_text())
    assert found
    return {name.strip(): number for number, name in enumerate(found[1].split(","))}


def compiler() -> str | None:
    """A C++ compiler, if there is one."""
    return next(filter(None, map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))), None)


def library(sources: Sequence[Path], options: Sequence[str] = ()) -> Any:
    """The first of some sources, compiled, from the user's cache folder if it is there."""
    digest = sha256(b"".join([*(source.read_bytes() for source in sources), *map(str.encode, options)]))
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpulingo"
    library = home / f"{sources[0].stem}-{digest.hexdigest()[:16]}.so"
    if not library.exists():
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home) as folder:
            made = Path(folder) / library.name
            usual = "-std=c++17 -O2 -fwrapv -shared -fPIC".split()
            subprocess.run([str(compiler()), *usual, *options, "-o", made, sources[0]], check=True)
            made.replace(library)
    return ctypes.CDLL(str(library))


@cache
def machine() -> Any:
    """The compiled warps.cpp."""
    run = library([SOURCE]).run
    run.restype = ctypes.c_int64
    return run


class Decoder:
    """Converts the lines of a kernel to steps."""

    def __init__(self, ptx: str) -> None:
        self.registers = {name: number for number, name in enumerate(SPECIALS)}
        self.constants: list[tuple[bool, int]] = []  # whether a parameter, and its number or value
        self.steps: list[list[Any]] = []
        self.labels: dict[str, int] = {}
        body = ptx[ptx.index("\n{") : ptx.index("\n}")]
        lines = [re.sub(r"//.*", "", line).strip() for line in body.splitlines()]
        # Constants are the first slots, so all of them are collected before a register gets its number.
        for operand in re.findall(
            r"param_\d+|(?<![\w$%])-?(?:0x[0-9a-f]+|\d+)(?:U|\b)|global_smem", "\n".join(lines)
        ):
            self.constant(operand)
        for name in ("1", "0"):
            self.constant(name)
        for number, line in enumerate(lines):
            if label := re.fullmatch(r"(\$\w+):", line):
                self.labels[label[1]] = len(self.steps)
            elif line and line[0] not in "{}.":
                self.decode(line.rstrip(";"), number)

    def constant(self, text: str) -> None:
        if text not in self.registers:
            self.registers[text] = len(SPECIALS) + len(self.constants)
            parameter = text.startswith("param_")
            value = 0 if text == "global_smem" else int(text[6:] if parameter else text.rstrip("U"), 0)
            self.constants.append((parameter, value))

    def slot(self, text: str) -> int:
        """The slot of an operand."""
        name = text.strip().strip("{} ").removeprefix("%")
        if name not in self.registers and not re.fullmatch(r"(p|rs|r|rd)\d+", name):
            raise PtxError(f"no rule for the operand {text}")
        return self.registers.setdefault(name, len(self.registers))

    def add(self, op: str, type_: str, to: int, *slots: int, number: int | str = 0, guard: int = 0) -> None:
        """Add one step; unused operands are slot 0."""
        a, b, c = (*slots, 0, 0, 0)[:3]
        self.steps.append([names("Op")[op], names("Type")[type_], to, a, b, c, guard, number, self.line])

    def decode(self, text: str, line: int) -> None:
        """Add the steps of a statement."""
        self.line = line
        parts = re.fullmatch(r"(?:@(!?)%(p\d+)\s+)?(\S+)\s*(.*)", text)
        assert parts, text
        guard = (1 + self.slot(parts[2])) * (-1 if parts[1] else 1) if parts[2] else 0
        words = parts[3].split(".")
        arguments = [each.strip() for each in re.split(r",(?![^{]*})", parts[4])] if parts[4] else []
        kind = "u8" if words[-1] == "pred" else "u32" if words[-1] == "s16x2" else words[-1].replace("b", "u")
        type_ = kind.upper()
        if words[0] in ("ld", "st", "atom", "red") and words[1] != "param":
            self.memory(words, type_, arguments, guard)
        elif words[0] in ("bra", "ret") or words[:2] == ["bar", "sync"]:
            target = arguments[0] if words[0] == "bra" else 0
            self.add(words[0].upper(), "U8", 0, number=target, guard=guard)
        elif words[:2] == ["bar", "warp"]:
            pass  # here lanes of a warp run in lockstep
        elif words[0] == "mov" and "{" in parts[4]:
            self.halves(int(type_[1:]) // 2, arguments, guard)
        else:
            self.plain(words, type_, arguments, guard)

    def plain(self, words: list[str], type_: str, arguments: list[str], guard: int) -> None:
        """Add a statement that computes one register from others."""
        to, number = self.slot(arguments[0]), 0
        width = WIDTHS[re.sub(r"\d", "", arguments[0].removeprefix("%"))]
        if words[:2] == ["ld", "param"]:
            name = re.search(r"param_\d+", arguments[1])
            assert name
            self.add("CVT", type_, to, self.slot(name[0]), number=width, guard=guard)
            return
        if words[0] in ("shfl", "redux", "vote"):
            words, number = [words[0], *words[2:]], -1 if "!" in arguments[1] else 1
            arguments[1] = arguments[1].lstrip("!")
            if words[0] == "shfl" and arguments.pop(3) != "31":
                raise PtxError(f"no rule for parts of a warp in {'.'.join(words)}")
        if words[0] == "cvt":
            assert words[1][0] == "u" or int(words[1][1:]) == width, words
            name, number = "CVT", min(width, int(words[1][1:]))
        elif words[0] == "not" and words[1] == "pred":
            name, arguments = "EQ", [*arguments, "0"]
        else:
            found = next((key for key in (".".join(words[:2]), words[0]) if key in NAMES), None)
            if found is None:
                raise PtxError(f"no rule for {'.'.join(words)}")
            name = NAMES[found]
        if name == "WIDE":
            number, arguments = width, [*arguments, "0"][:4]
        elif name == "LOP3":
            number = int(arguments.pop(), 0)
        if words == ["mov", "pred"]:
            arguments[1] = arguments[1].replace("-1", "1")
        many = 3 if words[0] == "setp" else 4
        if len(arguments) > many or any(each.startswith(("0f", "!")) for each in arguments):
            raise PtxError(f"no rule for {'.'.join(words)} {arguments}")
        self.add(name, type_, to, *map(self.slot, arguments[1:]), number=number, guard=guard)

    def halves(self, width: int, arguments: list[str], guard: int) -> None:
        """Combine two registers into one of twice the width, or split one."""
        to, source = arguments
        if to.startswith("{"):
            for place, half in enumerate(to.strip("{} ").split(",")):
                if half.strip() != "_":
                    shift = place * width
                    self.add(
                        "UNPACK", f"U{width}", self.slot(half), self.slot(source), number=shift, guard=guard
                    )
            return
        low, high = (self.slot(half) for half in source.strip("{} ").split(","))
        self.add("PACK", "U64", self.slot(to), low, high, number=width, guard=guard)

    def memory(self, words: list[str], type_: str, arguments: list[str], guard: int) -> None:
        """Loads, stores and atomic operations; vectors one element after the other."""
        inside, size = "shared" in words, int(type_[1:]) // 8
        at = arguments[0 if words[0] in ("st", "red") else 1]
        base, _, offset = at.strip("[] ").partition("+")
        number, address = int(offset or 0), self.slot(base)
        if words[0] in ("atom", "red"):
            done, given = words[-2].upper(), self.slot(arguments[-1])
            if done not in ("ADD", "MAX", "MIN", "EXCH"):
                raise PtxError(f"no rule for {'.'.join(words)}")
            to = self.slot(arguments[0]) if words[0] == "atom" else -1
            how = names("Op").get(done, 0) if done != "EXCH" else names("Op")["MOV"]
            self.add(
                "ATOMS" if inside else "ATOM", type_, to, address, given, how, number=number, guard=guard
            )
            return
        if type_[0] == "S":
            raise PtxError(f"no rule for {'.'.join(words)}")
        values = arguments[0 if words[0] == "ld" else 1].strip("{} ").split(",")
        for place, value in enumerate(values):
            whole = size * len(values) if place == 0 else size
            slots = (address, self.slot(value)) if words[0] == "st" else (address, 0)
            to = self.slot(value) if words[0] == "ld" else 0
            op = words[0].upper() + ("S" if inside else "")
            self.add(op, type_, to, *slots, whole, number=number + place * size, guard=guard)

    def program(self, shared: int) -> Program:
        """The program, with labels replaced by step numbers."""
        steps = [tuple(self.labels.get(field, field) for field in step) for step in self.steps]
        return Program(steps, self.constants, len(self.registers), shared)


_PROGRAMS: dict[Any, tuple[Program, Any]] = {}


def program_of(launch: Launch) -> tuple[Program, Any]:
    """The program of a launch, compiled as for a GPU, and its steps in the layout of warps.cpp."""
    from triton import compile as compiled
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    tensors = {n: each for n, each in enumerate(launch.arguments) if isinstance(each, torch.Tensor)}
    kinds = [POINTERS[tensors[n].dtype] if n in tensors else "i32" for n in range(len(launch.arguments))]
    aligned = tuple(n for n, each in tensors.items() if each.data_ptr() % 16 == 0)
    key = (launch.kernel.__name__, *kinds, *launch.constants.items(), aligned, launch.warps)
    if key not in _PROGRAMS:
        signature = dict(zip(launch.kernel.arg_names, kinds, strict=False))
        signature |= dict.fromkeys(launch.constants, "constexpr")
        attributes = {(n,): [["tt.divisibility", 16]] for n in aligned}
        source = ASTSource(launch.kernel, signature, launch.constants, attrs=attributes)
        made = compiled(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": launch.warps})
        program = Decoder(made.asm["ptx"]).program(made.metadata.shared)
        _PROGRAMS[key] = program, program.flat()
    return _PROGRAMS[key]


SEEDS = count(int(os.environ.get("GPULINGO_PTX_SEED", "1")))  # a different order of warps for each launch
RUN: set[str] = set()  # names of kernels that have run


def run(launch: Launch) -> None:
    """Run a launch on tensors of the CPU; errors as in `execute`."""
    program, steps = program_of(launch)
    RUN.add(launch.kernel.__name__)
    try:
        execute(program, launch.arguments, launch.grid, launch.warps, steps)
    except PtxError as error:
        raise PtxError(f"{launch.kernel.__name__} {launch.constants}: {error}") from None


def execute(
    program: Program,
    arguments: Sequence[torch.Tensor | int],
    grid: tuple[int, ...],
    warps: int,
    steps: Any = None,
) -> None:
    """Run a program for every index of a grid.

    Raises:
        PtxError: an access outside a tensor, or a misaligned one; divergent lanes.
    """
    tensors, parameters = [], []
    for each in arguments:
        if isinstance(each, torch.Tensor):
            assert each.is_contiguous(), "kernels take contiguous tensors"
            shift = each.data_ptr() % 256
            tensors += [each.data_ptr(), each.numel() * each.element_size(), shift]
            parameters.append((len(tensors) // 3 << SPAN) + shift)
        else:
            parameters.append(each)
    parameters += [0] * UNNAMED
    values = [parameters[n] if is_parameter else n for is_parameter, n in program.constants]
    said = ctypes.create_string_buffer(200)
    constants = (ctypes.c_uint64 * len(values))(*(value % 2**64 for value in values))
    numbers = (
        len(values),
        program.slots,
        len(tensors) // 3,
        *grid,
        *[1] * (2 - len(grid)),
        warps,
        program.shared,
    )
    shape = (ctypes.c_int64 * len(numbers))(*numbers)
    places = (ctypes.c_int64 * len(tensors))(*tensors)
    seed = ctypes.c_uint64(next(SEEDS))
    if machine()(program.flat() if steps is None else steps, constants, places, shape, seed, said, len(said)):
        raise PtxError(said.value.decode())


def install() -> None:
    """Run kernels this way from now on, in memory that is not zero at first."""
    taken = Memory.taken

    def poisoned(
        self: Memory, shape: tuple[int, ...], dtype: torch.dtype, *, zero: bool = False
    ) -> torch.Tensor:
        made = taken(self, shape, dtype, zero=zero)
        return made if zero else made.fill_(torch.iinfo(dtype).max // 3)

    Memory.taken = poisoned  # type: ignore[method-assign]
    Launch.run = run  # type: ignore[method-assign]

"""Files of arrays, damaged and forged: checkpoints, indices, certificates and hosts."""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from samples import NUMBERS, Sample

from gpulingo.bounds.arrays import CertificateError, packed_arrays, read_arrays
from gpulingo.bounds.certificate import read_certificate
from gpulingo.bounds.checker import prove
from gpulingo.bounds.host_proof import check_host, read_host_proof
from gpulingo.storage import npz
from gpulingo.trees import checkpoint
from gpulingo.trees.verify import verify

# Readers: each returns the fault in reading a file, "" for none


def read_tree(path: Path, sample: Sample) -> str:
    """Read a checkpoint, then replay every word."""
    try:
        tree = checkpoint.read_checkpoint(path)
        if tree == sample.tree:
            return ""
        verify(tree, sample.words)
    except checkpoint.CheckpointError:
        return ""
    better = tree.turns == sample.turns and tree.value > sample.best
    return f"a tree of {tree.value}, the best is {sample.best}" if better else ""


def read_bound(path: Path, sample: Sample) -> str:
    """Read a certificate, then prove it."""
    try:
        certificate = read_certificate(path, sample.words)
        if certificate.turns == sample.turns:  # as `prove` requires of the checkpoint
            return proven(certificate, sample)
    except CertificateError:
        pass
    return ""


def proven(certificate: Any, sample: Sample) -> str:
    """The fault if a certificate proves a bound below the best value; "" otherwise."""
    try:
        for _ in prove(sample.table, certificate):
            pass
    except CertificateError:
        return ""
    wrong = certificate.bound < sample.best
    return f"a bound of {certificate.bound} was proven, the best is {sample.best}" if wrong else ""


def read_host(path: Path, sample: Sample) -> str:
    """Read a host's strategy, then prove it."""
    try:
        forced = check_host(read_host_proof(path, sample.words), sample.words)
    except CertificateError:
        return ""
    return f"{forced} misses were proven, {sample.misses} are enough" if forced > sample.misses else ""


# Ways to damage a file


def forged_array(array: Any, draw: random.Random) -> Any:
    """Change the numbers, order, size, axes or type of an array."""
    made = np.array(array)
    match draw.randrange(8):
        case 0 | 1 | 2 if made.size:
            number = draw.choice([*NUMBERS, int(made.flat[0]) - 1, int(made.flat[0]) + 1])
            with np.errstate(all="ignore"):
                made.flat[draw.randrange(made.size)] = np.array(number % (1 << 64), np.uint64).astype(
                    made.dtype
                )
        case 3 if made.size:
            low = draw.choice([-2, -1, 1])
            made = made + np.asarray(low).astype(made.dtype) if made.dtype.kind != "b" else ~made
        case 4:
            made = made[: draw.randint(0, len(made))] if made.ndim else made
        case 5:
            made = np.concatenate([made, made]) if made.ndim else made.reshape(1)
        case 6:
            made = made.reshape(-1, 1) if draw.random() < 0.5 else made[::-1].copy()
        case 7:
            kinds = ("<i4", "<i8", "u1", "<f8", "?", "<U3", "<c16", "<M8[s]", ">i8")
            made = made.astype(draw.choice(kinds))
    return made


def forged(kind: str, path: Path, sample: Sample, draw: random.Random) -> bytes:
    """Make a file of the right format with wrong contents."""
    if kind == "checkpoint":
        return _forged_container(path.read_bytes(), draw)
    return packed_arrays(forged_arrays(dict(read_arrays(path)), sample, draw))


def forged_arrays(arrays: dict[str, Any], sample: Sample, draw: random.Random) -> dict[str, Any]:
    """Change or remove some of the named arrays."""
    for name in draw.sample(sorted(arrays), draw.choice([1, 1, 2, 3])):
        arrays[name] = forged_array(arrays[name], draw)
    if draw.random() < 0.2 and "bounds" in arrays:
        low = draw.randint(sample.best - 5, sample.best)
        arrays["bounds"] = np.minimum(arrays["bounds"], low) if arrays["bounds"].dtype.kind == "i" else low
    if draw.random() < 0.1:
        del arrays[draw.choice(sorted(arrays))]
    return arrays


def _forged_container(data: bytes, draw: random.Random) -> bytes:
    """Change the arrays or the header of a checkpoint."""
    names = checkpoint.MEMBERS
    members = npz.unpack(data, names)
    fields = npz.parsed_header(bytes(npz.integers(members["header"], "u1")).decode())
    kinds = checkpoint.kinds(5)
    for name in draw.sample(names, draw.choice([1, 1, 2])):
        if name == "header":
            odd = [*NUMBERS, 0.5, 1e308, None, "x", fields["fingerprint"]]
            fields[draw.choice(sorted(fields))] = draw.choice(odd)
            members[name] = npz.npy(npz.header_text(fields).encode(), "u1")
            continue
        array = np.array(npz.integers(members[name], kinds[name]))
        made = forged_array(array, draw)
        code = draw.choice(["i4", "u1", "i8"]) if draw.random() < 0.1 else kinds[name]
        with np.errstate(all="ignore"):
            numbers = (
                np.asarray(made.ravel()).astype("<i8", casting="unsafe")
                if made.dtype.kind in "iub"
                else array
            )
        members[name] = npz.npy(numbers.astype(npz.TYPES[code][0]).tolist(), code)
    return npz.pack([(name, members[name]) for name in names])


def bomb(kind: str, path: Path, draw: random.Random) -> bytes:
    """Make a small file that claims to be, or unpacks to, an excessive size."""
    name = draw.choice(["bounds.npy", "header.npy", "guess.npy", "format.npy"])
    if draw.random() < 0.5 or kind == "checkpoint":
        return inflating(name[:-4], draw.choice([10, 1000, 1 << 28, 1 << 29, 0xFFFFFFFF]))
    buffer = io.BytesIO()
    with zipfile.ZipFile(
        buffer, "w", draw.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA]), compresslevel=1
    ) as file:
        shape = draw.choice([(1 << 45,), (1 << 20, 1 << 20), (0, 1 << 60), (1 << 62, 4)])
        text = io.BytesIO()
        np.lib.format.write_array_header_1_0(text, {"descr": "<i8", "fortran_order": False, "shape": shape})
        file.writestr(name, text.getvalue() + bytes(draw.choice([0, 80, 1 << 22])))
    return buffer.getvalue()


def inflating(name: str, told: int) -> bytes:
    """Make a small file of one array that unpacks to 1.5 GiB; its header claims `told` bytes."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    mebibyte = deflate.compress(bytes(1 << 20)) + deflate.flush(zlib.Z_FULL_FLUSH)  # repeatable
    squeezed = mebibyte * 1536 + deflate.flush()
    local, entry = npz.headers(f"{name}.npy".encode(), 0, len(squeezed), told, 0)
    return local + squeezed + npz.directory([entry], len(local) + len(squeezed))


READERS = {
    "checkpoint": read_tree, "certificate": read_bound,
    "host": read_host,
}  # fmt: skip

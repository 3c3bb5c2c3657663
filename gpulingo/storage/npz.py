"""Named arrays in a zip that numpy can open (npz): the only reader of such files, and a writer.

Written and read without `zipfile`, because importing it costs more than the whole light path may, and because
it unpacks a member before it cuts it to the declared size. `unpack` accepts only the form that `pack` writes
and rebuilds every header from it, so that no byte goes unchecked; `members` also accepts numpy's. The callers
define what the arrays mean.
"""

from __future__ import annotations

import sys
import zlib
from _struct import Struct, error  # type: ignore[attr-defined]  # without struct, a module in Python
from array import array
from collections.abc import Iterable, Iterator
from operator import index
from typing import Any

from gpulingo.storage.faults import refuse

Value = str | int | float | None
TYPES = {  # of numpy, of array, bytes
    "u1": ("|u1", "B", 1), "u2": ("<u2", "H", 2), "i4": ("<i4", "i", 4), "i8": ("<i8", "q", 8),
}  # fmt: skip
LOCAL = Struct("<4s5H3L2H")
CENTRAL = Struct("<4s6H3L5H2L")
END = Struct("<4s4H2LH")
WIDE = Struct("<2H2Q")  # 64-bit sizes of a member, as numpy writes them after its name
MEMBER, ENTRY, LAST = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"  # first bytes of the parts of a zip
VERSION, DEFLATED, DATE = 20, 8, 0x21  # zip 2.0; deflate; 1980-01-01, the zero of zip's calendar
STORED, WIDE_SIZE = 0, 0xFFFFFFFF  # not compressed; marks a member whose size is in 64 bits
HEADER = 128  # bytes of the header of every one-dimensional .npy file of these types
MOST_BYTES = 1 << 26  # of one array: a file that declares more is rejected before unpacking
MOST_FILE = 5 * MOST_BYTES  # of a file: only so many bytes are read
MOST_MEMBERS = 64  # of a file whose names are not known in advance


class ContainerError(ValueError):
    """The file is not in the form of the writer."""


def npy_header(kind: str, size: int) -> bytes:
    """Header of a one-dimensional .npy file of `size` items of `kind`, byte for byte as numpy writes it."""
    text = f"{{'descr': '{TYPES[kind][0]}', 'fortran_order': False, 'shape': ({size},), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("ascii")


def npy(values: Iterable[int], kind: str) -> bytes:
    """Return a .npy file of integers of `kind`, little-endian."""
    items = array(TYPES[kind][1], map(index, values))
    if sys.byteorder == "big":
        items.byteswap()
    return npy_header(kind, len(items)) + items.tobytes()


def integers(data: bytes, kind: str, size: int | None = None) -> memoryview | array[Any]:
    """Return the integers of a .npy file of this kind and size, or of any size; the inverse of `npy`."""
    if size is None:
        size = max(len(data) - HEADER, 0) // TYPES[kind][2]
    header = npy_header(kind, size)
    if not data.startswith(header) or len(data) != len(header) + size * TYPES[kind][2]:
        raise ContainerError(f"is not an array of {size} {TYPES[kind][0]}")
    if sys.byteorder == "big":
        items: array[Any] = array(TYPES[kind][1], data[len(header) :])
        items.byteswap()
        return items
    view: memoryview[Any] = memoryview(data)[len(header) :]
    return view.cast(TYPES[kind][1])  # type: ignore[call-overload]


def headers(name: bytes, crc: int, squeezed: int, size: int, offset: int) -> tuple[bytes, bytes]:
    """Return the two zip headers of one member: before its data, and in the directory."""
    same = (VERSION, 0, DEFLATED, 0, DATE, crc, squeezed, size, len(name), 0)
    local = LOCAL.pack(MEMBER, *same) + name
    return local, CENTRAL.pack(ENTRY, VERSION, *same, 0, 0, 0, 0, offset) + name


def directory(entries: list[bytes], offset: int) -> bytes:
    """Return the end of the zip: its directory, which starts at `offset`."""
    body = b"".join(entries)
    return body + END.pack(LAST, 0, 0, len(entries), len(entries), len(body), offset, 0)


def pack(members: list[tuple[str, bytes]]) -> bytes:
    """Bytes of a zip of (name, .npy bytes) members: the same members give the same bytes."""
    body, entries = b"", []
    for name, data in members:
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        squeezed = deflate.compress(data) + deflate.flush()
        file = f"{name}.npy".encode("ascii")
        local, entry = headers(file, zlib.crc32(data), len(squeezed), len(data), len(body))
        entries.append(entry)
        body += local + squeezed
    return body + directory(entries, len(body))


def unpack(data: bytes, names: tuple[str, ...], more: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Return the .npy bytes of every member of a zip that `pack` made with these names, and maybe `more`."""
    offset, entries, unpacked = 0, [], {}
    for name in (*names, *more):
        if name in more and not data.startswith(MEMBER, offset):
            continue
        file = f"{name}.npy".encode("ascii")
        try:
            _, _, crc, squeezed, size, _ = member_header(data, offset)
        except error:
            raise ContainerError(f"ends before its array {name}") from None
        local, entry = headers(file, crc, squeezed, size, offset)
        start = offset + len(local)
        if data[offset:start] != local:
            raise ContainerError(f"has no array {name} where it should stand")
        if size > MOST_BYTES:
            raise ContainerError(f"declares {size} bytes for its array {name}, the most is {MOST_BYTES}")
        offset = start + squeezed
        unpacked[name] = inflated(data[start:offset], size, crc, name)
        entries.append(entry)
    if data[offset:] != directory(entries, offset):
        raise ContainerError("has a damaged end")
    return unpacked


def members(data: bytes, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each member of a zip of .npy files that `pack` or numpy wrote. They
    unpack to at most `most` bytes, whatever the headers say.
    """
    offset, count, declared, names = 0, 0, 0, set()
    while data.startswith(MEMBER, offset):
        try:
            file, method, crc, squeezed, size, start = member_header(data, offset)
        except error:
            raise ContainerError("ends within the header of an array") from None
        name = ascii(file.decode("ascii", "replace")[:40].removesuffix(".npy"))[1:-1]
        count, declared = count + 1, declared + size
        refuse({
            f"declares {declared:,} bytes in {count} arrays, the most is {most:,} in {MOST_MEMBERS}":
                declared > most or count > MOST_MEMBERS,
            "is not packed as npz files are": method not in (STORED, DEFLATED),
            f"has the array {name} twice, or it is no .npy file": not file.endswith(b".npy") or name in names,
        }, ContainerError)  # fmt: skip
        offset = start + squeezed
        names.add(name)
        yield name, inflated(data[start:offset], size, crc, name, method)
    if count == 0:
        raise ContainerError("is no npz file")
    length = len(data) - END.size - offset  # of the directory, which repeats the headers
    if length < 0 or data[-END.size :] != END.pack(LAST, 0, 0, count, count, length, offset, 0):
        raise ContainerError("has a damaged end")


def member_header(data: bytes, offset: int) -> tuple[bytes, int, int, int, int, int]:
    """Return name, packing method, checksum, packed and unpacked bytes, and their offset, of a member."""
    _, _, flags, method, _, _, crc, squeezed, size, letters, more = LOCAL.unpack_from(data, offset)
    at = offset + LOCAL.size + letters
    if squeezed == size == WIDE_SIZE:
        kind, length, size, squeezed = WIDE.unpack_from(data, at)
        method = method if (kind, length) == (1, WIDE.size - 4) else -1
    return data[at - letters : at], -1 if flags else method, crc, squeezed, size, at + more


def inflated(squeezed: bytes, size: int, crc: int, name: str, method: int = DEFLATED) -> bytes:
    """Unpack one member to `size` bytes and no more."""
    data, whole = squeezed, True
    if method == DEFLATED:
        inflate = zlib.decompressobj(-15)
        try:
            data = inflate.decompress(squeezed, size + 1)
        except zlib.error:
            data = b""
        whole = inflate.eof and not inflate.unused_data
    if len(data) != size or not whole or zlib.crc32(data) != crc:
        raise ContainerError(f"has a damaged array {name}")
    return data


def header_text(fields: dict[str, Value]) -> str:
    """Return fields as JSON with sorted keys, one per line; the inverse of `parsed_header`."""
    lines = [f'"{key}": {value_text(key, fields[key])}' for key in sorted(fields)]
    return "{\n" + ",\n".join(lines) + "\n}"


def value_text(key: str, value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        if not value.isprintable() or '"' in value or "\\" in value:
            raise ValueError(f"has {key} {value!r}: use printable characters without quotes and backslashes")
        return f'"{value}"'
    number = repr(value)
    if isinstance(value, bool) or number.strip("-+.e0123456789"):
        raise ValueError(f"has {key} {number}: use a number")
    return number


def parsed_header(text: str) -> dict[str, Value]:
    """Return the fields of a header; the inverse of `header_text`."""
    fields: dict[str, Value] = {}
    for line in text[2:-2].split(",\n"):
        key, _, value = line.partition('": ')
        fields[key[1:]] = parsed_value(value)
    if header_text(fields) != text:
        raise ValueError("the header has another form than gpulingo writes")
    return fields


def parsed_value(text: str) -> Value:
    if text == "null":
        return None
    if text.startswith('"'):
        return text[1:-1]
    return float(text) if text.strip("-0123456789") else int(text)

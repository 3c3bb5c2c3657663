"""The file form of a checkpoint: named arrays of integers in a zip that numpy opens too (npz).

Written and read by hand, because importing `zipfile` costs more than the whole light path may. The reader
takes the one form that the writer writes and rebuilds every header from it, so no byte goes unchecked.
What the arrays mean is the checkpoint's business.
"""

from __future__ import annotations

import sys
import zlib
from _operator import index
from _struct import Struct, error  # type: ignore[attr-defined]  # without struct, a module in Python

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable
    from typing import Any

    Value = str | int | float | None

TYPES = {
    "u1": ("|u1", "B", 1),
    "i4": ("<i4", "i", 4),
    "i8": ("<i8", "q", 8),
}  # numpy's name, array's name, bytes
LOCAL = Struct("<4s5H3L2H")
CENTRAL = Struct("<4s6H3L5H2L")
END = Struct("<4s4H2LH")
VERSION, DEFLATED, DATE = 20, 8, 0x21  # zip 2.0; deflate; 1980-01-01, the zero of zip's calendar
HEADER = 128  # bytes of the header of every one-dimensional .npy file of these types
MOST_BYTES = 1 << 26  # of one array: a file that declares more is refused before any of it is unpacked
MOST_FILE = 5 * MOST_BYTES  # of a file: no more of a larger one is read


class ContainerError(ValueError):
    """The file is not in the form that the writer writes."""


def npy_header(kind: str, size: int) -> bytes:
    """Header of a one-dimensional .npy file of `size` items of `kind`, byte for byte as numpy writes it."""
    text = f"{{'descr': '{TYPES[kind][0]}', 'fortran_order': False, 'shape': ({size},), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("ascii")


def npy(values: Iterable[int], kind: str) -> bytes:
    """A .npy file of integers of `kind`, little-endian.

    Raises:
        OverflowError: a value does not fit. TypeError: a value is no integer.
    """
    from array import array  # here, because importing it costs 1.5 ms and only writers need it

    items = array(TYPES[kind][1], map(index, values))
    if sys.byteorder == "big":
        items.byteswap()
    return npy_header(kind, len(items)) + items.tobytes()


def integers(data: bytes, kind: str, size: int | None = None) -> memoryview | array[Any]:
    """The integers of a .npy file of exactly that kind and size, or of any size; the twin of `npy`.

    Raises:
        ContainerError: another dtype, shape or number of bytes.
    """
    if size is None:
        size = max(len(data) - HEADER, 0) // TYPES[kind][2]
    header = npy_header(kind, size)
    if not data.startswith(header) or len(data) != len(header) + size * TYPES[kind][2]:
        raise ContainerError(f"is not an array of {size} {TYPES[kind][0]}")
    if sys.byteorder == "big":
        from array import array

        items: array[Any] = array(TYPES[kind][1], data[len(header) :])
        items.byteswap()
        return items
    view: memoryview[Any] = memoryview(data)[len(header) :]
    return view.cast(TYPES[kind][1])  # type: ignore[call-overload]


def headers(name: bytes, crc: int, squeezed: int, size: int, offset: int) -> tuple[bytes, bytes]:
    """The two zip headers of one member: before its data, and in the directory."""
    same = (VERSION, 0, DEFLATED, 0, DATE, crc, squeezed, size, len(name), 0)
    local = LOCAL.pack(b"PK\x03\x04", *same) + name
    return local, CENTRAL.pack(b"PK\x01\x02", VERSION, *same, 0, 0, 0, 0, offset) + name


def directory(entries: list[bytes], offset: int) -> bytes:
    """The end of the zip: its directory, which starts at `offset`."""
    body = b"".join(entries)
    return body + END.pack(b"PK\x05\x06", 0, 0, len(entries), len(entries), len(body), offset, 0)


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
    """The .npy bytes of every member of a zip that `pack` made of members of these names.

    Args:
        more: names of members that may follow them, or be left out.
    Raises:
        ContainerError: any byte that `pack` would not have written; one line, without the file's name.
    """
    offset, entries, members = 0, [], {}
    for name in (*names, *more):
        if name in more and not data.startswith(b"PK\x03\x04", offset):
            continue
        file = f"{name}.npy".encode("ascii")
        try:
            *_, crc, squeezed, size, _, _ = LOCAL.unpack_from(data, offset)
        except error:
            raise ContainerError(f"ends before its array {name}") from None
        local, entry = headers(file, crc, squeezed, size, offset)
        start = offset + len(local)
        if data[offset:start] != local:
            raise ContainerError(f"has no array {name} where it should stand")
        if size > MOST_BYTES:
            raise ContainerError(f"declares {size} bytes for its array {name}, the most is {MOST_BYTES}")
        offset = start + squeezed
        members[name] = inflated(data[start:offset], size, crc, name)
        entries.append(entry)
    if data[offset:] != directory(entries, offset):
        raise ContainerError("has a damaged end")
    return members


def inflated(squeezed: bytes, size: int, crc: int, name: str) -> bytes:
    """Unpack one member to `size` bytes and no more."""
    inflate = zlib.decompressobj(-15)
    try:
        data = inflate.decompress(squeezed, size + 1)
    except zlib.error:
        data = b""
    if len(data) != size or not inflate.eof or inflate.unused_data or zlib.crc32(data) != crc:
        raise ContainerError(f"has a damaged array {name}")
    return data


def header_text(fields: dict[str, Value]) -> str:
    """Fields as JSON with sorted keys, one a line; the twin of `parsed_header`.

    Raises:
        ValueError: a text with a quote, a backslash or an unprintable character.
    """
    lines = [f'"{key}": {value_text(key, fields[key])}' for key in sorted(fields)]
    return "{\n" + ",\n".join(lines) + "\n}"


def value_text(key: str, value: Value) -> str:
    """One value as JSON."""
    if value is None:
        return "null"
    if isinstance(value, str):
        if not value.isprintable() or '"' in value or "\\" in value:
            raise ValueError(f"{key} is {value!r}: use printable characters without quotes and backslashes")
        return f'"{value}"'
    number = repr(value)
    if isinstance(value, bool) or number.strip("-+.e0123456789"):
        raise ValueError(f"{key} is {number}: use a number")
    return number


def parsed_header(text: str) -> dict[str, Value]:
    """Fields of a header; the twin of `header_text`.

    Raises:
        ValueError: any text that `header_text` would not have written.
    """
    fields: dict[str, Value] = {}
    for line in text[2:-2].split(",\n"):
        key, _, value = line.partition('": ')
        fields[key[1:]] = parsed_value(value)
    if header_text(fields) != text:
        raise ValueError("the header is not in the form that `gpulingo build` writes")
    return fields


def parsed_value(text: str) -> Value:
    """One value of a header."""
    if text == "null":
        return None
    if text.startswith('"'):
        return text[1:-1]
    return float(text) if text.strip("-0123456789") else int(text)

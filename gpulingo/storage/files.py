"""Files stored for a list: their names, the folders searched for them, reading and writing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from stat import S_ISFIFO, S_ISREG
from typing import TYPE_CHECKING, TypeVar

from gpulingo.storage.faults import Fault, UsageError, meant, refuse

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")

SHORT = 12  # digits of a fingerprint in names and messages
CHECKPOINT, CERTIFICATE, VALUES = ".npz", ".bounds.npz", ".values.json"  # endings of names
HOST = ".host.npz"  # strategy of a cheating host
BOOK = ".book.npz"  # strategies after several openings
MOST_TEXT = 1 << 28  # bytes of a text file that a user names
BOM = b"\xef\xbb\xbf"
EXPORT = "export its words as text, one per line"
# First bytes of files that are not UTF-8 text, and what to do with them; what other names' endings mean.
BINARIES = {
    b"SQLite format 3": ("an SQLite database", EXPORT),
    **dict.fromkeys([b"We love Marisa", b"#!/usr/bin/env cspell-trie"], ("a trie", EXPORT)),
    **dict.fromkeys([b"(dp0", b"(lp0", *(bytes([0x80, n]) for n in range(2, 6))], ("a pickle", EXPORT)),
    **dict.fromkeys([b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf"], ("zstd or 7z", "unpack it first")),
    b"\x02\0": ("a word list of aspell", "unpack it by `prezip-bin -d` and save it as UTF-8"),
    b"\xd0\xcf\x11\xe0": ("a spreadsheet or document", "export it as CSV or text"),
    b"%PDF": ("a PDF", "copy its text into a text file"),
    b"\xff\xfe": ("UTF-16", "save it as UTF-8"),
    b"\xfe\xff": ("UTF-16", "save it as UTF-8"),
}
ENDINGS = "msgpack", "dawg", "trie", "pickle", "sqlite"
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where to look for files stored for a list: the user's folders, then those of an installed package, then
# those of a checkout.
_HOMES = PACKAGE, os.path.dirname(PACKAGE)
FOLDERS = (".", "checkpoints", *(os.path.join(home, "checkpoints") for home in _HOMES))


def file_name(game: str, length: int, fingerprint: str, ending: str = CHECKPOINT) -> str:
    """Return the name of a stored file, such as `lingo5-9-a8e966b0e73d.npz`, without a folder."""
    return f"{game}-{length}-{fingerprint[:SHORT]}{ending}"


class MissingFileError(Fault):
    """No file at a path that a user named, or not a file."""


def text_bytes(
    path: str | os.PathLike[str], what: str = "file", remedy: str = "", names: Iterable[str] = ()
) -> bytes:
    """Return the UTF-8 text of a file or a pipe that a user named, as bytes without a byte order mark.

    Args:
        what: noun for the file in messages. remedy: what to do if it cannot be used.
        names: names that are allowed instead of a file.
    """
    source = os.fspath(path)
    printed = source if source.isprintable() else repr(source)
    try:
        if "\0" in source:
            raise FileNotFoundError
        data = file_bytes(path, MOST_TEXT)
    except (FileNotFoundError, NotADirectoryError):
        if known := list(names):
            remedy = f"{meant(source, known)}{remedy}, or {'one of ' * (len(known) > 1)}{', '.join(known)}"
        raise MissingFileError(f"no {what} at {printed}", remedy) from None
    except (IsADirectoryError, MissingFileError) as error:
        what = "is a folder" if isinstance(error, OSError) else str(error)
        raise MissingFileError(f"{printed} {what}", remedy) from None
    except OSError as error:
        raise ValueError(f"cannot read the {what} {printed}: {error.strerror or error}") from None
    except ValueError as error:
        raise ValueError(f"{printed} {error}: give a smaller file") from None
    return checked_text(data, printed, remedy)


def unpacked(data: bytes, name: str) -> bytes:
    """Return what a gzip, xz or bz2 file or a zip archive of one file holds; other bytes unchanged."""
    starts = {b"\x1f\x8b": "gzip", b"\xfd7zXZ": "lzma", b"BZh": "bz2", b"PK\x03\x04": "zipfile"}
    kind = next((kind for start, kind in starts.items() if data.startswith(start)), "")
    if not kind or (kind == "bz2" and data[4:10] != b"1AY&SY"):
        return data
    from importlib import import_module  # here, because other files do not need it
    from io import BytesIO

    module, text = import_module(kind), b""
    try:
        archive = module.ZipFile(BytesIO(data)) if kind == "zipfile" else None
        inside = [member for member in archive.infolist() if not member.is_dir()] if archive else [None]
        if len(inside) == 1:
            file = archive.open(inside[0]) if archive else module.open(BytesIO(data))
            text = file.read(MOST_TEXT + 1)
    except Exception as error:  # each kind has its own, and zipfile those of every compression
        raise Fault(f"{name} is cut short or damaged ({error})", "unpack it first") from None
    if len(inside) != 1:
        what = f"{name} is a zip archive of {len(inside)} files, or a spreadsheet"
        raise Fault(what, "unpack it first, or export it as CSV")
    if len(text) > MOST_TEXT:
        raise Fault(f"{name} has more than {MOST_TEXT:,} bytes once unpacked", "give a smaller file")
    return text


def checked_text(data: bytes, name: str, remedy: str) -> bytes:
    """Return UTF-8 text without its byte order mark, unpacked if it is compressed."""
    data = unpacked(data, name).removeprefix(BOM)
    for start, (kind, use) in BINARIES.items():
        if data.startswith(start):
            raise ValueError(f"{name} is not UTF-8 text but {kind}: {use}")
    try:
        if not data.isascii():
            data.decode()
    except UnicodeDecodeError as error:
        if kind := next((kind for kind in ENDINGS if f".{kind}" in name.lower()), ""):
            raise Fault(f"{name} is not UTF-8 text but {kind}", EXPORT) from None
        where = f"byte {data[error.start]:#04x} at {error.start}"
        if b"\0" not in data:  # otherwise binary, see below
            raise ValueError(f"{name} is not UTF-8 text ({where}): save it as UTF-8") from None
    if b"\0" in data:
        tar = data[257:262] == b"ustar"
        raise Fault(f"{name} is a {'tar archive' if tar else 'binary file'}", remedy)
    return data


def file_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the bytes of a file or a pipe; one larger than `most` is not read."""
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        if not (S_ISREG(status.st_mode) or S_ISFIFO(status.st_mode)):
            raise MissingFileError("is not a plain file")
        size = status.st_size
        data = b"" if size > most else file.read(most + 1 if size == 0 else size + 1)  # 0: a pipe
    if max(size, len(data)) > most:
        raise ValueError(f"has more than {most:,} bytes")
    return data


def parsed_file(
    path: str | os.PathLike[str], most: int, parse: Callable[[bytes], T], what: str, remedy: str
) -> T:
    """Return the result of `parse` for a file of at most `most` bytes; a Fault names it after `what`."""
    name = f"{what} {os.fspath(path)}".strip()
    try:
        return parse(file_bytes(path, most))
    except OSError as error:
        raise Fault(f"cannot read {name} ({error.strerror})", remedy) from None
    except ValueError as error:
        raise Fault(f"{name} {error}", remedy) from None


def check_replaceable(path: str | os.PathLike[str], form: bytes) -> None:
    """Check that writing a file would not lose one of another kind; UsageError. `form` is an expression for
    the first bytes of a file that may be replaced; an empty one always may.
    """
    import re  # here, because the light path writes no files

    name, plain, start = os.fspath(path), os.path.isfile(path), b""
    if form and plain:
        with open(name, "rb") as file:
            start = file.read(4096)
    refuse({  # a folder, or a device such as /dev/null
        f"{name} is not a plain file: name a file to write": os.path.exists(name) and not plain,
        f"{name} is of another kind and would be lost: name another file to write":
            start and not re.match(form, start),
    })  # fmt: skip


def check_destination(path: Path, inputs: Iterable[Path | None] = (), form: bytes = b"") -> None:
    """Check that a file can be written next to `path`, and then renamed to it without losing another kind of
    file or an input; for `form` see `check_replaceable`.
    """
    for read in inputs:
        if read is not None and path.exists() and read.exists() and path.samefile(read):
            raise UsageError(f"{path} would replace a file that is read: name another file to write")
    check_replaceable(path, form)
    make_folder(path.parent, there=True)


def make_folder(folder: Path, *, there: bool = False) -> None:
    """Make a folder, unless it is to be `there`, and check that files can be written in it."""
    from tempfile import TemporaryFile  # here, because the light path writes no files

    what, remedy = "make this folder", "name another"
    try:
        if not there:
            folder.mkdir(parents=True, exist_ok=True)
        what, remedy = "write there", "name another place"
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(error.errno, f"cannot {what} ({error.strerror}); {remedy}", str(folder)) from None


def replace_file(path: str, data: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it: it is never half written."""
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException as failure:
        if os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(failure, OSError):
            failure.filename = path  # a full disk does not name it
        raise


@contextmanager
def locked(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of a file that the block reads, adds to and replaces. While another process has it, wait,
    or raise BlockingIOError. The system frees the lock of a process that ends, whatever ends it.
    """
    from fcntl import LOCK_EX, LOCK_NB, flock  # here, because the light path writes no files

    name, held = f"{os.fspath(path)}.lock", False
    while not held:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            flock(descriptor, LOCK_EX | LOCK_NB * (not wait))
            # The last holder may have removed this file, and another process made a new one.
            with suppress(FileNotFoundError):
                held = os.path.samestat(os.stat(name), os.fstat(descriptor))
            if held:
                try:
                    yield
                finally:
                    os.unlink(name)
        finally:
            os.close(descriptor)


def append_file(path: str | os.PathLike[str], data: bytes) -> None:
    try:
        with open(path, "ab") as file:
            file.write(data)
    except OSError as failure:
        failure.filename = os.fspath(path)  # a full disk does not name it
        raise


def put_aside(path: Path, ending: str) -> Path | None:
    """Rename a file, if there is one, to a free name, such as NAME.old1 with its ending."""
    if not path.exists():
        return None
    stem = path.name.removesuffix(ending)
    names = (path.with_name(f"{stem}.old{number}{ending}") for number in count(1))
    return path.replace(next(name for name in names if not name.exists()))

"""Files stored for a list: their names, the folders searched for them, reading and writing."""

from __future__ import annotations

import os
from stat import S_ISREG

SHORT = 12  # digits of a fingerprint in names and messages
CHECKPOINT, CERTIFICATE, VALUES, WORK = ".npz", ".bounds.npz", ".values.json", ".work.npz"  # ends of names
HOST = ".host.npz"  # a cheating host's strategy
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where to look for what is kept for a list: the user's own folders, then those of an installed package, then
# those of a checkout.
FOLDERS = (
    ".",
    "checkpoints",
    os.path.join(PACKAGE, "checkpoints"),
    os.path.join(os.path.dirname(PACKAGE), "checkpoints"),
)


def file_name(game: str, length: int, fingerprint: str, ending: str = CHECKPOINT) -> str:
    """Return the name of a stored file for a game and a list, without a folder: `lingo5-9-a8e966b0e73d.npz`.

    Args:
        game: its code.
        length: word length.
        fingerprint: of the list.
        ending: kind of file: CHECKPOINT, CERTIFICATE, VALUES or WORK.
    """
    return f"{game}-{length}-{fingerprint[:SHORT]}{ending}"


def file_bytes(path: str | os.PathLike[str], most: int, *, plain: bool = False) -> bytes:
    """Return the bytes of a file; one that is larger than the most is not read.

    Args:
        plain: refuse a folder, a device and a pipe; a pipe is not waited for.
    Raises:
        OSError: it cannot be read. ValueError: it is larger, or not plain.
    """
    with open(path, "rb", opener=_plain if plain else None) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most else file.read(most + 1 if size == 0 else size + 1)  # 0: a pipe
    if max(size, len(data)) > most:
        raise ValueError(f"has more than {most:,} bytes")
    return data


def _plain(path: str, flags: int) -> int:
    """Open a plain file; a pipe is not waited for.

    Raises:
        OSError: it cannot be opened. ValueError: it is another thing.
    """
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    if S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise ValueError("is not a plain file")


def check_replaceable(path: str | os.PathLike[str], form: bytes) -> None:
    """Check that nothing else would be lost where a file is written.

    Args:
        path: of the file to write; one that is there will be replaced.
        form: expression for how a file begins that may be replaced; an empty one always may.
    Raises:
        ValueError: what is there is not a plain file, or of another form. OSError: it cannot be read.
    """
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):  # a folder, or a device such as /dev/null
        raise ValueError(f"{name} is not a plain file: name a file to write")
    if not form or not os.path.exists(name):
        return
    import re  # here, because the light path writes no files

    with open(name, "rb") as file:
        start = file.read(4096)
    if start and not re.match(form, start):
        raise ValueError(f"{name} is of another kind and would be lost: name another file to write")


def replace_file(path: str, data: bytes, owner: str = "") -> None:
    """Write a file under a temporary name in the same folder, then rename it: there is never half a file.

    Args:
        owner: a name of this process alone, where others on other machines may write the same file.
    Raises:
        OSError: it cannot be written.
    """
    temporary = f"{path}.{owner or os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException as failure:
        if os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(failure, OSError):
            failure.filename = path  # which a full disk does not name
        raise

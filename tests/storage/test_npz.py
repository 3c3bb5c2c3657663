"""npz files: headers are JSON only; a reader allocates no more memory than the file may need."""

import io
import json
import subprocess
import sys
import zlib

import numpy as np
import pytest

from gpulingo.storage import npz
from gpulingo.storage.npz import ContainerError, header_text, members, npy, pack, parsed_header, unpack

FIELDS = {"b": None, "a": "mitte: ä", "c": 5, "d": 265.30000000000001, "e": -1, "f": 1e-7}


def test_a_header_is_json_with_sorted_keys():
    text = header_text(FIELDS)
    assert json.loads(text) == FIELDS
    assert text == json.dumps(FIELDS, indent=0, sort_keys=True, ensure_ascii=False)
    back = parsed_header(text)
    assert back == FIELDS and {name: type(value) for name, value in back.items()} == {
        name: type(value) for name, value in FIELDS.items()
    }


def inflating(name, told, size):
    """A member with a name and a false size, which unpacks to `size` MiB of zeros."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    mebibyte = deflate.compress(bytes(1 << 20)) + deflate.flush(zlib.Z_FULL_FLUSH)  # repeatable
    squeezed = mebibyte * size + deflate.flush()
    local, entry = npz.headers(f"{name}.npy".encode(), 0, len(squeezed), told, 0)
    return local + squeezed + npz.directory([entry], len(local) + len(squeezed))


READ = """
import resource, sys
from gpulingo.bounds.arrays import CertificateError, read_arrays
from gpulingo.tiles.rack_table import read_rack_table
from gpulingo.trees.checkpoint import CheckpointError, read_checkpoint

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10  # MiB

for read in (read_arrays, read_checkpoint, read_rack_table):
    before = peak()
    try:
        read(sys.argv[1])
    except ValueError as error:
        print(peak() - before, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("told", [1000])
def test_a_member_that_unpacks_to_more_than_it_says_takes_no_more_memory(tmp_path, told):
    path = tmp_path / "a.npz"
    path.write_bytes(inflating("header", told, 1536))
    done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
    grown = [int(line.partition(" ")[0]) for line in done.stdout.splitlines()]
    assert len(grown) == 3 and max(grown) < 256, done.stdout
    assert "has a damaged array header" in done.stdout.splitlines()[0]


def test_what_numpy_writes_and_what_is_written_here_are_read_alike():
    arrays = {"one": np.arange(9), "two": np.empty(0, np.uint8), "three": np.zeros((4, 2), np.int32)}
    for save in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        save(file, **arrays)
        read = dict(members(file.getvalue(), 1 << 20))
        assert list(read) == list(arrays)
        assert all(np.array_equal(np.load(io.BytesIO(read[name])), arrays[name]) for name in arrays)
    ours = [("one", npy(range(9), "i8")), ("two", npy([], "u1"))]
    assert list(members(pack(ours), 1 << 20)) == ours == list(unpack(pack(ours), ("one", "two")).items())


def test_a_changed_byte_of_an_array_is_never_read():
    file = io.BytesIO()
    np.savez_compressed(file, one=np.arange(99), two=np.arange(7))
    data, right = file.getvalue(), dict(members(file.getvalue(), 1 << 20))
    for place in range(len(data)):
        for bit in (1, 128):
            try:
                read = dict(members(data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :], 1 << 20))
            except ContainerError as error:
                assert "\n" not in str(error)
            else:  # a date, or what the directory repeats; or a name, which the reader of the array checks
                assert list(read.values()) == list(right.values())
    for size in range(len(data)):
        with pytest.raises(ContainerError):
            dict(members(data[:size], 1 << 20))


def test_an_array_of_just_the_most_bytes_is_read(monkeypatch):
    array = npy(bytes(600), "u1")
    data = pack([("one", array)])
    monkeypatch.setattr(npz, "MOST_BYTES", len(array))
    assert unpack(data, ("one",)) == {"one": array}
    monkeypatch.setattr(npz, "MOST_BYTES", len(array) - 1)
    with pytest.raises(ContainerError, match=r"declares 728 bytes for its array one, the most is 727"):
        unpack(data, ("one",))

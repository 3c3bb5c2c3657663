"""Named arrays as files: keys and lists as arrays and back, and files that are not believed."""

import io
import zipfile

import numpy as np
import pytest

from gpulingo.bounds.arrays import (
    CertificateError,
    check_range,
    checked_row,
    keys_as_array,
    keys_from_array,
    lists_as_arrays,
    lists_from_arrays,
    read_arrays,
    write_arrays,
)


def test_keys_and_lists_are_read_back_as_they_were_written(tmp_path):
    keys = [(3,), (1, 4, 7), (0, 2)]
    lists = {5: [1, 2, 3], 2: [], 9: [4]}
    write_arrays(tmp_path / "a.npz", {"keys": keys_as_array(keys)} | lists_as_arrays("lists", lists))
    arrays = read_arrays(tmp_path / "a.npz")
    assert keys_from_array(arrays["keys"]) == keys
    again = {opening: numbers.tolist() for opening, numbers in lists_from_arrays("lists", arrays, 10).items()}
    assert again == lists
    assert keys_from_array(keys_as_array([])) == []
    assert lists_from_arrays("none", lists_as_arrays("none", {}), 3) == {}


def test_numbers_out_of_range_and_rows_of_another_shape_are_refused():
    check_range("turns", [1, 5], 1, 5)
    with pytest.raises(ValueError, match="has turns 6, expected 1 to 5"):
        check_range("turns", [6, 2], 1, 5)
    with pytest.raises(ValueError, match=r"has row as int64 \[2\], expected one row of 3 of kind i"):
        checked_row("row", np.array([1, 2]), "i", 3)


def test_a_file_that_unpacks_to_too_much_is_refused_unread(tmp_path):
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("bounds.npy", "w") as member:
        for _ in range(9):
            member.write(bytes(1 << 20))
    with pytest.raises(CertificateError, match="declares 9,437,184 bytes in 1 arrays, the most is 1,048,576"):
        read_arrays(path, 1 << 20)


def test_a_shape_is_not_believed(tmp_path):
    header = io.BytesIO()
    shape = {"descr": "<i8", "fortran_order": False, "shape": (1 << 40,)}
    np.lib.format.write_array_header_1_0(header, shape)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
        file.writestr("bounds.npy", header.getvalue() + bytes(80))
    with pytest.raises(CertificateError, match=r"says that it is int64 \[1099511627776\], it has 80 bytes"):
        read_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 cut short"])
def test_what_is_no_npz_is_refused_in_one_line(tmp_path, data):
    (tmp_path / "a.npz").write_bytes(data)
    with pytest.raises(CertificateError, match="make it with `gpulingo solve`") as told:
        read_arrays(tmp_path / "a.npz")
    assert "\n" not in str(told.value)

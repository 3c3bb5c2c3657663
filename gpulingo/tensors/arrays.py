"""Arrays of the device: numpy's on the CPU, torch's on a GPU and where a user hands tensors in.

Code above the backends is written once for both, in the words of the array API standard, which
`namespace` gives for an array: `xp = namespace(x)`. What the standard lacks is here. Arrays of numpy load no
torch. `Tensor` in annotations is an array of either kind, `Device` is "cpu" or a torch.device.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Device: TypeAlias = Any
CPU = "cpu"


class _Kinds(type):
    def __instancecheck__(cls, value: object) -> bool:
        return is_array(value)


if TYPE_CHECKING:
    Tensor: TypeAlias = Any
else:

    class Tensor(metaclass=_Kinds):
        """An array of numpy or a tensor of torch, where arguments are checked."""


def namespace(array: Tensor) -> Any:
    """Return the functions of the array API for an array: numpy has them itself, torch by a library.

    array_api_compat 1.16 has a module for numpy too, which imports f2py and unittest: 0.3 CPU s.
    """
    if isinstance(array, np.ndarray):
        return np
    import array_api_compat.torch as functions

    return functions


def is_tensor(value: object) -> bool:
    """Return True for a tensor of torch, which is loaded already if there is one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_array(value: object) -> bool:
    """Return True for an array of either kind."""
    return isinstance(value, np.ndarray) or is_tensor(value)


def array_of(values: Tensor) -> Array:
    """Return an array, or the content of a tensor of any device, as numpy."""
    return values if isinstance(values, np.ndarray) else values.cpu().numpy()


def like(values: Tensor, other: Tensor) -> Tensor:
    """Return an array as one of the kind and the device of another."""
    return array_of(values) if isinstance(other, np.ndarray) else moved(values, other.device)


def moved(array: Tensor, device: Device) -> Tensor:
    """Return an array on a device: "cpu", which leaves it of its kind, or a torch.device."""
    if isinstance(array, np.ndarray):
        if device == CPU:
            return array
        import torch

        array = torch.from_numpy(array)
    return array.to(device, non_blocking=array.device.type == CPU)


def is_gpu(device: Device) -> bool:
    """Return True if a device works asynchronously, and best on large batches."""
    return getattr(device, "type", CPU) == "cuda"


def free_memory(device: Device) -> int:
    """Return the free bytes of a device, with memory that torch has reserved and does not use."""
    if not is_gpu(device):
        import psutil

        return int(psutil.virtual_memory().available)
    import torch

    free, stats = torch.cuda.mem_get_info(device)[0], torch.cuda.memory_stats_as_nested_dict(device)
    used = {name: each["all"]["current"] for name, each in stats.items() if name.endswith("ed_bytes")}
    return int(free + used.get("reserved_bytes", 0) - used.get("allocated_bytes", 0))


def is_on(array: Tensor, device: Device) -> bool:
    """Return True if `moved` would leave an array as it is."""
    return bool(array.device == device or (isinstance(device, str) and str(array.device) == device))


def as_type(array: Tensor, name: str) -> Tensor:
    """Return an array as one of a type, such as `int32`; itself if it is of that type."""
    xp = namespace(array)
    return xp.astype(array, getattr(xp, name), copy=False)


def wide(array: Tensor) -> Tensor:
    """Return numbers as int64."""
    return as_type(array, "int64")


def repeated(array: Tensor, counts: Tensor, total: int) -> Tensor:
    """Repeat each element as often as its count says; with the total, so that no GPU is waited for."""
    if isinstance(array, np.ndarray):
        return np.repeat(array, counts)
    return array.repeat_interleave(counts, output_size=total)


def offsets_of(sizes: Tensor) -> Tensor:
    """[S + 1] int64, where each of [S] sizes begins, and their sum."""
    xp = namespace(sizes)
    return xp.cumulative_sum(sizes, dtype=xp.int64, include_initial=True)


def parts_of(array: Tensor, sizes: Iterable[int]) -> list[Tensor]:
    """Return the parts of an array that have these sizes, one after the other."""
    return [array[start:end] for start, end in pairwise(accumulate(sizes, initial=0))]


def add_at(sums: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """Add rows of values to the rows of `sums` at their places, several to one as well; return `sums`."""
    if isinstance(sums, np.ndarray):
        np.add.at(sums, places, values)
        return sums
    return sums.index_add_(0, places, values)


def raise_at(most: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """Raise numbers at their places to values, several to one as well; return `most`."""
    if isinstance(most, np.ndarray):
        np.maximum.at(most, places, values)
        return most
    return most.scatter_reduce_(0, places, values, "amax")


def facts(*found: Tensor) -> list[int]:
    """Return single numbers of arrays as integers, in one transfer."""
    if not is_tensor(found[0]):
        return [int(fact) for fact in found]
    xp = namespace(found[0])
    numbers: list[int] = xp.stack([xp.astype(fact, xp.int64) for fact in found]).tolist()
    return numbers


def contiguous(array: Tensor) -> Tensor:
    """Return an array without gaps in memory."""
    return np.ascontiguousarray(array) if isinstance(array, np.ndarray) else array.contiguous()


def distinct(row: Tensor) -> Tensor:
    """Return the different numbers of a row, ascending; numpy 2.3 has `unique_values` in no order."""
    return namespace(row).unique_counts(row).values


def cut(row: Tensor, size: int) -> Iterator[Tensor]:
    """Yield the parts of a row of at most `size` numbers."""
    for first in range(0, row.shape[0], size):
        yield row[first : first + size]


def places_among(row: Tensor, values: Tensor) -> Tensor:
    """Return [n] int64, the place of each value in an ascending row; -1 for one that is not there."""
    xp = namespace(row)
    if not row.shape[0]:
        return xp.full_like(values, -1, dtype=xp.int64)
    places = xp.clip(xp.searchsorted(row, values), 0, row.shape[0] - 1)
    return xp.where(row[places] == values, places, -1)

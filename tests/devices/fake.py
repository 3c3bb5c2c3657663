"""A CUDA device without a GPU: tensors of the CPU that claim to be on cuda:0.

Mixing devices raises, as on a GPU; operations that make the CPU wait for the device are counted. `plain.py`
computes kernels, also those that NVRTC would compile, for which there is no driver. Not simulated: time, lack
of memory, the order of parallel work, and the kernels themselves.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from devices import plain
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map

from gpulingo.tensors import threads
from gpulingo.tensors.cuda import nvrtc
from gpulingo.tensors.cuda.launch import Launch, Memory, Out

DEVICE = torch.device("cuda", 0)
CUDA, META = 1, 14  # torch's numbers of device types
FREE = 1 << 30  # bytes reported as free
# Arguments of the kernel in `classes.cu`.
CLASSES = (
    "plan_at used_at radix_at ranges table_words features bits words sizes guesses firsts counts out columns "
    "items worth worth_at space"
).split()
# Operations whose result, or its size, the CPU needs before it continues.
WAITING = (
    "_local_scalar_dense nonzero masked_select unique_dim unique_consecutive _unique2 equal bincount"
).split()
COPIES = ("copy_", "_to_copy")
INDEXED = ("index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index")
# These accept no number on the CPU, unlike most operations.
STRICT = ("cat", "stack", "index_add_", "scatter_", "scatter_add_", "scatter_reduce_", "searchsorted", "isin")


@dataclass(frozen=True)
class SmallMemory(Memory):
    """The memory of a device where an allocation of more than `most` bytes fails."""

    most: int

    def taken(self, shape: tuple[int, ...], dtype: torch.dtype, *, zero: bool = False) -> Tensor:
        size = dtype.itemsize * math.prod(shape)
        if size > self.most:
            raise Out(f"{size} bytes, expected at most {self.most}")
        return super().taken(shape, dtype, zero=zero)


class There(Tensor):
    """A tensor of the device; `here` has its numbers."""

    here: Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, here: Tensor) -> There:
        made = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls, here.size(), strides=here.stride(), storage_offset=here.storage_offset(),
            dtype=here.dtype, layout=here.layout, device=DEVICE,
        )  # fmt: skip
        made.here = here
        return made

    def __repr__(self) -> str:  # type: ignore[override]
        return f"There({self.here!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        device = FakeDevice.current
        assert device is not None, "a tensor of a fake device is used after its end"
        return device.done(func, args, kwargs or {})


class FakeDevice(TorchDispatchMode):
    """The device, while it exists.

    Attributes:
        waits: line of gpulingo -> how often it made the CPU wait.
        launches: kernel name -> number of launches.
    """

    current: FakeDevice | None = None

    def __init__(self) -> None:
        super().__init__()
        self.waits: Counter[str] = Counter()
        self.launches: Counter[str] = Counter()

    def __enter__(self) -> FakeDevice:
        FakeDevice.current = self
        super().__enter__()
        return self

    def begin(self) -> None:
        """Enable the device on a further thread, until the thread ends."""
        Numbered().__enter__()
        super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        FakeDevice.current = None

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self.done(func, args, kwargs or {})

    def done(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Run one operation of torch on tensors of either device."""
        name = func._schema.name.split("::")[1]
        leaves = tree_leaves((args, kwargs))
        there = any(isinstance(each, There) for each in leaves)
        asked = kwargs.get("device")
        asked = torch.device(asked) if asked is not None else None
        if not there and (asked is None or asked.type != "cuda"):
            return func(*args, **kwargs)
        if func.namespace == "gpulingo":  # look inside our own operations
            from gpulingo.tensors.device import backend_of

            return getattr(backend_of(DEVICE), name)(*args)
        numbers = [each for each in leaves if isinstance(each, Tensor) and not isinstance(each, There)]
        if numbers and name not in COPIES:
            self.check(name, args, numbers)
        to_cpu = (
            there
            and name in COPIES
            and (
                asked is not None and asked.type == "cpu"
                if name == "_to_copy"
                else not isinstance(args[0], There)
            )
        )
        crosses = to_cpu or (name in COPIES and numbers)
        masked = name in INDEXED and any(
            isinstance(each, Tensor) and each.dtype in (torch.bool, torch.uint8)
            for each in args[1]
            if each is not None
        )
        # An index on the CPU is copied first, and so are values written through a mask.
        if (
            name in WAITING
            or masked
            or (crosses and not (kwargs.get("non_blocking") or (name == "copy_" and args[2:] == (True,))))
            or (name in INDEXED and any(each.dim() for each in numbers))
            or (name == "repeat_interleave" and kwargs.get("output_size") is None)
        ):
            self.waits[caller()] += 1
        if asked is not None:
            kwargs = kwargs | {"device": torch.device("cpu")}
        answer = func(*tree_map(bare, args), **tree_map(bare, kwargs))
        if func._schema.is_mutable:
            return kwargs.get("out", args[0])
        if to_cpu:
            return answer
        return tree_map(lambda each: There(each) if isinstance(each, Tensor) else each, answer)

    def check(self, name: str, args: Any, numbers: list[Tensor]) -> None:
        """Check that an operation accepts these CPU tensors together with tensors of the device."""
        rows = [each for each in numbers if each.dim() or name in STRICT]
        if name in INDEXED and isinstance(args[0], There):
            values = args[2] if len(args) > 2 else None
            rows = [values] if any(each is values for each in rows) else []
        if rows:
            shapes = [tuple(each.shape) for each in rows]
            raise RuntimeError(
                f"expected all tensors to be on cuda:0, but {name} has {shapes} of the CPU: {caller()}"
            )

    def launch(self, launch: Launch) -> None:
        """Compute the result of a kernel."""
        for each in launch.arguments:
            if isinstance(each, Tensor) and not isinstance(each, There):
                raise RuntimeError(f"{launch.kernel.__name__} is handed a tensor of the CPU: {caller()}")
            assert not isinstance(each, Tensor) or each.here.is_contiguous()
        self.launches[launch.kernel.__name__] += 1
        with _disable_current_modes(), torch._C.DisableTorchFunction():
            names = getattr(launch.kernel, "arg_names", CLASSES)
            named = dict(zip(names, map(bare, launch.arguments), strict=False))
            getattr(plain, launch.kernel.__name__)(**named, **launch.constants)


class Numbered(TorchFunctionMode):
    """Gives `cuda` a number, for which torch would ask a driver, and handles what our tensors cannot."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name, kwargs = getattr(func, "__name__", ""), dict(kwargs or {})
        if name == "tolist" and isinstance(args[0], There):
            return args[0].cpu().tolist()
        if (
            name in ("__getitem__", "__setitem__")
            and isinstance(args[0], There)
            and isinstance(args[1], list)
        ):
            args = (args[0], torch.tensor(args[1]).to(DEVICE), *args[2:])
        if name == "new_tensor" and isinstance(args[0], There):
            func, args, kwargs = torch.tensor, args[1:], {"device": DEVICE, "dtype": args[0].dtype} | kwargs
        args, kwargs = tree_map(numbered, args), tree_map(numbered, kwargs)
        if func in (torch.tensor, torch.as_tensor) and kwargs.get("device") == DEVICE:
            return func(*args, **kwargs | {"device": "cpu"}).to(DEVICE)
        return func(*args, **kwargs)


def numbered(each: Any) -> Any:
    """The name of a device with its number."""
    return DEVICE if isinstance(each, str | torch.device) and str(each) == "cuda" else each


def bare(each: Any) -> Any:
    """The CPU tensor of a tensor."""
    return each.here if isinstance(each, There) else each


def caller() -> str:
    """The innermost line of gpulingo on the stack."""
    frame: Any = sys._getframe(1)
    while frame and "/gpulingo/" not in frame.f_code.co_filename:
        frame = frame.f_back
    return f"{frame.f_code.co_filename.rpartition('/gpulingo/')[2]}:{frame.f_lineno}" if frame else "a test"


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Let torch switch to the device and back without effect, as with meta tensors.

    A build of torch for the CPU has no guard for CUDA devices, and no other way to get one.
    """
    library = next((Path(torch.__file__).parent / "lib").glob("libc10.*"))
    ways = (ctypes.c_void_p * 32).in_dll(
        ctypes.CDLL(str(library)), "_ZN3c104impl26device_guard_impl_registryE"
    )
    before, ways[CUDA] = ways[CUDA], ways[META]
    try:
        yield
    finally:
        ways[CUDA] = before


@contextlib.contextmanager
def fake_device(patch: pytest.MonkeyPatch) -> Iterator[FakeDevice]:
    """A CUDA device for the duration of the context."""
    properties = type("Properties", (), {"multi_processor_count": 2, "name": "a fake device"})
    answers: dict[str, Any] = {
        "_lazy_init": None, "is_available": True, "device_count": 1, "synchronize": None,
        "mem_get_info": (FREE, FREE), "memory_stats_as_nested_dict": {}, "get_device_properties": properties,
        "get_device_name": "a fake device",
    }  # fmt: skip
    for name, answer in answers.items():
        patch.setattr(torch.cuda, name, lambda *_, answer=answer: answer)
    patch.setattr(torch.cuda, "device", lambda _: contextlib.nullcontext())
    patch.setattr(nvrtc, "shared_memory", lambda _: (1 << 17, 1 << 18))
    with guarded(), Numbered(), FakeDevice() as device:
        patch.setattr(Launch, "run", lambda launch: device.launch(launch))
        patch.setattr(threads, "ThreadPoolExecutor", partial(ThreadPoolExecutor, initializer=device.begin))
        yield device

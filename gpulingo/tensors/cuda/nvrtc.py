"""A kernel in CUDA C++, compiled at run time by NVRTC and launched by the driver.

Both libraries are called by ctypes: torch for CUDA brings NVRTC. Machine code is stored on disk.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gpulingo.storage.files import replace_file

DEFAULT = 48 * 1024  # bytes of shared memory that a block always has
SHARED_BYTES = 8  # the driver's number of the attribute of a function


class CompileError(RuntimeError):
    """Source that NVRTC does not compile, or a call that the driver refuses."""


@cache
def library() -> ctypes.CDLL | None:
    """Return NVRTC of torch's CUDA version, or None where it is missing."""
    name = f"libnvrtc.so.{(torch.version.cuda or '').partition('.')[0]}"
    for path in (*Path(torch.__file__).parents[1].glob(f"nvidia/*/lib/{name}"), Path(name)):
        with suppress(OSError):
            for builtins in path.parent.glob("libnvrtc-builtins.so.*") if path.is_absolute() else ():
                ctypes.CDLL(str(builtins))  # NVRTC looks for it by name, but not beside itself
            return ctypes.CDLL(str(path))
    return None


@cache
def shared_memory(device: torch.device) -> tuple[int, int]:
    """Return the bytes of shared memory of a block and a multiprocessor; 0, 0 if NVRTC does not serve it."""
    if device.type != "cuda" or library() is None:
        return 0, 0
    about = torch.cuda.get_device_properties(device)
    try:
        with torch.cuda.device(device):
            _loaded(b'extern "C" __global__ void none() {}', "none", about, ())
    except CompileError:
        return 0, 0
    names = "shared_memory_per_block_optin", "shared_memory_per_multiprocessor"
    return getattr(about, names[0], DEFAULT), getattr(about, names[1], DEFAULT)


def machine_code(source: bytes, options: list[str]) -> bytes:
    """Return the machine code of a source, from disk if it was compiled before.

    Raises:
        CompileError: with the first line that the compiler reports.
    """
    folder = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gpulingo", "cuda")  # noqa: PTH111
    digest = sha256(b"\0".join([source, *map(str.encode, options), str(torch.version.cuda).encode()]))
    file = folder / f"{digest.hexdigest()[:32]}.cubin"
    with suppress(OSError):
        return file.read_bytes()
    nvrtc, program, size = library(), ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc is not None
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"classes.cu", 0, None, None)
    given = (ctypes.c_char_p * len(options))(*map(str.encode, options))
    failed = nvrtc.nvrtcCompileProgram(program, len(options), given)
    kind = "ProgramLog" if failed else "CUBIN"
    getattr(nvrtc, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{kind}")(program, text)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        raise CompileError(text.value.decode().partition("\n")[0])
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(str(file), text.raw)
    return text.raw


@cache
def _driver() -> ctypes.CDLL:
    return ctypes.CDLL("libcuda.so.1")


def _called(name: str, *arguments: Any) -> None:
    """Call the driver; CompileError if it answers with an error."""
    if error := getattr(_driver(), name)(*arguments):
        raise CompileError(f"{name} returns error {error}")


def _loaded(source: bytes, name: str, about: Any, constants: tuple[tuple[str, int], ...]) -> ctypes.c_void_p:
    """Return a function of a source, compiled for a device with these properties, on the current device."""
    defined = [f"-D{constant}={int(value)}" for constant, value in constants]
    code = machine_code(source, [f"-arch=sm_{about.major}{about.minor}", *defined])
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _called("cuModuleLoadData", ctypes.byref(module), code)
    _called("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
    return function


class Kernel:
    """A kernel of a file of this folder; launched like one of Triton, the grid being the most blocks."""

    def __init__(self, file: str, name: str) -> None:
        self.source, self.__name__ = Path(__file__).with_name(file).read_bytes(), name

    def __getitem__(self, grid: tuple[int, ...]) -> Any:
        return partial(self.launch, grid[0])

    def launch(self, most: int, *arguments: Tensor | int, num_warps: int, **constants: int) -> None:
        """Launch on the current device and stream; the last argument is the bytes of shared memory."""
        space = arguments[-1]
        function, blocks = self.function(torch.cuda.current_device(), space, tuple(sorted(constants.items())))
        values = [
            ctypes.c_void_p(each.data_ptr()) if isinstance(each, Tensor) else ctypes.c_int(each)
            for each in arguments
        ]
        places = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        across, parts = constants["ACROSS"], constants["PARTS"]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        _called(
            "cuLaunchKernel", function, min(most, blocks), 1, 1, across, parts, 1, space, stream, places, None
        )

    @cache  # noqa: B019
    def function(
        self, device: int, space: int, constants: tuple[tuple[str, int], ...]
    ) -> tuple[ctypes.c_void_p, int]:
        """Return the function with its constants, and how many of its blocks the device runs at once."""
        about, given, blocks = torch.cuda.get_device_properties(device), dict(constants), ctypes.c_int()
        function = _loaded(self.source, self.__name__, about, constants)
        _called("cuFuncSetAttribute", function, SHARED_BYTES, space)
        threads, size = given["ACROSS"] * given["PARTS"], ctypes.c_size_t(space)
        _called("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(blocks), function, threads, size)
        return function, about.multi_processor_count * max(1, blocks.value)

"""Compilation of the CPU kernels; machine code is stored on disk if a folder can be written."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from numba import njit, types
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from gpulingo.tensors import clock

_PARTS = ("tensors/cpu/*.py", "tensors/*.py", "solvers/**/*.py", "tiles/racks.py")
_SOURCES = sorted(file for part in _PARTS for file in Path(__file__).parents[2].glob(part))
DIGEST = sha256(b"".join(file.read_bytes() for file in _SOURCES)).hexdigest()  # of all sources of kernels
VERSIONS = 16  # number of digests whose code the user's folder keeps
_njit: Any = partial(njit, nogil=True, no_cfunc_wrapper=True)  # no kernel is called from C
_part = partial(_njit, no_cpython_wrapper=True, _nrt=False)
# Inlined in the source of the caller: a call would pass each array of its tuples on the stack.
inlined = _part(inline="always")


class _Listener(event.Listener):
    """Stops the clock and the garbage collector, which takes a sixth of the time and frees next to nothing.

    Code from the cache is not compiled and starts no event.
    """

    def __init__(self) -> None:
        self._collected: list[bool] = []  # whether the collector was on before each running compilation

    def on_start(self, event: Any) -> None:
        kept = event.data["dispatcher"].stats.cache_path is not None
        clock.begin(kept, kept and (kernel_folder() / "precompiled").exists())
        self._collected.append(gc.isenabled())
        gc.disable()

    def on_end(self, event: Any) -> None:
        if self._collected.pop():
            gc.enable()
        clock.end()


event.register("numba:compile", _Listener())


@cache
def _source_digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()


def kernel_folder() -> Path:
    """Return the folder of DIGEST in NUMBA_CACHE_DIR or the user's cache; equal checkouts share it.

    Raises:
        RuntimeError: the user has no home.
    """
    named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return Path(named or Path("~/.cache").expanduser(), "gpulingo", "kernels", DIGEST[:16])


class _UserFolder(_CacheLocator):
    """The `kernel_folder`, if it can be written."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._line, self._stamp = function.__code__.co_firstlineno, _source_digest(file)
        self._path = kernel_folder()

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _UserFolder | None:
        with suppress(OSError, RuntimeError):  # no such file, no home, a folder that cannot be written
            locator = cls(py_func, py_file)
            locator.ensure_cache_path()
            return locator
        return None

    def ensure_cache_path(self) -> None:
        new = not self._path.exists()
        super().ensure_cache_path()
        if new:
            by_age = sorted(self._path.parent.iterdir(), key=lambda folder: folder.stat().st_mtime)
            for folder in by_age[:-VERSIONS]:
                shutil.rmtree(folder, ignore_errors=True)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):
    # numba's own come next; their names differ between versions.
    _locator_classes = [_UserFolder, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012


class _Cache(FunctionCache):
    """Machine code on disk, for the kernels of the current sources.

    numba accepts an entry until the file of the function changes, even if files that the function calls into
    have changed, and fails if a file that defines its arguments is gone. It ignores entries of another
    version of numba; here the digest is part of the version. numba numbers its files, and two processes may
    give one number to different signatures at once; here each name is unique. And numba distinguishes kernels
    of one factory by their pickled captures, which differ between processes if a capture is a kernel; here by
    the kernel's name and its captures.
    """

    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any], makes_arrays: bool) -> None:
        super().__init__(function)
        self._makes_arrays = makes_arrays
        self._cache_file._version += f" {DIGEST}"
        self._cache_file._data_name_pattern = f"{self._impl.filename_base}.{{number}}-{uuid4().hex[:8]}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored code, if any.

        numba would first load what compiling needs, a fifth of a second; only code that makes arrays
        needs it.
        """
        if self._makes_arrays:
            target_context.refresh()
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
        return None

    @contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        """Let a kernel be compiled in memory if its files cannot be read or written; remove damaged ones."""
        try:
            yield
        except OSError as error:
            clock.unkept(f"kernels cannot be stored in {self._cache_path} ({error.strerror})")
        except Exception:  # damage looks like anything
            for file in Path(self._cache_path).glob(f"{self._impl.filename_base}.*"):
                with suppress(OSError):
                    file.unlink()
            clock.tell(f"stored kernels in {self._cache_path} are damaged: compiling them again")

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple(), repr(_captured(self._py_func))


def _captured(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Return what distinguishes a function from others at the same lines: its name and its captures."""
    code, cells = function.__code__, function.__closure__ or ()
    held = (getattr(cell.cell_contents, "py_func", cell.cell_contents) for cell in cells)
    inside = [_captured(each) if hasattr(each, "__code__") else each for each in held]
    name = function.__module__, function.__qualname__, code.co_firstlineno
    return *name, sha256(code.co_code).hexdigest(), inside


class _Code(JITCodeLibrary):
    """Code of a kernel, optimised once, as a whole; numba does it by function first, cheaply, then fully."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        made = self._codegen._module_pass_manager()  # since numba 0.62 with a builder of passes
        passes, *builder = made if isinstance(made, tuple) else (made,)
        passes.run(self._final_module, *builder)


class _InnerCode(_Code):
    """Code of a part of kernels, optimised and compiled together with the kernel that it is linked into."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _Compiler(Compiler):
    _code = _Code

    def define_pipelines(self) -> Any:
        code = self._code(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        code.enable_object_caching()
        self.state.library = code
        return super().define_pipelines()


class _InnerCompiler(_Compiler):
    """A compiler that makes no machine code."""

    _code = _InnerCode

    def define_pipelines(self) -> Any:
        # The context belongs to this compilation alone; numba identifies the part by a new function.
        self.state.targetctx.get_executable = lambda *parts: [].append
        return super().define_pipelines()


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile on first use, and store the result in the user's cache folder or beside the source.

    If neither can be written and NUMBA_CACHE_DIR names no other folder, each process compiles for itself.
    A kernel makes no arrays: reference counting would take longer than the work on few words.
    """
    chosen: dict[str, Any] = {"_nrt": False, "pipeline_class": _Compiler} | options
    kernel = _njit(**chosen)(function)
    with suppress(RuntimeError):  # numba: no locator available
        kernel._cache = _Cache(kernel.py_func, chosen["_nrt"])
    return kernel


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """Return a part of kernels, which Python cannot call; compiled for them once, whatever their constants.

    It neither returns nor makes arrays.
    """
    part = _part(pipeline_class=_InnerCompiler, **options)(function)
    template = part.get_call_template
    part.get_call_template = lambda args, named: template(
        tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in named.items()}
    )
    return part


# For kernels that make arrays, even for a moment: to assign one slice to another.
making_arrays = partial(compiled, _nrt=True)

"""`gpulingo precompile`: kernels compiled ahead of their use, in two processes."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter


def precompile() -> None:
    """Compile the kernels of suggestions, simulations and solve ahead, so that no command waits for them."""
    from gpulingo.tensors.precompiled import precompiled_mark

    mark, machine = precompiled_mark()
    with suppress(OSError):
        if mark.read_bytes() == machine.encode():
            print(f"kernels are compiled: {mark.parent}")
            return
    from gpulingo.cli.run import Run
    from gpulingo.machines import precompile as ahead

    began = perf_counter()
    with Run("compiling kernels").bar(sum(map(len, ahead.TASKS))) as bar:
        ahead.precompile(bar.reach)
    with suppress(OSError):  # no folder for the user: they are stored beside the source
        mark.write_text(machine)
    print(f"kernels compiled in {perf_counter() - began:.0f} s")

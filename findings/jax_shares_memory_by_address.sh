#!/usr/bin/env bash
# jax: whether an array of jax shares the memory of a numpy array is a matter of the address of its data.
# Expected: `jax.numpy.asarray` and `from_dlpack` always copy or always share; arrays of jax never change.
# Seen: on the CPU both share if the address is a multiple of 64 bytes, else they copy. A later write to the
#   numpy array changes the array of jax in the first case and not in the second, so a loop that reuses arrays
#   works or not by where they happen to lie. `jax.numpy.array` copies in both.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check jax==0.7.2 jaxlib==0.7.2 numpy==2.2.6
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - 2> "$folder/log" <<'PYTHON'
import jax
import numpy as np

ROOM = 64  # bytes of a line of a cache
memory = np.zeros(3 * ROOM, np.uint8)
start = -memory.ctypes.data % ROOM
seen = {}
for name in ("asarray", "from_dlpack", "array"):
    for offset in (0, 16):
        rows = memory[start + offset :][:8]
        rows[:] = 0
        array = jax.block_until_ready(getattr(jax.numpy, name)(rows))
        rows[0] = 1
        seen[name, offset] = int(array[0])
        over = f"address {rows.ctypes.data % ROOM} over a multiple of {ROOM}"
        print(f"jax {jax.__version__}, {name}, {over}: {seen[name, offset]}")
expected = {("asarray", 0): 1, ("asarray", 16): 0, ("from_dlpack", 0): 1, ("from_dlpack", 16): 0}
raise SystemExit(seen != expected | {("array", 0): 0, ("array", 16): 0})
PYTHON

#!/usr/bin/env bash
# torch and jax: of a seed only the lowest 32 bits count.
# Expected: torch.manual_seed takes seeds of 64 bits, as its docstring says, and jax.random.key "a 64- or 32-bit integer"; different
#   seeds draw different numbers, so that a hash, or run << 32, makes a seed.
# Seen: 5 and 2**32 + 5 draw the same on a CPU, and so do 0, 7 << 32 and 8 << 32, without a message. jax uses all 64 bits if
#   jax_enable_x64 is set. numpy's default_rng and Python's random use all bits.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check torch==2.13.0 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import random

import jax
import numpy
import torch

MOST = 12972


def of_jax(seed):
    return jax.random.randint(jax.random.key(seed), (4,), 0, MOST).tolist()


def of_jax_x64(seed):
    with jax.enable_x64(True):
        return of_jax(seed)


ways = {
    "torch": lambda seed: torch.randint(MOST, (4,), generator=torch.Generator().manual_seed(seed)).tolist(),
    "jax": of_jax,
    "jax, x64": of_jax_x64,
    "numpy": lambda seed: numpy.random.default_rng(seed).integers(MOST, size=4).tolist(),
    "random": lambda seed: random.Random(seed).choices(range(MOST), k=4),
}
print(f"torch {torch.__version__}, jax {jax.__version__}, numpy {numpy.__version__}")
different = {}
for name, draw in ways.items():
    different[name] = [draw(5) != draw(2**32 + 5), draw(0) != draw(7 << 32), draw(7 << 32) != draw(8 << 32)]
    print(f"  {name}: 5 and 2**32 + 5, 0 and 7 << 32, 7 << 32 and 8 << 32 differ: {different[name]}")
raise SystemExit([*different.values()] != [[False] * 3] * 2 + [[True] * 3] * 3)
PYTHON

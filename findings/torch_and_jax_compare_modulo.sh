#!/usr/bin/env bash
# torch and jax: a small type is compared with a number beyond it modulo its size.
# Expected: uint8 == 456 is false and uint8 > -1 true for every entry, as numpy says, or the number is refused, as fill_, full and
#   masked_fill of torch do.
# Seen: the number wraps first, without a message. 200 == 456, no class size of uint8 is under 300 or above -1, int32 5 == 2**32 + 5 in
#   torch. In torch isin(x, 456) is true as well, and a tensor without axes wraps as a number does; an array of one entry is right in both.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check torch==2.13.0 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import numpy
import torch

sizes = numpy.array([100, 200, 44], numpy.uint8)  # of classes; 456 is 200 and 300 is 44 modulo 256
kinds = {"numpy": sizes, "torch": torch.from_numpy(sizes), "jax": jnp.asarray(sizes)}
print(f"numpy {numpy.__version__}, torch {torch.__version__}, jax {jax.__version__}: uint8 {sizes.tolist()}")
seen = {}
for name, row in kinds.items():
    seen[name] = [(row == 456).tolist(), (row < 300).tolist(), (row > -1).tolist()]
    print(f"  {name}: == 456 {seen[name][0]}, < 300 {seen[name][1]}, > -1 {seen[name][2]}")
tensor = kinds["torch"]
others = {
    "torch, int32 5 == 2**32 + 5": bool(torch.tensor([5], dtype=torch.int32) == 2**32 + 5),
    "torch, isin(.., 456)": torch.isin(tensor, 456).any().item(),
    "torch, == tensor(456)": (tensor == torch.tensor(456)).any().item(),
    "torch, == tensor([456])": (tensor == torch.tensor([456])).any().item(),
    "jax, == array([456])": (kinds["jax"] == jnp.array([456])).any().item(),
}
print(others)
try:
    refused = tensor.clone().fill_(456) is None
except RuntimeError as error:
    refused = True
    print(f"torch, fill_(456): {error}")
no, yes = [False] * 3, [True] * 3
wrong = [[False, True, False], no, no]
right = seen["numpy"] == [no, yes, yes]
raise SystemExit(not (right and seen["torch"] == seen["jax"] == wrong and refused and [*others.values()] == [*yes, False, False]))
PYTHON

#!/usr/bin/env bash
# torch: sums of float32 weights by class stop at 16,777,216.
# Expected: torch.bincount with weights gives what numpy.bincount gives, or at least what torch.sum gives for one class.
# Seen: on a CPU torch.bincount, index_add_ and scatter_add_ add float32 one by one in float32, so that a class of weights 1 stays
#   at 2**24 whatever follows. numpy.bincount adds in float64, and torch.sum of the same float32 weights is right.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy
import torch

count = 2**24 + 5000
classes, weights = torch.zeros(count, dtype=torch.int64), torch.ones(count)
sums = {
    "torch.bincount": torch.bincount(classes, weights=weights).item(),
    "index_add_": torch.zeros(1).index_add_(0, classes, weights).item(),
    "scatter_add_": torch.zeros(1).scatter_add_(0, classes, weights).item(),
    "torch.sum": weights.sum().item(),
    "numpy.bincount": numpy.bincount(classes.numpy(), weights=weights.numpy()).item(),
}
print(f"torch {torch.__version__}, numpy {numpy.__version__}, {count:,} weights of 1 in one class:")
for name, value in sums.items():
    print(f"  {name} {value:,.0f}")
raise SystemExit([*sums.values()] != [2**24] * 3 + [count] * 2)
PYTHON

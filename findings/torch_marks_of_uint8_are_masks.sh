#!/usr/bin/env bash
# torch: marks kept as uint8 are no indices but a mask, and a single mark is one without a warning.
# Expected: with marks 0, 1, 2 for absent, misplaced and placed, table[marks] is a row of the table for each mark, as for numpy and for marks
#   of any other type that torch takes; embedding, gather and index_select refuse uint8.
# Seen: for three marks, table[marks] has the rows whose mark is not 0, with one deprecation warning in a process. table[marks[0]] is
#   the empty tensor for an absent letter and the whole table under a new axis for the others, without any. Right: marks.int().
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import numpy
import torch

table = torch.tensor([[0, 0], [10, 11], [20, 21]])  # a row for absent, misplaced, placed
marks = torch.tensor([2, 0, 1], dtype=torch.uint8)
print(f"torch {torch.__version__}, numpy {numpy.__version__}, marks {marks.tolist()}")
seen = {}
for name, pick in {
    "one mark, placed": lambda: table[marks[0]],
    "one mark, absent": lambda: table[marks[1]],
    "three marks": lambda: table[marks],
    "three marks, int": lambda: table[marks.int()],
    "three marks, numpy": lambda: table.numpy()[marks.numpy()],
}.items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        seen[name] = pick().tolist(), len(caught)
    print(f"  {name}: {seen[name][0]}, warnings {seen[name][1]}")
rows = table.tolist()
right = [rows[2], rows[0], rows[1]]
expected = [([rows], 0), ([], 0), ([rows[0], rows[2]], 1), (right, 0), (right, 0)]
raise SystemExit([*seen.values()] != expected)
PYTHON

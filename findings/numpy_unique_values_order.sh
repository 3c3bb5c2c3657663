#!/usr/bin/env bash
# numpy: `unique_values` is in no order, while `unique`, `unique_counts` and `unique_inverse` ascend; torch's twin ascends.
# Expected: the four functions of the array API standard agree, as they do for tensors, and their docstrings speak of sorting.
# Seen: seven whole numbers come back in another order than ascending, and not in that of their first places either.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy

row = numpy.array([20, 23, 26, 38, 46, 47, 47, 3], dtype=numpy.int32)
values, counted, inverse = numpy.unique_values(row), numpy.unique_counts(row).values, numpy.unique_inverse(row).values
print(f"numpy {numpy.__version__}: unique_values {values.tolist()}, unique_counts {counted.tolist()}")
ascends = [list(found) == sorted(set(row.tolist())) for found in (values.tolist(), counted.tolist(), inverse.tolist())]
places = values.tolist() == list(dict.fromkeys(row.tolist()))
print(f"ascending: {ascends}, by first place: {places}")
raise SystemExit(ascends != [False, True, True] or places)
PYTHON

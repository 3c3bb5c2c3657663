#!/usr/bin/env bash
# dask: sums of products and of weights in uint8 depend on the chunks, and are called uint64.
# Expected: chunks change time and memory alone; what says that it is uint64 is added in 64 bits, as dask's own sum is.
# Seen: histogram with weights, dot, tensordot and einsum add in uint8 inside a chunk, without a message, and in uint64 from chunk to
#   chunk. 45,300 words in one bin are 45,300 in chunks of one, 1,780 in chunks of ten and 244 in one chunk; tests on small chunks are right.
#   numpy.histogram wraps too, but says uint8, as its documentation warns. Right: bincount, or counts in int64.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check numpy==2.4.6 "dask[array]==2026.8.0"
"$folder/venv/bin/python" -W error - <<'PYTHON'
import dask
import dask.array as da
import numpy

turns = numpy.full(300, 4)
counts = numpy.array([200, 250, 3] * 100, dtype=numpy.uint8)  # words behind each


def added(size):
    row, weights = da.from_array(turns, chunks=size), da.from_array(counts, chunks=size)
    ones = da.ones_like(weights)
    made = {
        "sum": weights.sum(),
        "bincount": da.bincount(row, weights=weights, minlength=5)[4],
        "histogram": da.histogram(row, bins=[3.5, 4.5], weights=weights)[0][0],
        "dot": da.dot(ones, weights),
        "tensordot": da.tensordot(ones, weights, axes=1),
        "einsum": da.einsum("i,i->", ones, weights),
    }
    values = {name: int(value.compute()) for name, value in made.items()}
    print(f"  chunks of {size}: {values}")
    return [*values.values()], {name: str(value.dtype) for name, value in made.items()}


print(f"numpy {numpy.__version__}, dask {dask.__version__}, {counts.sum(dtype=int):,} words")
(ones, kinds), (tens, _), (whole, _) = map(added, (1, 10, 300))
print(f"  types: {kinds}")
wide = {kinds[name] for name in ("histogram", "dot", "tensordot", "einsum")} == {"uint64"}
right, wrong = [45300] * 2, [244] * 4
raise SystemExit(not (wide and ones == [45300] * 6 and tens == [*right, *[1780] * 4] and whole == [*right, *wrong]))
PYTHON

#!/usr/bin/env bash
# numpy: the logarithm of an array of uint8 is float16, that of uint16 float32.
# Expected: numpy.log2 of whole numbers is float64, as numpy.mean and a division give it; the bits of a guess, log2 T - sum of n log2 n / T,
#   do not depend on the type of the class sizes.
# Seen: sizes kept as uint8 to save memory have logarithms of three digits, products and sums stay in float16: of two guesses the worse
#   has more bits, and 150 classes of 100 words have -inf, as the sum is beyond 65,504. sqrt and exp do the same.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy


def bits(sizes):
    total = sizes.sum()
    return round(float(numpy.log2(total) - (sizes * numpy.log2(sizes)).sum() / total), 4)


openings = {
    "first": [21, 8, 7, 5, 5, 4, 4, 4, 2],
    "second": [18, 11, 9, 6, 5, 3, 3, 3, 2],
    "150 classes": [100] * 150,
}
print(f"numpy {numpy.__version__}")
types = {kind: numpy.log2(numpy.ones(1, kind)).dtype.name for kind in ("uint8", "int16", "int32", "int64")}
print(f"types of log2: {types}, of mean {numpy.ones(1, 'uint8').mean().dtype}, of a quotient {(numpy.ones(1, 'uint8') / 3).dtype}")
seen = {}
for name, sizes in openings.items():
    seen[name] = [bits(numpy.array(sizes, kind)) for kind in ("int64", "uint8")]
    print(f"  {name}: {sum(sizes):,} words, {seen[name][0]} bits from int64, {seen[name][1]} from uint8")
turned = seen["first"][0] < seen["second"][0] and seen["first"][1] > seen["second"][1]
rows = [*types.values()] == ["float16", "float32", "float64", "float64"]
raise SystemExit(not (rows and turned and seen["150 classes"] == [7.2288, -numpy.inf]))
PYTHON

#!/usr/bin/env bash
# polars: counts of classes are UInt32 and wrap, and the mean of a row of small numbers is not their mean.
# Expected: len() and value_counts() give numbers that can be added up: sums of UInt8 and UInt16 become Int64, so those of UInt32 do too, or
#   overflow is an error; mean_horizontal is a mean.
# Seen: the sum of squared class sizes over many openings, whose mean is the expected size, is off by a multiple of 2**32, in group_by, SQL
#   and dot alike. sum_horizontal stays UInt8, and mean_horizontal of three columns of 200 is 29.33. Right: sizes cast to Int64.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check polars==2.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import polars as pl

OPENINGS, CLASSES, SIZE = 1000, 20, 500  # 1,000 guesses, each of which splits 10,000 words into classes of 500
one = pl.DataFrame({"mark": [mark for mark in range(CLASSES) for _ in range(SIZE)]})
sizes = one.group_by("mark").agg(pl.len().alias("size"))
every = pl.concat([sizes] * OPENINGS)
right = OPENINGS * CLASSES * SIZE * SIZE
size = pl.col("size")
sums = {
    "sum": every.select((size * size).sum()).item(),
    "dot": every.select(size.dot(size)).item(),
    "SQL": pl.sql("SELECT SUM(size * size) AS s FROM every", eager=True).item(),
    "Int64": every.select((size.cast(pl.Int64) ** 2).sum()).item(),
}
print(f"polars {pl.__version__}: class sizes are {sizes['size'].dtype}, squares add up to {right:,}")
for name, value in sums.items():
    print(f"  {name}: {value:,}")
row = pl.DataFrame({name: pl.Series([200], dtype=pl.UInt8) for name in "abc"})
means = row.mean_horizontal().item(), pl.Series([200] * 3, dtype=pl.UInt8).mean()
print(f"200, 200, 200 as UInt8: mean_horizontal {means[0]:.2f}, mean of a column {means[1]:.2f}")
wraps = [value == right % 2**32 for value in sums.values()] == [True, True, True, False]
raise SystemExit(not (wraps and sums["Int64"] == right and [round(mean, 2) for mean in means] == [29.33, 200.0]))
PYTHON

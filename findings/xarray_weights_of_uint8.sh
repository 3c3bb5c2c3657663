#!/usr/bin/env bash
# xarray and dask: a mean weighted by counts in uint8 is not between the least and the greatest value.
# Expected: weighted(counts).mean() and average(weights=counts) are as numpy.average: 443.5 points of 300, 400 and 500, in whatever type
#   the words behind each are counted.
# Seen: xarray adds the weights in uint8, 45,300 as 244, so that the weighted mean of points in float64 is 82,336; with uint16 it is
#   right until they pass 65,535. dask's average is right there, but where values are uint8 too, a mean of at least 3 is 0.24.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check xarray==2026.9.0 "dask[array]==2026.8.0" numpy==2.4.6 pandas==3.1.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import dask
import dask.array
import numpy
import xarray

points = numpy.array([500.0, 400.0, 300.0] * 100)
counts = numpy.array([200, 250, 3] * 100, dtype=numpy.uint8)
right = numpy.average(points, weights=counts)
print(f"numpy {numpy.__version__}: {right:.3f}, weights of {counts.sum()} in total")


def by_xarray(kind):
    weighted = xarray.DataArray(points).weighted(xarray.DataArray(counts.astype(kind)))
    return weighted.mean().item(), weighted.sum_of_weights().item()


small, wide = by_xarray("uint8"), by_xarray("int64")
print(f"xarray {xarray.__version__}: uint8 {small[0]:,.3f}, weights of {small[1]:.0f}; int64 {wide[0]:.3f}")
of_points = dask.array.average(dask.array.from_array(points), weights=dask.array.from_array(counts)).compute()
both = dask.array.from_array(counts)
of_counts, by_numpy = dask.array.average(both, weights=both).compute(), numpy.average(counts, weights=counts)
print(f"dask {dask.__version__}: {of_points:.3f}; values in uint8 too {of_counts:.3f}, numpy {by_numpy:.3f}")
wrong = round(small[0]) == 82336 and small[1] == 45300 % 256 and round(of_counts, 2) == 0.24 and by_numpy > 200
raise SystemExit(not (wrong and numpy.allclose([wide[0], of_points], right)))
PYTHON

#!/usr/bin/env bash
# numba: sorted() and list.sort() do not keep the order of equals, beyond 15 entries.
# Expected: sorting guesses by a key leaves equals in the order of the list, as Python guarantees; the documentation names quicksort for its
#   "different performance characteristics" alone.
# Seen: the same function gives another order of guesses with as many classes when it is compiled, so another best guess. Lists of up to
#   15 entries are sorted by insertion and agree, which hides it from small tests. numpy.argsort(kind="stable") is right there.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numba
import numpy


def ranked(classes):
    guesses = [(number, guess) for guess, number in enumerate(classes)]
    return [guess for _, guess in sorted(guesses, key=lambda pair: -pair[0])]


def by_numpy(classes):
    return numpy.argsort(-classes, kind="stable")


print(f"numba {numba.__version__}, numpy {numpy.__version__}")
same = {}
for count in (15, 16, 100):
    classes = numpy.array([3 + guess % 3 for guess in range(count)])
    python, compiled = ranked(classes), numba.njit(ranked)(classes)
    numbers = [[int(classes[guess]) for guess in order] for order in (python, compiled)]
    stable = numba.njit(by_numpy)(classes).tolist() == python
    same[count] = compiled == python, numbers[0] == numbers[1], stable
    print(f"  {count} guesses, most classes first: Python {python[:4]} .., compiled {[*map(int, compiled[:4])]} ..: {same[count]}")
raise SystemExit(same != {15: (True, True, True), 16: (False, True, True), 100: (False, True, True)})
PYTHON

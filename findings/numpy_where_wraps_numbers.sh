#!/usr/bin/env bash
# numpy: where(found, turns, -1) is 255 where turns are uint8, though numpy 2 refuses such numbers elsewhere.
# Expected: as NEP 50 has it, a Python number that does not fit is an OverflowError, as in maximum, x[0] = -1 and full_like;
#   numpy 1 made int16 of it, and -1 stayed -1.
# Seen: where, select and choose take -1 for 255 and 300 for 44, without a message: a mark for "not found" becomes a turn, and is no
#   longer below 0. numpy.ma.where and where with an array, numpy.int8(-1), keep it. numpy.pad wraps as well.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check numpy==2.4.6
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy

turns = numpy.array([3, 6], dtype=numpy.uint8)
found = turns < 6
makers = {
    "where(.., -1)": lambda: numpy.where(found, turns, -1),
    "where(.., 300)": lambda: numpy.where(found, turns, 300),
    "select(.., -1)": lambda: numpy.select([found], [turns], -1),
    "choose(.., -1)": lambda: numpy.choose([0, 1], [turns, -1]),
    "pad(.., -1)": lambda: numpy.pad(turns[:1], (0, 1), constant_values=-1),
    "where(.., int8(-1))": lambda: numpy.where(found, turns, numpy.int8(-1)),
    "ma.where(.., -1)": lambda: numpy.ma.where(found, turns, -1),
    "maximum(.., -1)": lambda: numpy.maximum(turns, -1),
    "full_like(.., -1)": lambda: numpy.full_like(turns, -1),
    "x[1] = -1": lambda: turns.copy().__setitem__(1, -1),
}
seen = {}
for name, make in makers.items():
    try:
        made = make()
        seen[name] = made.tolist()
        print(f"  {name}: {made.tolist()} {made.dtype}")
    except OverflowError as error:
        seen[name] = "refused"
        print(f"  {name}: {error}")
print(f"numpy {numpy.__version__}")
wrapped = [3, 255], [3, 44], [3, 255], [3, 255], [3, 255]
raise SystemExit([*seen.values()] != [*wrapped, [3, -1], [3, -1], *["refused"] * 3])
PYTHON

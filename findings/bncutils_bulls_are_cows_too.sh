#!/usr/bin/env bash
# bncutils: its marks name the cows first, and the cows have the bulls among them.
# Expected: as the game is usually described, bulls are digits in their place and cows digits elsewhere; 1234 for 1243
#   is 2 bulls and 2 cows, a win 4 bulls and no cow, and three bulls with one cow cannot be.
# Seen: calc_bulls_and_cows returns (cows, bulls), cows are all digits in common: (4, 2), a win is (4, 4). Read as bulls and
#   cows elsewhere, (1, 1) for 1 bull alone is another answer that can be, so no program notices that marks are mixed up.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps bncutils==0.0.5 \
    sqlalchemy==2.1.9 typing-extensions==4.16.0 pyyaml==6.0.4
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from bncutils.bnc_lib import calc_bulls_and_cows

marks = {guess: calc_bulls_and_cows("1243", guess) for guess in ("1234", "1243", "1567", "5167")}
print(f"bncutils {version('bncutils')}: the number is 1243, marks are {marks}")
raise SystemExit(marks != {"1234": (4, 2), "1243": (4, 4), "1567": (1, 1), "5167": (1, 0)})
PYTHON

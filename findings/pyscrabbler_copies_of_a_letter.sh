#!/usr/bin/env bash
# pyscrabbler: the words of a rack use all copies of a letter or none, and case decides whether copies count at all.
# Expected: a word may use each tile of the rack once at most, so a rack with two e spells words with one e as well; and
#   upper or lower case makes no difference.
# Seen: filterRepeats drops words whose number of a letter is not that of the rack, fewer too: of AEEGRST, "age" is missing
#   and "agree" there. A rack in lower case is compared with words in upper case, so nothing is dropped: "stagger" is there with two g.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check --no-deps pyscrabbler==1.1.2
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from pyscrabbler import getScrabbleWords

words = ("AGE", "AGREE", "STAGGER")
shown = {}
for rack in ("AEEGRST", "aeegrst"):
    spelled = {word for word, points in getScrabbleWords(rack)}
    shown[rack] = [word for word in words if word in spelled]
    print(f"pyscrabbler {version('pyscrabbler')}: of {' '.join(words)} the rack {rack} spells {' '.join(shown[rack])}")
raise SystemExit(shown != {"AEEGRST": ["AGREE"], "aeegrst": [*words]})
PYTHON

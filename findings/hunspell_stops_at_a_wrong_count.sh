#!/usr/bin/env bash
# hunspell: one wrong number in a dictionary, and most of its rules are gone without a message.
# Expected: the words of a published dictionary are those of its rules; where a count of rules is wrong, hunspell says so, or
#   loses the rules beyond it.
# Seen: in the .aff of dictionary-hy 1.0.1 (Armenian) the block VD says 171 rules and has 172. hunspell 1.7 stops reading there,
#   and of the rules before it uses few: of 3,835 entries with a common ending it accepts 99; with 172 in that line, 2,884.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check chunspell==2.0.5
cd "$folder" && npm pack --silent dictionary-hy@1.0.1 > pack && tar xzf dictionary-hy-1.0.1.tgz
venv/bin/python - <<'PYTHON'
import re
from importlib.metadata import version
from pathlib import Path

from hunspell import Hunspell

folder = Path("package")
rules, entries = folder.joinpath("index.aff").read_text("utf-8"), folder.joinpath("index.dic").read_text("utf-8")
wrong = re.compile(r"^(SFX\s+VD\s+Y\s+)171$", re.MULTILINE)
assert len(wrong.findall(rules)) == 1
assert len(re.findall(r"^SFX\s+VD\s", rules, re.MULTILINE)) == 173  # the head and 172 rules
folder.joinpath("fixed.aff").write_text(wrong.sub(r"\g<1>172", rules), "utf-8")
folder.joinpath("fixed.dic").write_text(entries, "utf-8")
words = [entry.split("/")[0] + "\u056b" for entry in entries.split("\n")[1:4001] if "/" in entry]
counts = []
for name in ("index", "fixed"):
    dictionary = Hunspell(name, hunspell_data_dir=str(folder.resolve()))
    counts.append(sum(map(dictionary.spell, words)))
print(f"chunspell {version('chunspell')}, dictionary-hy 1.0.1: of {len(words):,} words accepted: {counts}")
raise SystemExit(counts != [99, 2884])
PYTHON

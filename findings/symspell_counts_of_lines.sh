#!/usr/bin/env bash
# symspellpy: its lists have other numbers of lines than their names say, and some counts are not counts.
# Expected: frequency_dictionary_en_82_765.txt has 82,765 words, the list of pairs ..en_243_342.txt has 243,342, both by falling
#   count, and each count is how often a word was seen.
# Seen: 82,834 words and 242,342 pairs (one digit of the name differs). The last 67 words are out of order, all with the
#   count 300,000, which puts "don't", "hi" and "covid" above half of the others; the pairs are not ordered by count.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check symspellpy==6.9.0
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version
from importlib.resources import files

rows = {}
for name in ("frequency_dictionary_en_82_765", "frequency_bigramdictionary_en_243_342"):
    lines = (files("symspellpy") / f"{name}.txt").read_text("utf-8").splitlines()
    rows[name] = [line.rsplit(" ", 1) for line in lines]
words, pairs = rows.values()
counts = [int(count) for _, count in words]
tail = len(counts) - next(at for at, count in enumerate(reversed(counts)) if count != 300_000)
added = [word for word, _ in words[tail:]]
above = sum(count < 300_000 for count in counts) / len(counts)
print(f"symspellpy {version('symspellpy')}: {len(words):,} words, {len(pairs):,} pairs")
print(f"falling counts up to line {tail:,}: {counts[:tail] == sorted(counts[:tail], reverse=True)}")
print(f"then {len(added)} words with 300,000, above {above:.0%} of all: {added[:3]} .. {added[-2:]}")
falling = [int(count) for _, count in pairs] == sorted((int(count) for _, count in pairs), reverse=True)
seen = len(words), len(pairs), tail, len(added), {"don't", "hi", "covid"} <= {*added}, falling
print(f"pairs by falling count: {falling}")
raise SystemExit(seen != (82_834, 242_342, 82_767, 67, True, False))
PYTHON

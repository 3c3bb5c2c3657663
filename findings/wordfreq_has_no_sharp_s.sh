#!/usr/bin/env bash
# wordfreq: its German words have no ß, so some have other lengths and others are two words in one.
# Expected: the words of German are spelled as in German: straße has six letters, weiß four; masse and maße are two words.
# Seen: no word of its 50,000 most frequent has ß, because words are folded by str.casefold, which makes ss of it: strasse, weiss, heisst.
#   word_frequency folds what it is asked too, so a look-up shows nothing of it: maße has the frequency of masse. Umlauts stay.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --disable-pip-version-check wordfreq==3.1.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from wordfreq import top_n_list, word_frequency

words = top_n_list("de", 50_000)
print(f"wordfreq {version('wordfreq')}: {len(words):,} words, {sum('ß' in word for word in words)} with ß,"
      f" {sum('ü' in word for word in words):,} with ü")
listed = [word for word in ("strasse", "weiss", "heisst", "straße", "weiß", "heißt") if word in words]
print(f"listed: {listed}")
pairs = [(word_frequency(one, "de"), word_frequency(other, "de")) for one, other in (("straße", "strasse"), ("maße", "masse"))]
print(f"straße and strasse, maße and masse: {pairs}")
same = all(one == other > 0 for one, other in pairs)
raise SystemExit(not (listed == ["strasse", "weiss", "heisst"] and not any("ß" in word for word in words) and same))
PYTHON

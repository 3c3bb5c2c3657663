#!/usr/bin/env bash
# jieba: its pickles are ASCII text.
# Expected: a pickle of a package for Python 3 begins with byte 0x80 and its protocol, and is not UTF-8, so that a reader of text
#   refuses it by its bytes.
# Seen: the seven files *.p are protocol 0, begin with "(dp0" and are pure ASCII: they pass for a text of short lines. CPython does
#   not load them: modules of the same names beside them hold the same numbers.
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q download --disable-pip-version-check --no-deps --no-binary jieba -d "$folder" \
    jieba==0.42.1
"$folder/venv/bin/python" - "$folder/jieba-0.42.1.tar.gz" <<'PYTHON'
import pickletools
import sys
import tarfile

seen = {}
with tarfile.open(sys.argv[1]) as archive:
    for member in archive.getmembers():
        if member.name.endswith(".p"):
            data = archive.extractfile(member).read()
            protocol = max(code.proto for code, _, _ in pickletools.genops(data))
            name = "/".join(member.name.split("/")[-2:])
            seen[name] = data[:4], data.isascii(), protocol
            print(f"jieba 0.42.1 {name}: begins {data[:4]}, ASCII {data.isascii()}, protocol {protocol}")
raise SystemExit(len(seen) != 7 or {*seen.values()} != {(b"(dp0", True, 0)})
PYTHON

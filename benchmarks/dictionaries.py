#!/usr/bin/env python3
"""Words of Hunspell dictionaries, judged by hunspell itself; prints the table of docs/howto/own-language.md.

    python benchmarks/dictionaries.py [FOLDER] [LANGUAGE ..]

Needs npm, apt-get and hunspell 1.7. The packages are unpacked into FOLDER, by default a temporary one. Of
every word of 5 letters that gpulingo makes, `hunspell -l` should refuse none. Of 20,000 strings from the
other dictionaries, gpulingo should have all that hunspell accepts with rules for compounds taken out.
Exit code 1 if not; hunspell's own faults are in KNOWN. Seconds are CPU seconds, MB the peak of the process.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from time import process_time

from gpulingo.words.letters import enter
from gpulingo.words.listing import read

NPM = {
    "en": "4.0.0", "nl": "2.0.0", "de": "3.0.0", "fr": "3.0.0", "es": "4.0.0", "it": "2.0.0", "pt": "4.0.0",
    "sv": "4.0.0", "da": "6.0.0", "pl": "2.0.0", "eu": "3.2.0", "ca": "3.0.0", "tr": "2.0.0",
}  # fmt: skip
DEBIAN = {"hu": ("hunspell-hu", "1:7.5.0-1", "hu_HU")}  # the flags of npm's were recoded, see docs
STRINGS, LENGTH, SEED = 20_000, 5, 71
# An entry in capitals hides another one from hunspell 1.7.1, whose forms it then refuses.
KNOWN = {"eu": {"Elako"}}
_COMPOUNDS = re.compile(rb"\s*(COMPOUND(FLAG|BEGIN|MIDDLE|END|FIRST|LAST|RULE)|CHECKCOMPOUND\w*|BREAK)\b")


def install(name: str, folder: Path) -> str:
    """Put NAME.dic and NAME.aff of a language into a folder; return package and version."""
    quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if name in NPM:
        package, version, stem = f"dictionary-{name}", NPM[name], "package/index"
        if not (folder / f"{name}.dic").exists():
            subprocess.run(["npm", "pack", f"{package}@{version}"], **quiet)
            with tarfile.open(folder / f"{package}-{version}.tgz") as archive:
                archive.extractall(folder / name, filter="data")
    else:
        package, version, place = DEBIAN[name]
        stem = f"usr/share/hunspell/{place}"
        if not (folder / f"{name}.dic").exists():
            subprocess.run(["apt-get", "download", f"{package}={version}"], **quiet)
            archive_name = next(folder.glob(f"{package}_*.deb")).name
            subprocess.run(["dpkg", "-x", archive_name, name], **quiet)
    for ending in ("dic", "aff"):
        if not (folder / f"{name}.{ending}").exists():
            (folder / f"{name}.{ending}").write_bytes((folder / name / f"{stem}.{ending}").read_bytes())
    return f"{package} {version}"


def measure(path: str) -> None:
    """Print the words of one length as JSON: as the dictionary has them, and in lower case."""
    listing = read(path)
    words = listing.of_length(LENGTH)
    seconds, megabytes = process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    written = [line for line in listing.data.decode().split("\n") if words.enter(line) in words]
    print(json.dumps([listing._forms.entries, written, words.turkish, len(words), seconds, megabytes]))


def accepted(words: list[str], stem: Path) -> list[str]:
    """Return the words that hunspell accepts."""
    command = ["hunspell", "-i", "utf-8", "-l", "-d", str(stem)]
    found = subprocess.run(command, input="\n".join([*words, ""]), capture_output=True, text=True, check=True)
    refused = {*found.stdout.split("\n")}
    return [word for word in words if word not in refused]


def without_compounds(stem: Path) -> Path:
    """Return the stem of a copy whose rules accept no compounds."""
    lines = [
        line for line in stem.with_suffix(".aff").read_bytes().split(b"\n") if not _COMPOUNDS.match(line)
    ]
    copy = stem.with_name(f"{stem.name}-plain")
    copy.with_suffix(".aff").write_bytes(b"\n".join([*lines, b"BREAK 0", b""]))
    copy.with_suffix(".dic").write_bytes(stem.with_suffix(".dic").read_bytes())
    return copy


def main(folder: Path, names: list[str]) -> int:
    """Print the table; return 1 if a dictionary breaks the law."""
    packages, read = {name: install(name, folder) for name in names}, {}
    for name in names:
        command = [sys.executable, __file__, "--measure", str(folder / f"{name}.dic")]
        read[name] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    print("| dictionary | entries | words of 5 letters | refused | accepted of 20,000 | missing | s | MB |")
    print("|---|---|---|---|---|---|---|---|")
    broken = 0
    for name, (entries, written, turkish, count, seconds, megabytes) in read.items():
        refused = {*written}.difference(accepted(written, folder / name), KNOWN.get(name, ()))
        others = sorted({word for other, row in read.items() if other != name for word in row[1]})
        drawn = random.Random(SEED).sample(others, min(STRINGS, len(others)))
        valid = accepted(drawn, without_compounds(folder / name))
        has = {enter(word, turkish) for word in written}
        missing = [word for word in valid if enter(word, turkish) not in has]
        cells = entries, count, len(refused), len(valid), len(missing)
        print(
            f"| {packages[name]} | {' | '.join(f'{n:,}' for n in cells)} | {seconds:.1f} | {megabytes} |",
            flush=True,
        )
        if refused or missing:
            broken = 1
            print(f"{name}: refused {sorted(refused)[:9]}, missing {missing[:9]}", file=sys.stderr)
    return broken


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2])
    else:
        chosen = [name for name in sys.argv[1:] if name in {**NPM, **DEBIAN}]
        given = [Path(name) for name in sys.argv[1:] if name not in chosen]
        with tempfile.TemporaryDirectory() as temporary:
            os.environ["LC_ALL"] = "C.UTF-8"
            sys.exit(main((given or [Path(temporary)])[0], chosen or [*NPM, *DEBIAN]))

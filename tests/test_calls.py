"""Calls of the library: calls.tsv has expressions and what they give, or ! and the kind and line of an error.

A section is named by its modules, whose names its rows have, each in a folder of its own; a row `name = ..`
keeps a value for the rows below. A … matches any signs.
"""

import bz2
import gzip
import importlib
import io
import json
import lzma
import pickle
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
import torch

from gpulingo.cli.wording import worded
from gpulingo.storage.npz import header_text, npy, pack, unpack
from gpulingo.words.listing import parse
from gpulingo.words.wordlist import WordList

SECTIONS = {}
for row in Path(__file__).with_name("calls.tsv").read_text(encoding="utf-8").splitlines():
    if row.startswith("# "):
        rows = SECTIONS.setdefault(row[2:], [])
    elif row:
        rows.append((*row.split("\t"), "")[:2])


def ints(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def longs(*numbers):
    return torch.tensor(numbers, dtype=torch.int64)


def file(content, name="a"):
    """The name of a file with a text or bytes."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def changed(path, names, **arrays):
    """A copy of a file of arrays with others, of the same types; a header gets other fields."""
    members = unpack(Path(path).read_bytes(), names, ("weights",))
    for name, values in arrays.items():
        before = np.load(io.BytesIO(members[name]))
        if isinstance(values, dict):
            values = header_text(json.loads(before.tobytes()) | values)
        if isinstance(values, str):
            values = [*values.encode()]
        members[name] = values if isinstance(values, bytes) else npy(values, before.dtype.str[1:])
    return file(pack([*members.items()]), "changed.npz")


HELPERS = {
    "np": np, "torch": torch, "io": io, "json": json, "replace": replace, "Path": Path, "npy": npy,
    "parse": parse, "WordList": WordList, "ints": ints, "longs": longs, "file": file, "changed": changed,
    "bz2": bz2, "gzip": gzip, "lzma": lzma, "pickle": pickle, "sha256": sha256, "normalize": normalize,
}  # fmt: skip


def given(call, names):
    """What a call gives, or ! and its error, which is one line."""
    try:
        return repr(eval(call, names))
    except Exception as error:
        text = worded(error)
        assert "\n" not in text
        return f"! {type(error).__name__}: {text}"


@pytest.mark.parametrize("section", SECTIONS)
def test_a_call_gives_what_it_says_or_fails_in_one_line(section, tmp_path, monkeypatch, words22, grown):
    monkeypatch.chdir(tmp_path)
    names = {**HELPERS, "words22": words22, "grown": grown}
    for module in section.split():
        names |= vars(importlib.import_module(f"gpulingo.{module}"))
    for call, wanted in SECTIONS[section]:
        if setting := re.match(r"(\w+) = ", call):
            names[setting[1]] = eval(call[setting.end() :], names)
            continue
        seen = given(call, names)
        assert re.fullmatch(".*".join(map(re.escape, wanted.split("…"))), seen), (call, seen)

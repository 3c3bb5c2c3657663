"""Requests that are refused: a line and a status, as refusals.tsv has them; a … is a folder of this machine.

Its rows have a list, small or embedded; the name of a request; its status; what was sent; and the message.
"""

import json
import re
from pathlib import Path

import pytest

from gpulingo.web.requests import RequestError, Setting
from gpulingo.web.service import Service

from .conftest import ended, refused

ROWS = {}
for row in Path(__file__).with_name("refusals.tsv").read_text(encoding="utf-8").splitlines():
    place, name, *rest = row.split("\t")
    ROWS.setdefault((place, name), []).append(rest)


def asked(service, name, record):
    """The answer of a service to a request."""
    if name == "keep":
        return service.keep(record)
    return service.asked[name](record) if name in service.asked else ended(service.searched[name](record))


@pytest.fixture
def services(setting):
    """Of a small list, and of the embedded one."""
    embedded = Setting(lambda: None, device="cpu")
    return {"small": Service(setting), "embedded": Service(embedded)}


@pytest.mark.parametrize(("place", "name"), ROWS)
def test_what_is_no_request_is_told_in_a_line(services, place, name, monkeypatch):
    if place == "embedded":
        Path("wordlist.txt").unlink()
    for status, record, said in ROWS[place, name]:
        with pytest.raises(RequestError) as raised:
            asked(services[place], name, json.loads(record))
        told = re.fullmatch(".*".join(map(re.escape, said.split("…"))), str(raised.value))
        assert told and raised.value.status == int(status), (record, raised.value)
        assert "--" not in said or name != "review-read"  # which names no options


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("suggest", {"history": ["bones:XXXXX"] * 33}, "at most 32 guesses"),
        ("suggest", {"history": ["b" * 500 + ":X"]}, "too long"),
        ("review", {"history": ["bones:XXXXX"] * 33}, "at most 32 guesses"),
        ("review", {"history": ["b" * 500 + ":X"]}, "too long"),
        ("review-read", {"text": "a" * 20_001}, "more than 20,000 characters"),
        ("play-guess", {"round": "x", "guess": "d" * 500, "turn": 1}, "500 characters, expected at most"),
        ("atlas-branch", {"game": "lingo5", "length": 5, "path": ["XXXXX"] * 256}, "at most 255 marks"),
        ("atlas-branch", {"game": "lingo" * 99, "length": 5}, "too long"),
    ],
)
def test_what_is_too_long_is_told_in_a_line(services, name, record, said):
    with refused(said):
        asked(services["small"], name, record)

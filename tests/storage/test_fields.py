"""Records against a table of valid values: valid ones are returned, the first invalid one is reported."""

import re

import pytest

from gpulingo.storage import fields
from gpulingo.storage.fields import checked, parsed_json

FIELDS = {
    "turns": fields.whole(1, 255),
    "words": fields.whole(1),
    "points": fields.decimal(0, 500),
    "seconds": fields.number(),
    "name": fields.text,
    "kept": fields.flag,
    "list": fields.fingerprint,
    "rule": fields.one_of("head", "letters"),
    "bound": fields.or_none(fields.decimal()),
    "counts": fields.list_of(fields.whole()),
}
GOOD = {
    "turns": 5, "words": 22, "points": 312.5, "seconds": 3, "name": "", "kept": False, "list": "0f" * 32,
    "rule": "head", "bound": None, "counts": [0, 3],
}  # fmt: skip


def test_a_record_that_fits_comes_back_in_the_order_of_its_fields():
    assert checked(GOOD, FIELDS) == GOOD
    turned = dict(reversed(GOOD.items()))
    assert list(checked(turned, FIELDS)) == list(FIELDS)
    assert checked(GOOD | {"bound": 3.5, "seconds": 0.5}, FIELDS)["bound"] == 3.5


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("turns", 0, "turns 0, expected 1 to 255"),
        ("turns", True, "turns True, expected 1 to 255"),
        ("words", "22", "words '22', expected a whole number from 1 on"),
        ("words", 1 << 63, f"words {1 << 63}, expected a whole number from 1 on"),
        ("points", 312, "points 312, expected a decimal number of 0 to 500"),
        ("points", float("nan"), "points nan, expected a decimal number of 0 to 500"),
        ("seconds", float("inf"), "seconds inf, expected a number from 0 on"),
        ("name", None, "name None, expected text"),
        ("kept", 0, "kept 0, expected true or false"),
        ("list", "0F" * 32, f"list '{'0F' * 19}0, expected 64 hex digits"),
        ("rule", "tail", "rule 'tail', expected head or letters"),
        ("bound", 5, "bound 5, expected a decimal number from 0 on or null"),
        ("counts", [1, -1], "counts [1, -1], expected a list of a whole number from 0 on"),
        ("counts", (1, 2), "counts (1, 2), expected a list"),
    ],
)
def test_the_first_value_that_does_not_fit_is_told(name, value, said):
    with pytest.raises(ValueError, match=f"^has {re.escape(said)}$"):
        checked(GOOD | {name: value}, FIELDS)
    with pytest.raises(ValueError, match=f"^have {re.escape(said)}$"):
        checked(GOOD | {name: value}, FIELDS, plural=True)


def test_names_that_lack_have_defaults_and_others_are_left_out_or_both_are_told():
    few = {name: value for name, value in GOOD.items() if name != "kept"}
    assert checked(few, {**FIELDS, "kept": (FIELDS["kept"], True)}) == GOOD | {"kept": True}
    with pytest.raises(ValueError, match=r"^has no kept$"):
        checked(few, FIELDS)
    for record in (None, [1], "text", 5):
        with pytest.raises(ValueError, match=r"^is no JSON object$"):
            checked(record, FIELDS)
    assert checked(GOOD | {"more": 1}, FIELDS, others=True) == GOOD
    with pytest.raises(ValueError, match=r"^has the key 'more', expected turns, words, points"):
        checked(GOOD | {"more": 1}, FIELDS)


@pytest.mark.parametrize("data", ["{", b"\xff", "[" * 200_000, "1" * 100_000])
def test_text_beyond_all_use_is_no_json(data):
    with pytest.raises(ValueError, match=r"^is no JSON$"):
        parsed_json(data)
    with pytest.raises(ValueError, match=r"^are no JSON$"):
        parsed_json(data, plural=True)

"""Headers of npz files: what is written is JSON, and nothing else is read."""

import json

import pytest

from gpulingo.storage.npz import header_text, parsed_header

FIELDS = {"b": None, "a": "mitte: ä", "c": 5, "d": 265.30000000000001, "e": -1, "f": 1e-7}


def test_a_header_is_json_with_sorted_keys():
    text = header_text(FIELDS)
    assert json.loads(text) == FIELDS
    assert text == json.dumps(FIELDS, indent=0, sort_keys=True, ensure_ascii=False)


def test_reading_is_the_twin_of_writing():
    assert parsed_header(header_text(FIELDS)) == FIELDS
    assert [type(value) for value in parsed_header(header_text(FIELDS)).values()] == [
        str,
        type(None),
        int,
        float,
        int,
        float,
    ]


@pytest.mark.parametrize("value", ['"', "\\", "a\nb", "\x00", float("nan"), float("inf"), True])
def test_values_that_need_more_than_this_json_are_refused(value):
    with pytest.raises(ValueError, match="strategy is "):
        header_text({"strategy": value})


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"a": 1}', '{\n"a": 1\n} ', '{\n"b": 1,\n"a": 1\n}', '{\n"a": 01\n}', '{\n"a": x\n}'],
)
def test_another_form_is_refused(text):
    with pytest.raises(ValueError):
        parsed_header(text)

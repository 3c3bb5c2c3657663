"""`gpulingo words`: the words of a list, their commonness and the checkpoints that fit."""

import json
from pathlib import Path

import pytest
import typer
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from gpulingo.cli.app import app_for
from gpulingo.cli.request import ADVISER, OPTIONS
from gpulingo.storage.files import file_name
from gpulingo.storage.printed import SCHEMA, line_of, version
from gpulingo.words.listing import embedded

from ...conftest import schema

APP = app_for()


def test_a_damaged_checkpoint_is_told_and_left_out(run, middle, words22):
    path = middle.rename(file_name("lingo5", 5, words22.fingerprint))
    path.write_bytes(path.read_bytes()[:-9])
    shown = run("words --wordlist list.txt")
    assert (shown.exit_code, shown.stdout.split("\n\n")[0].split()[-1]) == (0, "none")
    assert (
        shown.stderr == f"gpulingo: checkpoint {path} has a damaged end; "
        "replace it with `gpulingo simulate --length 5 --save .`\n"
    )


@pytest.mark.slow
def test_without_a_list_those_of_the_folder_and_the_embedded_one_are_told(run, list22):
    list22.rename("wordlist5.txt")
    entries = [json.loads(line) for line in run("words --json").stdout.splitlines()]
    counts = embedded().lengths() | {5: 22}
    assert {entry["length"]: entry["words"] for entry in entries} == counts
    assert {entry.get("list_version") for entry in entries} == {2, None}
    assert {entry["length"] for entry in entries if entry["list"] == "wordlist5.txt"} == {5}
    assert run("words").stdout.startswith("list: embedded list (2-4,6-24), wordlist5.txt (5)\n")


PAGE = Path(__file__).parents[3] / "docs" / "json.md"
EVERY = schema()


def test_help_and_the_page_name_the_schema():
    told = CliRunner().invoke(APP, ["help", "json"]).stdout
    assert f"schema/output-{SCHEMA}.json" in told and f"schema/output-{SCHEMA}.json" in PAGE.read_text()


def test_every_command_with_json_output_has_its_objects():
    commands = typer.main.get_command(app_for()).commands
    with_json = {
        name for name, own in commands.items() if any("--json" in option.opts for option in own.params)
    }
    assert ADVISER in OPTIONS["json"].readers
    with_json |= {"suggest"}
    named = {own["$ref"].rpartition("/")[2] for own in EVERY["anyOf"]}
    assert named == with_json and named <= set(EVERY["$defs"])


def test_the_schema_is_one_and_every_object_and_field_of_it_is_described():
    Draft202012Validator.check_schema(EVERY)
    references = json.dumps(EVERY)
    commands = {own["$ref"].rpartition("/")[2] for own in EVERY["anyOf"]}
    for name, own in EVERY["$defs"].items():
        assert f'"#/$defs/{name}"' in references, f"{name} is in no object"
        if name in commands:
            continue
        assert own["description"].endswith(".")
        for field, kind in own.get("properties", {}).items():
            assert kind.get("description", ".").endswith((".", "..")), f"{name}: {field}"
            assert "description" in kind or field == "command"


@pytest.mark.parametrize(
    ("entry", "fits"),
    [
        ({"opening": "dents"}, True),
        ({"opening": "dents", "lines": 3, "kept": 2}, True),
        ({"opening": "dents", "lines": "3", "kept": 2}, False),
        ({"opening": "dents", "more": 3}, False),
        ({}, False),
    ],
)
def test_a_field_that_is_missing_unknown_or_of_another_type_is_found(entry, fits):
    head = {"schema": SCHEMA, "command": "openings", "version": version()}
    assert Draft202012Validator(EVERY).is_valid(head | entry) == fits


def test_a_line_begins_with_schema_command_and_version():
    line = line_of("openings", {"opening": "dents"})
    assert line.startswith(f'{{"schema": 1, "command": "openings", "version": "{version()}", "opening": ')


def test_a_line_that_the_schema_does_not_know_fails_the_test_that_prints_it():
    with pytest.raises(AssertionError, match=r"is not valid|unexpected"):
        line_of("openings", {"closing": "dents"})

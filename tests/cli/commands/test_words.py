"""`gpulingo words`: what a list holds, how common its words are and which checkpoints fit."""

import importlib.util
import json
from pathlib import Path

import pytest
import typer
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from gpulingo.advice.notation import read_history
from gpulingo.cli.app import app
from gpulingo.cli.arguments import ADVISER, OPTIONS
from gpulingo.cli.commands.topics import page
from gpulingo.games.catalogue import feedback_of
from gpulingo.storage.files import file_name
from gpulingo.storage.printed import SCHEMA, line_of, schema, version
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.text import tree_lines
from gpulingo.words.levels import embedded_digest
from gpulingo.words.listing import embedded


def test_a_row_a_length(run, list22, words22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    head, names, first, second, *_ = run("words --wordlist list.txt").stdout.splitlines()
    assert head == "list: list.txt"
    assert (
        names.split() == "length words fingerprint checkpoint strategy mean points mean guesses used".split()
    )
    assert (first.split()[:2], first.split()[3]) == (["4", "2"], "none")
    assert second.split() == ["5", "22", words22.fingerprint[:12], "none"]


def test_checkpoints_that_fit_are_named(run, middle, words22):
    (middle.parent / "checkpoints").mkdir()
    path = f"checkpoints/{file_name('lingo5', 5, words22.fingerprint)}"
    middle.rename(path)
    shown = run("words --wordlist list.txt")
    points = read_checkpoint(path).mean_points
    row = ["5", "22", words22.fingerprint[:12], path, "middle", f"{points:.3f}", f"{6 - points / 100:.3f}"]
    assert shown.stdout.split("\n\n")[0].splitlines()[-1].split() == [*row, "yes"]
    (entry,) = map(json.loads, run("words --wordlist list.txt --json").stdout.splitlines())
    assert (entry["length"], entry["words"], entry["fingerprint"]) == (5, 22, words22.fingerprint)
    assert entry["checkpoints"] == [
        {
            "path": path,
            "strategy": "middle",
            "turns": 5,
            "mean_points": points,
            "mean_guesses": 6 - points / 100,
            "bound": None,
            "used": True,
        }
    ]


def test_trees_of_the_targets_that_are_named_are_shown(run, list22, words22):
    list22.write_text(list22.read_text() + "bird\nbard\n")
    some = words22.with_targets(words22.words[:3])
    (list22.parent / "t.txt").write_text("\n".join(some.targets))
    options = "--wordlist list.txt --targets t.txt --game wordle"
    assert run(f"simulate --length 5 --strategy letters --device cpu --save . {options}").exit_code == 0
    head, *_, names, row = run(f"words {options}").stdout.partition("\n\n")[0].splitlines()
    assert head == "list: list.txt; targets: t.txt"
    assert (names.split()[:3], row.split()[:4]) == (
        ["length", "words", "pool"], ["5", "3", "22", some.fingerprint[:12]],
    )  # fmt: skip
    assert row.split()[-1] == "yes"
    (entry,) = map(json.loads, run(f"words {options} --json").stdout.splitlines())
    assert (entry["words"], entry["pool"], entry["targets"]) == (3, 22, "t.txt")
    assert entry["checkpoints"][0]["total_guesses"] == read_checkpoint(row.split()[4]).total_guesses


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


def test_of_a_list_in_another_language_nothing_is_said_of_the_embedded_one(run, list22):
    list22.write_text("abend\nadler\naffen\nhafer\nbirne\nregen\nwagen\nabbey\nbase\n")
    shown = run("words --wordlist list.txt").stdout
    assert shown.count("\n") == 4 and "embedded" not in shown


def test_the_words_of_at_most_each_level_are_counted_by_length(run, list22):
    list22.write_text("bird\nabaca\nabase\nabaft\nabbey\naahed\nzzzzz\n")
    *_, version, head, names, first, second = run("words --wordlist list.txt").stdout.splitlines()
    assert version == f"embedded list, version 2, sha256 {embedded_digest()}"
    assert head == "its answers, and words of at most each level:"
    assert names.split() == ["length", "words", "answers", "small", "medium", "large", "huge"]
    assert (first.split(), second.split()) == ("4 1 1 1 1 1 1".split(), "5 6 3 1 3 4 5".split())
    entries = map(json.loads, run("words --wordlist list.txt --json").stdout.splitlines())
    assert [entry["levels"] for entry in entries] == [
        {"answers": 1, "small": 1, "medium": 1, "large": 1, "huge": 1},
        {"answers": 3, "small": 1, "medium": 3, "large": 4, "huge": 5},
    ]


def test_the_tree_is_printed(run, middle, words22):
    done = run("show middle.npz --wordlist list.txt")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == tree_lines(read_checkpoint(middle), words22.words)


def test_a_branch_is_printed_as_far_as_asked(run, middle, words22):
    tree = read_checkpoint(middle)
    whole = tree_lines(tree, words22.words)
    guess, marks = whole[0].split()[0], whole[1].split()[0]
    done = run(f"show middle.npz --wordlist list.txt --history {guess}:{marks} --turns 2 --limit 2")
    lines = tree_lines(
        tree,
        words22.words,
        history=read_history([f"{guess}:{marks}"], feedback_of(tree.game)),
        turns=2,
        limit=2,
    )
    assert done.stdout.splitlines() == lines
    spaced = run("show middle.npz --wordlist list.txt --turns 2 --limit 2 --history", f" {guess}:{marks}  ")
    assert spaced.stdout == done.stdout


ROOT = Path(__file__).parents[3]
EVERY = schema()


def test_the_page_is_what_the_schema_says_and_help_prints_it():
    spec = importlib.util.spec_from_file_location("json_page", ROOT / "scripts" / "json_page.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.PAGE.read_text() == page(), "run scripts/json_page.py"
    assert CliRunner().invoke(app, ["help", "json"]).stdout.strip() == page().strip()


def test_every_command_with_json_output_has_its_objects():
    commands = typer.main.get_command(app).commands
    with_json = {
        name for name, own in commands.items() if any("--json" in option.opts for option in own.params)
    }
    assert ADVISER in OPTIONS["json"][1]
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

"""Options that several commands have: the same spelling everywhere."""

import json

import pytest
import typer

from gpulingo.cli import app

COMMANDS = typer.main.get_command(app).commands
ONE = {"solve", "openings"}  # work on words of one length


def options(command):
    return {spelling for parameter in COMMANDS[command].params for spelling in parameter.opts}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_letters_of_the_words_have_two_spellings_or_none(command):
    assert len(options(command) & {"--length", "--lengths"}) in (0, 2)


def test_the_commands_that_take_time_or_remember_sets_can_be_limited():
    timed = {
        "simulate",
        "compare",
        "openings",
        "tune",
        "solve",
        "prove",
        "pit",
        "suggest",
        "web",
        "review",
    }
    assert {name for name in COMMANDS if "--time" in options(name)} == timed
    remembering = {"solve", "openings", "tune", "tiles"}
    assert {name for name in COMMANDS if "--memory" in options(name)} == remembering


@pytest.mark.parametrize("spelling", ["--length", "--lengths"])
@pytest.mark.parametrize("command", sorted(ONE))
def test_several_lengths_where_one_is_meant_are_told(run, list22, command, spelling):
    done = run(f"{command} {spelling} 4-13")
    said = "'4-13' is 10 lengths: give one, as in --length 4; see"
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_both_spellings_are_the_same(run, list22):
    line = "simulate --wordlist list.txt --device cpu --strategy letters --json"
    both = [json.loads(run(f"{line} {spelling} 5").stdout) for spelling in ("--length", "--lengths")]
    assert [one["turns"] for one in both] == [both[0]["turns"]] * 2


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("5m", 300), ("5M", 300), ("2h", 7200), ("300", 300), ("0.5", 0.5)]
)
@pytest.mark.parametrize(
    "line",
    ["simulate --time", "pit --timeout", "solve --time", "tune --time"],
)
def test_a_time_is_spelled_alike(line, text, seconds):
    name, *words = line.split()
    context = COMMANDS[name].make_context(name, [*words, text, "--length", "5"])
    assert context.params[words[-1][2:]] == seconds


@pytest.mark.parametrize(
    ("text", "size"), [("4G", 4 << 30), ("4g", 4 << 30), ("500M", 500 << 20), ("2K", 2048), ("17", 17)]
)
@pytest.mark.parametrize("command", ["solve", "openings", "tune"])
def test_a_size_is_spelled_alike(command, text, size):
    context = COMMANDS[command].make_context(command, ["--memory", text, "--length", "5"])
    assert context.params["memory"] == size


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("openings --time soon", "'soon' is not a time from 0s to 1000h: write it as 90s, 10m or 2h"),
        ("openings --time -1s", "'-1s' is not a time"),
        ("openings --time nan", "'nan' is not a time"),
        ("openings --time 5d", "'5d' is not a time"),
        ("openings --memory lots", "'lots' is not a size: use bytes or a suffix, for example 500M or 4G"),
        ("openings --memory 4T", "'4T' is not a size"),
        ("pit --timeout 0", "'0' is not a time from 0.1s to 24h: write it as 90s, 10m or 2h"),
        ("pit --timeout 25h", "'25h' is not a time"),
    ],
)
def test_another_text_is_refused(refused, list22, line, said):
    done = refused(f"{line} --length 5", "")
    assert f": {said}" in done.stderr

"""The app: its commands, their help, and one line for a wrong command line."""

import shlex
from collections import Counter
from importlib.metadata import version

import pytest
import typer

from gpulingo.cli import app as panels
from gpulingo.cli.app import OUTPUT, PANELS, app_for, examples, panel_of
from gpulingo.cli.commands.topics import NAMES, TEXTS

ALL = typer.main.get_command(app_for()).commands
COMMANDS = [name for name, command in ALL.items() if not command.hidden]


GROUPS = {f"{group}:": names.split() for group, names in panels.GROUPS.items() if group != "Hidden"}


def test_the_help_has_groups_with_one_line_for_each_command(run):
    shown = run("--help")
    start, end = shown.stdout.index("Help with a round:"), shown.stdout.index("Examples:")
    lines = shown.stdout[start:end].splitlines()
    assert shown.exit_code == 0
    groups = {}
    for line in filter(None, lines):
        if line in GROUPS:
            rows = groups.setdefault(line, [])
        else:
            rows.append(line.split()[0])
    assert groups == GROUPS
    assert [name for names in groups.values() for name in names] == COMMANDS


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_help_is_cut_or_wider_than_80_columns(run, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = run(f"{command} --help")
    assert all(len(line) <= 80 for line in shown.stdout.partition("Examples:")[0].splitlines())
    whole = shown.stdout.replace("COMMAND [ARGS]...", "").replace("TURN:N,..", "")
    whole = whole.replace("[GUESS:MARKS]...", "").replace("[RACK]...", "")  # any number of arguments
    assert "..." not in whole.replace('"GUESS:MARKS ..."', "")
    left = [len(line) - len(line.lstrip()) for line in shown.stdout.partition("Examples:")[0].splitlines()]
    assert max(left) <= 34  # leaves at least 46 columns for the text of an option
    begins = f"Usage: gpulingo {command} [OPTIONS]".replace("  ", " ")
    assert (
        shown.exit_code == 0
        and shown.stdout.startswith(begins)
        and run(f"{command} -h").stdout == shown.stdout
    )


def test_without_a_command_the_help_is_printed(run):
    done = run("")
    assert (done.exit_code, done.stdout) == (0, run("--help").stdout)


def test_the_version_is_that_of_the_package(run):
    assert run("--version").stdout == f"gpulingo {version('gpulingo')}\n"


def options(command):
    return {spelling for parameter in ALL[command].params for spelling in parameter.opts}


def test_the_letters_of_the_words_have_two_spellings_or_none():
    assert {len(options(command) & {"--length", "--lengths"}) for command in ALL} == {0, 2}


def test_every_command_that_plays_or_reads_a_tree_is_told_of_what():
    listed, targeted, weighed = (
        {name for name in ALL if option in options(name)}
        for option in ("--wordlist", "--targets", "--weights")
    )
    assert targeted == listed - {"tiles"} and targeted - weighed == {*"pit play web tune words".split()}
    assert weighed <= targeted
    named = {name for name in ALL if "--game" in options(name)}
    assert {name for name in named if "--turns" in options(name)} == named - {"prove"}
    assert named >= targeted - {"web"}
    for name in named:
        assert name == "tune" or {"--hard", "--hard-from", "--consistent"} <= options(name)
        # The turns of `show` are levels of the tree; `play` and `suggest` are parsed elsewhere.
        if "--turns" in options(name) and name not in ("show", "play", "suggest"):
            params = ALL[name].make_context(name, [] if name == "words" else ["--length", "5"]).params
            assert (params["game"], params["turns"]) == ("lingo", None)


def test_the_commands_that_take_time_or_remember_sets_can_be_limited():
    timed = {*"simulate compare openings tune solve prove pit suggest web review".split()}
    assert {name for name in ALL if "--time" in options(name)} == timed
    remembering = {"solve", "openings", "tune", "tiles"}
    assert {name for name in ALL if "--memory" in options(name)} == remembering


TIMES = {"90s": 90, "5m": 300, "5M": 300, "2h": 7200, "300": 300, "0.5": 0.5}
SIZES = {"4G": 4 << 30, "4g": 4 << 30, "500M": 500 << 20, "2K": 2048, "17": 17}


@pytest.mark.parametrize(
    ("command", "option", "spelled"),
    [
        *((command, "time", TIMES) for command in ("simulate", "solve", "tune")),
        ("pit", "timeout", TIMES),
        *((command, "memory", SIZES) for command in ("solve", "openings", "tune")),
    ],
)
def test_times_and_sizes_are_spelled_alike(command, option, spelled):
    for text, number in spelled.items():
        context = ALL[command].make_context(command, [f"--{option}", text, "--length", "5"])
        assert context.params[option] == number


VISIBLE = {name: command for name, command in ALL.items() if not command.hidden}
ORDER = [*PANELS, OUTPUT]


def test_help_is_short_and_its_options_stand_in_panels():
    for name, command in VISIBLE.items():
        summary = command.help.split("\n")[0]
        assert len(summary) <= 70 and summary.endswith(".")
        context = command.context_class(command, info_name=name, terminal_width=100, max_content_width=100)
        lines = command.get_help(context).splitlines()
        assert len(lines) <= 50
        heads = [line.rstrip(":") for line in lines if line.rstrip(":") in ORDER]
        assert heads == [panel for panel in ORDER if panel in heads] and "Examples:" in lines
        for option in command.params:
            text = option.help or ""
            assert text and len(text) <= 70, option.name
            assert panel_of(option) in heads, option.name
    panels = {
        name: panel_of(option)
        for name in ("web", "play")
        for option in ALL[name].params
        if option.name == "host"
    }
    assert panels == {"web": "Run", "play": "Strategy"}


def test_every_command_has_two_examples_that_are_understood(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line, _ in examples():
        name, *arguments = shlex.split(line)
        VISIBLE[name].make_context(name, arguments)
    assert Counter(line.split()[0] for line, _ in examples()) == dict.fromkeys(VISIBLE, 2)


@pytest.mark.parametrize("line", ["simulate 5 --wordlist list.txt", "simulate -w list.txt --length 5",
                                  "simulate 5 --length 5 -w list.txt"])  # fmt: skip
def test_a_length_is_given_by_position_or_by_option(run, list22, line):
    ran = run(line)
    assert ran.exit_code == 0 and " 22  " in ran.stdout


def test_codes_of_the_usual_length_need_none(run, list22):
    ran = run("compare --game mastermind --colours 2 --strategies parts --device cpu")
    assert ran.exit_code == 0 and "all codes of 4 pegs and 2 colours" in ran.stdout


def test_a_topic_is_explained_on_lines_of_at_most_110_signs(run):
    shown = ""
    for topic in NAMES[:-1]:
        ran = run(f"help {topic}")
        assert ran.exit_code == 0 and max(map(len, ran.stdout.splitlines())) <= 110
        shown += f"=== {topic}\n{ran.stdout}\n"
    assert TEXTS.read_text(encoding="utf-8").startswith(shown)

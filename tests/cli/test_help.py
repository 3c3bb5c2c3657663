"""Help: commands in panels, short texts, examples that parse; a length by position; topics."""

import shlex
from collections import Counter

import pytest
import typer

from gpulingo.cli import app
from gpulingo.cli.app import EXAMPLES, OUTPUT, PANELS, panel_of
from gpulingo.cli.commands.topics import TOPICS

COMMANDS = typer.main.get_command(app).commands
VISIBLE = {name: command for name, command in COMMANDS.items() if not command.hidden}
ORDER = [*PANELS, OUTPUT]


def test_fifteen_commands_are_shown_in_five_panels():
    assert len(VISIBLE) == 15
    assert len({command.rich_help_panel for command in VISIBLE.values()}) == 5
    assert {name for name, command in COMMANDS.items() if command.hidden} == {"help"}


@pytest.mark.parametrize("name", VISIBLE)
def test_help_is_short_and_its_options_stand_in_panels(name):
    command = VISIBLE[name]
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


@pytest.mark.parametrize("line", [line for line, _ in EXAMPLES])
def test_examples_are_understood(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *arguments = shlex.split(line)
    VISIBLE[name].make_context(name, arguments)


def test_every_command_has_two_examples():
    assert Counter(line.split()[0] for line, _ in EXAMPLES) == dict.fromkeys(VISIBLE, 2)


@pytest.mark.parametrize("line", ["simulate 5 --wordlist list.txt", "simulate -w list.txt --length 5",
                                  "simulate 5 --length 5 -w list.txt"])  # fmt: skip
def test_a_length_is_given_by_position_or_by_option(run, list22, line):
    ran = run(line)
    assert ran.exit_code == 0 and " 22  " in ran.stdout


def test_codes_of_the_usual_length_need_none(run, list22):
    ran = run("compare --game mastermind --colours 2 --strategies parts --device cpu")
    assert ran.exit_code == 0 and "all codes of 4 pegs and 2 colours" in ran.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pit --player x --words list.txt --word heron", "--word and --words: give one of them"),
        ("pit --player x --word heron --rounds 2 -w list.txt", "--rounds 2 of one --word: leave it out"),
        ("pit -P x -P y --transcript -w list.txt --length 5", "--transcript of 2 players"),
        ("simulate 5 --length 6", "length given twice, as 5 and as --length 6: keep one"),
        ("solve 5 --length 6", "length given twice, as 5 and as --length 6: keep one"),
        ("compare", "no word length: give one, for example `gpulingo compare 5`"),
        ("help gmaes", "did you mean games"),
        ("simulate 5 --game worlde", "did you mean wordle"),
        ("prove 5 --tree-only --part 1/2", "--tree-only checks no bound"),
        ("build 5 -w list.txt", "no such command 'build'"),
        ("verify middle.npz", "no such command 'verify'"),
        ("simulate 5 --folder out", "no such option: --folder"),
    ],
)
def test_wrong_usage_is_one_line(run, list22, line, told):
    ran = run(line)
    assert ran.exit_code == 2 and ran.stdout == ""
    assert told in ran.stderr and ran.stderr.count("\n") == 1


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_explained_on_lines_of_at_most_110_signs(run, topic):
    ran = run(f"help {topic}")
    assert ran.exit_code == 0 and ran.stdout.strip() == TOPICS[topic].strip()
    assert max(map(len, ran.stdout.splitlines())) <= 110


def test_several_lengths_are_saved_to_a_folder(run, list22, tmp_path):
    (tmp_path / "trees").mkdir()
    saved = run("simulate 5 -w list.txt -s parts --save trees")
    assert saved.exit_code == 0
    (tree,) = (str(path) for path in (tmp_path / "trees").glob("lingo*"))
    assert run(f"prove {tree} -w list.txt --tree-only").exit_code == 0

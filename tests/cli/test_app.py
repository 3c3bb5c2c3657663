"""The app: its commands, their help, and one line for a command line that is wrong."""

import subprocess
import sys
from importlib.metadata import version

import pytest
import typer

from gpulingo.cli import app

ALL = typer.main.get_command(app).commands
COMMANDS = [name for name, command in ALL.items() if not command.hidden]


GROUPS = {
    "Help with a round:": ["suggest", "review", "play", "web"],
    "Evaluate strategies:": ["simulate", "compare", "openings", "report"],
    "Find the best strategy:": ["solve", "prove", "tune"],
    "Words and trees:": ["words", "show"],
    "Matches and other games:": ["pit", "tiles"],
}


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
    whole = whole.replace("[GUESS:MARKS]...", "").replace("[RACK]...", "")  # as many as there are
    assert "..." not in whole.replace('"GUESS:MARKS ..."', "")
    left = [len(line) - len(line.lstrip()) for line in shown.stdout.partition("Examples:")[0].splitlines()]
    assert max(left) <= 34  # so that at least 46 columns are left for what an option does


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_every_option_has_help(run, command):
    shown = run(f"{command} --help")
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"Usage: gpulingo {command} [OPTIONS]")
    for parameter in typer.main.get_command(app).commands[command].params:
        assert parameter.help, f"{command} {parameter.name}"
    assert run(f"{command} -h").stdout == shown.stdout


def test_without_a_command_the_help_is_printed(run):
    done = run("")
    assert (done.exit_code, done.stdout) == (0, run("--help").stdout)


def test_the_version_is_that_of_the_package(run):
    assert run("--version").stdout == f"gpulingo {version('gpulingo')}\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("simul", "no such command 'simul'. Did you mean 'simulate'?; see `gpulingo --help`"),
        ("--loud", "no such option: --loud; see `gpulingo --help`"),
        ("simulate", "no word length: give one, for example `gpulingo simulate 5`"),
        (
            "simulate --length 5 5 extra",
            "got unexpected extra argument(s) (extra); see `gpulingo simulate --help`",
        ),
        ("prove", "missing argument 'FILE.npz|N'; see `gpulingo prove --help`"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(refused, line, said):
    refused(line, f"{said}\n")


@pytest.mark.slow
@pytest.mark.parametrize("line", ["words", "show middle.npz", "prove middle.npz --tree-only"])
def test_commands_that_need_no_tensors_do_not_load_them(middle, line):
    code = (
        "import sys\nfrom gpulingo.cli import app\n"
        f"try: app({[*line.split(), '--wordlist', 'list.txt']})\n"
        "except SystemExit as end: code = end.code\n"
        "print(code, {'torch', 'numba', 'numpy'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=middle.parent)
    assert done.stderr == "0 set()\n"


@pytest.mark.slow
def test_a_command_keeps_its_results_and_its_complaints_apart(process, middle):
    good = process("words --wordlist list.txt")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.splitlines()[0] == "list: list.txt"
    bad = process("words --wordlist none.txt")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "gpulingo: --wordlist: no word list at none.txt: give a file with one word a line\n"

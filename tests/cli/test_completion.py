"""Shell completion: what it offers, that it loads nothing heavy, and that bash accepts it."""

import os
import shutil
import subprocess
import sys

import pytest
import typer

from gpulingo.cli.app import app_for
from gpulingo.player.question import NAMES

COMPLETE = """
import os, sys
from gpulingo.__main__ import run

for line in sys.argv[1:] or [""]:
    if line:
        os.environ.update(COMP_WORDS=line, COMP_CWORD=str(line.count(" ")))
    run([])
    print("\\n;", flush=True)
print({'torch', 'numba', 'numpy'} & set(sys.modules), file=sys.stderr)
"""


def completed(*lines):
    """The completions of the last word of each line, which may be empty."""
    variables = {"_GPULINGO_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE, *lines], capture_output=True, text=True, env=os.environ | variables
    )
    assert done.stderr == "set()\n"
    return [offered.split() for offered in done.stdout.split(";")[:-1]]


@pytest.mark.slow
def test_commands_options_and_names_are_completed():
    offers = [
        ("gpulingo sim", ["simulate"]),
        ("gpulingo simulate --strategy ent", ["entropy"]),
        ("gpulingo play --strategy p", ["parts", "points", "plain_parts"]),
        ("gpulingo play 5 --sea", ["--search"]),
        ("gpulingo compare --strategies letters,stat", ["letters,statistician"]),
        ("gpulingo solve --device cu", ["cuda"]),
        ("gpulingo simulate --game li", ["lingo"]),
        ("gpulingo openings --len", ["--length", "--lengths"]),
    ]
    *found, strategies = completed(*(line for line, _ in offers), "gpulingo simulate --strategy ")
    assert found == [offered for _, offered in offers]
    assert set(strategies) >= set(NAMES)


@pytest.mark.slow
def test_zsh_shows_the_whole_sentence_of_every_command():
    variables = {"_GPULINGO_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "gpulingo "}
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE], capture_output=True, text=True, env=os.environ | variables
    )
    commands = typer.main.get_command(app_for()).commands
    for name, command in commands.items():
        if command.hidden:
            continue
        sentence = command.help.split("\n")[0]
        for letter, escaped in (("'", "''"), ("`", "\\`"), (":", r"\\:")):
            sentence = sentence.replace(letter, escaped)
        assert f'"{name}":"{sentence}"' in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_bash_completes_after_the_script_is_installed(tmp_path):
    told = tmp_path / "gpulingo"
    told.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gpulingo "$@"\n')
    told.chmod(0o755)
    home = {"HOME": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    environment = os.environ | home | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        [told, "--install-completion", "bash"], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    asked = (
        "source ~/.bashrc; COMP_WORDS=(gpulingo simulate --strategy hist); COMP_CWORD=3; "
        "_gpulingo_completion gpulingo; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", asked], capture_output=True, text=True, env=os.environ | home
    )
    assert (done.stdout, done.stderr) == ("histogram\n", "")

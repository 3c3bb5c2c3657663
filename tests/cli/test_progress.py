"""The progress bar: on a terminal only, and never on stdout."""

import json
import os
import pty
import subprocess
import sys

import pytest


def shown_on_terminal(command, folder):
    """Exit code, stdout, and what a terminal on stderr gets."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=folder) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            shown += part
        out = process.stdout.read()
    os.close(ours)
    return process.returncode, out.decode(), shown.decode()


@pytest.mark.slow
def test_a_terminal_gets_a_bar_that_goes_away(list22):
    line = "simulate --length 5 --wordlist list.txt --device cpu --json"
    code, out, shown = shown_on_terminal([sys.executable, "-m", "gpulingo", *line.split()], list22.parent)
    assert (code, json.loads(out)["words"]) == (0, 22)
    assert "5 letters, turn 1" in shown
    assert "{" not in shown
    assert shown.endswith("\x1b[2K")  # the line is wiped


def test_no_terminal_gets_nothing(run, list22):
    assert run("simulate --length 5 --wordlist list.txt --device cpu").stderr == ""

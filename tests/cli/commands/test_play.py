"""`gpulingo play`: the same player, however it is started."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpulingo.cli.request import ADVISER, LENGTH, OPTIONS
from gpulingo.trees.checkpoint import read_checkpoint

WAYS = {
    "light": [sys.executable, "-m", "gpulingo"],
    "typer": [sys.executable, "-c", "from gpulingo.cli.app import app_for; app_for()()"],
    "entry": [str(Path(sys.executable).with_name("gpulingo"))],
}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def played(request, tmp_path):
    """A function that runs the player in `tmp_path`: exit code, stdout and stderr."""
    if not Path(request.param[0]).exists():
        pytest.skip("the command gpulingo is not installed beside this Python")

    def ran(line, marks=""):
        command = [*request.param, "play", *line.split()]
        done = subprocess.run(command, input=marks, capture_output=True, text=True, cwd=tmp_path, timeout=60)
        return done.returncode, done.stdout, done.stderr

    return ran


def test_the_help_lists_what_the_light_path_takes(run):
    shown = {name: " ".join(run(f"{name} --help").stdout.split()) for name in ("play", "suggest")}
    for name, (_, readers, text, *_) in OPTIONS.items():
        assert readers == ADVISER or (f"--{name}" in shown["play"] and text in shown["play"])
        assert ADVISER not in readers or (f"--{name}" in shown["suggest"] and text in shown["suggest"])
    assert LENGTH in shown["play"]


def test_a_round_is_played(played, middle, words22):
    root = words22[read_checkpoint(middle).guess[0]]
    line = "--checkpoint middle.npz --wordlist=list.txt 5"
    assert played(line, "OOOOO\n") == (0, f"{root}\n", "")
    assert played(line) == (0, f"{root}\n", "")  # the input ends at once


@pytest.mark.slow
def test_help_anywhere_is_help(process):
    for line in ("5 -h", "--wordlist --help"):
        done = process(f"play {line}")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Usage: gpulingo play [OPTIONS] {N}")


START = Path(__file__).parents[3] / "scripts" / "gpulingo"
MOMENTS = 8


def interrupted(folder, seconds):
    """The exit code and stderr of a player that gets Ctrl-C some seconds after its start."""
    with subprocess.Popen(
        [START, "play", "5"], stdin=-1, stdout=-1, stderr=-1, text=True, cwd=folder
    ) as player:
        time.sleep(seconds)
        player.send_signal(signal.SIGINT)
        try:
            player.wait(10)
        except subprocess.TimeoutExpired:  # Python may lose a Ctrl-C before it runs our first line
            player.send_signal(signal.SIGINT)
        return player.wait(60), player.stderr.read()


@pytest.mark.slow
@pytest.mark.skipif(
    not (START.parents[1] / ".venv" / "ready-base").exists(), reason="no .venv beside scripts/"
)
def test_ctrl_c_at_any_moment_of_the_start_ends_the_player_without_a_traceback(tmp_path):
    started = time.monotonic()
    subprocess.run(
        [START, "play", "5"], stdin=subprocess.DEVNULL, stdout=-1, cwd=tmp_path, timeout=60, check=True
    )
    whole = time.monotonic() - started
    before_ours = 0
    for moment in range(MOMENTS):
        code, said = interrupted(tmp_path, 1.5 * whole * moment / MOMENTS)
        # Before our first line, Python ends in a traceback, which we cannot prevent.
        ours = "gpulingo" in said or '"<string>", line 1' in said
        if not ours and ("Traceback" in said or "Fatal Python error: init" in said):
            before_ours += 1
            continue
        assert code in (-signal.SIGINT, 130), (code, said)
        assert said in ("", "gpulingo: interrupted\n")
    assert before_ours < MOMENTS / 4


def test_a_link_to_a_device_is_not_read(process, middle):
    (middle.parent / "wordlist.txt").symlink_to("/dev/zero")
    done = process("play 5")
    said = "gpulingo: wordlist.txt is not a plain file: give a file with one word a line\n"
    assert (done.returncode, done.stderr) == (1, said)

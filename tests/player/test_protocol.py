"""The pit player as the pit starts it: a process, two pipes, a folder with a list."""

import signal
import subprocess
import sys

import pytest

from gpulingo.storage.files import file_name
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.trees.checkpoint import tree_bytes, write_checkpoint

PLAY = [sys.executable, "-m", "gpulingo", "play"]
PLAYER = "import sys; sys.argv = ['gpulingo', 'play', *sys.argv[1:]]\nfrom gpulingo.__main__ import run\n"
MODULES = "import sys; print('modules', *sys.modules, file=sys.stderr)"


def played(folder, *words, text=b""):
    """Exit code, guesses and stderr of a player whose whole input is `text`."""
    done = subprocess.run([*PLAY, *words], cwd=folder, input=text, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode().split(), done.stderr.decode().splitlines()


def checkpoint_of(folder):
    return next((folder / "checkpoints").iterdir())


@pytest.fixture
def bare(tmp_path, words22):
    """A folder with a list of 22 words and one of 4 letters, without a checkpoint."""
    (tmp_path / "wordlist.txt").write_text("\n".join(words22.words) + "\nable\n")
    (tmp_path / "checkpoints").mkdir()
    return tmp_path


@pytest.fixture
def folder(bare, words22, grown):
    """The same with the checkpoint of the 22 words."""
    tree = grown(words22)
    write_checkpoint(tree, bare / "checkpoints" / file_name("lingo5", 5, tree.fingerprint))
    return bare


@pytest.mark.parametrize(
    ("line", "text", "loaded"),
    [
        ("5", "XXXXX\n", "gpulingo.player.player"),
        ("--targets t.txt 5", "XXXXX\n", "gpulingo.words.targets"),
        ("--game hangman", "_____\n", "gpulingo.words.shown"),
        ("--game hangman --host largest", "e\n", "gpulingo.hosts.host"),
        ("--game hangman --host honest", "e\n", "gpulingo.hosts.host"),
        ("--game absurdle", "crane\n", "gpulingo.hosts.host"),
        ("--game evil-wordle", "crane\n", "gpulingo.hosts.host"),
    ],
)
def test_the_light_path_loads_the_standard_library_alone(folder, words22, line, text, loaded):
    some = words22.with_targets(words22.words[::2])
    (folder / "t.txt").write_text("\n".join(some.targets))
    tree = build(some, named("parts")).tree
    write_checkpoint(tree, folder / "checkpoints" / file_name("lingo5", 5, tree.fingerprint))
    code = f"{PLAYER}try:\n    run(sys.argv[1:])\nfinally:\n    {MODULES}"
    command = [sys.executable, "-c", code, *line.split()]
    done = subprocess.run(command, cwd=folder, input=text.encode(), capture_output=True, timeout=60)
    modules = set(done.stderr.decode().split())
    assert done.stdout and loaded in modules
    assert not {"torch", "numba", "numpy", "typer", "click", "rich"} & modules
    assert line != "5" or "gpulingo.words.targets" not in modules


@pytest.mark.parametrize(
    "text", [b"", b"X", b"XXXXX", b"XXXXX\n", b"\n" * 9, b"XXXXX\r\n" * 3, b"\xff\xfe\n" * 5]
)
def test_any_input_that_ends_early_is_a_quiet_end(folder, words22, text):
    code, guesses, _ = played(folder, "5", text=text)
    assert code == 0
    assert 1 <= len(guesses) <= 5
    assert set(guesses) <= set(words22.words)


def test_a_referee_that_leaves_is_no_error(folder):
    with subprocess.Popen(
        [*PLAY, "5"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"XXXXX\n" * 3)
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_without_a_traceback(folder, number):
    with subprocess.Popen(
        [*PLAY, "5"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(60) == 130
        assert process.stderr.read() == b"gpulingo: interrupted\n"


@pytest.mark.slow  # the search loads torch
@pytest.mark.parametrize("damage", ["changed", "other list", "other turns"])
def test_a_checkpoint_that_cannot_be_followed_leaves_the_search(folder, words22, grown, damage):
    path = checkpoint_of(folder)
    data = path.read_bytes()
    if damage == "changed":
        path.write_bytes(data[:300] + bytes([data[300] ^ 1]) + data[301:])
    elif damage == "other list":
        path.write_bytes(tree_bytes(grown(words22, fingerprint="0" * 64)))
    else:
        path.write_bytes(tree_bytes(grown(words22, turns=6)))
    code, guesses, complaints = played(folder, "5", text=b"zz\n" * 5)
    assert code == 0
    assert len(guesses) == 5 and set(guesses) <= set(words22.words)
    assert "checkpoint" in complaints[0] and "searching instead" in complaints[0]


def standing_twice(folder, words22, grown, worse):
    """A worse tree, or other bytes, where the player looks first; returns the opening of the better one."""
    better = build(words22, named("parts")).tree
    path = checkpoint_of(folder)
    write_checkpoint(better, path)
    first = folder / path.name
    first.write_bytes(tree_bytes(grown(words22)) if worse is None else worse)
    assert better.mean_points > grown(words22).mean_points
    return words22[better.guess[0]]


@pytest.mark.parametrize("words", [["5"], ["--strategy", "best", "5"]])
def test_a_worse_tree_that_lies_nearer_is_not_followed(folder, words22, grown, words):
    opening = standing_twice(folder, words22, grown, None)
    assert played(folder, *words) == (0, [opening], [])


def test_a_damaged_tree_is_told_in_one_line_and_another_followed(folder, words22, grown):
    opening = standing_twice(folder, words22, grown, tree_bytes(grown(words22))[:-9])
    code, guesses, complaints = played(folder, "5")
    path = checkpoint_of(folder)
    assert (code, guesses) == (0, [opening])
    assert complaints == [
        f"gpulingo: checkpoint {path.name} has a damaged end; replace it with `gpulingo simulate --length 5 "
        f"--save .`; following checkpoints/{path.name} instead"
    ]


def test_packages_are_found_when_they_are_asked_for():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from gpulingo.cli.pipes import find_packages\n"
        "def found():\n"
        "    try: import numpy\n"
        "    except ImportError: return False\n"
        "    return True\n"
        "before = found(); find_packages(); print(before, found())"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code, "."], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"

"""An error is one line and an exit code, however the process ends."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from gpulingo.cli.errors import guarded

FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ValueError("a list\n is   bad"), 1, "gpulingo: a list is bad\n"),
        (RuntimeError(), 1, "gpulingo: RuntimeError\n"),
        (MemoryError(), 1, "gpulingo: not enough memory: use a shorter list\n"),
        (
            torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
            1,
            "gpulingo: the GPU has no memory left: end what else runs on it, or use --device cpu\n",
        ),
        (PermissionError(13, "Permission denied", "a/b"), 1, "gpulingo: a/b: Permission denied\n"),
        (OSError(28, "No space left on device"), 1, "gpulingo: cannot write: No space left on device\n"),
        (KeyboardInterrupt(), 130, "gpulingo: interrupted\n"),
        (BrokenPipeError(), 1, ""),
    ],
)
def test_an_error_is_one_line(capsys, error, code, said):
    def fail():
        raise error

    assert guarded(fail) == code
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("seen", ["a tree of 3, its search found 4", ""])
def test_a_failed_check_within_the_program_says_what_was_checked_and_whose_fault_it_is(capsys, seen):
    def fail():
        raise AssertionError(seen)

    assert guarded(fail) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "which is a fault of gpulingo" in line and (seen or "raise AssertionError(seen)") in line
    assert re.search(r"\(test_errors.py, line \d+\); please report it$", line)


def test_a_slip_in_the_program_keeps_its_traceback():
    with pytest.raises(ZeroDivisionError):
        guarded(lambda: 1 // 0)


@pytest.mark.skipif(not FULL.exists(), reason=f"no {FULL}")
@pytest.mark.parametrize("more", ["", " --json"])
def test_output_that_cannot_be_written_is_a_failed_run(process, list22, more):
    with FULL.open("w") as full:
        done = process(
            f"words --wordlist list.txt{more}", capture_output=False, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (1, "gpulingo: cannot write: No space left on device\n")


def test_a_reader_that_has_seen_enough_is_no_fault(list22):
    command = [sys.executable, "-m", "gpulingo", "words"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=list22.parent
    ) as process:
        process.stdout.close()
        assert (process.wait(60), process.stderr.read()) == (1, b"")


@pytest.mark.slow
def test_closed_streams_are_no_fault(list22):
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        command = f"'{sys.executable}' -m gpulingo words --wordlist list.txt {closed}"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=list22.parent)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("list: list.txt") == (closed == "2>&-")


def test_an_encoding_without_the_letters_is_told(process, list22):
    list22.write_text("ärger\nhürde\n", encoding="utf-8")
    assert process("words --wordlist list.txt --json").returncode == 0
    list22.rename("größe.txt")
    done = process("words --wordlist größe.txt --json", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    said = "gpulingo: the output's encoding ascii has no '\\xf6': set PYTHONIOENCODING=utf-8\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


@pytest.mark.slow
def test_ctrl_c_ends_a_run_with_one_line_and_no_file(list22):
    begun = list22.parent / "begun"
    begun.with_name("mine.py").write_text(
        f"def f(sizes):\n    open({str(begun)!r}, 'w')\n    return -sizes**2\n"
    )
    line = "simulate --length 4-13 --strategy mine:f --device cpu --per-word a.tsv"
    command = [sys.executable, "-m", "gpulingo", *line.split()]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=list22.parent
    ) as process:
        while not begun.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        complaints = process.communicate(timeout=60)[1].decode()
    assert re.fullmatch(r"gpulingo: interrupted( after \d+ of 10 lengths.*)?\n", complaints), complaints
    assert process.returncode == 130
    assert not begun.with_name("a.tsv").exists()

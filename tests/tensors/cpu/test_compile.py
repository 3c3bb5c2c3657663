"""Kernels in separate processes: the messages when they are compiled, and what needs no compiling."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from gpulingo.tensors import clock
from gpulingo.tensors.cpu.compile import kernel_folder

KERNEL = """
from gpulingo.tensors.clock import when_compiling
from gpulingo.tensors.cpu.compile import compiled

def twice(n):
    return 2 * n

when_compiling(print)
print(compiled(twice)(21))
"""
ONCE = f"gpulingo: {clock.ONCE}; `gpulingo precompile` does most of it ahead\n"


@pytest.fixture
def cold(tmp_path):
    """A function that runs Python with an initially empty folder for kernels."""

    def ran(*words, **options):
        place = {"env": os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}, "cwd": tmp_path}
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, timeout=300, **place | options
        )
        assert done.returncode == 0, done.stderr
        return done

    return ran


@pytest.mark.slow
def test_the_first_process_compiles_a_kernel_and_those_of_equal_files_have_it(tmp_path, cold):
    kernels = tmp_path / "kernels" / "gpulingo" / "kernels"
    for age in range(20):
        (kernels / str(age)).mkdir(parents=True)
        os.utime(kernels / str(age), (1e9 - age, 1e9 - age))
    beside = kernels.parent / "not a kernel"
    beside.mkdir()
    for name, told in (("one", f"{clock.ONCE}\n"), ("other", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernel.py").write_text(KERNEL)
        assert cold(str(tmp_path / name / "kernel.py")).stdout == f"{told}42\n"
    assert cold("-c", KERNEL).stdout == f"{clock.AGAIN}\n42\n"  # without a source file, so without a cache
    # Only the newest versions are kept.
    assert len(list(kernels.iterdir())) == 16 and beside.exists()
    assert not (kernels / "15").exists() and (kernels / "14").exists()


FACTORY = """
from gpulingo.tensors.clock import when_compiling
from gpulingo.tensors.cpu.compile import compiled, inner

@inner
def double(n):
    return 2 * n

@inner
def triple(n):
    return 3 * n

def plus(step, most):
    @inner
    def add(n):
        return min(step(n) + 1, most)
    return add

def of(step, most):
    add = plus(step, most)
    def kernel(n):
        return add(n)
    return compiled(kernel)

when_compiling(print)
print([of(step, most)(7) for step in (double, triple) for most in (10, 99)])
"""


@pytest.mark.slow
def test_kernels_of_one_factory_are_told_apart_and_kept_for_other_processes(tmp_path, cold):
    file = tmp_path / "kernel.py"
    file.write_text(FACTORY)
    answer = "[10, 15, 10, 22]\n"
    assert cold(str(file)).stdout == f"{clock.ONCE}\n{answer}"
    assert cold(str(file)).stdout == answer


ANEW = """
import sys
from pathlib import Path
from gpulingo.tensors.clock import when_compiling
from gpulingo.tensors.cpu import compile

def first(pair):
    return 2 * pair.first

def run(digest, name):
    compile.DIGEST = digest
    Path(f"{name}.py").write_text("import typing\\nclass Pair(typing.NamedTuple):\\n    first: int\\n")
    when_compiling(lambda text: print(digest, name, text))
    print(compile.compiled(first)(__import__(name).Pair(21)))
    Path(f"{name}.py").unlink()
    del sys.modules[name]

for asked in ("these", "one"), ("these", "one"), ("others", "one"), ("more", "another"):
    run(*asked)
"""


@pytest.mark.slow
def test_a_kernel_is_compiled_anew_when_a_file_has_changed_or_that_of_its_arguments_is_gone(tmp_path, cold):
    """Its file, or one that it may call into."""
    (tmp_path / "kernel.py").write_text(ANEW)
    lines = cold("-B", str(tmp_path / "kernel.py")).stdout.splitlines()
    assert lines == [f"these one {clock.ONCE}", "42", "42", f"others one {clock.ONCE}", "42",
                     f"more another {clock.ONCE}", "42"]  # fmt: skip


DAMAGED = """
import pickle, resource, signal, sys
from pathlib import Path
from gpulingo.tensors import clock
from gpulingo.tensors.cpu.compile import kernel_folder
from gpulingo.tensors.cpu.compile import compiled, kernel_folder

def twice(n):
    return 2 * n

def again():
    clock.tell.cache_clear()
    told = []
    clock.when_compiling(lambda text: told.append(str(text)))
    print(compiled(twice)(21), *(text.replace(str(kernel_folder()), "F") for text in told), sep="; ")

again()
for data in (b"", b"\\0" * 4000, b"text", pickle.dumps(["another"]), pickle.dumps(sys.version), None):
    for ending in ("nbi", "nbc"):
        for file in kernel_folder().glob(f"*.{ending}"):
            file.write_bytes(file.read_bytes()[:-9] if data is None else data)
        again()
        again()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for file in kernel_folder().iterdir():
    file.unlink()
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
again()
"""


@pytest.mark.slow
def test_damaged_kernels_are_compiled_and_stored_again_and_a_full_disk_is_one_line(tmp_path, cold):
    file = tmp_path / "kernel.py"
    file.write_text(DAMAGED)
    first, *lines, full = cold(str(file)).stdout.splitlines()
    assert first == f"42; {clock.ONCE}"
    mended = f"42; stored kernels in F are damaged: compiling them again; {clock.ONCE}"
    assert lines[1::2] == ["42"] * 12
    assert [line for line in lines[::2] if line != mended] == [first] * 2  # an index of another version
    unkept = "kernels cannot be stored in F (File too large): they are compiled for this run alone"
    assert full == f"{first}; {unkept}"


@pytest.mark.slow
def test_what_compiles_ahead_ends_with_a_process_that_is_killed(tmp_path):
    run, env = [sys.executable, "-m", "gpulingo", "precompile"], {"NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(run, env=os.environ | env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == f"gpulingo: {clock.ONCE}\n"
        process.kill()
        # It is read to its end when the last of them has ended; Python's own warns of their locks.
        assert "gpulingo" not in process.stderr.read()


AHEAD = """
import gc, json, sys
from numba.core.dispatcher import Dispatcher
from typer.testing import CliRunner
from gpulingo.machines.precompile import TASKS

def kernels():
    found = [it for it in gc.get_objects() if isinstance(it, Dispatcher)]
    return {f"{it.__module__}.{it.__qualname__}{kinds}" for it in found for kinds in it.signatures}

for task, search in (each for tasks in TASKS for each in tasks):
    task(*search)
ahead = kernels()
from gpulingo.cli.app import app_for
for command in json.loads(sys.argv[1]):
    ran = CliRunner().invoke(app_for(), f"{command} --wordlist list.txt".split(), input="XXXXXX\\n")
    assert ran.exit_code == 0, (command, ran.output)
print(len(ahead), sorted(kernels() - ahead))
"""


@pytest.mark.slow
def test_what_is_compiled_ahead_need_not_be_compiled_by_a_run(tmp_path, random_words):
    counts = {4: 100, 6: 100, 12: 100, 8: 300}
    words = [word for length, count in counts.items() for word in random_words(length, count, length)]
    (tmp_path / "list.txt").write_text("\n".join(words))
    commands = [
        "simulate --length 4,6,12 --strategy parts --device cpu",
        "simulate --length 4,6,12 --strategy largest_class --game wordle --hard --device cpu",
        f"suggest {words[0]}:XXXX",
        f"suggest {words[0]}:XXXX --search --game wordle",
        "suggest zzzzzzzz:XXXXXXXX --search",
        "suggest a:XXXXXX --search --game hangman",
        f"review --target {words[101]} {words[100]} {words[101]}",
        f"review --game hangman --target {words[100]} a e",
        "play 6 --search --device cpu",
        *(f"solve {length} --time 1s" for length in (4, 6, 12)),
        "solve --length 6 --game wordle --time 1s",
    ]
    run = [sys.executable, "-c", AHEAD, json.dumps(commands)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    number, more = done.stdout.splitlines()[-1].split(" ", 1)
    assert int(number) > 0 and more == "[]"


@pytest.mark.slow
def test_an_interrupt_ends_all_that_compile_ahead_without_a_traceback(tmp_path):
    run, env = (
        [sys.executable, "-m", "gpulingo", "precompile"],
        os.environ | {"NUMBA_CACHE_DIR": f"{tmp_path}"},
    )
    with subprocess.Popen(run, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stderr.readline() == f"gpulingo: {clock.ONCE}\n"
        os.killpg(process.pid, signal.SIGINT)
        assert (process.stderr.read(), process.wait()) == ("gpulingo: interrupted\n", 130)


PLAYER = """
import sys
from gpulingo.__main__ import run
from gpulingo.tensors.cpu import rank
from gpulingo.tensors.cpu.compile import compiled
rank_sets = rank.rank_sets

def twice(n):
    return 2 * n

def ranked_later(*asked):
    compiled(twice)(21)
    return rank_sets(*asked)

rank.rank_sets = ranked_later
run(sys.argv[1:])
"""


@pytest.mark.slow
def test_a_player_that_has_to_compile_says_so_on_stderr(tmp_path, words22, cold):
    (tmp_path / "list.txt").write_text("\n".join(words22.words))
    (tmp_path / "player.py").write_text(PLAYER)
    stored = tmp_path / "kernels" / "gpulingo" / "kernels" / kernel_folder().name
    shutil.copytree(kernel_folder(), stored)  # one kernel is missing
    (stored / "precompiled").unlink()
    line = f"{tmp_path}/player.py play 5 --wordlist list.txt --search --device cpu"
    done = cold(*line.split(), input="OOOOO\n")
    assert (done.stderr, len(done.stdout)) == (ONCE, 6)

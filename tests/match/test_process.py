"""A single player process: its end, its costs, and what it leaves in this process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import PlayerError

SHELL = ["/bin/sh", "-c"]


def player(code, **how):
    return ProcessPlayer([sys.executable, "-S", "-c", code], **how)


def descriptors():
    """Number of open files of this process; 0 if unknown."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def test_the_ending_tells_exit_code_and_cost():
    with player("print('able', flush=True)\nfor _ in range(10**6): pass\nraise SystemExit(3)") as spent:
        assert spent() == "able"
    assert (spent.ending.exit, spent.ending.lingered) == (3, False)
    assert 0.02 < spent.ending.cpu < 5
    assert spent.ending.cpu / 2 < spent.ending.wall


def test_the_end_of_stderr_is_kept():
    code = "import sys; sys.stderr.write('a' * 9000 + 'last words'); print('able')"
    with player(code) as loud:
        assert loud() == "able"
    assert loud.ending.complaints.endswith("aaalast words")
    assert len(loud.ending.complaints) == 4096


def test_an_interrupt_ends_the_player_at_once():
    with pytest.raises(KeyboardInterrupt), ProcessPlayer([*SHELL, "echo able; sleep 1000"]) as cut:
        cut()
        raise KeyboardInterrupt
    assert cut.ending.exit == -9  # killed at once, not asked to end


def test_no_descriptor_and_no_dead_process_is_left():
    before = descriptors()
    for code in ("echo able", "exit 3", "exec sleep 60", "echo able; kill -9 $$"):
        with ProcessPlayer([*SHELL, code], timeout=1) as one:
            try:
                one()
            except PlayerError:
                pass
        with pytest.raises(ChildProcessError):
            os.waitpid(one._process.pid, os.WNOHANG)
    with pytest.raises(PlayerError), ProcessPlayer(["/no/such/player"]) as absent:
        absent()
    assert descriptors() == before


def test_other_children_of_this_process_stay():
    with subprocess.Popen(["sleep", "1000"]) as other:
        with ProcessPlayer([*SHELL, "echo able"]) as one:
            assert one() == "able"
        other.terminate()
        assert other.wait(60) == -15  # it was not killed before


SWEEP = """
import os, subprocess, psutil
from gpulingo.match import process
sleep = ["sleep", "60"]
processes = subprocess.Popen(sleep, start_new_session=True), subprocess.Popen(sleep, process_group=0)
known = {one.pid for one in processes}
assert process.children() == known
process.control(*process.ADOPT_ORPHANS)
command = "sleep 60 & setsid sleep 60 & (setsid sh -c 'sleep 60 & sleep 60' &) ; exit"
subprocess.run(["/bin/sh", "-c", command], start_new_session=True)
below = lambda: {child.pid for child in psutil.Process().children(recursive=True)}
while len(below()) < 7:
    pass
process.sweep(20, known)
print(below() == known, [one.poll() for one in processes])
process.sweep(20)
print(process.children(), below())
"""


HIDING = """
import subprocess, sys, time
from gpulingo.match import process
hides = '''
import os, time
end = time.monotonic() + 30
while time.monotonic() < end:
    if os.getpgrp() != os.getpid(): os.setsid()
    if os.fork(): os._exit(0)
'''
process.control(*process.ADOPT_ORPHANS)
for _ in range(4):
    subprocess.Popen([sys.executable, "-S", "-c", hides])
time.sleep(0.5)
process.sweep(10)
print(process.children())
"""


def test_several_that_fork_hide_and_end_again_and_again_are_met_alive():
    done = subprocess.run([sys.executable, "-c", HIDING], capture_output=True, text=True, timeout=120)
    assert done.stdout == "set()\n", done.stderr


def test_a_sweep_ends_orphans_of_every_session_and_spares_children_that_are_named():
    done = subprocess.run([sys.executable, "-c", SWEEP], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True [None, None]\nset() set()\n", "")

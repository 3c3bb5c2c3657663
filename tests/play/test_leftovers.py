"""What is found of a family of processes, and that a sweep ends it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.play.leftovers import descendants

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")

FAMILY = """
import os, subprocess, sys, time
from gpulingo.play import leftovers
leftovers.adopt_orphans()
assert leftovers.childless()
command = "sleep 60 & setsid sleep 60 & (setsid sh -c 'sleep 60 & sleep 60' &) ; exit"
subprocess.run(["/bin/sh", "-c", command])
time.sleep(0.2)
found = leftovers.descendants(os.getpid())
assert not leftovers.childless()
started = time.monotonic()
cpu = leftovers.sweep(5)
left = leftovers.descendants(os.getpid())
print(len(found), leftovers.childless(), len(left), time.monotonic() - started < 1)
"""


def test_a_sweep_ends_orphans_of_every_session():
    done = subprocess.run([sys.executable, "-c", FAMILY], capture_output=True, text=True, timeout=20)
    assert (done.stdout, done.stderr) == ("5 True 0 True\n", "")


def test_descendants_are_told_with_their_groups():
    with subprocess.Popen(
        ["/bin/sh", "-c", "sleep 60 & echo $!; wait"], stdout=-1, start_new_session=True
    ) as child:
        grandchild = int(child.stdout.readline())
        found = descendants(os.getpid())
        os.killpg(child.pid, 9)
    assert (found[child.pid], found[grandchild]) == (child.pid, child.pid)


def test_a_program_with_brackets_in_its_name_is_no_riddle(tmp_path):
    program = tmp_path / "a) 1 (b"
    program.write_text("#!/bin/sh\necho\nsleep 60\n")
    program.chmod(0o755)
    with subprocess.Popen([program], stdout=-1, start_new_session=True) as child:
        child.stdout.readline()
        found = descendants(os.getpid())
        os.killpg(child.pid, 9)
    assert found[child.pid] == child.pid

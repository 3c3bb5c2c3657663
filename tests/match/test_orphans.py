"""What is found of a family of processes, and that a sweep ends it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.match.orphans import family, kill

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")

FAMILY = """
import os, subprocess, sys, time
from gpulingo.match import orphans as leftovers
leftovers.adopt_orphans()
assert leftovers.childless()
command = "sleep 60 & setsid sleep 60 & (setsid sh -c 'sleep 60 & sleep 60' &) ; exit"
subprocess.run(["/bin/sh", "-c", command])
found = []
while len(found) < 5:
    found = leftovers.family(os.getpid())
    time.sleep(0.01)
assert not leftovers.childless()
cpu = leftovers.sweep(20)
left = leftovers.family(os.getpid())
print(len(found), leftovers.childless(), len(left))
"""


def test_a_sweep_ends_orphans_of_every_session():
    done = subprocess.run([sys.executable, "-c", FAMILY], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("5 True 0\n", "")


def test_a_family_is_all_that_is_below_a_process():
    with subprocess.Popen(
        ["/bin/sh", "-c", "sleep 60 & echo $!; wait"], stdout=-1, start_new_session=True
    ) as child:
        grandchild = int(child.stdout.readline())
        found = family(os.getpid())
        assert {child.pid, grandchild} <= {process.pid for process in found}
        kill([process for process in found if process.pid in (child.pid, grandchild)])
        assert child.wait(30) == -9
    assert family(child.pid) == []


STRANGERS = """
import os, subprocess
from gpulingo.match import orphans as leftovers
start = lambda *more, **how: subprocess.Popen(["sleep", "60"], **how)
known, own = start(start_new_session=True), start(process_group=0)
with leftovers.orphans_adopted():
    orphans = "setsid sh -c 'sleep 60 & setsid sleep 60 & sleep 60' & exit"
    subprocess.run(["/bin/sh", "-c", orphans], start_new_session=True)
    while len(leftovers.family(os.getpid())) < 6:
        pass
    print(leftovers.sweep_strangers({known.pid}, 20))
    print({process.pid for process in leftovers.family(os.getpid())} == {known.pid, own.pid})
print(known.poll(), own.poll())
known.kill(), own.kill(), known.wait(), own.wait()
"""


def test_a_sweep_of_strangers_spares_children_of_ones_own():
    done = subprocess.run([sys.executable, "-c", STRANGERS], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\nTrue\nNone None\n", "")

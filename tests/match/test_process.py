"""A single player process: its clock, its end, its costs, and what it leaves in this process."""

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import PlayerError
from gpulingo.match.worker_process import Line

SHELL = ["/bin/sh", "-c"]


def player(code, **how):
    return ProcessPlayer([sys.executable, "-S", "-c", code], **how)


def descriptors():
    """Number of open files of this process; 0 if unknown."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def test_the_clock_is_that_of_the_whole_round():
    # Each single guess would be in time.
    with player("import time\nwhile True: time.sleep(0.3); print('able', flush=True)", timeout=0.7) as slow:
        with pytest.raises(PlayerError, match=r"Player program timed out after 0\.7 s") as told:
            for _ in range(9):
                slow()
    assert told.value.fault == "timeout"


def test_the_ending_tells_exit_code_and_cost():
    with player("print('able', flush=True)\nfor _ in range(10**6): pass\nraise SystemExit(3)") as spent:
        assert spent() == "able"
    assert (spent.ending.exit, spent.ending.lingered) == (3, False)
    assert 0.02 < spent.ending.cpu < 5
    assert spent.ending.cpu / 2 < spent.ending.wall


def test_the_end_of_stderr_is_kept():
    code = "import sys; sys.stderr.write('a' * 9000 + 'last words'); print('able')"
    with player(code, stderr=subprocess.PIPE) as loud:
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
        with ProcessPlayer([*SHELL, code], timeout=1, stderr=subprocess.PIPE) as one:
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
        with ProcessPlayer([*SHELL, "echo able"], alone=True) as one:
            assert one() == "able"
        other.terminate()
        assert other.wait(60) == -15  # it was not killed before


on_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
FAMILY = """
import os, subprocess, sys, time
from gpulingo.match import process as leftovers
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


@on_proc
def test_a_sweep_ends_orphans_of_every_session():
    done = subprocess.run([sys.executable, "-c", FAMILY], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("5 True 0\n", "")


STRANGERS = """
import os, subprocess
from gpulingo.match import process as leftovers
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


@on_proc
def test_a_sweep_of_strangers_spares_children_of_ones_own():
    done = subprocess.run([sys.executable, "-c", STRANGERS], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\nTrue\nNone None\n", "")


@pytest.fixture
def ends():
    one, other = socket.socketpair()
    line = Line(one, 1)
    yield line, other
    line.close()
    other.close()


def test_messages_come_as_they_were_sent(ends):
    line, socket_ = ends
    other = Line(socket_)
    messages = [{}, {"text": "a\nb\x00 é \udcff"}, {"long": "x" * 10**6}]
    sending = threading.Thread(target=lambda: [other.tell(message) for message in messages])
    sending.start()
    assert [line.told(60) for _ in messages] == messages
    sending.join()


def test_a_part_of_a_message_and_an_end_that_never_reads_are_not_waited_for(ends):
    line, other = ends
    assert line.told(0) is None
    with pytest.raises(OSError):
        line.tell({"long": "x" * 10**7})
    other.sendall(b"\0\0\0\t{")
    with pytest.raises(OSError):
        line.told()


def test_an_end_that_is_gone_is_told(ends):
    line, other = ends
    other.sendall(b"{")
    other.close()
    with pytest.raises((EOFError, OSError)):
        line.told(60)

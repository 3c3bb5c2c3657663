"""A clock that leaves out what kernels take to be compiled, and who is told of it."""

import pytest

from gpulingo.tensors import clock


@pytest.fixture
def wall(monkeypatch):
    """A list of one number, which is the time of day."""
    time = [100.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: time[0])
    monkeypatch.setattr(clock, "_compilations", clock._Compilations())
    return time


def test_the_clock_stands_still_while_kernels_are_compiled(wall):
    before = clock.clock()
    wall[0] += 1
    clock.begin(True)
    wall[0] += 10
    assert clock.clock() - before == 1
    clock.begin(True)  # a part of the kernel
    wall[0] += 10
    clock.end()
    assert clock.clock() - before == 1
    clock.end()
    wall[0] += 2
    assert clock.clock() - before == 3


def test_compiling_is_told_once(wall):
    told = []
    clock.when_compiling(told.append)
    assert told == []
    for _ in range(2):
        clock.begin(True)
        clock.end()
    assert told == ["compiling kernels, once (some seconds)"]


def test_it_is_told_that_nothing_is_kept(wall):
    told = []
    clock.when_compiling(told.append)
    clock.begin(False)
    assert told == [clock.AGAIN]
    assert "NUMBA_CACHE_DIR" in clock.AGAIN

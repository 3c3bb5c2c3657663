"""Items that threads share, and the number of threads."""

import threading

import pytest
import torch

from gpulingo.cli.wording import worded
from gpulingo.tensors import clock
from gpulingo.tensors.threads import shared, threads


@pytest.fixture(autouse=True)
def three_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    assert (threads(), torch.get_num_threads()) == (3, 3)
    torch.set_num_threads(before)


def test_items_end_in_their_order():
    told = []
    assert shared([lambda at=at: at for at in range(20)], told.append) == list(range(20))
    assert sorted(told) == list(range(20))


def test_an_error_in_an_item_or_in_what_is_told_ends_the_work():
    for items, done in (([lambda: 1 // 0], None), ([lambda: 0], lambda result: 1 // result)):
        with pytest.raises(ZeroDivisionError):
            shared(items, done)


def test_who_waits_is_asked_whether_to_go_on():
    ended = threading.Event()

    def stop():
        ended.set()
        raise KeyError

    with pytest.raises(KeyError):
        shared([lambda: ended.wait(60)] * 2, waiting=stop)


@pytest.fixture
def wall(monkeypatch):
    """A list of one number: the clock time."""
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
    clock.begin(True)  # a part of a kernel
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
    assert told == [clock.ONCE] and str(clock.ONCE) == "compiling kernels, once (some seconds)"
    clock.when_compiling(told.append)
    clock.begin(True, ahead=True)  # what `gpulingo precompile` left out is not promised of it
    clock.end()
    assert told[-1] == clock.REST and str(clock.REST) == str(clock.ONCE)
    assert [worded(text).partition("; ")[2] for text in told] == [
        "`gpulingo precompile` does most of it ahead",
        "",
    ]

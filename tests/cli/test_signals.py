"""Ctrl-C that waits: the first is noted, the second comes at once."""

import signal
import threading

import pytest

from gpulingo.cli.limits import interrupted_by_sigterm, late_interrupt


def test_the_first_waits_until_it_is_looked_for():
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt() as check:
        check()
        signal.raise_signal(signal.SIGINT)
        reached.append("after it")
        check()
        reached.append("never")
    assert reached == ["after it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_comes_at_the_end_when_nobody_looks():
    reached = []
    with pytest.raises(KeyboardInterrupt):
        with late_interrupt():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")
        reached.append("never")
    assert reached == ["the end"]


def test_the_second_does_not_wait():
    reached = []
    with pytest.raises(KeyboardInterrupt), late_interrupt():
        signal.raise_signal(signal.SIGINT)
        reached.append("after the first")
        signal.raise_signal(signal.SIGINT)
        reached.append("never")
    assert reached == ["after the first"]


@pytest.fixture(params=[signal.SIGTERM, signal.SIGHUP])
def ending(request):
    """A signal that ends a process, also where these tests run under `nohup`."""
    before = signal.signal(request.param, signal.SIG_DFL)
    yield request.param
    signal.signal(request.param, before)


def test_what_is_as_good_as_the_first_waits_too(ending):
    reached = []
    with pytest.raises(KeyboardInterrupt), interrupted_by_sigterm(), late_interrupt() as check:
        signal.raise_signal(ending)
        reached.append("after it")
        check()
        reached.append("never")
    assert reached == ["after it"]
    assert signal.getsignal(ending) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_caller_keeps_its_own_handler():
    noted = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        with late_interrupt():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted == [signal.SIGINT]


def test_a_thread_that_may_set_no_handler_runs_all_the_same():
    def work():
        with late_interrupt() as check:
            check()
            done.append(True)

    done = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]

"""Calls in a thread of their own: their results and errors, and calls that never return."""

import threading

import pytest

from gpulingo.storage.answers import Answers


class Enough(Exception):
    """Whoever waits has waited enough."""


def enough():
    raise Enough


def test_a_call_returns_and_raises_as_it_does_in_the_thread_of_who_asks():
    ask = Answers(enough)
    assert ask(divmod, 7, 2, patience=60) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        ask(divmod, 7, 0, patience=60)


def test_a_call_that_never_returns_is_left():
    never, ask, looks = threading.Event(), None, []

    def often():
        looks.append(1)
        if len(looks) == 3:
            raise Enough

    ask = Answers(often)
    with pytest.raises(Enough):
        ask(never.wait)
    assert len(looks) == 3
    with pytest.raises(Enough):  # as the first still goes on
        looks[:] = [1, 1]
        ask(divmod, 7, 2)
    with pytest.raises(TimeoutError, match=r"no answer in 0.01 s"):
        ask(divmod, 7, 2, patience=0.01)
    never.set()
    assert ask(divmod, 9, 2, patience=60) == (4, 1)


def test_the_thread_ends_with_who_asks():
    ask = Answers(enough)
    thread = ask(threading.current_thread, patience=60)
    del ask
    thread.join(60)
    assert not thread.is_alive()

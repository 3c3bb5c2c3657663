"""The end of a search: by the clock, by another thread, of a part of the time."""

import threading

import pytest

from gpulingo.optimise import every_guess as module
from gpulingo.optimise.every_guess import Deadline, OutOfTime


@pytest.fixture
def now(monkeypatch):
    """A clock that stands still until it is set."""
    times = [100.0]
    monkeypatch.setattr(module, "clock", lambda: times[0])
    return times


def test_it_is_over_when_the_time_is(now):
    deadline = Deadline(2)
    assert (deadline.over(), deadline.left) == (False, 2.0)
    deadline.check()
    now[0] = 102.0
    assert (deadline.over(), deadline.left) == (True, 0.0)
    with pytest.raises(OutOfTime):
        deadline.check()


def test_a_part_is_of_what_is_left(now):
    deadline = Deadline(10)
    now[0] = 104.0
    assert deadline.part(0.5).ends == 107.0


def test_another_thread_ends_it_its_parts_and_a_patient_one_too(now):
    stop = threading.Event()
    deadline = Deadline(10, stop)
    part, patient = deadline.part(0.5), deadline.patient()
    now[0] = 1e9
    assert part.over() and not patient.over()
    stop.set()
    assert patient.over() and deadline.left == 0.0

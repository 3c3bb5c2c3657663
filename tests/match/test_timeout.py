"""A player's time: it runs from its beginning on, and ends a round as a timeout."""

import pytest

from gpulingo.match import timeout
from gpulingo.match.referee import PlayerError
from gpulingo.match.timeout import USUAL, Timeout


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands where its one entry says."""
    now = [100.0]
    monkeypatch.setattr(timeout.time, "monotonic", lambda: now[0])
    return now


def test_the_time_runs_from_its_beginning_on(clock):
    of_round = Timeout(2.5)
    clock[0] = 150.0
    of_round.begin()
    clock[0] = 152.0
    assert (of_round.passed, of_round.left, of_round.checked()) == (2.0, 0.5, 0.5)
    assert Timeout().seconds == USUAL


def test_when_it_is_over_the_player_has_timed_out(clock):
    of_round = Timeout(2.5)
    of_round.begin()
    clock[0] = 102.5
    with pytest.raises(PlayerError, match=r"^Player program timed out after 2\.5 s$") as caught:
        of_round.checked()
    assert caught.value.fault == "timeout"


def test_it_can_be_cut_but_never_made_longer(clock):
    of_round = Timeout(2.5)
    of_round.begin()
    of_round.cut(9.0)
    assert of_round.left == 2.5
    of_round.cut(0.5)
    assert (of_round.left, of_round.passed) == (0.5, 0.0)
    of_round.begin()
    assert of_round.left == 2.5

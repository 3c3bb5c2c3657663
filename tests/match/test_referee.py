"""Rounds of scripted players, in process and through pipes, and their time."""

import sys

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match import referee
from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import PlayerError, Timeout, play_round

WORDS = {"able", "bale", "cart", "zone"}
SCRIPT = (
    "import sys\nfor word in sys.argv[1:]:\n    print(word, flush=True)\n    if input() == 'OOOO': break\n"
)


def scripted(*guesses):
    rest = iter(guesses)

    def guess(history):
        word = next(rest, None)
        if word is None:
            raise PlayerError("Player program ended unexpectedly")
        return word

    return guess


def process(*words):
    return ProcessPlayer([sys.executable, "-c", SCRIPT, *words])


def test_a_process_plays_as_a_function_does():
    for words in (["zone", "able"], ["able"], ["lean", "cart"], ["zone"] * 5):
        with process(*words) as player:
            played = play_round(player, "able", WORDS, lingo(), hear=player.hear)
        assert played == play_round(scripted(*words), "able", WORDS, lingo())


@pytest.fixture
def clock(monkeypatch):
    """A clock whose one entry is the time."""
    now = [100.0]
    monkeypatch.setattr(referee.time, "monotonic", lambda: now[0])
    return now


def test_the_time_runs_from_its_beginning_on_and_when_it_is_over_the_player_has_timed_out(clock):
    of_round = Timeout(2.5)
    clock[0] = 102.0
    assert (of_round.passed, of_round.left, of_round.checked()) == (2.0, 0.5, 0.5)
    clock[0] = 102.5
    with pytest.raises(PlayerError, match=r"^Player program timed out after 2\.5 s$") as caught:
        of_round.checked()
    assert caught.value.fault == "timeout"

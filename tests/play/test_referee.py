"""Rounds of scripted players, in process and through pipes."""

import sys

import pytest

from gpulingo.play.referee import PlayerError, ProcessPlayer, Transcript, play_round
from gpulingo.rules.lingo import Lingo

WORDS = {"able", "bale", "cart", "zone"}
SCRIPT = (
    "import sys\nfor word in sys.argv[1:]:\n    print(word, flush=True)\n    if input() == 'OOOO': break\n"
)


def scripted(*guesses):
    rest = iter(guesses)

    def guess(history):
        word = next(rest, None)
        if word is None:
            raise PlayerError("the player ended before the round")
        return word

    return guess


def test_a_found_word_ends_the_round():
    expected = Transcript("able", ("zone", "able"), ("XXXO", "OOOO"), 400)
    assert play_round(scripted("zone", "able", "bale"), "able", WORDS, Lingo()) == expected


@pytest.mark.parametrize("guess", ["lean", "ABLE", "a", "", "ables", "äble", "XXXX"])
def test_an_invalid_guess_costs_a_turn_and_gets_all_x(guess):
    expected = Transcript("able", (guess, "able"), ("XXXX", "OOOO"), 400)
    assert play_round(scripted(guess, "able"), "able", WORDS, Lingo()) == expected


def test_a_round_is_lost_after_its_turns():
    played = play_round(scripted(*["zone"] * 9), "able", WORDS, Lingo(3))
    assert (len(played.guesses), played.points, played.error) == (3, 0, "")


def test_a_player_that_ends_early_has_no_points():
    played = play_round(scripted("zone"), "able", WORDS, Lingo())
    assert played == Transcript("able", ("zone",), ("XXXO",), 0, "the player ended before the round")


def test_a_player_sees_the_rounds_so_far():
    seen = []

    def guess(history):
        seen.append(history)
        return "zone"

    play_round(guess, "able", WORDS, Lingo(3))
    assert seen == [[], [("zone", "XXXO")], [("zone", "XXXO")] * 2]


def process(*words, code=SCRIPT, **how):
    return ProcessPlayer([sys.executable, "-c", code, *words], **how)


def test_a_process_plays_as_a_function_does():
    for words in (["zone", "able"], ["able"], ["lean", "cart"], ["zone"] * 5):
        with process(*words) as player:
            assert play_round(player, "able", WORDS, Lingo()) == play_round(
                scripted(*words), "able", WORDS, Lingo()
            )


def test_a_process_is_told_the_last_marks():
    with process("able") as player:
        assert play_round(player, "able", WORDS, Lingo()).points == 500
    assert player._process.returncode == 0


def test_a_process_that_says_nothing_is_given_up(tmp_path):
    with process(code="import time; time.sleep(30)", cwd=tmp_path, timeout=0.2) as player:
        played = play_round(player, "able", WORDS, Lingo())
    assert (played.points, played.error) == (0, "the player wrote no guess in 0.2 seconds")


def test_a_process_without_newlines_is_given_up():
    with process(code="print('a' * 10000, end='', flush=True); input()") as player:
        assert "bytes without a newline" in play_round(player, "able", WORDS, Lingo()).error


def test_a_command_that_is_not_there_is_told():
    with pytest.raises(PlayerError, match="cannot start no-such-player"):
        with ProcessPlayer(["no-such-player", "5"]):
            pass

"""Rounds of scripted players, in process and through pipes, and the lines of the referee."""

import sys

import pytest

from gpulingo.games.catalogue import find_game, hangman, lingo
from gpulingo.match import referee
from gpulingo.match.process import ProcessPlayer
from gpulingo.match.referee import (
    MOST_CHATTER,
    PlayerError,
    Timeout,
    Transcript,
    play_round,
    printable,
    refereed_round,
    total_text,
)

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


def told(*guesses, target="able", game=None):
    """The lines of the referee for a round."""
    lines = []
    play_round(scripted(*guesses), target, WORDS, game or lingo(), tell=lines.append)
    return lines


def test_a_found_word_ends_the_round():
    expected = Transcript("able", ("zone", "able"), ("XXXO", "OOOO"), 400)
    assert play_round(scripted("zone", "able", "bale"), "able", WORDS, lingo()) == expected


def test_an_invalid_guess_costs_a_turn_and_gets_all_x():
    for guess in ("lean", "ABLE", "a", "", "ables", "äble", "XXXX", "able ", " able", "ab\0e"):
        expected = Transcript("able", (guess, "able"), ("XXXX", "OOOO"), 400, invalid=1)
        assert play_round(scripted(guess, "able"), "able", WORDS, lingo()) == expected


@pytest.mark.parametrize(
    ("game", "invalid"), [("lingo", 0), ("lingo-hard", 1), ("lingo-from3-hard", 0), ("lingo-consistent", 1)]
)
def test_a_guess_that_the_game_does_not_allow_is_invalid_and_shows_nothing(game, invalid):
    played = play_round(scripted("cart", "zone", "bale"), "bale", WORDS, find_game(game))
    assert played.marks == ("XOXX", "XXXX" if invalid else "XXXO", "OOOO")
    assert (played.invalid, played.points) == (invalid, 300)


def test_a_round_is_told_in_the_lines_of_the_pits_own_referee():
    assert told("zone", "lean", "able") == [
        "Starting new round, word is able",
        "Got:   zone",
        "Sent:  XXXO",
        "Got:   lean",
        "Sent:  XXXX",
        "Got:   able",
        "Sent:  OOOO",
        "Round won with score 300",
    ]
    assert told("zone", "zone", game=lingo(2))[-2:] == ["Sent:  XXXO", "Round lost"]
    assert told("zone")[-2:] == ["Sent:  XXXO", "Error: Player program ended unexpectedly"]
    assert total_text(300, 1, lingo()) == "\nTotal score: 300 / 500"
    assert total_text(700, 4, lingo()) == "\nTotal score: 700 / 2000"


def test_a_guess_is_made_printable():
    assert printable("äß a\0b\x1b[2J a\rb\u2028") == "äß a\\x00b\\x1b[2J a\\rb\\u2028"


def process(*words):
    return ProcessPlayer([sys.executable, "-c", SCRIPT, *words])


def test_a_process_plays_as_a_function_does():
    for words in (["zone", "able"], ["able"], ["lean", "cart"], ["zone"] * 5):
        with process(*words) as player:
            played = play_round(player, "able", WORDS, lingo(), hear=player.hear)
        assert played == play_round(scripted(*words), "able", WORDS, lingo())


def lettered(word, lives, lines):
    """Transcript, lines to the guesser and log, for a player that prints some lines and then exits."""
    rest, heard, told = iter(lines), [], []

    def say(history):
        line = next(rest, None)
        if line is None:
            raise PlayerError("it has ended")
        return line

    transcript = play_round(say, word, (), hangman(lives), hear=heard.append, tell=told.append)
    return transcript, heard, told


def test_a_word_is_shown_letter_by_letter_until_it_is_won():
    lines = [
        "I guess the letter 'i'.",
        "I guess the letter 'e'.",
        "s",
        "Is it H?",
        "f",
        "I guessed your word",
    ]
    transcript, heard, told = lettered("fish", 6, [*lines[:3], "letter: h", *lines[4:]])
    assert heard == ["_ _ _ _", "_ i _ _", "_ i _ _", "_ i s _", "_ i s h", "f i s h"]
    assert (transcript.guesses, transcript.marks.count("____")) == (("i", "e", "s", "h", "f"), 1)
    assert (transcript.points, transcript.ended, transcript.error) == (100, True, "")
    assert told[:3] == [
        "Starting new round, word is fish",
        "Sent:  _ _ _ _",
        "Got:   I guess the letter 'i'.",
    ]
    assert told[-1] == "Round won with 1 misses"


def test_a_guess_that_shows_nothing_new_is_a_miss_also_one_made_before():
    transcript, heard, told = lettered("fish", 3, ["i", "i", "e", "e", "I'm out of guesses", "x"])
    assert heard == ["_ _ _ _", *["_ i _ _"] * 4]
    assert (transcript.points, transcript.marks.count("____"), transcript.invalid) == (0, 3, 2)
    assert transcript.ended and not transcript.error and told[-1] == "Round lost"


@pytest.mark.parametrize(
    ("lines", "error", "fault", "ended"),
    [
        ([], "it has ended", "crash", False),
        (["i"], "it has ended", "crash", False),
        (["i", "I'm out of guesses"], "it says that it is out of guesses after 0 misses", "", True),
        (
            ["z", "I guessed your word!"],
            "it says that it has guessed the word, with 4 letters not shown",
            "",
            True,
        ),
        (
            ["i", *["well"] * MOST_CHATTER],
            f"{MOST_CHATTER} lines in a row name no letter, the last is 'well'",
            "crash",
            False,
        ),
    ],
)
def test_a_player_that_does_not_go_on_has_lost(lines, error, fault, ended):
    transcript, _, _ = lettered("fish", 6, lines)
    assert (transcript.points, transcript.error, transcript.fault, transcript.ended) == (
        0, error, fault, ended,
    )  # fmt: skip


def test_chatter_before_a_guess_is_passed_over():
    lines = ["Welcome!", "", "_ _ _", "i", "I think...", "'t'", "I guessed the word: it"]
    transcript, _, _ = lettered("it", 1, lines)
    assert (transcript.points, transcript.guesses, transcript.ended) == (100, ("i", "t"), True)


def test_a_last_line_that_is_missing_or_another_costs_nothing():
    for last in ([], ["x"], ["and now?"]):
        transcript, _, _ = lettered("it", 1, ["i", "t", *last])
        assert (transcript.points, transcript.ended, transcript.error) == (100, False, "")
        assert len(refereed_round("it", ["i", "t", *last], (), hangman()).guesses) == 2


@pytest.fixture
def clock(monkeypatch):
    """A clock whose one entry is the time."""
    now = [100.0]
    monkeypatch.setattr(referee.time, "monotonic", lambda: now[0])
    return now


def test_the_time_runs_from_its_beginning_on(clock):
    of_round = Timeout(2.5)
    clock[0] = 150.0
    of_round.begin()
    clock[0] = 152.0
    assert (of_round.passed, of_round.left, of_round.checked()) == (2.0, 0.5, 0.5)


def test_when_it_is_over_the_player_has_timed_out(clock):
    of_round = Timeout(2.5)
    of_round.begin()
    clock[0] = 102.5
    with pytest.raises(PlayerError, match=r"^Player program timed out after 2\.5 s$") as caught:
        of_round.checked()
    assert caught.value.fault == "timeout"


def test_a_player_that_ends_early_has_no_points():
    played = play_round(scripted("zone", "lean"), "able", WORDS, lingo())
    error = "Player program ended unexpectedly"
    assert played == Transcript("able", ("zone", "lean"), ("XXXO", "XXXX"), 0, error, "crash", 1)


def test_a_round_is_lost_after_its_turns():
    played = play_round(scripted(*["zone"] * 9), "able", WORDS, lingo(3))
    assert (len(played.guesses), played.points, played.error) == (3, 0, "")

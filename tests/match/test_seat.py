"""A process that guesses letters is kept or started for each word, whatever it does."""

import sys

import pytest

from gpulingo.games.catalogue import hangman
from gpulingo.match import seat as seats
from gpulingo.match.rounds import Planned
from gpulingo.match.sandbox import MatchSetup, Workspace
from gpulingo.match.seat import Seat
from gpulingo.match.standings import misses_of
from gpulingo.match.workers import played_rounds

GAME = hangman(6)
TIMEOUT = 20.0  # seconds that suffice on a busy machine too
PYTHON = (sys.executable, "-S", "-c")
LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
GUESSER = (
    f"LETTERS = {LETTERS!r}\n"
    + """
import os, sys, time, signal
open("starts", "a").write("x")
def say(text): os.write(1, text.encode() + b"\\n")
def word(last=True, lives=6):
    before, misses, number = None, 0, 0
    while True:
        line = sys.stdin.readline()
        if not line: sys.exit()
        misses += line == before
        if "_" not in line or misses == lives:
            if last: say("I guessed your word" if "_" not in line else "I'm out of guesses")
            return
        say(f"I guess the letter '{LETTERS[number]}'.")
        before, number = line, number + 1
"""
)
LOOP = "while True: word()"
PROGRAMS = {
    "goes on": LOOP,
    "plays one word": "word()",
    "says no last line and ends": "word(last=False)",
    "says no last line and goes on": "while True: word(last=False)",
    "guesses on when its lives are over": "while True: word(lives=7)",
    "gives up early": "while True: word(lives=2)",
}
# The last one is detected at the first lost word; the one before it wins that word.
STARTS = {"goes on": 1, "gives up early": 1, "guesses on when its lives are over": 5}
WORDS = ["tease", "fuzzy", "noise", "jazzy", "stone", "ghoul"]


def expected(word, lives=6):
    """Whether the programs, which guess the alphabet in order, win a word, and their misses."""
    missed = 0
    for number, letter in enumerate(LETTERS):
        missed += letter not in word
        if missed == lives:
            return False, missed
        if {*word} <= {*LETTERS[: number + 1]}:
            return True, missed
    raise AssertionError


def seat_of(argv, folder=None, timeout=TIMEOUT, game=GAME):
    return Seat(MatchSetup({"p": Workspace(argv, folder)}, {}, timeout, game), "p")


def planned(word):
    return Planned("p", "words", word, "hangman6")


@pytest.fixture
def seat(monkeypatch, tmp_path):
    """A function that makes a seat for a program; its processes are ended after the test."""
    made = []
    monkeypatch.setattr(seats, "GRACE", 0.5)

    def make(program, timeout=TIMEOUT):
        made.append(seat_of((*PYTHON, GUESSER + program), str(tmp_path), timeout))
        return made[-1]

    yield make
    for one in made:
        one.close()


def starts(folder):
    """Number of processes that were started in a folder."""
    return len((folder / "starts").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_word_is_played_to_its_end_by_a_player_that(seat, tmp_path, name):
    table = seat(PROGRAMS[name])
    for word in WORDS:
        transcript, _ = table.play(planned(word))
        won, misses = expected(word)
        if name == "gives up early" and not expected(word, 2)[0]:
            assert (transcript.points, transcript.fault) == (0, "")
            assert "out of guesses after 2" in transcript.error
        else:
            assert (transcript.points > 0, transcript.marks.count("_____"), transcript.error) == (
                won,
                misses,
                "",
            )
    assert starts(tmp_path) == STARTS.get(name, len(WORDS))


def test_a_process_that_is_kept_tells_what_each_word_cost(seat, tmp_path):
    table = seat(LOOP)
    endings = [table.play(planned(word))[1] for word in WORDS]
    assert {ending.exit for ending in endings} == {None}
    assert all(ending.wall > 0 for ending in endings)
    table.close()
    assert table.play(planned("tease"))[0].points and starts(tmp_path) == 2


@pytest.mark.parametrize(
    ("program", "fault", "error"),
    [
        ("sys.exit(3)", "crash", "Player program ended unexpectedly"),
        ("time.sleep(1000)", "timeout", "Player program timed out after 1 s"),
        ("say('e'); os.kill(os.getpid(), signal.SIGSEGV)", "crash", "Player program ended unexpectedly"),
        ("while True: os.write(1, b'a' * 100000)", "crash", "bufio.Scanner: token too long"),
        ("while True: say('so so')", "crash", "100 lines in a row name no letter, the last is 'so so'"),
        ("say('e'); os.close(1); time.sleep(1000)", "crash", "Player program ended unexpectedly"),
    ],
)
def test_a_player_that_breaks_loses_its_word_only(seat, tmp_path, program, fault, error):
    table = seat(program, timeout=1.0 if fault == "timeout" else TIMEOUT)
    for number in (1, 2):
        transcript, ending = table.play(planned("fuzzy"))
        assert (transcript.points, transcript.fault) == (0, fault)
        assert transcript.error == error
        assert starts(tmp_path) == number
    assert ending.wall < 60


@pytest.mark.slow
def test_a_match_keeps_a_process_for_each_player_whatever_others_do(tmp_path):
    programs = {"goes on": LOOP, "plays one word": "word()", "kills": "os.kill(os.getppid(), 9); word()"}
    workspaces = {
        name: Workspace((*PYTHON, GUESSER + program), str(tmp_path / name.replace(" ", "-")))
        for name, program in programs.items()
    }
    for workspace in workspaces.values():
        (tmp_path / workspace.folder).mkdir()
    setup = MatchSetup(workspaces, {}, TIMEOUT, hangman())
    rounds = [Planned(name, "words", word, "hangman6") for word in WORDS for name in list(programs)[:2]]
    results = [result for result, _ in played_rounds(rounds, setup, 2)]
    assert {(one.round.word, one.points > 0, misses_of(one)) for one in results} == {
        (word, *expected(word)) for word in WORDS
    }
    assert starts(tmp_path / "goes-on") <= 2 and len(WORDS) <= starts(tmp_path / "plays-one-word")
    attacked = [Planned("kills", "words", "fuzzy", "hangman6"), *rounds[:4]]
    again = [result for result, _ in played_rounds(attacked, setup, 1)]
    assert {one.round.player for one in again if one.fault} == {"kills"}
    assert len(again) == 5

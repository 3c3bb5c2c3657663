"""A process that guesses letters is kept between words, or started for each, as the player requires."""

import sys

import pytest

from gpulingo.games.catalogue import hangman
from gpulingo.match import worker_process
from gpulingo.match.rounds import Planned
from gpulingo.match.sandbox import MatchSetup, Workspace
from gpulingo.match.standings import misses_of
from gpulingo.match.worker_process import LetterSeat
from gpulingo.match.workers import played_rounds

GAME = hangman(6)
TIMEOUT = 20.0  # seconds that suffice on a busy machine too
LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
GUESSER = (
    f"LETTERS = {LETTERS!r}\n"
    + """
import os, sys, time, signal
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


@pytest.fixture
def seat(monkeypatch):
    """A function that makes a seat for a program; its processes are ended after the test."""
    made = []
    monkeypatch.setattr(worker_process, "GRACE", 0.5)

    def make(program, timeout=TIMEOUT):
        made.append(LetterSeat([sys.executable, "-S", "-c", GUESSER + program], None, timeout))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_word_is_played_to_its_end_by_a_player_that(seat, name):
    table = seat(PROGRAMS[name])
    for word in WORDS:
        transcript, _ = table.play(word, GAME)
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
    assert table.starts == STARTS.get(name, len(WORDS))
    assert table.taken == (name in ("goes on", "gives up early"))


def test_a_process_that_is_kept_tells_what_each_word_cost(seat):
    table = seat(LOOP)
    endings = [table.play(word, GAME)[1] for word in WORDS]
    assert {ending.exit for ending in endings} == {None}
    assert all(ending.wall > 0 for ending in endings)
    table.close()
    assert not table.taken
    assert table.play("tease", GAME)[0].points and table.starts == 2


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
def test_a_player_that_breaks_loses_its_word_only(seat, program, fault, error):
    table = seat(program, timeout=1.0 if fault == "timeout" else TIMEOUT)
    for number in (1, 2):
        transcript, ending = table.play("fuzzy", GAME)
        assert (transcript.points, transcript.fault) == (0, fault)
        assert transcript.error == error
        assert not table.taken and table.starts == number
    assert ending.wall < 60


def test_a_player_that_is_not_there_costs_its_word():
    transcript, ending = LetterSeat(["no-such-player"], None, 1.0).play("fuzzy", GAME)
    assert (transcript.fault, ending.exit) == ("crash", None)
    assert "executable file not found" in transcript.error


@pytest.mark.slow
def test_a_match_keeps_a_process_for_each_player_whatever_others_do(tmp_path):
    programs = {"goes on": LOOP, "plays one word": "word()", "kills": "os.kill(os.getppid(), 9); word()"}
    workspaces = {
        name: Workspace((sys.executable, "-S", "-c", f"open('starts', 'a').write('x')\n{GUESSER}{program}"),
                        str(tmp_path / name.replace(" ", "-")))
        for name, program in programs.items()
    }  # fmt: skip
    for workspace in workspaces.values():
        (tmp_path / workspace.folder).mkdir()
    setup = MatchSetup(workspaces, {"words": "\n".join(WORDS)}, TIMEOUT, hangman())
    rounds = [Planned(name, "words", word, "hangman6") for word in WORDS for name in list(programs)[:2]]
    results = [played.result for played in played_rounds(rounds, setup, 2)]
    assert {(one.round.word, one.points > 0, misses_of(one)) for one in results} == {
        (word, *expected(word)) for word in WORDS
    }
    starts = [len((tmp_path / name / "starts").read_text()) for name in ("goes-on", "plays-one-word")]
    assert starts[0] <= 2 and len(WORDS) <= starts[1]
    attacked = [Planned("kills", "words", "fuzzy", "hangman6"), *rounds[:4]]
    again = [played.result for played in played_rounds(attacked, setup, 1)]
    assert {one.round.player for one in again if one.fault} == {"kills"}
    assert len(again) == 5

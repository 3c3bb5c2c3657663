"""Earlier wrong answers of `gpulingo suggest`."""

import io
import json
import os
import re
import sys
import threading

import pytest

from gpulingo.advice import answer
from gpulingo.advice.answer import Answer, Fit
from gpulingo.advice.outlook import AHEAD, PLAYED, GuessStats, best_of
from gpulingo.cli.pipes import MOST_LINE as MOST_BYTES
from gpulingo.cli.suggest import MOST_LINE
from gpulingo.cli.suggest import run as suggest
from gpulingo.games.catalogue import find_game
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.positions import outlooks as engine
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.clock import Deadline, OutOfTime, clock, stopped_at
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import WordList

from .conftest import asker

WORDS = ["dents", "dozes", "reads", "zones", "dunes", "tunes", "tones"]


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """A function that runs `suggest` on these words with this engine."""
    monkeypatch.chdir(tmp_path)
    return asker(tmp_path, WORDS, lambda: engine)


class Endless:
    """A search that clears a stop request when it starts, and ends only when stopped."""

    def __init__(self):
        self.stopped = threading.Event()

    def value(self, members, left, legal=None):
        self.stopped.clear()
        assert self.stopped.wait(20)
        raise OutOfTime

    def stop(self):
        self.stopped.set()


def test_a_search_that_begins_when_the_time_is_over_ends_all_the_same():
    position = first_position(encode(["dents", "dozes", "reads"]), find_game("lingo"))
    search, deadline = Endless(), Deadline(0.05)
    with pytest.raises(OutOfTime), stopped_at(search.stop, deadline):
        while clock() < deadline.ends + 0.1:  # the first stop is over, and nothing was searched
            pass
        search.value(None, 1)
    with pytest.raises(OutOfTime):
        EveryGuess(search, Deadline(-1).check).choose(position)


def test_a_lookahead_is_named_only_where_each_guess_had_one():
    position = first_position(encode(["dents", "dozes", "reads"]), find_game("lingo"))
    search = engine.PositionSearch(position, WordList("seven", WORDS), 2, Deadline(0))
    for by, how in [
        ([AHEAD, AHEAD], "by a lookahead of"),
        ([PLAYED, AHEAD], "by parts or a lookahead"),
        ([PLAYED], "by parts:"),
    ]:
        found = [
            GuessStats("", [0, 1, 0, 0, 0], 1, number=number, classes=1, largest=1, target=False, by=own)
            for number, own in enumerate(by)
        ]
        assert how in search.how(found)


@pytest.mark.parametrize("code", ["lingo-lost", "lingo-found", "lingo-hard-lost"])
def test_points_of_games_of_lost_words_are_points(code):
    guess = GuessStats("dents", [0, 1, 1, 0, 0], 2, classes=2, largest=1, target=True)
    assert guess.expected(find_game(code)) == 350.0


def test_a_tree_is_named_only_where_its_guess_is_shown():
    def own(guess, turn, exact=False):
        turns = [int(turn == at) for at in range(1, 6)]
        return GuessStats(guess, turns, 1, classes=1, largest=1, target=True, exact=exact)

    game = find_game("lingo")
    best, chosen = best_of([own("dents", 3)], [own("dozes", 1), own("reads", 2)], game, 2)
    assert ([one.guess for one in best], chosen) == (["dozes", "reads"], [])
    best, chosen = best_of([own("dents", 3)], [own("dozes", 4), own("dents", 2)], game, 3)
    assert ([one.guess for one in best], best[0].turns[1], chosen) == (["dents", "dozes"], 1, [])
    (dozes, dents, reads), chosen = best_of(
        [own("dents", 2)], [own("dozes", 2, True), own("reads", 3)], game, 3
    )
    assert (dozes.guess, dents.guess, dents.exact, reads.exact) == ("dozes", "dents", True, False)
    assert chosen == ["dents"]
    best, chosen = best_of([own("dents", 2)], [own("dozes", 4), own("dents", 3)], game, 3)
    assert ([one.guess for one in best], best[0].turns[1], chosen) == (["dents", "dozes"], 1, ["dents"])


@pytest.mark.parametrize("turns", [7, 20, 255])
def test_tables_of_games_of_many_turns_stay_readable(turns):
    game = find_game(f"lingo{turns}")
    first = GuessStats("dents", [1, 1, *[0] * (turns - 2)], 2, classes=2, largest=1, target=True)
    last = GuessStats("dozes", [*[0] * (turns - 1), 2], 2, classes=2, largest=1, target=True)
    head = Answer(game, 1, Fit("list", 2), ["dents", "reads"], [first], "").lines()[2]
    assert "by 2" in head and "by 7" not in head
    head = Answer(game, 1, Fit("list", 2), ["dents", "reads"], [first, last], "").lines()[2]
    assert "by 5" in head and f"by {turns}" in head


@pytest.mark.parametrize("code", ["wordle", "lingo255", "hangman", "hangman-misses9"])
@pytest.mark.parametrize("length", [1, 5, 9, 20, 39])
def test_tables_keep_to_the_width_and_leave_out_turns_in_the_middle_first(code, length):
    game = find_game(code)
    turns = [10**4] * game.turns
    guess = GuessStats("w" * length, turns, 10**4 * game.turns, classes=99_999, largest=99_999, target=True)
    how = "by a search of every guess: proven best; " + "and so on " * 9
    answer = Answer(game, 1, Fit("list " * 20, 30), ["w" * length] * 30, [guess], how)
    whole = answer.lines(width=1000)[2].split("  ")
    for width in (80, 90, 100, 132):
        lines = answer.lines(width=width)
        assert max(map(len, lines)) <= width
        head = next(line for line in lines if line.startswith("guess"))
        ends = re.findall(r"by \d+|\d missed", head)
        every = re.findall(r"by \d+|\d missed", "  ".join(whole))
        if len(ends) > 1:
            assert (ends[0], ends[-1]) == (every[0], every[-1])
        assert len(ends) == 6 or len(next(line for line in lines if "99,999" in line)) + 10 > width


def test_the_width_is_that_of_the_terminal_and_100_without_one(monkeypatch):
    assert answer.terminal_width(os.open(os.devnull, os.O_RDONLY)) == 100
    monkeypatch.setattr(os, "get_terminal_size", lambda descriptor: os.terminal_size((72, 9)))
    assert answer.terminal_width() == 72


def test_a_line_of_stdin_has_a_limit_and_the_next_is_read(tmp_path, monkeypatch, capfd):
    long = [b"x" * (MOST_BYTES + 9), b'{"id": 1, "x": "' + b"x" * 3 * MOST_BYTES]
    lines = [*long, b" " * MOST_BYTES, b"tunes:XOOOO"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
    (tmp_path / "wordlist.txt").write_text("\n".join(WORDS))
    monkeypatch.chdir(tmp_path)
    assert suggest(["-", "--json"], lambda module: engine) == 2
    text, told = capfd.readouterr()
    assert [json.loads(line).get("left") for line in text.splitlines()] == [None, None, None, 1]
    limit = "a line of more than 1,048,576 bytes, the most that are read: the rest is left out"
    assert [line.removeprefix("gpulingo: ") for line in told.splitlines()].count(limit) == 2


def test_a_line_that_is_too_long_is_refused_and_not_cut(ask):
    line = "dunes:XXOOO" + " " * MOST_LINE + "zones:XXXXX"
    code, text, told = ask("-", [line])
    assert (code, text) == (2, "") and f"{len(line):,} characters" in told[0]


def test_a_disk_that_is_full_is_told_in_a_line(ask):
    def full(text):
        raise OSError(28, "No space left on device")

    assert ask("--game lingo1 dunes:XXOOO", write=full)[0] == 1
    code, _, told = ask("--game lingo1 dunes:XXOOO", write=full)
    assert (code, told[-1]) == (1, "cannot write the answer: No space left on device")


def test_however_short_the_time_there_are_as_many_guesses_as_were_asked_for(ask):
    answer = json.loads(ask("--length 5 --search --time 0 --top 5 --json")[1])
    assert len(answer["suggestions"]) == 5


def test_after_a_guess_outside_the_list_weights_still_count():
    words = WordList("pair", ["ab", "cd"]).with_weights({"ab": 1, "cd": 3})
    found, _ = engine.outlooks(words, find_game("lingo2"), [("zz", "XX")], count=2, seconds=0, device="cpu")
    assert [(own.guess, own.turns) for own in found] == [("cd", [0, 3]), ("ab", [0, 1])]

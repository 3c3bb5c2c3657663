"""Lines that tell how far a search is, and how it ended."""

import math
import random
from types import SimpleNamespace

import pytest

from gpulingo.cli.progress import Bar
from gpulingo.cli.solving import ENOUGH, EVERY, NONE_SO_GOOD, PATIENCE, PROVEN, REACHED, SAID, Search
from gpulingo.games.catalogue import find_game
from gpulingo.search.solver import Solver
from gpulingo.tensors.clock import clock
from gpulingo.words.wordlist import WordList

FAR = 1 << 30  # credits, more than any strategy has


@pytest.fixture
def search(monkeypatch):
    """A search of which a test says what is known and counted; its last line came now."""
    solver = SimpleNamespace(upper=SimpleNamespace(counted=0), work="rolling out tares")
    solver.state = SimpleNamespace(bounds=None)
    search = Search(solver, None, True, None, 0, math.inf)
    search.known = "gap 9"
    monkeypatch.setattr(Search, "_line", lambda self: self.known)
    return search


def test_what_is_new_is_told_once(search, capsys):
    for search.known in ("gap 9", "gap 9", "gap 8"):
        search.shown -= 1 + EVERY
        search._often(lambda: None)
    assert [line.split(" s  ")[1] for line in capsys.readouterr().err.splitlines()] == ["gap 9", "gap 8"]


def test_where_nothing_is_new_it_is_told_within_5_seconds_what_is_searched(search, capsys):
    assert PATIENCE + SAID < 5
    search.solver.upper.counted = 1234
    looks = iter([False, False, False, True])  # of the event that ends the search
    search.shown = clock()
    search._remind(SimpleNamespace(wait=lambda seconds: next(looks) or late(search)))
    lines = [line.split(" s  ")[1] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["rolling out tares; classes counted of 1,234", *["rolling out tares"] * 2]


def late(search):
    """The last line was shown too long ago."""
    search.shown -= PATIENCE + 1


def searched(words, game, path, least=0, **more):
    """A search of a list that nothing is kept of."""
    solver = Solver(words, find_game(game), least=least)
    return Search(solver, path, True, Bar("solve", None), ends=math.inf, **more)


@pytest.mark.parametrize(
    ("least", "enough", "gap", "ended"),
    [
        (0, 0, 0, PROVEN),
        (0, FAR, FAR, REACHED),
        (1, FAR, 0, ENOUGH),
        (FAR, 0, 0, NONE_SO_GOOD),
        (FAR, FAR, 0, NONE_SO_GOOD),
    ],
)
def test_a_gap_is_reached_only_where_it_is(tmp_path, least, enough, gap, ended):
    chance = random.Random(3)  # words of which no first bound is the value
    words = WordList("random", sorted({"".join(chance.choices("abcdef", k=4)) for _ in range(60)}))
    search = searched(words, "wordle4", tmp_path / "a.npz", least, enough=enough, gap=gap)
    assert search.run(lambda: None) == ended
    solver = search.solver
    assert (solver.value == solver.bound) == (ended == PROVEN)
    assert (solver.value < least) == (ended == NONE_SO_GOOD)


@pytest.mark.parametrize("game", ["lingo", "wordle-hard", "wordle-lost"])
def test_no_value_is_told_before_there_is_a_strategy_and_then_its_lost_words_too(words22, tmp_path, game):
    search = searched(words22, game, tmp_path / "a.npz", enough=0)
    assert (search._line(), search._work()) == ("", "building a first strategy")
    search.run(lambda: None)
    assert search.solver.work != "building a first strategy"
    line = search._line()
    assert line.startswith(words22[int(search.solver.tree.guess[0])])
    assert (f"  lost {search.solver.tree.lost:,}" in line) == (game != "lingo")

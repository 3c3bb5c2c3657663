"""Lines that tell how far a search is, and how it ended."""

import math
import random
from types import SimpleNamespace

import pytest

from gpulingo.cli.progress import Bar
from gpulingo.cli.solving import ENOUGH, NONE_SO_GOOD, PATIENCE, PROVEN, REACHED, Search
from gpulingo.games.catalogue import find_game
from gpulingo.search.solver import Solver
from gpulingo.words.wordlist import WordList

FAR = 1 << 30  # credits, more than any strategy has


@pytest.fixture
def search(monkeypatch):
    """A search of which a test says what is known and counted; its last line came at 0 seconds."""
    solver = SimpleNamespace(upper=SimpleNamespace(counted=0))
    search = Search(solver, None, True, None, 0, 0.0)
    search.shown, search.known = 0.0, "gap 9"
    monkeypatch.setattr(Search, "_line", lambda self: self.known)
    return search


def test_what_is_new_is_told_at_once_without_what_was_counted(search):
    search.solver.upper.counted = 7
    assert search._news(2.5) == "gap 9"
    search.known = "gap 8"
    assert search._news(5.0) == "gap 8"


def test_where_nothing_is_new_it_is_told_now_and_then_what_was_counted(search):
    search._news(2.5)
    search.solver.upper.counted = 1234
    assert search._news(PATIENCE - 1) == ""
    assert search._news(PATIENCE) == "gap 9  classes counted of 1,234"
    assert search._news(2 * PATIENCE) == ""  # nothing more was


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
def test_nothing_is_told_before_there_is_a_strategy_and_then_its_lost_words_too(words22, tmp_path, game):
    search = searched(words22, game, tmp_path / "a.npz", enough=0)
    assert search._line() == "" and search._news(2 * PATIENCE) == ""
    search.run(lambda: None)
    line = search._line()
    assert line.startswith(words22[int(search.solver.tree.guess[0])])
    assert (f"  lost {search.solver.tree.lost:,}" in line) == (game != "lingo")

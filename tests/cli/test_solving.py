"""Lines that tell how far a search is."""

from types import SimpleNamespace

import pytest

from gpulingo.cli.solving import PATIENCE, Search


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

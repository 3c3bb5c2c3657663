"""A small part of `benchmarks/attacks`: hostile players at random, matches killed and resumed."""

import importlib.util
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "attacks" / "players.py"


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only")
def test_a_match_outlives_its_players_and_its_own_death(monkeypatch):
    spec = importlib.util.spec_from_file_location("attacks_players", PATH)
    players = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, players)
    spec.loader.exec_module(players)
    done = list(players.attacks(3, 5))
    assert [fault for _, fault in done] == [""] * 3
    assert {kind for kind, _ in done} == {"hostile players", "match killed and resumed"}

"""A small part of `benchmarks/attacks`: hostile players at random, matches killed and resumed."""

import sys

import players
import pytest


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only")
def test_a_match_outlives_its_players_and_its_own_death():
    done = list(players.attacks(3, 5))
    assert [fault for _, fault in done] == [""] * 3
    assert {kind for kind, _ in done} == {"hostile players", "match killed and resumed"}

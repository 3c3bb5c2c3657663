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


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted on Linux only")
@pytest.mark.parametrize("deed", ["deep folders at the top", "closed folders", "remove lists"])
def test_what_a_player_does_to_folders_and_lists_costs_no_other_a_point(tmp_path, deed):
    programs, names = [(["guess", "listen", deed], "sys.exit()")], ["hostile0.py", "honest.py"]
    case = players.made_case(tmp_path, programs, names, jobs=1, timeout=30, mark=deed)
    try:
        assert players.played(case) == ""
    finally:
        case.end()

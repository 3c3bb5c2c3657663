"""benchmarks/compare.jsonl: what it says is what strategies do, and what docs/rivals.md says."""

import re
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.games.catalogue import find_game
from gpulingo.report.results import read_results
from gpulingo.strategies.build import simulate
from gpulingo.strategies.registry import named

ROOT = Path(__file__).parent.parent.parent
READ = read_results(ROOT / "benchmarks" / "compare.jsonl")
STORED, ALONE = (
    {(one.strategy, one.length): one for one in READ if one.game == game}
    for game in ("lingo", "lingo-consistent")
)
ROWS = re.findall(
    r"^\| `(\w+)` \|((?: -?[\d.,]+ \|){10})$", (ROOT / "docs" / "rivals.md").read_text(), re.MULTILINE
)


@pytest.mark.parametrize(
    ("name", "game"),
    quick(
        [
            ("parts", "lingo"), ("parts", "lingo-consistent"), ("edc65", "lingo"), ("confusion", "lingo"),
            ("confusion", "lingo-consistent"), ("histogram", "lingo"),
        ],
        [("parts", "lingo"), ("edc65", "lingo")],
    ),
)  # fmt: skip
def test_strategies_do_what_is_stored(pit_words, name, game):
    done = simulate(pit_words(13), named(name), find_game(game))
    stored = (STORED if game == "lingo" else ALONE)[name, 13]
    assert (done.opening, tuple(done.turns), done.lost) == (stored.opening, stored.turns, stored.lost)
    assert done.mean_points == stored.mean_points


def test_the_tables_of_the_page_are_the_stored_results():
    found = {}
    for name, cells in ROWS:
        found.setdefault(name, []).append([cell.strip() for cell in cells.strip("|").split("|")])
    lengths = range(4, 14)
    assert set(found) == {name for name, _ in STORED if name != "best"}
    for name, rows in found.items():
        mine = [STORED[name, n] for n in lengths]
        assert rows[0] == [f"{one.mean_points:.2f}" for one in mine]
        assert rows[1:] == [[f"{one.lost:,}" for one in mine]]


def test_the_page_says_what_consistent_guesses_cost():
    page = " ".join((ROOT / "docs" / "rivals.md").read_text().split())
    for name in ("parts", "edc65"):
        costs = [STORED[name, n].mean_points - ALONE[name, n].mean_points for n in (4, 5, 9)]
        first, *others = [f"{cost:.2f}" for cost in costs]
        said = re.findall(rf"`{name}` (?:loses )?{first}[^,;.]*, ([\d.]+)[^,;.]*, ([\d.]+\d)", page)
        assert said == [tuple(others)]


def test_edc65_is_as_near_to_its_program_as_the_page_says():
    from gpulingo.report.comparison import EDC65_EXACT

    missed = max(abs(STORED["edc65", n].mean_points - exact) for n, exact in EDC65_EXACT.items())
    assert f"{missed:.2f}" in re.findall(r"within ([\d.]+) points", (ROOT / "docs" / "rivals.md").read_text())

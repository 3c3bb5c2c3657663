"""Pools measured: every rule and size once, the best kept, and pictures of them."""

import re
from xml.etree import ElementTree

import pytest

from gpulingo.games.catalogue import lingo, wordle
from gpulingo.report.values import shown
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import RULES, Pool, Ranking
from gpulingo.tuning.tuner import PoolTrial, Tuner, best_pool, picture, picture_svg, pool_trial, pools_of


@pytest.fixture
def tuned(words22):
    return Tuner(words22, seed=3).begun().best


def test_every_rule_is_played_with_every_size_below_the_list(words22, tuned):
    trials = [pool_trial(words22, tuned, pool, "cpu") for pool in pools_of(tuned, [4, 9, 22, 100])]
    pools = [(rule, size) for rule in RULES for size in (4, 9)]
    assert [(trial.rule, trial.words) for trial in trials] == [("all", 22), *pools]
    for trial in trials:
        strategy = Ranking("x", tuned.objective, pool=trial.pool, opening=tuned.opening)
        assert trial.mean_points == simulate(words22, strategy).mean_points
    assert trials[0].mean_points == tuned.mean_points
    assert pools_of(tuned, []) == [Pool(seed=3)]


def test_of_equal_pools_the_whole_list_is_taken(tuned):
    equal = [PoolTrial(Pool(), 22, 300.0, 2.0, 1), PoolTrial(Pool("random", 9), 9, 300.0, 1.0, 1)]
    assert (best_pool(tuned, equal).pool, best_pool(tuned, equal).mean_points) == (Pool(), 300.0)
    better = PoolTrial(Pool("letters", 9), 9, 301.0, 3.0, 1)
    assert best_pool(tuned, [*equal, better]).pool == better.pool


TRIALS = [
    PoolTrial(Pool(), 22, 300.0, 4.0, 1),
    PoolTrial(Pool("letters", 9), 9, 200.0, 0.0, 1),
    PoolTrial(Pool("classes", 9), 9, 250.0, 2.0, 1),
]
POINTS = shown(lingo(), 22)


def test_the_picture_has_points_upwards_and_time_to_the_right():
    lines = picture(TRIALS, POINTS).splitlines()
    assert lines[1].startswith("  300.00 |") and lines[1].endswith("*")
    (low,) = [line for line in lines if line.startswith("  200.00 |")]
    assert low == "  200.00 |l"
    (middle,) = [line for line in lines if line.rstrip().endswith("c")]
    assert 9 < middle.index("c") < lines[1].index("*")
    assert "4.00 s" in lines[-2]


@pytest.mark.slow
def test_a_picture_of_a_game_that_counts_guesses_has_the_fewest_above(tuned):
    lines = picture(TRIALS, shown(wordle(), 22)).splitlines()
    assert lines[0] == "mean guesses against seconds" and lines[1].startswith("  4.0000 |")
    assert "points" not in picture_svg(tuned, TRIALS, shown(wordle(), 22))


def test_a_single_trial_has_a_picture(tuned):
    assert "*" in picture(TRIALS[:1], POINTS)
    assert picture_svg(tuned, TRIALS[:1], POINTS).startswith("<svg ")


def test_the_drawing_is_a_file_of_its_own_with_a_dot_for_each_trial(tuned):
    root = ElementTree.fromstring(picture_svg(tuned, TRIALS, POINTS))
    marks = {node.get("aria-label"): node.get("transform") for node in root.iter()}
    whole, letters, classes = (
        [float(number) for number in re.findall(r"[\d.]+", marks[name])]
        for name in ("all, 4.00 s: 300.00", "letters, 0.00 s: 200.00", "classes, 2.00 s: 250.00")
    )
    assert letters[0] < classes[0] < whole[0] and letters[1] > classes[1] > whole[1]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"

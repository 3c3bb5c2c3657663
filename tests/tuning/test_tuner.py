"""Tuning on small lists: fits by hand, what a trial keeps, repeats by seed; pools and their pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from operator import sub
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import RULES, SCALE, Pool, Ranking, fitted_table, points, value_table
from gpulingo.strategies.tuned import parsed_tuned, tuned_text
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.values import Values
from gpulingo.tuning.tuner import (
    FITTED,
    PoolTrial,
    TunedList,
    Tuner,
    ValueSampler,
    fitted,
    knot_sizes,
    most,
    on_knots,
    parsed_tuning,
    picture_svg,
    pool_trial,
    pools_of,
    read_tuning,
    tuning_text,
)
from gpulingo.words.listing import parse


def tuner_over(words, **options):
    return Tuner(TunedList(words, words.fingerprint, **options))


def tried(words, number, **options):
    """The work after a number of changes."""
    tuner = tuner_over(words, **options)
    work = tuner.begun()
    for _ in range(number):
        work = tuner.after(work)
    return work


def told(work):
    """All results of a work except its time."""
    return work.best, work.fit, work.reach, [replace(trial, seconds=0) for trial in work.trials]


@pytest.fixture(scope="module")
def words():
    """81 words of few letters, which are hard to separate in four turns."""
    return parse("\n".join(map("".join, product("abc", "lmn", "abc", "abd")))).of_length(4)


@pytest.fixture(scope="module")
def work(words):
    return tried(words, 30, turns=4, seed=5)


def test_the_best_has_the_points_it_says(words, work):
    best = work.best
    assert simulate(words, best.strategy(), lingo(4)).mean_points == best.mean_points
    assert best.mean_points == max(trial.mean_points for trial in work.trials)
    assert parsed_tuned(tuned_text(best)) == best


def test_a_trial_is_kept_only_if_it_has_more_points_than_all_before(work):
    most_so_far = -1.0
    for number, trial in enumerate(work.trials):
        assert trial.number == number
        assert trial.kept == (trial.mean_points > most_so_far)
        most_so_far = max(most_so_far, trial.mean_points)


def test_the_first_trials_are_points_and_parts(words, work):
    for number, name in enumerate(("points", "parts")):
        made = simulate(words, name, lingo(4))
        trial = work.trials[number]
        assert (trial.opening, trial.mean_points) == (made.opening, made.mean_points)


@pytest.mark.slow
def test_trials_that_are_played_together_are_those_of_one_by_one(random_words):
    words = parse("\n".join(random_words(1, 150, 4))).of_length(4)
    alone, tuner, calls = tried(words, 14), tuner_over(words), []
    tuner.together = 32
    ahead = tuner.begun()
    while len(ahead.trials) < len(alone.trials):
        calls.append(len(ahead.trials))
        ahead = tuner.after(ahead, most=len(alone.trials) - len(ahead.trials))
    assert told(ahead) == told(alone)
    assert len(ahead.trials) == 15 and max(map(sub, calls[1:], calls)) > 2


def test_values_are_fitted_again_after_many_trials_and_every_kind_of_change_is_tried(work):
    assert [trial.number for trial in work.trials if trial.change == FITTED] == [2, 3, 25]
    kinds = {word for trial in work.trials for word in trial.change.split()[:2]}
    assert {"bonus", "opening", "towards", "left,"} <= kinds


@pytest.mark.slow
def test_a_seed_repeats_every_trial_and_another_does_not(words, work):
    again, other = (tried(words, 12, turns=4, seed=seed) for seed in (5, 6))
    assert told(again)[3] == told(work)[3][:13]
    assert [trial.change for trial in other.trials] != [trial.change for trial in again.trials]


@pytest.mark.slow
def test_going_on_from_a_file_is_the_same_as_never_having_stopped(words, work, tmp_path):
    (tmp_path / "w.json").write_text(tuning_text(tried(words, 17, turns=4, seed=5)))
    tuner, resumed = tuner_over(words, turns=4, seed=5), read_tuning(tmp_path / "w.json")
    while len(resumed.trials) < len(work.trials):
        resumed = tuner.after(resumed)
    assert told(resumed) == told(work)


@pytest.mark.parametrize("turns", [3, 6])
@pytest.mark.parametrize("size", [1, 2, 22])
def test_the_smallest_lists_are_tuned(words22, size, turns):
    few = parse("\n".join(words22.words[:size])).of_length(5)
    work = tried(few, 6, turns=turns)
    assert work.best.mean_points == max(trial.mean_points for trial in work.trials)
    assert parsed_tuning(tuning_text(work)) == work


def test_a_search_sums_up_all_the_sets_it_meets(words22):
    table = encode(words22.words)
    search = ValueSampler(table, lingo(3), {3: 22}, points)
    everything = frontier([torch.arange(22, dtype=torch.int32)])
    values, _ = search.values(everything, 3)
    assert (search.counts[3, 22], search.sums[3, 22]) == (1, values[0])
    classes = (torch.arange(23) * search.counts[2]).sum()
    assert classes >= 21  # some opening separates each word except itself
    assert (search.sums[2, 1], search.sums[2, 2]) == (2 * search.counts[2, 1], 3 * search.counts[2, 2])


def test_fitted_knots_can_be_read_and_are_repeated(words22):
    table = encode(words22.words)
    knots = fitted(table, lingo(), points)
    assert list(knots) == [2, 3, 4]
    assert knots == fitted(encode(words22.words), lingo(), points)
    for left, of in knots.items():
        assert [size for size, _ in of] == knot_sizes(22)
        values = [value for _, value in of]
        assert values == sorted(values)
        assert all((2 * left - 1) * SCALE <= value <= most(left, size) for size, value in of)


def test_values_keep_what_they_are_at_the_knots():
    table = value_table(400, 4)
    dense = {left: [(n, int(table[left, n])) for n in range(3, 401)] for left in (2, 3, 4)}
    again = fitted_table(on_knots(dense, 400, 5), 400, 4)
    sizes = [size for size in knot_sizes(400) if size <= 400]
    assert np.array_equal(again[2:, sizes], np.minimum(table[2:, sizes], again[2:, sizes].clip(min=0)))
    assert abs(again[2:, 3:] - table[2:, 3:]).max() < 2 * SCALE


def test_a_tuning_is_the_same_with_little_memory(words22):
    much, little = (tuner_over(words22, turns=4, memory=memory) for memory in (1 << 30, 0))
    one, other = much.begun(), little.begun()
    for _ in range(8):
        one, other = much.after(one), little.after(other)
    assert one.best == other.best


@pytest.fixture
def tuned(words22):
    return tuner_over(words22, seed=3).begun().best


def test_every_rule_is_played_with_every_size_below_the_list(words22, tuned):
    own = TunedList(words22, words22.fingerprint)
    trials = [pool_trial(own, tuned, pool) for pool in pools_of(tuned, [4, 9, 22, 100])]
    pools = [(rule, size) for rule in RULES for size in (4, 9)]
    assert [(trial.rule, trial.words) for trial in trials] == [("all", 22), *pools]
    for trial in trials:
        strategy = Ranking("x", tuned.objective, pool=trial.pool, opening=tuned.opening)
        assert trial.mean_points == simulate(words22, strategy).mean_points
    assert trials[0].mean_points == tuned.mean_points
    assert pools_of(tuned, []) == [Pool(seed=3)]


TRIALS = [
    PoolTrial(Pool(), 22, 300.0, 4.0, 1),
    PoolTrial(Pool("letters", 9), 9, 200.0, 0.0, 1),
    PoolTrial(Pool("classes", 9), 9, 250.0, 2.0, 1),
]
POINTS = Values(lingo(), 22)


def test_the_drawing_is_a_file_of_its_own_with_a_dot_for_each_trial(tuned):
    root = ElementTree.fromstring(picture_svg(tuned, TRIALS, POINTS))
    marks = {node.get("aria-label"): node.get("transform") for node in root.iter()}
    whole, letters, classes = (
        [float(number) for number in re.findall(r"[\d.]+", marks[name])]
        for name in ("all, 4.00 s: 300.00", "letters, 0.00 s: 200.00", "classes, 2.00 s: 250.00")
    )
    assert letters[0] < classes[0] < whole[0] and letters[1] > classes[1] > whole[1]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"

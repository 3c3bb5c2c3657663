"""Values of sets by branch and bound: what plain recursion over every guess says."""

import random
from string import ascii_lowercase

import exhaustive
import numpy as np
import pytest
import torch
from exhaustive import any_game as any_game  # a fixture

from gpulingo.solvers import labelling, value_search, value_table
from gpulingo.solvers.labels import labelled
from gpulingo.solvers.ruled_search import ValueSearch as GeneralSearch
from gpulingo.solvers.value import value_search as search_of
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20


def test_what_is_known_from_one_floor_serves_another(any_game):
    _, table, game, best = any_game
    search, value = search_of(table, MEMORY), int(best.max())
    answers = [search.value(table.targets, game.turns, floor) for floor in (value + 2, value, value - 1, -1)]
    assert [answer.value <= value for answer in answers[2:]] == [True, True]
    assert answers[2].value == answers[3].value == value
    assert search.value(table.targets, game.turns).pairs == 0


@pytest.mark.parametrize("seed", [139, 200, 658])
def test_a_table_that_forgets_changes_no_value(seed, monkeypatch):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcdefgh", k=3)) for _ in range(150)})
    table = encode(words).with_sets(targets=torch.arange(len(words) * 9 // 10, dtype=torch.int32))
    value = search_of(table, 1 << 24).value(table.targets, 5).value
    for places in (8, 64, 256):
        monkeypatch.setattr(value_table, "FEWEST", places)
        for floor in (value - 2, value - 1, -1):
            assert search_of(table, 1).value(table.targets, 5, floor).value == value
        assert search_of(table, 1).value(table.targets, 5, value).value == value


def test_a_part_is_bounded_by_what_guesses_make_of_the_whole():
    alike = [first + second + "zz" for first in "abcdefghijkl" for second in "mnop"]
    draw = random.Random(2)
    others = {"".join(draw.choices(ascii_lowercase, k=4)) for _ in range(60)}
    table = encode([*alike, *sorted(others - {*alike})])
    plain, general = search_of(table, 1 << 24), GeneralSearch(table, 1 << 24, "any", 0, 1)
    found, expected = (search.value(table.targets[: len(alike)], 4) for search in (plain, general))
    assert found.value == expected.value
    assert found.pairs < 2 * expected.pairs  # ten times as many without that bound


def test_a_set_too_large_for_its_labels_has_no_value(monkeypatch):
    monkeypatch.setattr(value_search, "MOST_LABELS", 1)
    table = encode(exhaustive.families().words)
    assert search_of(table, MEMORY).value(table.targets, 4).value == -1


@pytest.mark.slow
def test_sets_with_more_classes_than_a_byte_tells_apart():
    draw = random.Random(4)
    words = list({"".join(draw.choices("abcdefghij", k=6)) for _ in range(330)})
    table = encode(sorted(words))
    search = search_of(table, 1 << 24)
    most = rank(table, whole(table), table.pool, classes(table.words, 1)).ranks
    assert search.value(table.targets, 2).value == int(most[0, 0])


def test_other_words_that_part_a_set_alike_are_one_guess():
    table = encode([*exhaustive.families().words, "zz", "yy", "zy"])
    targets = table.targets[:18]
    numbers = torch.zeros(table.words, 2, dtype=torch.uint64).numpy()
    whole = labelled(table, targets.numpy(), table.pool[18:].numpy(), numbers, 3)
    assert whole.distinct == 18 and whole.guesses[:18].tolist() == list(range(18))


def test_labels_are_the_same_where_there_are_too_many_codes_for_a_table(any_game, monkeypatch):
    _, table, _, _ = any_game
    numbers = np.zeros((table.words, 2), np.uint64)
    words, others = np.split(table.pool.numpy()[:40], [12])
    expected = labelled(table, words, others, numbers, 2)
    monkeypatch.setattr(labelling, "WIDEST", 0)
    found = labelled(table, words, others, numbers, 2)
    assert all(
        np.array_equal(getattr(found, name), getattr(expected, name)) for name in ("labels", "guesses")
    )
    assert found.wide == expected.wide


def test_words_of_24_letters_have_a_value():
    letters = "abcdefghijklmnopqrstuvwxyz"
    table = encode([letters[:23] + last for last in "xyz"] + ["ba" + letters[2:24]])
    assert search_of(table, MEMORY).value(table.targets, 6).value > 0

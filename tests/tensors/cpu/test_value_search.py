"""Values of sets by branch and bound: what plain recursion over every guess says."""

import random
import threading
from string import ascii_lowercase

import exhaustive
import numpy as np
import pytest
import torch
from exhaustive import any_game as any_game  # a fixture

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import labelling, value_search, value_table
from gpulingo.tensors.cpu.labels import labelled
from gpulingo.tensors.cpu.ruled_search import ValueSearch as GeneralSearch
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank
from gpulingo.tensors.operations import value_search as search_of
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20


@pytest.mark.parametrize(
    "memory",
    [
        pytest.param(1, id="a table that overflows"),
        pytest.param(MEMORY, marks=pytest.mark.slow, id="a table"),
    ],
)
@pytest.mark.slow
def test_values_are_those_of_every_guess(any_game, memory):
    wordlist, table, game, best = any_game
    draw, ours, plain = (
        random.Random(len(wordlist)),
        search_of(table, memory),
        reference.value_search(table, 1),
    )
    for size in (1, 2, 3, 4, 7, 12):
        members = torch.tensor(sorted(draw.sample(table.targets.tolist(), size)), dtype=torch.int32)
        for left in range(1, game.turns + 1):
            found, expected = ours.value(members, left), plain.value(members, left)
            assert found.value == expected.value
            assert guess_value(plain, table, members, found.guess, left) == expected.value
    assert ours.value(table.targets, game.turns).value == int(best.max())


def guess_value(plain, table, members, guess, left):
    """What a first guess leads to."""
    sets = exhaustive.set_of(members)
    parted = reference.split(table, sets, torch.tensor([guess], dtype=torch.int32))
    total = left * int(parted.hits[0])
    for number in range(parted.frontier.sets if left > 1 else 0):
        total += plain.value(parted.frontier.candidates(number), left - 1).value
    return total


def test_a_value_is_told_only_above_the_floor(any_game):
    _, table, game, best = any_game
    value = int(best.max())
    for floor in (-1, 0, value - 1, value, value + 1, 10**6):
        found = search_of(table, MEMORY).value(table.targets, game.turns, floor)
        if floor < value:
            assert found.value == value and found.guess in table.pool
        else:
            assert value <= found.value <= floor and found.guess == -1


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


@pytest.mark.slow
def test_a_search_that_is_stopped_says_so_and_can_go_on():
    draw = random.Random(3)
    table = encode(sorted({"".join(draw.choices("abcdefgh", k=3)) for _ in range(900)}))
    search, found = search_of(table, MEMORY), []
    running = threading.Thread(target=lambda: found.append(search.value(table.targets, 6)), daemon=True)
    running.start()
    for _ in range(6000):  # a guard: it is stopped the first time
        search.stop()
        running.join(0.01)
        if not running.is_alive():
            break
    assert [each.value for each in found] == [-1]
    few = table.targets[:12]
    assert search.value(few, 4).value == reference.value_search(table, 1).value(few, 4).value


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
def test_a_limit_ends_a_search_that_can_go_on():
    table = encode(exhaustive.families().words)
    search = search_of(table, MEMORY)
    assert search.value(table.targets, 4, limit=1).value == -1
    expected = reference.value_search(table, MEMORY).value(table.targets, 4).value
    assert search.value(table.targets, 4).value == expected


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

"""Objectives by hand, and the value table's laws."""

import math

import pytest
import torch

from gpulingo.strategies.objectives import BY_NAME, ENTROPY_SCALE, SCALE, two_turns, value_table, weighed
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import embedded


@pytest.mark.parametrize(
    ("name", "left", "table", "bonus", "largest"),
    [
        ("parts", 3, [0, 1, 1, 1, 1], 0, False),
        ("parts", 2, [0, 1, 1, 1, 1], 1, False),
        ("parts", 1, [0, 1, 1, 1, 1], 1, False),
        ("entropy", 3, [0, 0, -2 * ENTROPY_SCALE, -20422086318, -8 * ENTROPY_SCALE], 0, False),
        ("expected_size", 3, [0, -1, -4, -9, -16], 0, False),
        ("largest_class", 3, [0, -1, -2, -3, -4], 0, True),
        ("points", 2, [0, SCALE, SCALE, SCALE, SCALE], SCALE, False),
        ("points", 1, [0, 0, 0, 0, 0], SCALE, False),
    ],
)
def test_tables_are_those_of_the_formula(name, left, table, bonus, largest):
    made = BY_NAME[name](4, left)
    assert (made.table.tolist(), made.bonus, made.largest) == (table, bonus, largest)


def test_points_values_classes_by_the_turns_after_this_one():
    made = BY_NAME["points"](6, 4)
    assert made.bonus == SCALE
    assert made.table.tolist() == value_table(6, 3)[3].tolist()


def test_entropy_is_rounded_to_the_nearest_unit():
    table = BY_NAME["entropy"](3000, 3).table.tolist()
    for n in range(1, 3001):
        assert abs(-table[n] - n * math.log2(n) * ENTROPY_SCALE) <= 1


@pytest.mark.parametrize("name", BY_NAME)
def test_the_largest_size_changes_no_smaller_one(name):
    # Else the guess for a set would depend on the sets that are ranked along with it.
    for left in (2, 3, 5):
        table = BY_NAME[name](5000, left).table
        for largest in (1, 2, 3, 9, 1000, 4999):
            assert torch.equal(BY_NAME[name](largest, left).table, table[: largest + 1])


def test_only_some_objectives_count_classes_and_all_stop_at_single_words():
    made = {name: objective(50, 3) for name, objective in BY_NAME.items()}
    assert [name for name, one in made.items() if one.counts_classes] == ["parts"]
    assert all(one.complete_is_best for one in made.values())


@pytest.mark.parametrize("largest", [1, 2, 3, 50, 2000])
def test_values_keep_to_what_is_known(largest):
    table = value_table(largest, 5)
    assert table.shape == (6, largest + 1)
    assert table.dtype == torch.int64
    assert table[:, 0].tolist() == [0] * 6
    for left in range(1, 6):
        row = table[left].tolist()
        assert row[1:3] == [left * SCALE, (2 * left - 1) * SCALE][:largest]
        assert all(value <= (left + (n - 1) * (left - 1)) * SCALE for n, value in enumerate(row) if n)
        assert row == sorted(row)
    assert set(table[1, 1:].tolist()) == {SCALE}


def test_with_two_turns_left_the_credits_count():
    made = two_turns(4)
    assert (made.table.tolist(), made.bonus) == ([0, 1, 1, 1, 1], 1)
    steep = two_turns(4, (0, 2, 7))  # 2 credits on the last turn, 7 on the one before
    assert (steep.table.tolist(), steep.bonus) == ([0, 2, 2, 2, 2], 5)


def test_points_are_those_of_the_payoff():
    payoff = (1, 4, 9, 11)
    made = BY_NAME["points"](5, 3, payoff)
    assert made.table.tolist() == value_table(5, 2, payoff)[2].tolist()
    assert made.table.tolist()[:3] == [0, 9 * SCALE, 13 * SCALE]  # one word now, the other a turn later
    assert made.bonus == 2 * SCALE


@pytest.mark.parametrize("name", list(BY_NAME))
def test_every_objective_may_rank_a_set_of_a_whole_list(name):
    table = encode(embedded().of_length(5).words)
    front = frontier([torch.arange(table.words, dtype=torch.int32)])
    ranked = rank(table, front, torch.tensor([0, 1], dtype=torch.int32), BY_NAME[name](table.words, 5))
    assert ranked.guesses.shape == (1, 1)


def test_what_numbers_of_words_are_worth_is_read_off_at_weights():
    words = Objective(torch.tensor([0, 10, 16, 20, 22]))
    # Three words weigh 6: two a word.
    assert weighed(words, 6, 6, 3).table.tolist() == [0, 5, 10, 13, 16, 18, 20]
    bonus = Objective(words.table, bonus=3)
    assert (weighed(bonus, 4, 6, 3).table.tolist(), weighed(bonus, 4, 6, 3).bonus) == ([0, 10, 20, 26, 32], 3)
    assert weighed(words, 6, 6, 3).largest is False
    parts = Objective(torch.tensor([0, 1, 1]), bonus=1)
    assert weighed(parts, 9, 9, 2) is parts


def test_no_product_of_a_worth_and_a_weight_is_cut_off():
    most = 1 << 61
    table = weighed(Objective(torch.tensor([0, most // 2, most])), 1 << 18, 1 << 18, 1).table
    assert table[1 << 17] == most // 4 and table[-1] == most // 2
    large = weighed(Objective(torch.tensor([0, most // 2, most]), bonus=1 << 30), 1 << 18, 1 << 19, 2)
    assert large.bonus == 1 << 12 and large.table[-1] == most // 2

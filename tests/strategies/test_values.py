"""The value table against its formula, worked out in fractions."""

from fractions import Fraction

import pytest
import torch

from gpulingo.strategies.objectives import SCALE, fitted_table, value_table


def worked_out(turns, most, classes):
    """V[turns][0..most] in turns, by the formula of the docstring."""
    row = [Fraction(0)] + [Fraction(1)] * most
    for left in range(2, turns + 1):
        below, row = row, [Fraction(0), Fraction(left), Fraction(2 * left - 1)]
        for n in range(3, most + 1):
            others = Fraction((n - 1) * classes, n - 1 + classes)
            size = (n - 1) / others
            low = int(size)
            row.append(left + others * (below[low] + (size - low) * (below[low + 1] - below[low])))
    return row[: most + 1]


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("classes", [20, 150])
def test_values_are_those_of_the_formula(turns, classes):
    values = value_table(300, turns, classes=float(classes))[turns].tolist()
    assert max(
        abs(value - SCALE * exact)
        for value, exact in zip(values, worked_out(turns, 300, classes), strict=True)
    ) < 1  # fmt: skip


def test_three_words_with_three_turns_are_worked_out_by_hand():
    # A guess of three makes 1 + 2 x 150 / 152 classes; the others hold 152 / 150 words each.
    exact = 3 + Fraction(300, 152) * (2 + Fraction(2, 150))
    assert abs(int(value_table(3, 3)[3, 3]) - SCALE * exact) < 1


def test_the_largest_size_changes_no_smaller_one():
    table = value_table(5000, 6)
    for largest in (1, 2, 3, 7, 150, 4999):
        assert torch.equal(value_table(largest, 6), table[:, : largest + 1])


def test_more_turns_and_more_words_are_worth_more():
    table = value_table(3000, 6)
    assert (table.diff(dim=0)[:, 1:] > 0).all()
    assert (table[2:].diff(dim=1) > 0).all()


FITTED = {2: [(3, 4 * SCALE), (10, 11 * SCALE)], 3: [(3, 7 * SCALE), (10, 20 * SCALE), (40, 50 * SCALE)]}


def test_fitted_values_go_through_their_knots_and_straight_between_them():
    table = fitted_table(FITTED, 80, 3)
    assert (table.dtype, list(table.shape)) == (torch.int64, [4, 81])
    assert [int(table[3, n]) for n in (3, 10, 25, 40, 70)] == [SCALE * n for n in (7, 20, 35, 50, 80)]
    assert int(table[2, 4]) == 5 * SCALE


def test_fitted_values_are_exact_where_they_are_known():
    table = fitted_table(FITTED, 9, 3)
    assert table[:, 0].tolist() == [0, 0, 0, 0]
    assert set(table[1, 1:].tolist()) == {SCALE}
    assert table[2:, 1:3].tolist() == [[2 * SCALE, 3 * SCALE], [3 * SCALE, 5 * SCALE]]


def test_fitted_values_never_fall_and_pass_nothing_a_set_can_be_worth():
    knots = {2: [(3, 4 * SCALE), (4, 400 * SCALE), (9, 400 * SCALE)]}
    row = fitted_table(knots, 1000, 2)[2]
    assert (row.diff() >= 0).all()
    assert row[4] == 5 * SCALE  # 2 + 3 x 1
    assert row[1000] == 400 * SCALE


def test_fitted_values_of_large_sets_do_not_overflow():
    largest = 1 << 20
    table = fitted_table({2: [(3, 4 * SCALE), (largest, largest * SCALE)]}, largest, 2)
    assert table[2, largest] == largest * SCALE
    assert (table[2].diff() >= 0).all()


@pytest.mark.parametrize("largest", [1, 2, 3])
def test_the_smallest_lists_have_fitted_values(largest):
    assert torch.equal(fitted_table(FITTED, largest, 3), fitted_table(FITTED, 50, 3)[:, : largest + 1])

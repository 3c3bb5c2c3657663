"""The value table against its formula, worked out in fractions."""

from fractions import Fraction

import pytest
import torch

from gpulingo.strategies.values import SCALE, value_table


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

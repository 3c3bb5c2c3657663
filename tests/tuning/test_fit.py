"""Fitted values: the sums of a search by hand, knots in order."""

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.strategies.objectives import SCALE, fitted_table, points, value_table
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode
from gpulingo.tuning.tuner import ValueSampler, fitted, knot_sizes, most, on_knots, with_values


def test_knots_stand_at_every_small_size_and_then_further_apart():
    assert knot_sizes(1) == [3]
    assert knot_sizes(20) == [*range(3, 13), 15, 18, 22]
    sizes = knot_sizes(50655)
    assert sizes[-1] >= 50655 and sizes == sorted(set(sizes))


def test_a_search_sums_up_all_the_sets_it_meets(words22):
    table = encode(words22.words)
    search = ValueSampler(table, lingo(3), {3: 22}, points)
    everything = frontier([torch.arange(22, dtype=torch.int32)])
    values = search.values(everything, 3)
    assert (search.counts[3, 22], search.sums[3, 22]) == (1, values.lower[0])
    classes = (torch.arange(23) * search.counts[2]).sum()
    assert classes >= 21  # of one opening at least, each word but itself
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
    assert torch.equal(again[2:, sizes], table[2:, sizes].minimum(again[2:, sizes].clamp(min=0)))
    assert (again[2:, 3:] - table[2:, 3:]).abs().max() < 2 * SCALE


@pytest.mark.parametrize("values", [[9, 1, 4], [10**12, 0, 0], [-5, -5, -5]])
def test_values_are_raised_where_they_fall_and_cut_to_what_can_be(values):
    knots = with_values(3, [3, 4, 5], [value * SCALE for value in values])
    found = [value / SCALE for _, value in knots]
    assert found == sorted(found)
    assert all(5 <= value <= 3 + (size - 1) * 2 for (size, _), value in zip(knots, found, strict=True))

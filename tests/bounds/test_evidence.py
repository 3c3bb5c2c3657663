"""Columns of evidence."""

import torch

from gpulingo.bounds.certificate import of_sizes


def test_rows_are_a_copy_of_the_columns_at_some_places():
    evidence = of_sizes(torch.tensor([7, 8, 9]))
    rows = evidence.rows(torch.tensor([2, 0]))
    assert rows.openings.tolist() == [2, 0] and rows.bounds.tolist() == [9, 7]
    rows.bounds[0] = 1
    rows.looked[0] = 5
    assert evidence.bounds.tolist() == [7, 8, 9] and evidence.looked.tolist() == [0, 0, 0]
    assert rows.bound == 7 and evidence.bound == 9


def test_the_sizes_of_classes_alone_are_all_that_bounds_rest_on_at_first():
    evidence = of_sizes(torch.tensor([7, 8, 9]))
    assert evidence.openings.tolist() == [0, 1, 2]
    assert evidence.looked.dtype == torch.int32 and evidence.two_guesses.dtype == torch.bool
    named = (evidence.neighbours, evidence.searched, evidence.supersets, evidence.evaluated)
    assert not any(named) and evidence.complete.tolist() == []

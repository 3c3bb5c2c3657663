"""Rates: what is counted, and the table they go to. How large they are is no test's business."""

import csv

import torch
from rates import append_csv, rates


def test_every_pair_of_every_set_is_counted(words22):
    before = torch.get_num_threads()
    found = list(rates(words22, [0, 5, 100], objectives=["parts", "entropy"], threads=[1, 2], calls=2))
    assert [(rate.size, rate.objective, rate.threads) for rate in found] == [
        (size, name, threads) for size in (22, 5) for name in ("parts", "entropy") for threads in (1, 2)
    ]
    assert all(rate.pairs == rate.sets * rate.size * 22 for rate in found)
    assert all(0 < rate.p20 <= rate.median <= rate.p80 for rate in found)
    assert torch.get_num_threads() == before


def test_rates_are_appended_under_one_header(words22, tmp_path):
    found = list(rates(words22, [5], objectives=["parts"], calls=1))
    path = tmp_path / "results.csv"
    append_csv(path, found)
    append_csv(path, found)
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["size"] for row in rows] == ["5", "5"]
    assert rows[0]["torch"] == torch.__version__

"""Benchmarks: what rates count and where they are written, and some cases of `benchmarks/attacks`."""

import csv
import itertools
import re
from collections import Counter

import arrays
import connections
import files
import numpy as np
import processes
import pytest
import torch
from positions.test_boards import least
from rates import append_csv, rates
from two_boards_bound import bounds, most_found

from gpulingo import WordList, find_game
from gpulingo.games import marks
from gpulingo.hosts.host import classes_of


@pytest.mark.slow
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


@pytest.mark.parametrize(
    "words",
    ["algae caper clasp paste saber wooer", "light might night right sight", "my by", "ab ba ac ca bc"],
)
def test_the_bound_of_two_boards_is_below_every_strategy(words):
    words = words.split()
    rows, game = list(itertools.permutations(words, 2)), find_game("dordle")
    *_, (_, bound) = bounds(WordList("few", words))
    assert 2 <= bound <= least(words, game, rows, 1, words) / len(rows)
    for opening in words:
        others = [word for word in words if word != opening]
        sets = list(classes_of(marks, opening, others).values())
        parts = [max(len(classes_of(marks, guess, own)) for guess in words) for own in sets]
        found = most_found(np.array([*map(len, sets)]), np.array(parts), len(words), own=True)
        assert 5 * len(rows) - found <= least(words, game, rows, 1, [opening])
        assert bound <= 5 - found / len(rows)


@pytest.mark.slow
def test_no_damaged_or_forged_file_is_believed():
    rows = list(files.attacks(150, 1))
    assert [fault for _, fault in rows if fault] == []
    assert {*Counter(kind for kind, _ in rows).values()} == {150 // len(files.READERS) // len(files.WAYS)}


@pytest.mark.slow
def test_a_reader_that_believes_what_it_reads_is_found_out(monkeypatch):
    monkeypatch.setattr(arrays, "prove", lambda table, certificate: iter(()))
    monkeypatch.setattr(files, "WAYS", ("forged",))
    monkeypatch.setattr(files, "READERS", {"certificate": arrays.read_bound})
    assert any("was proven, the best is" in fault for _, fault in files.attacks(100, 1))


@pytest.mark.slow
def test_half_sent_requests_keep_nobody_from_an_answer():
    rows = list(connections.attacks(len(connections.PARTS), 1))
    assert [(kind, fault) for kind, fault in rows if fault] == [] and len(rows) == len(connections.PARTS)


@pytest.mark.slow
def test_a_book_that_is_changed_and_odd_arguments_are_refused_in_a_line(monkeypatch):
    quick = [name for name in processes.CLASSES if re.match("a changed|arguments|prove", name)]
    monkeypatch.setattr(processes, "CLASSES", {name: processes.CLASSES[name] for name in quick})
    rows = list(processes.attacks(50, 1))
    assert [fault for _, fault in rows if fault] == [] and {kind for kind, _ in rows} == {*quick}
    monkeypatch.setattr(processes, "check_second_guesses", lambda *own: None)
    assert any("is believed" in fault for _, fault in processes.attacks(50, 1))

"""Some of the cases of `benchmarks/attacks`: damaged and forged files, half-sent requests."""

from collections import Counter

import arrays
import connections
import files
import pytest


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_no_damaged_or_forged_file_is_believed(seed):
    rows = list(files.attacks(600, seed))
    assert [fault for _, fault in rows if fault] == []
    kinds = Counter(kind for kind, _ in rows)
    assert len(rows) == 600 and len(kinds) == len(files.READERS) * len(files.WAYS)


@pytest.mark.slow
def test_a_reader_that_believes_what_it_reads_is_found_out(monkeypatch):
    monkeypatch.setattr(arrays, "prove", lambda table, certificate: iter(()))
    monkeypatch.setattr(files, "WAYS", ("forged",))
    monkeypatch.setattr(files, "READERS", {"certificate": arrays.read_bound})
    assert any("was proven, the best is" in fault for _, fault in files.attacks(300, 1))


@pytest.mark.slow
def test_half_sent_requests_keep_nobody_from_an_answer():
    rows = list(connections.attacks(len(connections.PARTS), 1))
    assert [(kind, fault) for kind, fault in rows if fault] == [] and len(rows) == len(connections.PARTS)

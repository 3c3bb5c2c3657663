"""What two turns find is the same with ceilings as without, and takes less work."""

import pytest
import torch

from gpulingo.bounds import superset_counts as ceilings
from gpulingo.bounds.certificate import CertificateError, certificate_arrays, parsed_certificate
from gpulingo.bounds.checker import prove
from gpulingo.bounds.constraints import Facts
from gpulingo.bounds.evidence import opening_bounds
from gpulingo.bounds.partitions import split_whole
from gpulingo.bounds.superset_counts import Ceilings
from gpulingo.bounds.supersets import LargerSets
from gpulingo.tensors import reference
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import parse

pytestmark = pytest.mark.usefixtures("small_sets_too")


@pytest.fixture
def small_sets_too(monkeypatch):
    monkeypatch.setattr(ceilings, "SMALLEST", 3)


@pytest.fixture
def table(random_words):
    return encode(random_words(4, 250, 5, letters="abcdefghij"))


def ceilings_of(table, **memory):
    return Ceilings(table, LargerSets(Facts(table), {}), **memory)


def look(held, table, more):
    """Pairs told of one look at the classes of every twelfth word."""
    told = []
    for opening in range(0, table.words, 12):
        front = split_whole(table, opening).frontier
        found = held.first_two(front, more, told.append)
        assert torch.equal(found, reference.most_classes(table, front)[0])
    return sum(told)


def test_looks_take_less_work_when_more_was_counted(table):
    held = ceilings_of(table)
    first = look(held, table, more=True)
    assert held.seconds > 0
    seconds = held.seconds
    again = look(held, table, more=False)
    assert again < first and held.seconds == seconds


def test_nothing_is_counted_unless_it_is_asked_for(table):
    held = ceilings_of(table)
    first = look(held, table, more=False)
    assert look(held, table, more=False) == first and held.seconds == 0


def test_ceilings_hold_for_words_with_repeated_letters(random_words):
    words = random_words(5, 200, 8, letters="abc")
    table = encode(words)
    held = ceilings_of(table)
    for _ in range(2):
        look(held, table, more=True)


def test_memory_is_not_passed(table):
    rows = 3
    held = ceilings_of(table, memory=rows * 2 * table.words)
    look(held, table, more=True)
    look(held, table, more=True)
    assert held.kept == rows


@pytest.mark.slow
def test_what_is_counted_lowers_bounds_and_is_checked_by_its_own_means(table, random_words):
    wordlist = parse("\n".join(random_words(4, 250, 5, letters="abcdefghij"))).of_length(5)
    held = opening_bounds(table, 4)
    openings = list(range(0, 250, 3))
    held.look_until(openings[:30], 0)
    assert held.counting > 0 and len(held.larger) > 0
    held.look_until(openings[30:], int(held.bounds[openings[30:]].median()) - 10)
    certificate = parsed_certificate(certificate_arrays(wordlist, held))
    work = []
    assert list(prove(table, certificate, report=lambda *told: work.append(told)))[-1] == 250
    done, total = zip(*work, strict=True)
    assert len(set(total)) == 1 and abs(done[-1] - total[0]) < 1e-6 and list(done) == sorted(done)
    by_size = opening_bounds(table, 4).bounds
    lowered = next(opening for opening in openings if held.bounds[opening] < by_size[opening])
    certificate.bounds[lowered] -= 1
    with pytest.raises(CertificateError, match=f"place {lowered} "):
        list(prove(table, certificate))

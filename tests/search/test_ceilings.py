"""What two turns find is the same with ceilings as without, and takes less work."""

import pytest
import torch

from gpulingo.search import ceilings
from gpulingo.search.ceilings import Ceilings
from gpulingo.search.openings import split_whole
from gpulingo.tensors.classes import plain_most_classes
from gpulingo.words.encode import encode

pytestmark = pytest.mark.usefixtures("small_sets_too")


@pytest.fixture
def small_sets_too(monkeypatch):
    monkeypatch.setattr(ceilings, "SMALLEST", 3)


@pytest.fixture
def table(random_words):
    return encode(random_words(4, 400, 5, letters="abcdefghij"))


def look(held, table, more):
    """Pairs told of one look at the classes of every tenth word."""
    told = []
    for opening in range(0, table.words, 10):
        front = split_whole(table, opening).frontier
        found = held.first_two(front, more, told.append)
        assert torch.equal(found, plain_most_classes(table, front)[0])
    return sum(told)


def test_looks_take_less_work_when_more_was_counted(table):
    held = Ceilings(table)
    first = look(held, table, more=True)
    assert held.seconds > 0
    seconds = held.seconds
    again = look(held, table, more=False)
    assert again < first and held.seconds == seconds


def test_nothing_is_counted_unless_it_is_asked_for(table):
    held = Ceilings(table)
    first = look(held, table, more=False)
    assert look(held, table, more=False) == first and held.seconds == 0


def test_ceilings_hold_for_words_with_repeated_letters(random_words):
    words = random_words(5, 300, 8, letters="abc")
    table = encode(words)
    held = Ceilings(table)
    for _ in range(2):
        look(held, table, more=True)


def test_memory_is_not_passed(table):
    rows = 3
    held = Ceilings(table, memory=rows * 2 * table.words)
    look(held, table, more=True)
    look(held, table, more=True)
    assert held.kept == rows

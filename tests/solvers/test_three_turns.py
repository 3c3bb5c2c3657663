"""Values with three turns left: what branch and bound over every guess says, whatever bounds the guesses."""

import random

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.solvers import three_turns, value
from gpulingo.solvers.labelling import label_set
from gpulingo.solvers.legality import legality_of
from gpulingo.solvers.three_turns import ASKED, ask_nearest, enter, keep, new_guesses, none_counted
from gpulingo.solvers.value import value_search as search_of
from gpulingo.solvers.workspace import workspace
from gpulingo.tensors.cpu.compile import making_arrays
from gpulingo.tensors.wordtable import encode

TURNS = range(9)  # a payoff: a credit for each turn left
MEMORY = 1 << 20


def drawn_words(count, length, seed, letters="abcdefg"):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})


@pytest.fixture
def every_size(monkeypatch):
    """All sets are searched so, the smallest too."""
    monkeypatch.setattr(value, "MANY_WORDS", 3)


@pytest.mark.parametrize(
    ("seed", "apart"),
    [
        (18, False),
        pytest.param(10, True, marks=pytest.mark.slow),
        pytest.param(23, False, marks=pytest.mark.slow),
    ],
)
def test_values_are_those_of_every_guess(seed, apart, every_size):
    table = exhaustive.made(seed, apart)[1]
    draw, ours, plain = random.Random(1), search_of(table, TURNS, MEMORY), exhaustive.Plain(table)
    for size in (3, 5, 9):
        members = torch.tensor(sorted(draw.sample(table.targets.tolist(), size)), dtype=torch.int32)
        expected = plain.value(members, 3)
        least, most = ours.bracket(members, 3)
        assert least <= expected <= most
        found = ours.value(members, 3)
        assert found.value == expected
        assert plain.after(found.guess, 3, members) == expected


def test_labelled_sets_are_kept_while_there_is_room_and_given_back():
    table = encode(drawn_words(120, 3, seed=3))
    search, draw = search_of(table, TURNS, 200_000), random.Random(3)
    sets = [torch.tensor(sorted(draw.sample(range(table.words), 60))).int() for _ in range(8)]
    room = search._free
    for each in sets:
        search.bracket(each, 3)
    first = list(search._kept)
    assert 0 < len(first) < len(sets)  # the first are kept, as they are asked for first
    assert first == [each.numpy().tobytes() for each in sets[: len(first)]]
    assert search._free == room - sum(one.bytes for one in search._kept.values()) >= 0
    search.value(sets[0], 3)
    search.value(sets[1], 3, floor=1000)  # known without a search
    assert list(search._kept) == first[2:]
    search.forget()
    assert not search._kept and search._free == room


@pytest.mark.parametrize(
    ("length", "count"), [(2, 70), (3, 120), pytest.param(4, 500, marks=pytest.mark.slow), (9, 60)]
)
def test_floors_and_limits_are_kept(length, count):
    table = encode(drawn_words(count, length, seed=length))
    draw = random.Random(length)
    for size in (24, 26 if length == 2 else 40):
        members = torch.tensor(sorted(draw.sample(range(table.words), size)), dtype=torch.int32)
        value = by_depth(table, members)
        for floor in (-1, 0, value - 1, value, value + 1, value + 9):
            search = search_of(table, TURNS, MEMORY)
            assert search.value(members, 3, limit=1).value == -1
            found = search.value(members, 3, floor)
            if floor < value:
                assert found.value == value and found.guess in table.pool
            else:
                assert value <= found.value <= floor and found.guess == -1
        assert search.value(members, 3).value == value  # after a bound that says less
        assert search.value(members, 3).pairs == 0


def by_depth(table, members):
    """The value as the search that goes depth first has it."""
    search = search_of(table, TURNS, MEMORY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value, "MANY_WORDS", 1 << 30)
        return search.value(members, 3).value


@making_arrays
def asked(row, floor, whole, by_guess, guesses, counted, guess):
    classes = by_guess[guess].max() + 1
    total = ask_nearest(guess, classes, floor, by_guess, counted)
    enter(row, guess, classes, total, counted.caps, by_guess[guess], whole.places, guesses)


@making_arrays
def kept(row, whole, by_guess, guesses, counted, guess, most):
    classes, n = by_guess[guess].max() + 1, by_guess.shape[1]
    counted.caps[:] = n
    enter(row, guess, classes, n, counted.caps, by_guess[guess], whole.places, guesses)
    guesses.most[row, : most.shape[0]] = most
    keep(row, by_guess[guess], guesses, counted)


def classes_of(column):
    """The places of the words of each label."""
    return [np.flatnonzero(column == label) for label in sorted(set(column.tolist()))]


def most_classes(labels, places):
    return max(len(set(column)) for column in labels[places].T.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 3 * ASKED])
def test_classes_are_bounded_by_those_of_the_nearest_guesses_that_were_counted(count):
    words = drawn_words(120, 3, seed=4, letters="abcdefghi")
    table, draw = encode(words), random.Random(count)
    letters, n = table.letters.numpy(), 60
    chosen = np.array(sorted(draw.sample(range(len(words)), n)), np.int32)
    others = np.setdiff1d(np.arange(len(words), dtype=np.int32), chosen)
    numbers, ones = np.ones((len(words), 2), np.uint64), np.ones(n, np.int64)
    labels = label_set(table, chosen, others)
    whole = workspace(labels, chosen, ones, numbers, 1, legality_of(table, "any", 0))
    guesses, counted = new_guesses(whole), none_counted(letters, whole)
    labels = whole.labels.astype(np.int64)
    by_guess, row = np.ascontiguousarray(whole.labels.T), 3
    every = draw.sample(range(whole.distinct), whole.distinct)
    known = {}
    for guess in every[:count]:
        cuts = classes_of(labels[:, guess])
        known[guess] = [(set(cut.tolist()), most_classes(labels, cut)) for cut in cuts]
        kept(row, whole, by_guess, guesses, counted, guess, np.array([most for _, most in known[guess]]))
    below = 0
    for guess in every[count:]:
        asked(row, -1, whole, by_guess, guesses, counted, guess)
        nearest = sorted(every[:count], key=lambda other: -alike(whole, letters, guess, other))[:ASKED]
        total, mine = int(guess < n), classes_of(labels[:, guess])
        for places, found in zip(mine, guesses.most[row], strict=False):
            least = len(places)
            if least > 2:
                least = min(least, *(bounded(places, known[other]) for other in nearest))
            assert most_classes(labels, places) <= found == least
            total += found + 1
            below += found < len(places)
        assert guesses.totals[row] == total
    assert below > 0


def alike(whole, letters, guess, other):
    """Letters in common, those at the same place eight times more."""
    mine, theirs = letters[whole.guesses[guess]], letters[whole.guesses[other]]
    return len(set(mine.tolist()) & set(theirs.tolist())) + 8 * int((mine == theirs).sum())


def bounded(places, theirs):
    """Classes that any guess makes of some places, at most, by the classes of another guess."""
    return sum(min(len(cut & set(places.tolist())), most) for cut, most in theirs)


def test_the_last_guesses_that_were_counted_are_kept(monkeypatch, every_size):
    monkeypatch.setattr(three_turns, "KEPT", 3)
    table = encode(drawn_words(150, 4, seed=9, letters="abcde"))
    members = torch.arange(0, table.words, 2).int()
    assert search_of(table, TURNS, MEMORY).value(members, 3).value == by_depth(table, members)

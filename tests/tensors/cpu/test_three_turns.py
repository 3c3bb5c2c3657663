"""Values with three turns left: what branch and bound over every guess says, whatever bounds the guesses."""

import random
from itertools import combinations

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import value_search
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.families import cover, families, nested
from gpulingo.tensors.cpu.labels import labelled
from gpulingo.tensors.operations import value_search as search_of
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20


def drawn_words(count, length, seed, letters="abcdefg"):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})


@pytest.fixture
def every_size(monkeypatch):
    """All sets are searched by families, the smallest too."""
    monkeypatch.setattr(value_search, "MANY_WORDS", 3)


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
    draw, ours, plain = random.Random(1), search_of(table, MEMORY), reference.value_search(table, 1)
    for size in (3, 5, 9):
        members = torch.tensor(sorted(draw.sample(table.targets.tolist(), size)), dtype=torch.int32)
        expected = plain.value(members, 3).value
        least, most = ours.bracket(members, 3)
        assert least <= expected <= most
        found = ours.value(members, 3)
        assert found.value == expected
        parted = reference.split(table, exhaustive.set_of(members), torch.tensor([found.guess]).int())
        after = [parted.frontier.candidates(k) for k in range(parted.frontier.sets)]
        assert 3 * int(parted.hits[0]) + sum(plain.value(each, 2).value for each in after) == expected


def test_labelled_sets_are_kept_while_there_is_room_and_given_back():
    table = encode(drawn_words(120, 3, seed=3))
    search, draw = search_of(table, 200_000), random.Random(3)
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
            search = search_of(table, MEMORY)
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
    search = value_search.ValueSearch(table, MEMORY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_search, "MANY_WORDS", 1 << 30)
        return search.value(members, 3).value


def test_no_guess_makes_more_classes_of_a_part_than_its_families_say():
    words = drawn_words(60, 4, seed=4, letters="abcd")
    table = encode(words)
    every, numbers = np.arange(len(words), dtype=np.int32), np.ones((len(words), 2), np.uint64)
    whole = labelled(table, every, every[:0], numbers, 2)
    every_way = nested(table.letters.numpy(), whole)
    assert every_way.order.shape[0] == 24 and every_way.names.shape[1] == 3
    for order, names, classes in zip(*every_way, strict=True):
        for level, (row, most) in enumerate(zip(names, classes, strict=True), 1):
            for name in set(row.tolist()):
                family = order[row == name]
                letters = table.letters.numpy()[family]
                differ = [place for place in range(4) if len(set(letters[:, place])) > 1]
                assert len(differ) <= level
                labels = whole.labels[family]
                assert set(most[row == name]) == {max(len(set(column)) for column in labels.T.tolist())}
                side_by_side = np.flatnonzero(row == name)
                assert len(side_by_side) == side_by_side[-1] - side_by_side[0] + 1
    # All words that are equal but for some places are in one family.
    first = every_way.names[:, 0], every_way.order
    for one, other in combinations(range(len(words)), 2):
        same = [a == b for a, b in zip(words[one], words[other], strict=True)]
        if sum(same) == 3:
            ways = zip(*first, strict=True)
            assert any(
                names[order.tolist().index(one)] == names[order.tolist().index(other)]
                for names, order in ways
            )


def by_nesting(names, classes, chosen, level):
    """Classes of the chosen places at most, by the families of a level and all inside them."""
    if level < 0:
        return len(chosen)
    inside = {}
    for place in chosen:
        inside.setdefault(names[level, place], []).append(place)
    return sum(
        min(int(classes[level, places[0]]), by_nesting(names, classes, places, level - 1))
        for places in inside.values()
    )


def test_tight_families_say_what_all_families_do():
    words = sorted({a + b + "t" + c for a in "bcdfghklmnpr" for b in "aou" for c in "es"})
    table, draw = encode(words), random.Random(5)
    every, numbers = np.arange(len(words), dtype=np.int32), np.ones((len(words), 2), np.uint64)
    whole = labelled(table, every, every[:0], numbers, 2)
    all_of, letters = nested(table.letters.numpy(), whole), table.letters.numpy()
    kept, room, lost = families(letters, whole), np.zeros((4, 64), np.int32), 0
    for count in (2, 5, 20, 64):
        labels = np.array(draw.choices(range(count), k=len(words)), np.uint8)
        sizes = np.bincount(labels, minlength=64)
        for way in range(24):
            least = sizes.copy()
            covered(kept, way, labels, sizes, sizes.max(), room, least)
            order, *families_of = (column[way] for column in all_of)
            for label in range(count):
                chosen = np.flatnonzero(labels[order] == label).tolist()
                assert least[label] == by_nesting(*families_of, chosen, 2)
            lost += int((sizes - least).sum())
    assert lost > 0


@compiled
def covered(kept, way, labels, sizes, most, room, least):
    cover(kept, way, labels, sizes, most, room, least)


def test_long_words_have_families_of_fewer_places():
    levels = {}
    for length in (1, 2, 3, 5, 6, 9, 13):
        words = drawn_words(
            30, length, seed=length, letters="abcdefghijklmnopqrstuvwxyz"[: 26 if length < 3 else 5]
        )
        table = encode(words)
        every, numbers = np.arange(len(words), dtype=np.int32), np.ones((len(words), 2), np.uint64)
        found = families(table.letters.numpy(), labelled(table, every, every[:0], numbers, 2))
        levels[length] = found.names.shape[1]
    assert levels == {1: 0, 2: 1, 3: 2, 5: 3, 6: 2, 9: 1, 13: 1}

"""`split` against a dictionary of lists."""

from collections import defaultdict

import pytest
import torch

from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import encode

BACKENDS = pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])


def ints(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def by_dictionary(words, sets, guesses):
    """Rows of parent, pattern and members; and which guesses hit."""
    rows = []
    for parent, (members, guess) in enumerate(zip(sets, guesses, strict=True)):
        classes = defaultdict(list)
        for word in members:
            if word != guess:
                classes[pattern(feedback(words[guess], words[word]))].append(word)
        rows += [(parent, code, classes[code]) for code in sorted(classes)]
    return rows, [guess in members for members, guess in zip(sets, guesses, strict=True)]


def rows_of(parted):
    children = [parted.frontier.candidates(s).tolist() for s in range(parted.frontier.sets)]
    return list(zip(parted.parents.tolist(), parted.patterns.tolist(), children, strict=True))


@BACKENDS
@pytest.mark.parametrize("length", [1, 2, 3, 5, 9, 13, 19, 20, 27, 39])
def test_sets_are_parted_as_a_dictionary_parts_them(random_words, random_sets, backend, length):
    words = random_words(length, 39 if length == 1 else 120, length)
    table = encode(words)
    front = random_sets(length, len(words), (1, 1, 2, 3, 20, 65, 110, 5, 30))
    generator = torch.Generator().manual_seed(length)
    outside = torch.randint(len(words), (front.sets,), generator=generator).to(torch.int32)
    inside = front.members[front.offsets[1:] - 1]
    for guesses in (outside, inside, torch.where(torch.arange(front.sets) % 2 == 0, outside, inside)):
        sets = [front.candidates(s).tolist() for s in range(front.sets)]
        rows, hits = by_dictionary(words, sets, guesses.tolist())
        parted = split(table, front, guesses, backend=backend)
        assert rows_of(parted) == rows
        assert parted.hits.tolist() == hits
        assert parted.frontier.members.dtype == torch.int32
        assert (parted.frontier.offsets.dtype, parted.parents.dtype) == (torch.int64, torch.int64)
        assert parted.patterns.dtype == (torch.int32 if length <= 19 else torch.int64)
        assert parted.hits.dtype == torch.bool


@BACKENDS
@pytest.mark.parametrize("length", [1, 2, 5, 9, 13, 20, 39])
def test_the_whole_list_is_parted_as_a_dictionary_parts_it(random_words, backend, length):
    words = random_words(length + 1, 39 if length == 1 else 150, length)
    table = encode(words)
    guesses = torch.randperm(len(words), generator=torch.Generator().manual_seed(length))[:9].to(torch.int32)
    front = whole(table).take(torch.zeros(9, dtype=torch.int64))
    rows, hits = by_dictionary(words, [range(len(words))] * 9, guesses.tolist())
    parted = split(table, front, guesses, backend=backend)
    assert (rows_of(parted), parted.hits.tolist()) == (rows, hits)
    assert hits == [True] * 9
    assert (parted.frontier.members.dtype, parted.frontier.offsets.dtype) == (torch.int32, torch.int64)
    assert parted.patterns.dtype == (torch.int32 if length <= 19 else torch.int64)


def test_the_whole_list_is_parted_by_one_guess_as_often_as_asked(random_words):
    # The second time the features of the list are kept.
    words = random_words(3, 90, 5)
    table = encode(words)
    for guess in (4, 88, 4):
        rows, _ = by_dictionary(words, [range(90)], [guess])
        assert rows_of(split(table, whole(table), ints(guess), backend=cpu)) == rows


@BACKENDS
def test_the_classes_of_one_guess_are_those_worked_out_by_hand(backend):
    table = encode("able bale cart zone pale gale".split())
    parted = split(table, frontier([ints(1, 3, 4, 5), ints(0, 2)]), ints(0, 2), backend=backend)
    # able: zone XXXO, pale and gale ?XOO, bale ??OO; cart finds itself and leaves able X?XX.
    assert rows_of(parted) == [(0, 2, [3]), (0, 35, [4, 5]), (0, 44, [1]), (1, 9, [0])]
    assert parted.hits.tolist() == [False, True]


@BACKENDS
def test_a_set_that_the_guess_empties_leaves_nothing(backend):
    table = encode(["able", "bale"])
    for sets in ([ints(1)], [ints(0), ints(1)]):
        front = frontier(sets)
        parted = split(table, front, front.firsts, backend=backend)
        assert (parted.frontier.sets, rows_of(parted), parted.hits.tolist()) == (0, [], [True] * front.sets)
        assert parted.frontier.offsets.tolist() == [0]
        # And nothing is parted into nothing.
        again = split(table, parted.frontier, ints(), backend=backend)
        assert (again.frontier.sets, rows_of(again), again.hits.tolist()) == (0, [], [])


@BACKENDS
def test_a_guess_outside_a_set_of_one_leaves_that_one(backend):
    parted = split(encode(["able", "bale"]), frontier([ints(1)]), ints(0), backend=backend)
    assert (rows_of(parted), parted.hits.tolist()) == ([(0, pattern("??OO"), [1])], [False])


def test_sets_in_one_frontier_do_not_mix(random_words, random_sets):
    table = encode(random_words(4, 80, 4))
    front = random_sets(4, 80, (30, 30, 30))
    guesses = ints(7, 7, 7)
    together = rows_of(split(table, front, guesses))
    alone = [rows_of(split(table, frontier([front.candidates(s)]), guesses[:1])) for s in range(3)]
    assert together == [(s, code, members) for s in range(3) for _, code, members in alone[s]]

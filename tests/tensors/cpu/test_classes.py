"""`class_counts` and `most_classes` against sets of marks."""

import random
from collections import Counter, defaultdict

import pytest
import torch

from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.cpu.most_classes import SMALL
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import most_classes, rank, split
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.wordtable import encode


def classes_of(words, guess, members):
    return len({feedback(words[guess], words[word]) for word in members})


def drawn(count, size, draw):
    return torch.randperm(count, generator=draw)[:size].sort().values.to(torch.int32)


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(("length", "letters"), [(2, LETTERS), (5, "abcd"), (5, LETTERS), (9, "abcdefgh")])
def test_limits_of_guesses_change_nothing_but_the_work(random_words, length, letters):
    words = encode(random_words(length, 400, length, letters))
    table = words.with_sets(words.targets[:300], words.targets[:350])
    draw, told = torch.Generator().manual_seed(length), []
    front = frontier([drawn(300, size, draw) for size in (1, 2, 3, SMALL, SMALL + 1, 130, 200, 299, 300)])
    most = most_classes(table, front, told.append)
    assert torch.equal(most, reference.most_classes(table, front)) and sum(told) > 0


def test_limits_leave_out_guesses(random_words):
    table, told = encode(random_words(5, 600, 5, letters="abcdefghijklmnopqrst")), []
    front = split(table, whole(table), torch.tensor([0], dtype=torch.int32)).frontier
    largest = front.take(front.sizes.argmax()[None])
    most_classes(table, largest, told.append)
    assert int(largest.sizes) > SMALL and sum(told) < 0.9 * table.words * int(largest.sizes)


def by_loops(classes, caps, sets, most):
    """For each set the greatest sum over guesses."""
    rows, limits = classes.tolist(), caps.tolist()
    found = []
    for members, cap in zip(sets, most, strict=True):
        sums = []
        for g, row in enumerate(rows):
            sizes = Counter(row[word] for word in members)
            sums.append(sum(min(n + 1, limits[g][c], cap) for c, n in sizes.items()) + (g in members))
        found.append(max(sums))
    return found


@pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])
@pytest.mark.parametrize(
    ("words", "wide", "dtype"), [(7, 3, torch.uint8), (60, 9, torch.uint8), (90, 300, torch.int16)]
)
def test_the_greatest_sum_is_that_of_loops(backend, words, wide, dtype):
    draw = torch.Generator().manual_seed(words)
    classes = torch.randint(0, wide, (words, words), generator=draw).to(dtype)
    caps = torch.randint(0, 8, (words, wide), generator=draw).to(torch.int32)
    sizes = [1, 2, 5, words // 2, words]
    sets = [torch.randperm(words, generator=draw)[:n].sort().values for n in sizes]
    most = torch.tensor([1, 3, 4, 6, 100])
    told = []
    found = backend.greatest_capped(CappedClasses(classes, caps), frontier(sets), most, told.append)
    assert found.tolist() == by_loops(classes, caps, [set(one.tolist()) for one in sets], most.tolist())
    assert sum(told) > 0


MOST = 40  # highest weight of a word


def heavy_table(words, seed=1):
    """The table of words with weights of 0 to MOST, every second word a target."""
    draw = random.Random(seed)
    weights = torch.tensor([draw.choice([0, 1, 2, MOST]) for _ in words], dtype=torch.int32)
    weights[0] = 1
    return encode(words).with_sets(torch.arange(0, len(words), 2, dtype=torch.int32), None, weights)


def objectives(largest):
    sizes = torch.arange(largest + 1)
    table = torch.randint(-(1 << 40), 1 << 40, (largest + 1,), generator=torch.Generator().manual_seed(7))
    table[0] = 0
    for worth, bonus in ((-(sizes**2), 0), (table, 1 << 30)):
        for largest_only in (False, True):
            yield Objective(worth, bonus, largest_only)
    yield Objective(sizes * 3, bonus=2, heaviest=True)


# Codes of 8, 16, 32 and 64 bits; the last two have too wide a range for a table.
@pytest.mark.slow
@pytest.mark.parametrize(("length", "count"), [(3, 60), (5, 300), (9, 200), (16, 90)])
def test_the_kernel_ranks_as_plain_torch(random_words, length, count):
    words = random_words(length, count, length, "abcdefgh")
    table = heavy_table(words)
    targets = table.targets
    front = frontier([targets, targets[:1], targets[1:3], targets[::3]])
    pools = [table.pool, None, frontier([table.pool[:5], table.pool[2:9], table.pool[:1], table.pool])]
    for objective in objectives(int(table.weights[targets].sum()) + MOST):
        for pool in pools:
            for width in (1, 4):
                plain, fast = (
                    rank(table, front, pool, objective, width, backend=backend)
                    for backend in (reference, cpu)
                )
                assert torch.equal(plain.guesses, fast.guesses)
                assert torch.equal(plain.ranks, fast.ranks)


def test_a_set_that_weighs_nothing_is_worth_nothing():
    table = encode(["able", "bale", "cafe"]).with_sets(weights=torch.tensor([0, 0, 4], dtype=torch.int32))
    front = frontier([torch.tensor([0, 1])])
    for backend in (reference, cpu):
        for largest in (False, True):
            objective = Objective(torch.tensor([0, 5, 5, 5, 5]), 1, largest)
            assert rank(table, front, None, objective, backend=backend).ranks.tolist() == [[0]]


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
@pytest.mark.parametrize("length", [1, 19, 20])
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
def test_a_set_that_the_guess_empties_leaves_nothing(backend):
    table = encode(["able", "bale"])
    for sets in ([ints(1)], [ints(0), ints(1)]):
        front = frontier(sets)
        parted = split(table, front, front.firsts, backend=backend)
        assert (parted.frontier.sets, rows_of(parted), parted.hits.tolist()) == (0, [], [True] * front.sets)
        assert parted.frontier.offsets.tolist() == [0]
        # Splitting no sets gives no sets.
        again = split(table, parted.frontier, ints(), backend=backend)
        assert (again.frontier.sets, rows_of(again), again.hits.tolist()) == (0, [], [])

"""The cpu backend: items of work, threads, and sets and words for every variant of its kernels."""

from collections import Counter

import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.cpu import rank as cpu_rank
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import patterns, rank
from gpulingo.tensors.wordtable import encode

LETTERS = "abcdefghijklmnopqrstuvwxyz"
OBJECTIVES = [(1, "random"), (3, "parts with bonus"), (5, "entropy"), (13, "parts"), (20, "largest_class"),
              (39, "random largest")]  # fmt: skip
SIZES = (1, 2, 3, 31, 32, 33, 63, 64, 65, 257, 600)


def same(ranked, expected, width):
    return torch.equal(ranked.guesses, expected.guesses[:, :width]) and torch.equal(
        ranked.ranks, expected.ranks[:, :width]
    )


def counted(table, front, pool, way):
    """The guesses of the pool, best first, and their ranks, by counting patterns in a dictionary."""
    worth, rows, ranks = way.table.tolist(), [], []
    for s in range(front.sets):
        members = front.candidates(s)
        matrix = patterns(table.letters[pool], table.letters[members]).tolist()
        candidates, keys = set(members.tolist()), []
        for place, (guess, codes) in enumerate(zip(pool.tolist(), matrix, strict=True)):
            entries = [worth[size] for size in Counter(codes).values()]
            value = min(entries) if way.largest else sum(entries)
            inside = guess in candidates
            keys.append((-value - way.bonus * inside, not inside, place, guess))
        rows.append([guess for *_, guess in sorted(keys)])
        ranks.append([-key for key, *_ in sorted(keys)])
    return rows, ranks


@pytest.fixture(scope="module")
def sample(random_words, random_sets):
    """A function that makes a table, a frontier of small and large sets by turns, and pools, for a length."""

    def made(length):
        table = encode(random_words(length, 200, length))
        whole = torch.arange(200, dtype=torch.int32)
        pools = (whole, None, whole[::7], whole[:0], whole[5:6])
        return table, random_sets(length, 200, (1, 40, 2, 3, 100, 1, 1, 33, 150, 1)), pools

    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("item", "length", "name"), [(5000, 5, "parts"), (5000, 13, "random largest"), (50, 5, "random")]
)
def test_small_items_of_work_change_nothing(monkeypatch, sample, objective, item, length, name):
    table, front, pools = sample(length)
    way = objective(name, 150)
    monkeypatch.setattr(cpu_rank, "ITEM", item)
    for pool in pools:
        expected = rank(table, front, pool, way, 203, backend=reference)
        for width in (1, 5, 203):
            ranked = rank(table, front, pool, way, width, backend=cpu)
            assert same(ranked, expected, width)


@pytest.mark.parametrize(("item", "name"), [(50, "entropy"), (5000, "parts with bonus")])
def test_a_pool_for_each_set_is_cut_into_items_too(monkeypatch, sample, random_sets, objective, item, name):
    table, front, _ = sample(5)
    legal = random_sets(6, 200, (200, 1, 90, 3, 150, 60, 200, 7, 100, 2))
    monkeypatch.setattr(cpu_rank, "ITEM", item)
    for width in (1, 5, 203):
        expected = rank(table, front, legal, objective(name, 150), width, backend=reference)
        ranked = rank(table, front, legal, objective(name, 150), width, backend=cpu)
        assert same(ranked, expected, width) and (width == 1 or ranked.pairs == expected.pairs)


@pytest.mark.parametrize("count", [1, 3])
def test_threads_change_nothing(monkeypatch, sample, threads, objective, count):
    table, front, pools = sample(9)
    ways = [objective(name, 150) for name in ("parts with bonus", "entropy")]
    expected = [rank(table, front, pools[0], way, 4, backend=reference) for way in ways]
    threads(count)
    monkeypatch.setattr(cpu_rank, "ITEM", 700)
    for way, ranking in zip(ways * 5, expected * 5, strict=True):
        ranked = rank(table, front, pools[0], way, 4, backend=cpu)
        assert same(ranked, ranking, 4)


def test_guesses_of_one_rank_stay_in_list_order_across_blocks(monkeypatch):
    # Each word against the others gives one class and itself: all ranks are equal except a candidate's.
    table = encode([x * 4 for x in LETTERS[:20]])
    front = frontier([torch.arange(0, 20, 2, dtype=torch.int32)])
    pool = torch.arange(20, dtype=torch.int32)
    monkeypatch.setattr(cpu_rank, "ITEM", 30)  # three guesses a block
    ones = torch.ones(11, dtype=torch.int64)
    ones[0] = 0
    ranked = rank(table, front, pool, Objective(ones, bonus=1), 12, backend=cpu)
    assert ranked.guesses.tolist() == [[*range(0, 20, 2), 1, 3]]
    assert ranked.ranks.tolist() == [[3] * 10 + [1] * 2]


@pytest.mark.slow
@pytest.mark.parametrize(("length", "name"), [(8, "parts"), (14, "largest_class")])
def test_sets_that_end_where_a_phase_ends_are_counted_whole(
    random_words, random_sets, objective, length, name
):
    table = encode(random_words(length, 8200, length, LETTERS))
    front = random_sets(length, 8200, (4096, 4097, 4161, 2048, 2049, 8192, 8193))
    pool = torch.arange(1, 8200, 2000, dtype=torch.int32)
    ranked = rank(table, front, pool, objective(name, 8193), 5, backend=cpu)
    assert (ranked.guesses.tolist(), ranked.ranks.tolist()) == counted(
        table, front, pool, objective(name, 8193)
    )


@pytest.mark.parametrize("name", ["random", "random largest"])
def test_hundreds_of_guesses_reuse_one_working_memory(random_words, random_sets, objective, name):
    # 1,200 guesses: stamps restart every 255; ranges of 14 letters: counts and hashed counts alternate.
    for length in (10, 14):
        table = encode(random_words(length, 1200, length, LETTERS))
        front = random_sets(length, 1200, (40, 34, 60))
        pool = torch.arange(1200, dtype=torch.int32)
        way = objective(name, 60)
        ranked = rank(table, front, pool, way, 1200, backend=cpu)
        assert (ranked.guesses.tolist(), ranked.ranks.tolist()) == counted(table, front, pool, way)


@pytest.mark.parametrize("copies", [6, 12])
def test_many_copies_of_a_letter_are_told_apart(random_words, random_sets, objective, copies):
    others = random_words(copies, 25, 13 - copies, LETTERS[:25])
    lines = [other[:at] + "z" * copies + other[at:] for other in others for at in range(0, 14 - copies, 2)]
    words = dict.fromkeys(line[turn:] + line[:turn] for line in lines for turn in (0, 5))
    table = encode(list(words))
    front = random_sets(copies, table.words, (table.words, 30, 5))
    pool = torch.arange(table.words, dtype=torch.int32)
    for name in ("parts", "random", "random largest"):
        way = objective(name, table.words)
        expected = rank(table, front, pool, way, table.words, backend=reference)
        assert same(rank(table, front, pool, way, table.words, backend=cpu), expected, table.words)


@pytest.mark.parametrize(("length", "name"), OBJECTIVES)
def test_the_kernels_equal_the_reference(random_words, random_sets, objective, length, name):
    words = random_words(length, 39 if length == 1 else 640, length)
    table = encode(words)
    front = random_sets(length, len(words), SIZES)
    pool = torch.arange(0, len(words), 1 if length == 1 else 16, dtype=torch.int32)
    way = objective(name, 600)
    wide = pool.shape[0] + 3
    expected = rank(table, front, pool, way, wide, backend=reference)
    for width in (1, 5, wide):
        assert same(rank(table, front, pool, way, width, backend=cpu), expected, width)


OTHERS = "åäöéèüñçøæ"  # ten letters that no word of LETTERS has


def check_ranks(table, front, pool, way):
    expected = rank(table, front, pool, way, pool.shape[0], backend=reference)
    ranked = rank(table, front, pool, way, pool.shape[0], backend=cpu)
    assert torch.equal(ranked.guesses, expected.guesses)
    assert torch.equal(ranked.ranks, expected.ranks)


@pytest.mark.parametrize(("length", "name"), [(3, "random"), (9, "random largest")])
def test_sets_of_every_size_up_to_a_row(random_words, random_sets, objective, length, name):
    table = encode(random_words(length, 300, length))
    front = random_sets(length, 300, range(1, 36))
    check_ranks(table, front, torch.arange(0, 300, 3, dtype=torch.int32), objective(name, 35))


# Ranges of 27, 243 and 2,187: 2, 8 and 16 times the range or the set, and one below and above.
@pytest.mark.parametrize(
    ("length", "sizes", "name"),
    [
        (3, (53, 54, 55, 215, 216, 217), "random"),
        (5, (485, 486, 487, 1943, 1944, 1945), "random largest"),
        (7, (136, 137, 138, 1000), "random"),
    ],
)
def test_ranges_that_fit_a_set_often_once_and_never(
    random_words, random_sets, objective, length, sizes, name
):
    table = encode(random_words(length, 2000, length, LETTERS))
    front = random_sets(length, 2000, sizes)
    check_ranks(table, front, torch.arange(0, 2000, 25, dtype=torch.int32), objective(name, max(sizes)))


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (255, "random"),
        (256, "random largest"),
        (257, "random"),
        pytest.param(65536, "random", marks=pytest.mark.slow),
    ],
)
def test_a_class_of_all_words_is_not_too_large_for_its_count(random_words, objective, size, name):
    table = encode([*random_words(10, size, 10, LETTERS), OTHERS])
    front = frontier([torch.arange(size, dtype=torch.int32)])
    check_ranks(table, front, torch.tensor([0, size // 2, size], dtype=torch.int32), objective(name, size))

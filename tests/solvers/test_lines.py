"""`line_search`: what playing all lines out says, and what is refused."""

import random
from itertools import product

import pytest
import torch

from gpulingo.games import marks
from gpulingo.hosts.host import classes_of, largest
from gpulingo.solvers.lines import line_search
from gpulingo.tensors.outcomes import Lines
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20


def drawn(seed, length, count, letters="abcdefgh"):
    """A table of random words of which about two in three are targets."""
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})
    targets = sorted(draw.sample(range(len(words)), 2 * len(words) // 3))
    return encode(words).with_sets(targets=torch.tensor(targets, dtype=torch.int32))


def some(table, seed, size):
    members = random.Random(seed).sample(table.targets.tolist(), size)
    return torch.tensor(sorted(members), dtype=torch.int32)


def kept_members(table, members, guess):
    """The class that the host keeps, by the plain rule."""
    words = ["".join(table.alphabet[letter] for letter in row) for row in table.letters.tolist()]
    classes = classes_of(marks, words[guess], [words[place] for place in members.tolist()])
    return torch.tensor([words.index(word) for word in classes[largest(classes)]], dtype=torch.int32)


def played_out(table, members, guesses):
    """How many lines of so many guesses end a round, and not before."""
    count = 0
    for line in product(table.pool.tolist(), repeat=guesses):
        left, found = members, False
        for number, guess in enumerate(line, 1):
            found = left.tolist() == [guess]
            if found and number < guesses:
                break
            left = kept_members(table, left, guess)
        else:
            count += found
    return count


@pytest.mark.parametrize(("size", "guesses"), [(1, 1), (3, 2), pytest.param(6, 3, marks=pytest.mark.slow)])
def test_the_shortest_lines_are_those_that_end_a_round_first_when_all_are_played_out(size, guesses):
    for seed in range(3):
        table = drawn(seed, 3, 14, "ab" if (size, guesses) == (6, 3) else "abcdef")
        members = some(table, seed, min(size, len(table.targets)))
        lines = line_search(table, MEMORY).shortest(members, limit=guesses)
        by_length = [played_out(table, members, count) for count in range(1, guesses + 1)]
        first = next((count for count, found in enumerate(by_length, 1) if found), 0)
        assert lines == Lines(first, by_length[first - 1] if first else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "letters"),
    [
        (3, "abc"),
        (22, "abc"),
        *(pytest.param(*other, marks=pytest.mark.slow) for other in [(4, "abcdefgh"), (9, "abcdefghij")]),
    ],
)
def test_what_is_kept_is_what_the_host_keeps(length, letters):
    table = drawn(0, length, 40, letters)
    search = line_search(table, MEMORY)
    for size in (1, 2, 5, 12, len(table.targets)):
        members = some(table, size, min(size, len(table.targets)))
        kept = search.kept(members)
        for guess in table.pool.tolist()[::9]:
            expected = kept_members(table, members, guess)
            assert torch.equal(search.after(members, guess), expected) and kept.sizes[guess] == len(expected)
            assert torch.equal(kept_members(table, members, int(kept.first[guess])), expected)


def test_what_a_table_too_small_forgets_is_counted_again():
    table = drawn(5, 5, 300)
    small = line_search(table, table.pool.shape[0] * table.targets.shape[0])
    large = line_search(table, MEMORY)
    answers = [large.shortest(table.targets, 3) for _ in range(2)]
    assert answers[0] == answers[1] == small.shortest(table.targets, 3)
    assert answers[0].guesses == 3


@pytest.mark.slow
def test_more_than_256_classes_are_told_apart():
    table = drawn(1, 7, 1500, "abcdefghij")
    search = line_search(table, 1 << 24)
    kept = search.kept(table.targets)
    for place in (0, 77, 401):
        members = kept_members(table, table.targets, int(table.pool[place]))
        assert members.shape[0] == kept.sizes[place]
    assert max(search._host.labels[0]) > 0 and search._host.labels.dtype.itemsize == 2


def test_what_does_not_fit_is_refused():
    table = drawn(0, 4, 30)
    size = table.pool.shape[0] * table.targets.shape[0]
    seen = f"{table.pool.shape[0]} guesses and {table.targets.shape[0]} targets take {size} bytes"
    with pytest.raises(ValueError, match=f"^{seen}, expected at most 10: allow more memory"):
        line_search(table, 10)
    weighted = table.with_sets(weights=torch.ones(table.words, dtype=torch.int32))
    with pytest.raises(ValueError, match="words that count alike"):
        line_search(weighted, MEMORY)

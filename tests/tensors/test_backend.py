"""Every backend gives the results of a dictionary, if targets, pool and words are three different sets."""

import os
from collections import defaultdict
from importlib.util import find_spec

import pytest
import torch
from devices import ptx

from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.games.marks import feedback, pattern
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.device import Backend
from gpulingo.tensors.frontier import frontier, whole
from gpulingo.tensors.objective import Objective, stacked
from gpulingo.tensors.operations import class_counts, rank, ranks, split
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.trees.text import guess_names
from gpulingo.words.wordlist import WordList

BACKENDS = {"reference": reference, "cpu": cpu}
# With a C++ compiler, cuda/test_ptx.py runs the CUDA backend here as PTX: Triton's interpreter takes minutes.
KIND = "TRITON_INTERPRET" if ptx.compiler() is None else "GPULINGO_PTX"
if find_spec("triton") is not None and os.environ.get(KIND):
    from gpulingo.tensors.cuda import backend as cuda

    BACKENDS["cuda"] = cuda
ANY = pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)


def over_lists(slow=()):
    """Every backend over lists of 4 letters, the CPU's also over lists of 22 letters."""
    return pytest.mark.parametrize(
        ("backend", "lists"),
        [
            pytest.param(
                it,
                length,
                id=f"{name}-{length}",
                marks=pytest.mark.slow if length > 4 or name in slow else (),
            )
            for name, it in BACKENDS.items()
            for length in ((4, 22) if name == "cpu" else (4,))
        ],
        indirect=["lists"],
    )


OVER_LISTS, INTERPRETED = over_lists(), over_lists(slow=["cuda"])
WORDS, POOL, TARGETS = 70, 60, 44
LOWEST = torch.iinfo(torch.int64).min


def drawn(draw, ids, size):
    return ids[torch.randperm(len(ids), generator=draw)[:size]].sort().values


@pytest.fixture
def lists(request, random_words):
    """Words, a table of them whose targets are part of the pool, which is part of the words, and sets."""
    draw = torch.Generator().manual_seed(request.param)
    words = random_words(request.param, WORDS, request.param)
    pool = drawn(draw, torch.arange(WORDS, dtype=torch.int32), POOL)
    targets = drawn(draw, pool, TARGETS)
    sets = [targets[:1], targets[3:5], *(drawn(draw, targets, size) for size in (3, 20, 33, TARGETS))]
    return words, encode(words).with_sets(targets, pool), sets


def classes_of(words, guess, members):
    """The classes of a set by pattern, without the solved one."""
    classes = defaultdict(list)
    for member in members:
        if member != guess:
            classes[pattern(feedback(words[guess], words[member]))].append(member)
    return dict(sorted(classes.items()))


def test_modules_are_backends_only_with_all_operations():
    assert all(isinstance(backend, Backend) for backend in BACKENDS.values())
    assert not isinstance(pytest, Backend)


@INTERPRETED
def test_guesses_of_the_pool_are_ranked_by_the_targets_left(lists, backend):
    words, table, sets = lists
    objective = Objective(-(torch.arange(TARGETS + 1) ** 2), bonus=3)
    ranked = rank(table, frontier(sets), table.pool, objective, WORDS, backend=backend)
    by_word = ranks(table, frontier(sets), table.pool, objective, backend=backend)
    for s, members in enumerate(sets):
        inside = members.tolist()
        value = {
            guess: 2 * (guess in inside)
            - sum(len(part) ** 2 for part in classes_of(words, guess, inside).values())
            for guess in table.pool.tolist()
        }
        order = sorted(value, key=lambda guess: (-value[guess], guess not in inside, guess))
        assert ranked.guesses[s].tolist() == order + [-1] * (WORDS - POOL)
        assert ranked.ranks[s].tolist() == [value[guess] for guess in order] + [LOWEST] * (WORDS - POOL)
        assert by_word[s].tolist() == [value.get(word, LOWEST) for word in range(WORDS)]


@INTERPRETED
@pytest.mark.parametrize("kind", ["sum", "largest", "weights"])
def test_each_set_may_have_an_objective_of_its_own(lists, backend, kind):
    _, table, sets = lists
    if kind == "weights":
        table = table.with_sets(table.targets, table.pool, torch.arange(WORDS, dtype=torch.int32) % 3 + 1)
    squares = torch.arange(3 * TARGETS + 1) ** 2  # by this no partition is better than one into single words
    ways = [
        Objective(-squares * scale, bonus, largest=kind == "largest")
        for scale, bonus in ((1, 3), (7, 0), (2, 99))
    ]
    rows = torch.tensor([2, 0, 1, 1, 0, 2])
    for width in (1, 5) if backend in (reference, cpu) else (1,) if kind == "sum" else (5,):
        together = rank(table, frontier(sets), table.pool, stacked(ways, rows), width, backend=backend)
        for s, row in enumerate(rows.tolist()):
            alone = rank(table, frontier(sets[s : s + 1]), table.pool, ways[row], width, backend=reference)
            assert together.guesses[s].tolist() == alone.guesses[0].tolist()
            assert together.ranks[s].tolist() == alone.ranks[0].tolist()


@INTERPRETED
def test_each_set_has_a_pool_of_its_own(lists, backend):
    (words, table, sets), bonus = lists, 3
    draw = torch.Generator().manual_seed(WORDS)
    pools = [drawn(draw, table.pool, size) for size in (1, 9, 50, POOL, 33, 17)]
    pools[2] = pools[2][~torch.isin(pools[2], sets[2])]  # without any candidate
    pools[4] = torch.cat([pools[4], sets[4]]).unique()  # with all candidates
    objective = Objective(-(torch.arange(TARGETS + 1) ** 2), bonus=bonus)
    by_classes = Objective((torch.arange(TARGETS + 1) > 0).long(), bonus=bonus)
    ranked = rank(table, frontier(sets), frontier(pools), objective, WORDS, backend=backend)
    ways = objective, by_classes
    bests = [rank(table, frontier(sets), frontier(pools), way, backend=backend) for way in ways]
    for s, (members, pool) in enumerate(zip(sets, pools, strict=True)):
        inside = members.tolist()
        value = {
            guess: bonus * (guess in inside)
            - (guess in inside)
            - sum(len(part) ** 2 for part in classes_of(words, guess, inside).values())
            for guess in pool.tolist()
        }
        order = sorted(value, key=lambda guess: (-value[guess], guess not in inside, guess))
        assert ranked.guesses[s].tolist() == order + [-1] * (WORDS - len(pool))
        for way, best in zip(ways, bests, strict=True):
            alone = rank(table, frontier([members]), pool, way, backend=reference)
            assert best.guesses[s].tolist() == alone.guesses[0].tolist()
            assert best.ranks[s].tolist() == alone.ranks[0].tolist()


@OVER_LISTS
def test_sets_of_targets_are_split_by_guesses_that_are_none(lists, backend):
    words, table, sets = lists
    no_target = [word for word in range(WORDS) if word not in table.targets.tolist()]
    for guesses in ([no_target[s] for s in range(6)], [int(members[-1]) for members in sets]):
        parted = split(table, frontier(sets), torch.tensor(guesses, dtype=torch.int32), backend=backend)
        rows = [
            (s, code, part)
            for s, guess in enumerate(guesses)
            for code, part in classes_of(words, guess, sets[s].tolist()).items()
        ]
        assert parted.parents.tolist() == [s for s, _, _ in rows]
        assert parted.patterns.tolist() == [code for _, code, _ in rows]
        front = parted.frontier
        assert [front.candidates(c).tolist() for c in range(front.sets)] == [part for _, _, part in rows]
        assert parted.hits.tolist() == [guess in sets[s] for s, guess in enumerate(guesses)]


@OVER_LISTS
def test_all_targets_are_split_by_every_word(lists, backend):
    words, table, _ = lists
    front = whole(table).take(torch.zeros(WORDS, dtype=torch.int64))
    parted = split(table, front, torch.arange(WORDS, dtype=torch.int32), backend=backend)
    rows = [
        (guess, code, part)
        for guess in range(WORDS)
        for code, part in classes_of(words, guess, table.targets.tolist()).items()
    ]
    assert parted.parents.tolist() == [guess for guess, _, _ in rows]
    assert parted.patterns.tolist() == [code for _, code, _ in rows]
    assert parted.frontier.members.tolist() == [member for _, _, part in rows for member in part]
    assert parted.hits.nonzero().squeeze(1).tolist() == table.targets.tolist()


@OVER_LISTS
def test_as_many_other_words_as_targets_are_not_all_targets(lists, backend):
    words, table, _ = lists
    others = torch.arange(WORDS - TARGETS, WORDS, dtype=torch.int32)
    front = frontier([others, table.targets])
    for _ in range(2):
        parted = split(table, front, others[:2], backend=backend)
        for s, members in enumerate((others, table.targets)):
            mine = (parted.parents == s).nonzero().squeeze(1).tolist()
            expected = classes_of(words, int(others[s]), members.tolist())
            assert [parted.frontier.candidates(c).tolist() for c in mine] == list(expected.values())


@OVER_LISTS
def test_classes_are_counted_for_words_of_the_pool(lists, backend):
    words, table, sets = lists
    for members in sets:
        inside, pool = members.tolist(), table.pool.tolist()
        made = [len(classes_of(words, g, inside)) + (g in inside) if g in pool else 0 for g in range(WORDS)]
        told = []
        assert class_counts(table, members, told.append, backend=backend).tolist() == made
        assert sum(told) > 0


@INTERPRETED
def test_the_most_classes_are_those_of_a_word_of_the_pool(lists, backend):
    words, table, sets = lists
    most = backend.most_classes(table, frontier(sets))
    for members, found in zip(sets, most.tolist(), strict=True):
        inside = members.tolist()
        made = [len(classes_of(words, g, inside)) + 2 * (g in inside) for g in table.pool.tolist()]
        assert found == max(made)


@INTERPRETED
def test_parts_of_targets_are_refined_by_every_word(lists, backend):
    words, table, _ = lists
    draw = torch.Generator().manual_seed(5)
    cut = [part.sort().values for part in table.targets[torch.randperm(TARGETS, generator=draw)].split(15)]
    steps = torch.randint(-5, 50, (TARGETS,), generator=draw)
    guesses = torch.arange(WORDS, dtype=torch.int32)
    told = []
    made = backend.refined(table, guesses, frontier(cut), steps, told.append)
    assert sum(told) == WORDS * TARGETS
    values = [[0, *steps[15 * s : 15 * s + len(part)].cumsum(0).tolist()] for s, part in enumerate(cut)]
    counts, sizes, worth = [], [], []
    for guess in range(WORDS):
        classes = classes_of(words, guess, table.targets.tolist()).values()
        held = [[len({*part.tolist()} & {*members}) for part in cut] for members in classes]
        counts.append(len(classes))
        sizes += [len(members) for members in classes]
        worth += [sum(values[s][k] for s, k in enumerate(row)) for row in held]
    assert (made.counts.tolist(), made.sizes.tolist(), made.worth.tolist()) == (counts, sizes, worth)


@ANY
def test_every_backend_ranks_by_weights(backend):
    table = encode(["able", "bale", "cafe"]).with_sets(weights=torch.tensor([1, 2, 4], dtype=torch.int32))
    squares = Objective(-(torch.arange(8) ** 2), bonus=10)
    ranks = rank(table, whole(table), table.pool, squares, 3, backend=backend)
    assert (ranks.guesses.tolist(), ranks.ranks.tolist()) == ([[2, 1, 0]], [[19, -1, -11]])


@pytest.mark.parametrize(
    "backend",
    [pytest.param(it, id=name, marks=[pytest.mark.slow] * (name == "cuda")) for name, it in BACKENDS.items()],
)
@pytest.mark.parametrize(
    ("name", "length"),
    [("hangman", 3), ("hangman", 20), ("mastermind", 13), ("black-pegs", 4), ("jotto", 33)],
)
def test_other_feedback_is_ranked_split_and_counted_as_by_the_plain_rule(name, length, random_words, backend):
    game = find_game(name)
    words = random_words(length, 60, length, "abcdefgh" if game.guesses_letters else "abcd")
    listed, names = WordList("a list", words).with_targets(words[:40]), guess_names(game, words)
    table, every = table_of(listed, game).to(torch.device("cpu")), torch.arange(60, dtype=torch.int32)
    rule, pool = feedback_of(game), table.pool[:: 1 if game.guesses_letters else 12].contiguous()
    draw = torch.Generator().manual_seed(1)
    sets = [drawn(draw, table.targets, size) for size in (1, 2, 33)]
    shown = {g: [rule.pattern(rule.feedback(names[g], target)) for target in words] for g in pool.tolist()}
    for g, codes in shown.items():
        assert backend.paired_patterns(table, torch.full_like(every, g), every).tolist() == codes
        assert [rule.marks(code, length) for code in codes] == [rule.feedback(names[g], w) for w in words]

    def classes(guess, members):
        parts = defaultdict(list)
        for member in members:
            parts[shown[guess][member]].append(member)
        return dict(sorted(parts.items()))

    squares = Objective(-(torch.arange(61) ** 2))
    ranked = rank(table, frontier(sets), pool, squares, len(pool), backend=backend)
    parted = split(table, frontier(sets), ranked.guesses[:, 0].contiguous(), backend=backend)
    rows, hits = [], []
    for s, members in enumerate(map(torch.Tensor.tolist, sets)):
        value = {g: -sum(len(part) ** 2 for part in classes(g, members).values()) for g in shown}
        order = sorted(value, key=lambda g: (-value[g], g not in members, g))
        assert ranked.guesses[s].tolist() == order
        assert ranked.ranks[s].tolist() == [value[g] for g in order]
        parts = classes(order[0], members)
        rows += [(s, code, part) for code, part in parts.items() if code != rule.solved(length)]
        hits.append(order[0] in members)
        counts = class_counts(table, sets[s], backend=backend)
        assert counts[pool.long()].tolist() == [len(classes(g, members)) for g in shown]
        assert not game.guesses_letters or not counts[:60].any()
    found = zip(parted.parents.tolist(), parted.patterns.tolist(), range(parted.frontier.sets), strict=True)
    assert [(s, code, parted.frontier.candidates(n).tolist()) for s, code, n in found] == rows
    assert parted.hits.tolist() == hits

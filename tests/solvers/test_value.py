"""Values of sets of words: limits of memory, labels, long words, published totals."""

import random
from itertools import combinations
from string import ascii_lowercase

import exhaustive
import numpy as np
import pytest
import torch
from exhaustive import any_game as any_game  # a fixture
from sampled import quick

from gpulingo.solvers import transpositions
from gpulingo.solvers.depth_first import LOST
from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.transpositions import new_rows
from gpulingo.solvers.words import value
from gpulingo.solvers.words.all_found import AllFound
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.solvers.words.value import ValueSearch as search_of
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import class_counts, rank
from gpulingo.tensors.wordtable import encode

TURNS = range(9)  # a payoff: one credit for each turn left
MEMORY = 1 << 20


def test_what_is_known_from_one_floor_serves_another(any_game):
    _, table, game, best = any_game
    search, value = search_of(table, TURNS, MEMORY), int(best.max())
    answers = [search.value(table.targets, game.turns, floor) for floor in (value + 2, value, value - 1, -1)]
    assert [answer.value <= value for answer in answers[2:]] == [True, True]
    assert answers[2].value == answers[3].value == value
    assert search.value(table.targets, game.turns).pairs == 0


@pytest.mark.parametrize("seed", [139, 658])
def test_a_table_that_forgets_changes_no_value(seed, monkeypatch):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcdefgh", k=3)) for _ in range(150)})
    table = encode(words).with_sets(targets=torch.arange(len(words) * 9 // 10, dtype=torch.int32))
    value = search_of(table, TURNS, 1 << 24).value(table.targets, 5).value
    for places in (8, 64, 256):
        monkeypatch.setattr(transpositions, "FEWEST", places)
        for floor in (value - 2, value - 1, -1):
            assert search_of(table, TURNS, 1).value(table.targets, 5, floor).value == value
        assert search_of(table, TURNS, 1).value(table.targets, 5, value).value == value


def test_a_part_is_bounded_by_what_guesses_make_of_the_whole():
    alike = [first + second + "zz" for first in "abcdefghijkl" for second in "mnop"]
    draw = random.Random(2)
    others = {"".join(draw.choices(ascii_lowercase, k=4)) for _ in range(60)}
    table = encode([*alike, *sorted(others - {*alike})])
    found = search_of(table, TURNS, 1 << 24).value(table.targets[: len(alike)], 4)
    assert found.value == 66
    assert found.pairs < 400_000  # without that bound there are ten times as many


@pytest.mark.slow
def test_sets_with_more_classes_than_a_byte_tells_apart():
    draw = random.Random(4)
    words = list({"".join(draw.choices("abcdefghij", k=6)) for _ in range(330)})
    table = encode(sorted(words))
    search = search_of(table, TURNS, 1 << 24)
    most = rank(table, whole(table), table.pool, classes(table.words, 1)).ranks
    assert search.value(table.targets, 2).value == int(most[0, 0])


RULES = ("any", "hard", "consistent")


@pytest.mark.parametrize("rule", RULES)
def test_what_is_too_large_to_be_searched_has_no_value(rule, monkeypatch):
    monkeypatch.setattr(value, "MOST_LABELS", 1)
    draw = random.Random(3)
    table = encode(sorted({"".join(draw.choices("abcdefgh", k=3)) for _ in range(150)}))
    for bonus in (0, 5):
        search = search_of(table, [0, *range(bonus + 1, bonus + 9)], MEMORY, legal=rule)
        assert search.value(table.targets, 4).value == -1
        opening = int(class_counts(table, table.targets).long().argmin())
        opened = search.after(opening, 5)
        assert not opened.complete and opened.value > 0


LISTS = (  # lists with guesses that separate nothing, and others whose hashes collided with theirs
    "pllj cjed sirr bzzz elsr bcin czzz azzz ezzz mgnm scpa djgp mqmm mlsp gzzz kbog bpee fzzz dzzz",
    *(f"{c}zzz {c}abc zz{c}d" for c in "abc"),
)


@pytest.mark.parametrize("words", [LISTS[0].split(), " ".join(LISTS[1:]).split()], ids=["met", "other"])
def test_a_guess_that_tells_nothing_hides_no_other(words):
    places = [place for place, word in enumerate(words) if word.endswith("zzz")]
    members = torch.tensor(places, dtype=torch.int32)
    table = encode(words).with_sets(members)
    expected = exhaustive.Plain(table, "any", 5).value(members, 3)
    assert search_of(table, [0, *range(6, 12)], MEMORY).value(members, 3).value == expected


@pytest.mark.parametrize("rule", RULES)
def test_long_words_and_sets_that_are_no_targets_are_searched(rule):
    draw = random.Random(3)
    words = ["".join(draw.choices("ab", k=20)) for _ in range(9)]
    table = encode(words).with_sets(torch.arange(6, dtype=torch.int32))
    for members in (table.targets, torch.arange(2, 9, dtype=torch.int32)):
        expected = exhaustive.Plain(table, rule, 1).value(members, 3)
        assert search_of(table, [0, *range(2, 9)], MEMORY, legal=rule).value(members, 3).value == expected


@pytest.mark.slow
def test_hard_mode_has_the_totals_that_others_found(wordle_lists):
    """Total guesses of five openings that lose no word; the source is Selby's program."""
    words = (wordle_lists / "pool.txt").read_text().split()
    targets = (wordle_lists / "targets.txt").read_text().split()
    words = sorted({*words, *targets})
    ids = {word: number for number, word in enumerate(words)}
    table = encode(words).with_sets(
        targets=torch.tensor(sorted(ids[word] for word in targets), dtype=torch.int32)
    )
    bonus = 1 << 20
    search = search_of(table, [0, *range(bonus + 1, bonus + 7)], 1 << 26, legal="hard")
    totals = {"salet": 8122, "least": 8127, "reast": 8134, "crate": 8143, "trape": 8144}
    for word, total in totals.items():
        assert len(targets) * (7 + bonus) - search.after(ids[word], 6).value == total


def families(seed, most=8):
    """Words that differ by a letter in one place, of which a guess separates few; and some other guesses."""
    draw = random.Random(seed)
    endings = ["".join(draw.choices("xyz", k=2)) for _ in range(draw.randint(1, 3))]
    words = {letter + ending for ending in endings for letter in draw.sample("abcdefgh", draw.randint(3, 7))}
    targets = sorted(draw.sample(sorted(words), min(most, len(words))))
    words |= {"".join(draw.choices("abcdefghxyz", k=3)) for _ in range(draw.randint(0, 4))}
    words = sorted(words)
    ids = torch.tensor([words.index(word) for word in targets], dtype=torch.int32)
    weights = torch.tensor([draw.randint(1, 4) for _ in words], dtype=torch.int32) if seed % 3 == 0 else None
    return encode(words).with_sets(targets=ids, weights=weights), draw


@pytest.mark.parametrize("seed", [0, 2])
def test_openings_find_all_words_where_their_classes_do(seed):
    table, _ = families(seed)
    plain = exhaustive.Plain(table, "any", 1, 0)
    search = ValueSearch(table, FOUND, MEMORY)
    whole = len(table.targets) if table.weights is None else int(table.weights[table.targets.long()].sum())
    for left in (2, 3, 4):
        for opening in table.pool.tolist():
            expected = plain.after(opening, left)
            opened = search.after(opening, left, whole - 1)
            assert opened.complete and opened.value >= expected
            assert (opened.value == whole) == (expected == whole)


def test_a_core_is_the_words_that_no_guess_tells_apart():
    words = sorted({*(letter + "x" for letter in "abcdefgh"), "bc", "de", "ab"})
    targets = torch.tensor([i for i, word in enumerate(words) if word[1] == "x"], dtype=torch.int32)
    table = encode(words).with_sets(targets=targets)
    asked = AllFound(table, new_rows(MEMORY), MEMORY)
    count = np.array([0, 1 << 62])
    assert asked.guess(table.targets.numpy(), 2, count) == (LOST, -1)
    kept = asked._nogoods
    nogood = [t for t in range(len(targets)) if kept.words[0, t >> 6] >> np.uint64(t & 63) & np.uint64(1)]
    assert int(kept.size[0]) == 1
    plain = exhaustive.Plain(table, "any", 1, 0)
    assert plain.value(targets[nogood], 2) < len(nogood)
    for fewer in combinations(nogood, len(nogood) - 1):
        assert plain.value(targets[list(fewer)], 2) == len(fewer)


def drawn_words(count, length, seed, letters="abcdefg"):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(count)})


@pytest.fixture
def every_size(monkeypatch):
    """Use this search for sets of all sizes."""
    monkeypatch.setattr(value, "MANY_WORDS", 3)


@pytest.mark.parametrize(("seed", "apart"), quick([(18, False), (10, True), (23, False)], [(18, False)]))
def test_values_are_those_of_every_guess(seed, apart, every_size):
    table = exhaustive.made(seed, apart)[1]
    draw, ours, plain = random.Random(1), search_of(table, TURNS, MEMORY), exhaustive.Plain(table)
    for size in (3, 5, 9):
        members = torch.tensor(sorted(draw.sample(table.targets.tolist(), size)), dtype=torch.int32)
        expected = plain.value(members, 3)
        found = ours.value(members, 3)
        assert found.value == expected
        assert plain.after(found.guess, 3, members) == expected


@pytest.mark.parametrize(("length", "count"), [(2, 70), (3, 120), (9, 60)])
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
        assert search.value(members, 3).value == value  # after a weaker bound
        assert search.value(members, 3).pairs == 0


def by_depth(table, members):
    """The value by the depth-first search."""
    search = search_of(table, TURNS, MEMORY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value, "MANY_WORDS", 1 << 30)
        return search.value(members, 3).value

"""Values of sets of words: limits of memory, labels, long words, totals that others found."""

import random
from string import ascii_lowercase

import exhaustive
import numpy as np
import pytest
import torch
from exhaustive import any_game as any_game  # a fixture

from gpulingo.solvers import labelling, transpositions, value
from gpulingo.solvers.value import value_search as search_of
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import class_counts, rank
from gpulingo.tensors.wordtable import encode

TURNS = range(9)  # a payoff: a credit for each turn left
MEMORY = 1 << 20


def test_what_is_known_from_one_floor_serves_another(any_game):
    _, table, game, best = any_game
    search, value = search_of(table, TURNS, MEMORY), int(best.max())
    answers = [search.value(table.targets, game.turns, floor) for floor in (value + 2, value, value - 1, -1)]
    assert [answer.value <= value for answer in answers[2:]] == [True, True]
    assert answers[2].value == answers[3].value == value
    assert search.value(table.targets, game.turns).pairs == 0


@pytest.mark.parametrize("seed", [139, 200, 658])
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
    assert found.pairs < 400_000  # ten times as many as there are without that bound


@pytest.mark.slow
def test_sets_with_more_classes_than_a_byte_tells_apart():
    draw = random.Random(4)
    words = list({"".join(draw.choices("abcdefghij", k=6)) for _ in range(330)})
    table = encode(sorted(words))
    search = search_of(table, TURNS, 1 << 24)
    most = rank(table, whole(table), table.pool, classes(table.words, 1)).ranks
    assert search.value(table.targets, 2).value == int(most[0, 0])


def test_other_words_that_part_a_set_alike_are_one_guess():
    table = encode([*exhaustive.families().words, "ax", "ay", "zz"])
    targets = table.targets[:18]
    labels = labelling.label_set(table, targets.numpy(), table.pool[18:].numpy())
    assert labels.guesses.tolist() == [*range(18), 18]
    every = labelling.label_set(table, targets.numpy(), table.pool[18:].numpy(), distinct=False)
    assert every.guesses.tolist() == [*range(18), 18, 19]


def test_labels_are_the_same_where_there_are_too_many_codes_for_a_table(any_game, monkeypatch):
    _, table, _, _ = any_game
    words, others = np.split(table.pool.numpy()[:40], [12])
    expected = labelling.label_set(table, words, others)
    monkeypatch.setattr(labelling, "WIDEST", 0)
    found = labelling.label_set(table, words, others)
    assert all(map(np.array_equal, found, expected))


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"legal": "candidates"}, "no rule 'candidates' of feedback 'marks'"),
        ({"payoff": [0, 2, 1]}, r"payoff is \[0, 2, 1\]"),
        ({"payoff": [1, 2]}, "expected 0 for a lost word"),
        ({"payoff": [0, 1 << 61]}, "3 words of up to 2305843009213693952 credits"),
    ],
)
def test_a_search_says_what_it_does_not_know(options, message):
    with pytest.raises(ValueError, match=message):
        search_of(encode(["dents", "dozes", "reads"]), **({"payoff": TURNS, "memory": MEMORY} | options))


LISTS = (  # of guesses that tell nothing, and others whose hash then met theirs
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


def test_a_word_of_the_set_is_best_where_to_find_it_now_counts_more_than_classes():
    words = [letter + "xxx" for letter in "abcdefgh"] + ["abcd", "efgh"]
    table = encode(words).with_sets(torch.arange(8, dtype=torch.int32))
    found = search_of(table, [0, 2, 10], MEMORY).value(table.targets, 2)
    assert (found.value, found.guess < 8) == (10 + 2, True)  # it and one more; `abcd` finds five, later

"""Values of sets under a rule for guesses, with a bonus and with weights: what plain recursion says."""

import random

import exhaustive
import pytest
import torch

from gpulingo.solvers import numbered_classes, ruled_search, value_search
from gpulingo.solvers.value import value_search as search_of
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.wordtable import encode

MEMORY = 1 << 20
RULES = ("any", "hard", "consistent")


def random_table(seed):
    """Words of few letters, many of them twice in a word; some are targets, some seeds weigh them."""
    draw = random.Random(seed)
    letters = "abcd"[: draw.randint(2, 4)]
    words = sorted({"".join(draw.choices(letters, k=draw.randint(4, 6))) for _ in range(1)})
    while len(words) < draw.randint(10, 14):
        words = sorted({*words, "".join(draw.choices(letters, k=len(words[0])))})
    targets = torch.tensor(sorted(draw.sample(range(len(words)), min(len(words), 9))), dtype=torch.int32)
    weights = torch.tensor([draw.randint(1, 5) for _ in words], dtype=torch.int32) if seed % 2 else None
    return encode(words).with_sets(targets=targets, weights=weights), words, draw


def many_words():
    """Words that take a search."""
    draw = random.Random(3)
    return encode(sorted({"".join(draw.choices("abcdefgh", k=3)) for _ in range(150)}))


@pytest.mark.parametrize("rule", RULES)
def test_what_is_too_large_to_be_searched_has_no_value(rule, monkeypatch):
    monkeypatch.setattr(ruled_search, "MOST_LABELS", 1)
    monkeypatch.setattr(value_search, "MOST_LABELS", 1)
    table = many_words()
    for bonus in (0, 5):
        search = search_of(table, MEMORY, legal=rule, bonus=bonus)
        assert search.value(table.targets, 4).value == -1
        opening = int(class_counts(table, table.targets).long().argmin())
        opened = search.after(opening, 5)
        assert not opened.complete and opened.value > 0


@pytest.mark.parametrize("rule", RULES)
def test_sets_are_searched_where_the_classes_of_all_targets_have_no_room(rule, monkeypatch):
    table, _, _ = random_table(6)
    monkeypatch.setattr(ruled_search, "MOST_LABELS", len(table.pool) * len(table.targets) - 1)
    members = table.targets[1:]
    found = search_of(table, MEMORY, legal=rule, bonus=3).value(members, 4)
    assert found.value == exhaustive.Plain(table, rule, 3).value(members, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"legal": "candidates"}, "no rule 'candidates' of feedback 'marks'"),
        ({"bonus": -1}, "bonus is -1"),
        ({"pace": 0}, "pace is 0 and bonus 0"),
        ({"pace": 2}, "pace is 2"),
        ({"bonus": 1 << 61}, "sums within 62 bits"),
    ],
)
def test_a_search_says_what_it_does_not_know(options, message):
    with pytest.raises(ValueError, match=message):
        search_of(encode(["dents", "dozes", "reads"]), MEMORY, **options)


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
    assert ruled_search.ValueSearch(table, MEMORY, "any", 5).value(members, 3).value == expected


@pytest.mark.parametrize("rule", RULES)
def test_long_words_and_sets_that_are_no_targets_are_searched(rule, monkeypatch):
    monkeypatch.setattr(numbered_classes, "WIDEST", 1)
    draw = random.Random(3)
    words = ["".join(draw.choices("ab", k=20)) for _ in range(9)]
    table = encode(words).with_sets(torch.arange(6, dtype=torch.int32))
    for members in (table.targets, torch.arange(2, 9, dtype=torch.int32)):
        expected = exhaustive.Plain(table, rule, 1).value(members, 3)
        assert search_of(table, MEMORY, legal=rule, bonus=1).value(members, 3).value == expected


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
    search, bonus = search_of(table, 1 << 26, legal="hard", bonus=1 << 20), 1 << 20
    totals = {"salet": 8122, "least": 8127, "reast": 8134, "crate": 8143, "trape": 8144}
    for word, total in totals.items():
        assert len(targets) * (7 + bonus) - search.after(ids[word], 6).value == total

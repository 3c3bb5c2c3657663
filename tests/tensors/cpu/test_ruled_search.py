"""Values of sets under a rule for guesses, with a bonus and with weights: what plain recursion says."""

import random
import threading
from functools import cache

import pytest
import torch
from sampled import quick

from gpulingo.games.catalogue import find_game, legal_after
from gpulingo.games.marks import feedback
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import numbered_classes, ruled_search, set_table, value_search
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.operations import value_search as search_of
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


def best_value(words, targets, legal, left, *, rule, bonus, pace, weights):
    """The value by plain recursion over words, as games define them."""
    game = find_game("wordle" if rule == "any" else f"wordle-{rule}")
    marks = {(guess, word): feedback(guess, word) for guess in words for word in words}

    @cache
    def after(guess, shown, legal):
        return tuple(word for word in legal if legal_after(game, guess, shown, word))

    @cache
    def value(candidates, legal, left):
        if left == 0:
            return 0
        return max(of_guess(guess, candidates, legal, left) for guess in legal)

    def of_guess(guess, candidates, legal, left):
        classes, total = {}, 0
        for word in candidates:
            if word == guess:
                total += weights[word] * (pace * left + bonus)
            else:
                classes.setdefault(marks[guess, word], []).append(word)
        return total + sum(
            value(tuple(part), after(guess, shown, legal), left - 1) for shown, part in classes.items()
        )

    return value(tuple(targets), tuple(legal), left)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_the_reference_and_the_search_say_what_the_game_says(seed, rule):
    table, words, draw = random_table(seed)
    words, (bonus, pace) = words[:9], draw.choice([(0, 1), (2, 1), (50, 1), (1, 0)])
    targets = torch.tensor(sorted(draw.sample(range(len(words)), 6)), dtype=torch.int32)
    table = encode(words).with_sets(
        targets=targets, weights=None if table.weights is None else table.weights[: len(words)]
    )
    weighs = [1] * len(words) if table.weights is None else table.weights.tolist()
    weights = dict(zip(words, weighs, strict=True))
    for left in (1, 2, 3):
        expected = best_value(
            words,
            [words[t] for t in targets],
            words,
            left,
            rule=rule,
            bonus=bonus,
            pace=pace,
            weights=weights,
        )
        assert reference.value_search(table, 1, rule, bonus, pace).value(targets, left).value == expected
        assert (
            search_of(table, MEMORY, legal=rule, bonus=bonus, pace=pace).value(targets, left).value
            == expected
        )


def checked_value(found, expected, floor):
    """Whether an answer is that of a search with this floor."""
    if expected > floor:
        return found.value == expected
    return expected <= found.value <= floor


@pytest.mark.parametrize("memory", [1, MEMORY], ids=["a table that overflows", "a table"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", quick(range(6), [0, 1]))
def test_values_are_those_of_every_legal_guess(seed, rule, memory, monkeypatch):
    monkeypatch.setattr(set_table, "FEWEST", 8)
    table, _, draw = random_table(seed)
    bonus, pace = draw.choice([(0, 1), (1, 1), (3, 1), (1000, 1), (1, 0), (7, 0)])
    plain = reference.value_search(table, 1, rule, bonus, pace)
    ours = ruled_search.ValueSearch(table, memory, rule, bonus, pace)
    for left in (1, 2, 3, 4):
        expected = plain.value(table.targets, left)
        for floor in (-1, expected.value - 2, expected.value - 1, expected.value, expected.value + 3):
            found = ours.value(table.targets, left, max(floor, -1))
            assert checked_value(found, expected.value, max(floor, -1))
            if found.value > max(floor, -1):
                own, values = plain._after(
                    found.guess, tuple(table.targets.tolist()), tuple(table.pool.tolist()), left
                )
                assert own + sum(values) == expected.value
            else:
                assert found.guess == -1


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_an_opening_has_what_its_classes_have(seed, rule):
    table, _, draw = random_table(seed)
    bonus, pace = draw.choice([(0, 1), (0, 1), (7, 1), (1, 0)])
    plain, ours = (
        reference.value_search(table, 1, rule, bonus, pace),
        search_of(table, MEMORY, legal=rule, bonus=bonus, pace=pace),
    )
    for left in (1, 2, 3, 4):
        for opening in draw.sample(range(table.words), 3):
            expected = plain.after(opening, left)
            for floor in (-1, expected.value - 1, expected.value, expected.value + 2):
                found = ours.after(opening, left, max(floor, -1))
                assert found.complete and checked_value(found, expected.value, max(floor, -1))
                assert (found.classes >= expected.classes).all()
                rest = expected.value - int(expected.classes.sum())
                assert found.value - int(found.classes.sum()) == rest
            bounded = ours.after(opening, left, upper=expected.classes + 1)
            assert torch.equal(bounded.classes, expected.classes)


@pytest.mark.parametrize("rule", ["hard", "consistent"])
def test_legal_guesses_may_be_fewer_from_the_start(rule):
    table, _, draw = random_table(4)
    members = table.targets[:7]
    others = torch.tensor(draw.sample(table.pool.tolist(), 5), dtype=torch.int32)
    legal = torch.cat([members, others]).unique()
    plain, ours = reference.value_search(table, 1, rule, 9), search_of(table, MEMORY, legal=rule, bonus=9)
    for left in (2, 3, 4):
        expected = plain.value(members, left, legal=legal)
        assert ours.value(members, left, legal=legal).value == expected.value
    assert ours.value(members, 3).value == plain.value(members, 3).value


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
    assert found.value == reference.value_search(table, 1, rule, 3).value(members, 4).value


@pytest.mark.parametrize("rule", RULES)
def test_a_limit_ends_a_search_that_can_go_on(rule):
    table = many_words()
    search = search_of(table, MEMORY, legal=rule, bonus=2)
    opening = int(class_counts(table, table.targets).long().argmin())
    opened = search.after(opening, 4, limit=1)
    assert not opened.complete
    assert search.value(table.targets, 4, limit=1).value == -1
    whole = search.after(opening, 4)
    assert whole.complete and whole.value <= opened.value
    assert whole.value == search_of(table, MEMORY, legal=rule, bonus=2).after(opening, 4).value


def test_a_search_that_is_stopped_says_so():
    draw = random.Random(3)
    table = encode(sorted({"".join(draw.choices("abcdefgh", k=3)) for _ in range(900)}))
    search, found = search_of(table, MEMORY, bonus=100), []
    running = threading.Thread(target=lambda: found.append(search.value(table.targets, 6)), daemon=True)
    running.start()
    for _ in range(6000):  # a guard: it is stopped the first time
        search.stop()
        running.join(0.01)
        if not running.is_alive():
            break
    assert [each.value for each in found] == [-1]


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
    expected = reference.value_search(table, 1, "any", 5).value(members, 3).value
    assert ruled_search.ValueSearch(table, MEMORY, "any", 5).value(members, 3).value == expected


@pytest.mark.parametrize("rule", RULES)
def test_long_words_and_sets_that_are_no_targets_are_searched(rule, monkeypatch):
    monkeypatch.setattr(numbered_classes, "WIDEST", 1)
    draw = random.Random(3)
    words = ["".join(draw.choices("ab", k=20)) for _ in range(9)]
    table = encode(words).with_sets(torch.arange(6, dtype=torch.int32))
    for members in (table.targets, torch.arange(2, 9, dtype=torch.int32)):
        expected = reference.value_search(table, 1, rule, 1).value(members, 3).value
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

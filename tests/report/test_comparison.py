"""Results compared: list by list, with the stored tree and the lowest bound of the same list."""

import re
from pathlib import Path

import pytest

from gpulingo.report.comparison import EDC65_EXACT, EDC65_PUBLISHED, MOST, PIT_LIST, comparisons, on_pit_list

OTHER = "f" * 64
ROOT = Path(__file__).parent.parent.parent


def test_the_kept_tree_is_the_best_of_its_list(made):
    (one,) = comparisons([made("parts", 4, 1, 20, 30, 0, 0)], [made("best", 4, 1, 21, 30, 0, 0)])
    assert [result.strategy for result in one.ranked[4]] == ["best", "parts"]
    assert one.best[4].mean_points == 179.0


def test_a_tree_of_another_list_or_of_other_rounds_is_left_out(made):
    kept = [made("best", 4, 1, 50, fingerprint=OTHER, bound=400.0), made("best", 4, 1, 50, 9, bound=400.0)]
    (one,) = comparisons([made("parts", 4, 1, 20)], kept)
    assert ([result.strategy for result in one.ranked[4]], one.bounds) == (["parts"], {})


@pytest.mark.parametrize("stored", [20, 22])
def test_of_a_stored_and_a_kept_tree_the_one_with_more_points_counts(made, stored):
    rows = [made("best", 4, 1, stored, opening="rows"), made("parts", 4, 1, 3)]
    (one,) = comparisons(rows, [made("best", 4, 1, 21, opening="tree")])
    assert one.best[4].opening == ("rows" if stored == 22 else "tree")
    assert len(one.ranked[4]) == 2


def test_of_equal_ones_the_stored_tree_counts_and_stands_first(made):
    rows = [made("parts", 4, 1, 20), made("best", 4, 1, 20, opening="rows")]
    (one,) = comparisons(rows, [made("best", 4, 1, 20, opening="")])
    assert [(result.strategy, result.opening) for result in one.ranked[4]] == [
        ("best", "rows"),
        ("parts", "oooo"),
    ]


def test_the_least_bound_counts_whoever_tells_it(made):
    rows = [made("best", 4, 1, 22, bound=190.0), made("best", 4, 1, 21), made("parts", 5, 1, 2)]
    kept = [made("best", 4, 1, 20, bound=180.0), made("best", 4, 1, 19, bound=200.0)]
    (one,) = comparisons(rows, kept)
    assert one.bounds == {4: 180}


def test_lists_are_not_mixed(made):
    rows = [made("parts", 4, 1, 2), made("parts", 4, 1, 3, fingerprint=OTHER, list="other.txt")]
    first, second = comparisons(rows, [made("best", 4, 1, 9, fingerprint=OTHER, bound=300.0, list="x")])
    assert (first.source, first.bounds, len(first.results)) == ("wordlist.txt", {}, 1)
    assert (second.source, second.bounds, len(second.results)) == ("other.txt", {4: 300}, 2)


def test_one_list_with_weights_or_other_targets_is_another_and_under_two_names_one(made):
    heavy = made("parts", 4, 1, 2, fingerprint=OTHER, weights="w.tsv", weight=100)
    plain, weighed = comparisons([made("parts", 4, 1, 2), heavy])
    assert (plain.weights, weighed.weights, weighed.source) == (None, "w.tsv", plain.source)
    first, second = comparisons(
        [made("parts", 4, 1, 2), made("parts", 4, 1, 3, fingerprint=OTHER, targets="t.txt", pool=200)]
    )
    assert [(one.source, one.targets) for one in (first, second)] == [
        ("wordlist.txt", None), ("wordlist.txt", "t.txt"),
    ]  # fmt: skip
    (one,) = comparisons([made("parts", 4, 1, 2), made("best", 4, 1, 9, list="/there/wordlist.txt")])
    assert (one.source, len(one.results)) == ("wordlist.txt", 2)


def test_what_cannot_stand_side_by_side_is_refused(made):
    with pytest.raises(ValueError, match=r"two lists wordlist\.txt of 4 letters"):
        comparisons([made("parts", 4, 1, 2), made("points", 4, 1, 2, fingerprint=OTHER)])


def test_games_and_turns_are_not_mixed(made):
    rows = [made("parts", 4, 1, 2), made("parts", 4, 1, 3, 9), made("parts", 4, 1, 9, game="lingo-hard")]
    kept = [made("best", 4, 1, 20, game="lingo-hard", bound=190.0), made("best", 4, 1, 2, 3, 4)]
    found = comparisons(rows, kept)
    assert [one.game.code for one in found] == ["lingo2", "lingo3", "lingo-hard2"]
    assert [(len(one.results), one.bounds) for one in found] == [(1, {}), (1, {}), (2, {4: 190})]


def test_strategies_are_ordered_by_what_they_lack_at_the_lengths_that_they_have(made):
    rows = [made("long", 13, 90, 9), made("best", 13, 99, 1), made("best", 4, 1, 9), made("short", 4, 1, 8)]
    (one,) = comparisons(rows)
    assert list(one.figures) == ["best", "short", "long"]


def test_at_most_five_strategies_and_the_bound_stand_out(made):
    rows = [made(f"s{n}", 4, 0, n) for n in range(10, 20)]
    (one,) = comparisons([*rows, made("best", 4, 0, 30), made("edc65", 4, 0, 12)])
    assert one.prominent == ["best", "s19", "s18", "edc65", "s10"]
    (alone,) = comparisons(rows)
    assert alone.prominent == ["s19", "s18", "s17", "s16", "s10"]
    (few,) = comparisons(rows[:3])
    assert few.prominent == ["s12", "s11", "s10"] and len(one.prominent) == MOST


def test_the_page_of_results_shows_the_same_figures():
    rows = re.findall(
        r"^\| (\d+) \| .* \| ([\d.]+) \| ([\d.]+) \| `\w+` \|$",
        (ROOT / "docs/results.md").read_text(),
        re.MULTILINE,
    )
    assert {int(length): float(exact) for length, exact, _ in rows} == EDC65_EXACT
    assert {int(length): float(published) for length, _, published in rows} == EDC65_PUBLISHED


def test_figures_of_edc65_are_for_the_pits_list_only(pit_words):
    for length in (4, 13):
        fingerprint = pit_words(length).fingerprint
        assert fingerprint.startswith(PIT_LIST[length])
        assert on_pit_list(EDC65_EXACT, length, fingerprint) == EDC65_EXACT[length]
        assert on_pit_list(EDC65_EXACT, length, fingerprint[::-1]) is None
    assert on_pit_list(EDC65_EXACT, 14, PIT_LIST[13]) is None

"""Values in the unit of their game: the same numbers, as points or as guesses."""

import pytest

from gpulingo.games.catalogue import BY_NAME, find_game, lingo, wordle
from gpulingo.games.units import LOST, UNITS
from gpulingo.report.values import MANY, Values, of_tree
from gpulingo.strategies.build import simulate

GUESSES = Values(wordle(), 2315)
VALUE, BOUND = 7 * 2315 - 7949, 7 * 2315 - 7920  # credits of 7,949 and 7,920 total guesses


@pytest.mark.parametrize("name", BY_NAME)
def test_every_game_is_shown_somehow(name):
    values = Values(BY_NAME[name](), 1)
    assert next(iter(values.cells(1))) == values.unit.name and values.unit in (LOST, *UNITS.values())


def test_points_have_guesses_beside_them():
    values = Values(lingo(), 10)
    assert values.cells(44, lost=1) == {"mean points": "440.000", "mean guesses": "1.600"}
    assert (values.bound(None), values.bound(45), values.gap(44, 45)) == ("-", "450.000", "10.000")
    assert (values.text(44), values.limit(45)) == ("440.000 mean points", "450.000")
    assert Values(lingo(), 10, MANY).progress(44, 45) == (
        "mean points 440.00000  bound 450.00000  gap 10.00000"
    )
    assert values.entry(10, 44, 45) == {"mean_guesses": pytest.approx(1.6)}
    assert (values.credits(5.0), values.over_lists([440.0, 450.0], [1, 2])) == (0, 890.0)


def test_guesses_have_their_total_beside_them_and_no_points():
    assert GUESSES.cells(VALUE, lost=0) == {"mean guesses": "3.4337", "total guesses": "7,949", "lost": "0"}
    assert (GUESSES.bound(None), GUESSES.bound(BOUND), GUESSES.gap(VALUE, BOUND)) == ("-", "7,920", "29")
    assert GUESSES.text(VALUE) == "3.4337 mean guesses (7,949 in total)"
    assert (GUESSES.beside(VALUE), GUESSES.limit(BOUND)) == ("3.4337 (7,949)", "7,920 guesses in total")
    assert GUESSES.progress(VALUE, BOUND) == ("mean guesses 3.4337  total guesses 7,949  bound 7,920  gap 29")
    assert (GUESSES.credits(29.0), GUESSES.over_lists([3.0, 4.0], [1, 9])) == (29, 3.5)


@pytest.mark.parametrize(("bound", "least"), [(None, None), (BOUND, 7920), (VALUE, 7949)])
def test_an_object_has_the_total_and_the_bound_of_it(bound, least):
    assert GUESSES.entry(12972, VALUE, bound) == {
        "game": "wordle",
        "pool": 12972,
        "mean_guesses": pytest.approx(7949 / 2315),
        "total_guesses": 7949,
        "bound_total_guesses": least,
        "optimal": least == 7949,
    }


@pytest.mark.parametrize(
    ("game", "rest", "gap"), [(lingo(5), "mean points", "20.000"), (wordle(5), "mean guesses", "2")]
)
def test_where_a_lost_word_outweighs_all_else_it_comes_first(game, rest, gap):
    game = game.seeking("lost")
    values = Values(game, 10)
    some, more, none = (found * game.bonus + turns for found, turns in ((9, 30), (9, 32), (10, 31)))
    assert list(values.cells(some))[:2] == ["lost", rest] and values.cells(some)["lost"] == "1"
    assert (values.gap(some, more), values.gap(some, none)) == (gap, "1 lost")
    assert values.bound(none).startswith("0 lost, ") and values.text(some).startswith("1 lost, ")
    entry = values.entry(10, some, none)
    assert (entry["bound_lost"], entry["optimal"], entry["mean_points"]) == (0, False, 300.0)
    assert values.entry(10, some, some)["optimal"] and values.figure(some) == 1


def test_where_words_found_alone_count_nothing_else_is_shown():
    game = wordle(5).seeking("found")
    values = Values(game, 10)
    assert (values.cells(9), values.bound(9), values.gap(9, 10)) == ({"lost": "1"}, "1 lost", "1 lost")
    assert "mean_guesses" not in values.entry(10, 9, None)


def test_a_total_is_what_is_counted_in_the_tree(words22):
    words = words22.with_targets(words22.words[:7])
    for turns in (1, 6):  # a lost word counts one more guess than a round allows
        tree = simulate(words, "letters", wordle(turns)).tree
        assert of_tree(tree).entry(22, tree.value, None)["total_guesses"] == tree.total_guesses
        assert of_tree(tree).text(tree.value).endswith(f"({tree.total_guesses} in total)")
        assert (tree.lost > 0) == (turns < 6)


def test_words_won_are_shown_with_their_share_and_misses_beside_them():
    values = Values(find_game("hangman3"), 8)
    assert values.cells(6) == {"won, %": "75.000", "won": "6"}
    assert values.counted_cells([1, 2, 3]) == {"mean misses": "1.750"}  # (2 + 2 x 3 + 2 lost x 3) / 8
    assert (values.bound(None), values.bound(7), values.gap(6, 7)) == ("-", "7", "1")
    assert values.text(6) == "6 words won (75.000 %)" and values.limit(7) == "7 words won"
    assert values.over_lists([50.0, 100.0], [30, 10]) == 62.5
    assert list(values.game.turn_cells([1, 2, 3], 2)) == ["0 misses", "1 miss", "2 misses", "lost"]
    entry = values.entry(8, 6, 6) | values.counted_entry([1, 2, 3])
    assert (entry.pop("mean_misses"), entry.pop("misses")) == (1.75, [1, 2, 3])
    assert entry == {"game": "hangman", "won": 6, "bound_won": 6, "optimal": True}


def test_misses_are_shown_with_words_won_beside_them():
    values = Values(find_game("hangman-misses3"), 8)
    assert values.cells(10) == {"mean misses": "1.7500", "total misses": "14"}
    assert values.counted_cells([1, 2, 3]) == {"won": "6", "won, %": "75.000"}
    assert values.gap(10, 11) == "1" and values.unit.sign == -1

"""Symmetries of codes against all permutations of places and colours, and how the adviser uses them."""

from itertools import permutations, product

import pytest

from gpulingo.advice.outlook import AHEAD, PLAYED, TREE, Alike, GuessStats, best_of, limit_text
from gpulingo.advice.sentences import filled
from gpulingo.games.catalogue import find_game
from gpulingo.positions.rounds import suggest
from gpulingo.words.choice import words_of
from gpulingo.words.wordlist import WordList


@pytest.mark.parametrize("past", [[], ["1123"], ["1122", "3456"]])
def test_codes_are_alike_where_a_permutation_that_keeps_the_guesses_maps_them(past):
    game = find_game("mastermind")
    words = words_of(4, game)
    kept = [
        (order, colours)
        for order in permutations(range(4))
        for colours in (dict(zip("123456", own, strict=True)) for own in permutations("123456"))
        if all("".join(colours[guess[at]] for at in order) == guess for guess in past)
    ]
    alike = Alike(words, game, [(guess, "") for guess in past])
    for code in words.words[::37]:
        orbit = {"".join(colours[code[at]] for at in order) for order, colours in kept}
        assert alike.first(code)[1] == len(orbit)
        assert {alike.first(other) for other in orbit} == {alike.first(code)}


def test_of_codes_that_are_alike_one_is_listed_with_their_number():
    found = suggest([], 4, "bulls-and-cows", top=6, seconds=0.1, device="cpu")
    assert [(own.guess, own.alike, own.exact) for own in found.guesses] == [("0123", 5040, True)]


def test_costs_stand_between_values_of_one_method():
    game = find_game("wordle")

    def own(guess, second, by, exact=False, target=False):
        turns = [0, second, 4 - second, 0, 0, 0]
        return GuessStats(guess, turns, 4, classes=2, largest=2, target=target, by=by, exact=exact)

    tree, rolled, other = own("trace", 3, TREE, True), own("salet", 2, PLAYED), own("crate", 1, PLAYED)
    assert (rolled.cost(tree, game), other.cost(rolled, game)) == (None, 0.25)
    assert other.cost(own("slate", 2, AHEAD), game) is None
    best, _ = best_of([], [own("bumfs", 3, "", True), own("filly", 3, "", True, True)], game, 2)
    assert [one.guess for one in best] == ["filly", "bumfs"]
    assert limit_text(game) == "* is an upper limit"
    harder = filled("small harder", after="48 words", mean=96)
    assert harder == ": 48 words left, 96 on average, but harder ones than usual"


@pytest.mark.parametrize("past", [(), ("112",), ("112", "231")])
def test_black_pegs_are_alike_where_places_or_the_colours_of_one_place_may_be_permuted(past):
    game = find_game("black-pegs")
    words = [a + b + c for a in "123" for b in "123" for c in "123"]
    maps = [dict(zip("123", own, strict=True)) for own in permutations("123")]
    images = [
        {code: "".join(colours[code[at]] for at, colours in zip(order, own, strict=True)) for code in words}
        for order in permutations(range(3))
        for own in product(maps, repeat=3)
    ]
    kept = [image for image in images if all(image[guess] == guess for guess in past)]
    alike = Alike(WordList("codes", words), game, [(guess, "") for guess in past])
    for code in words:
        orbit = {image[code] for image in kept}
        assert alike.first(code)[1] == len(orbit)
        assert {alike.first(other) for other in orbit} == {alike.first(code)}


def test_anagrams_are_alike_in_jotto_until_one_is_guessed():
    words = WordList("own", ["least", "slate", "stale", "steal", "crane"])
    words = words.with_targets(["least", "slate", "stale", "crane"])
    counts = {
        past: [
            Alike(words, find_game("jotto"), [(own, "") for own in past]).first(own)[1] for own in words.words
        ]
        for past in [(), ("slate",)]
    }
    assert counts == {(): [3, 3, 3, 1, 1], ("slate",): [2, 1, 2, 1, 1]}  # steal cannot be the target

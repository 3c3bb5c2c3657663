"""Symmetries of codes against all permutations of places and colours, and how the adviser uses them."""

from itertools import permutations, product

import pytest

from gpulingo.advice.outlook import Alike
from gpulingo.games.catalogue import find_game
from gpulingo.positions.rounds import suggest
from gpulingo.words.targets import words_of
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

"""Words that no guess separates: their values are those of the recurrence, with little work."""

import random
from itertools import combinations, permutations

import pytest
from recurrence import Recurrence

from gpulingo.games.catalogue import find_game
from gpulingo.optimise.solver import Solver
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import WordList, parse

GAMES = ["jotto", "jotto-lost", "jotto-found", "jotto-consistent", "wordle", "wordle-found", "wordle-hard",
         "wordle-consistent"]  # fmt: skip
WORK = 1_000_000  # pairs of guess and candidate: each of these lists took over 10^8


def listed(words) -> WordList:
    words = sorted(set(words))
    return parse("\n".join(words)).of_length(len(words[0]))


def few_kinds(seed: int, most: int) -> WordList:
    """Anagrams, words that differ in one place, and some others."""
    draw = random.Random(seed)
    kinds = [
        lambda: "".join(draw.sample("aaxy", 4)),
        lambda: "".join(draw.sample("bbxx", 4)),
        lambda: "abc" + draw.choice("defghijk"),
        lambda: "".join(draw.choices("abx", k=4)),
    ]
    some = draw.sample(kinds, 3)
    return listed(draw.choice(some)() for _ in range(most))


def searched(wordlist: WordList, name: str, turns: int, limit: int = 1 << 62, floor: int = -1):
    game = find_game(name, turns)
    table = table_of(wordlist, game)
    search = ValueSearch(table, game.payoff, 1 << 20, legal=game.legal, within=game.ruled_left)
    return search.value(table.targets, turns, floor, limit)


@pytest.mark.parametrize(("seed", "name"), list(enumerate(GAMES)))
def test_values_of_words_alike_are_those_of_the_recurrence(name, seed):
    wordlist, draw = few_kinds(seed, 13), random.Random(seed)
    if seed % 2:
        wordlist = wordlist.with_weights({word: draw.choice([1, 1, 2, 5]) for word in wordlist.words})
    for turns in (3, 4, 6):
        law, found = Recurrence(wordlist, find_game(name, turns)), searched(wordlist, name, turns)
        assert found.value == law.value() == law.value_after(found.guess)


ANAGRAMS = [
    "".join("x" if place in three else "a" for place in range(9)) for three in combinations(range(9), 3)
]
PERMUTED = sorted({"".join(letters) for letters in permutations("xaxxxyyy")})[:90]
ENDINGS = ["cran" + last for last in "bcdfghijklmnopqrstuvwxyz"]


@pytest.mark.parametrize(
    ("words", "name", "turns", "value"),
    [
        ([word for word in ANAGRAMS if word[0] == "a"], "jotto", 12, 78),
        (PERMUTED, "jotto-found", 6, 6),
        (ENDINGS, "wordle", 14, 105),
        (ENDINGS, "wordle-hard-found", 10, 10),
        ([*ENDINGS, "crane", "arena", "ennea"], "wordle-found", 12, None),
    ],
)
def test_a_set_that_no_guess_splits_has_its_value_at_once(words, name, turns, value):
    found = searched(listed(words), name, turns, WORK)
    assert found.value >= 0
    assert found.pairs < WORK
    assert value is None or found.value == value


@pytest.mark.parametrize("seed", range(2))
def test_short_lists_are_solved_within_many_turns(seed):
    draw, worked = random.Random(seed), [0]
    wordlist = few_kinds(seed, draw.randint(12, 60))
    solver = Solver(wordlist, find_game(GAMES[seed % len(GAMES)], draw.randint(8, 14)))
    solver.at.progress = lambda pairs: worked.__setitem__(0, worked[0] + pairs)
    assert solver.run(lambda: None)
    assert worked[0] < 10 * WORK

"""Openings side by side: each between what it yields and what it can yield at most."""

import exhaustive
import pytest

from gpulingo.optimise.openings import Opening, openings
from gpulingo.optimise.state import Problem
from gpulingo.strategies.objectives import points


def played(wordlist, table, rules, **options):
    problem = Problem(wordlist, rules, table, points)
    return list(openings(problem, 9, dict.fromkeys(range(3, rules.turns), 2), **options))


def test_the_best_of_an_opening_lies_between_its_value_and_its_bound(game):
    wordlist, table, rules, best = game
    for opening in played(wordlist, table, rules):
        assert opening.value <= int(best[opening.word]) <= opening.bound
        assert opening.largest <= len(wordlist) - opening.classes + 1


@pytest.mark.parametrize("seed", exhaustive.QUICK)
def test_openings_that_are_known_come_first_and_are_not_played(seed):
    wordlist, table, rules, _ = exhaustive.made(seed)
    first = played(wordlist, table, rules)
    known = {first[3].word: Opening(first[3].word, 1, 2, 3, 4), first[5].word: first[5]}
    again = played(wordlist, table, rules, known=known)
    assert again[:2] == list(known.values())
    assert again[2:] == [opening for opening in first if opening.word not in known]

"""Three turns where found words count first: no bound is below plain recursion, forged ones are refused."""

import random

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo import encode
from gpulingo.bounds.certificate import CertificateError
from gpulingo.bounds.checker import prove
from gpulingo.bounds.every_guess import in_three_turns
from gpulingo.bounds.formulas import opening_size_bounds
from gpulingo.games.catalogue import find_game
from gpulingo.optimise.solve import solve
from gpulingo.tensors.operations import class_counts
from gpulingo.words.wordlist import WordList


@pytest.mark.parametrize("name", ["wordle-lost", "lingo-found"])
@pytest.mark.parametrize("seed", range(2))
def test_openings_above_a_floor_have_the_values_of_plain_recursion(name, seed):
    draw = random.Random(seed)
    words = draw.sample([a + b + c for a in "abcd" for b in "mnop" for c in "xyz"], 24)
    game, targets = find_game(name, 3), sorted(draw.sample(range(24), 24 - 6 * (seed % 2)))
    law = exhaustive.law_of(words, game, targets)
    best = np.array([law.value_after(opening) for opening in range(24)])
    table = encode(words).with_sets(targets=torch.tensor(targets, dtype=torch.int32))
    every = np.arange(24)
    for floor in (0, *set(best.tolist())):
        bounds = in_three_turns(table, game, every, floor)
        assert np.array_equal(bounds > floor, best > floor)
        assert np.array_equal(bounds[best > floor], best[best > floor]) and bool((bounds >= best).all())
    classes = class_counts(table, table.targets).long()
    assert bool((opening_size_bounds(table, game, classes).numpy() >= best).all())
    wordlist = WordList("a test", words).with_targets([words[target] for target in targets])
    solution = solve(wordlist, game)
    assert solution.reached and solution.tree.value == solution.certificate.bound == int(best.max())
    assert list(prove(table, solution.certificate))[-1] == 24
    solution.certificate.bounds[:] = int(best.max()) - 1
    with pytest.raises(CertificateError, match="what is named for it gives"):
        list(prove(table, solution.certificate))

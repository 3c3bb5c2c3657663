"""Three turns where found words count first: no bound is below plain recursion, forged ones are refused."""

import random

import exhaustive
import pytest
import torch

from gpulingo import encode
from gpulingo.bounds.certificate import CertificateError
from gpulingo.bounds.checker import prove
from gpulingo.bounds.three_turns import in_three_turns
from gpulingo.games.catalogue import find_game
from gpulingo.optimise.solve import solve
from gpulingo.words.wordlist import WordList


@pytest.mark.parametrize("name", ["wordle-lost", "lingo-found"])
@pytest.mark.parametrize("seed", range(2))
def test_openings_have_the_values_of_plain_recursion_and_bound_others(name, seed):
    draw = random.Random(seed)
    words = draw.sample([a + b + c for a in "abcd" for b in "mnop" for c in "xyz"], 24)
    game, targets = find_game(name, 3), sorted(draw.sample(range(24), 24 - 6 * (seed % 2)))
    law = exhaustive.law_of(words, game, targets)
    best = torch.tensor([law.value_after(opening) for opening in range(24)])
    table = encode(words).with_sets(targets=torch.tensor(targets, dtype=torch.int32))
    for opening in range(24):
        ranked = in_three_turns(table, game, opening, torch.arange(24), 0)
        assert ranked.value == best[opening] and bool((ranked.others >= best).all())
        assert best[opening] <= in_three_turns(table, game, opening, torch.arange(0), int(best.max())).value
    wordlist = WordList("a test", words).with_targets([words[target] for target in targets])
    solution = solve(wordlist, game)
    assert solution.reached and solution.tree.value == solution.certificate.bound == int(best.max())
    assert list(prove(table, solution.certificate))[-1] == 24
    solution.certificate.bounds.clamp_(max=int(best.max()) - 1)
    with pytest.raises(CertificateError, match="what is named for it gives"):
        list(prove(table, solution.certificate))

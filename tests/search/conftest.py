"""What the tests of bounds share: small lists, and the best value after each of their openings."""

import importlib.util
from functools import cache
from pathlib import Path

import pytest
import torch

from gpulingo.tensors.wordtable import encode

_spec = importlib.util.spec_from_file_location("exhaustive", Path(__file__).with_name("exhaustive.py"))
exhaustive = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(exhaustive)

SEEDS = [10, 18, 21, 23, 28, 29]  # 20 to 60 words, 3 to 5 turns
QUICK = [18, 28]  # what each test tries of them without the slow ones


@cache
def made(seed):
    """A list, its table, the number of turns, and the best value after each opening."""
    wordlist, turns = exhaustive.random_list(seed)
    best = [exhaustive.best_value(wordlist.words, turns, opening) for opening in range(len(wordlist))]
    return wordlist, encode(wordlist.words), turns, torch.tensor(best)


@pytest.fixture
def games():
    """All of them by seed."""
    return {seed: made(seed) for seed in SEEDS}


@pytest.fixture(
    params=[pytest.param(seed, marks=[] if seed in QUICK else pytest.mark.slow) for seed in SEEDS]
)
def game(request):
    """One of them."""
    return made(request.param)

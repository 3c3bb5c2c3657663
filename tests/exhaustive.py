"""The best strategy by plain recursion over every guess: what searches must agree with; small lists."""

import random
from functools import cache

import pytest
import torch

from gpulingo.bounds.certificate import certificate_arrays, parsed_certificate
from gpulingo.bounds.checker import prove
from gpulingo.games.marks import feedback
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import WordList, parse

SEEDS = [10, 18, 21, 23, 28, 29]  # 20 to 60 words, 3 to 5 turns
QUICK = [18, 28]  # what each test tries of them without the slow ones


def best_value(words, turns, opening=None):
    """Turns left when found, summed over the words, of the best strategy; a set is a number, a bit a word.

    With an opening, the index of a word: of the best strategy that begins with it.
    """
    everything = (1 << len(words)) - 1
    partitions = []  # of each guess: the classes of the whole list, as bits, without the guess
    for guess in words:
        classes = {}
        for at, word in enumerate(words):
            if word != guess:
                marks = feedback(guess, word)
                classes[marks] = classes.get(marks, 0) | 1 << at
        partitions.append(list(classes.values()))

    @cache
    def value(candidates, left):
        count = candidates.bit_count()
        if left == 1 or count == 1:
            return left
        greatest, best = left + (count - 1) * (left - 1), 0
        for guess, classes in enumerate(partitions):
            found = left if candidates >> guess & 1 else 0
            for one in classes:
                if one & candidates == candidates:
                    found = 0  # says nothing: a turn is lost, which no best strategy needs
                    break
                if one & candidates:
                    found += value(one & candidates, left - 1)
            best = max(best, found)
            if best == greatest:
                break
        return best

    if opening is not None:
        return turns + sum(value(one, turns - 1) for one in partitions[opening])
    return value(everything, turns)


def random_list(seed) -> tuple[WordList, int]:
    """20 to 60 words of 3 to 6 letters out of few, so that they are hard to tell apart, and 3 to 5 turns."""
    draw = random.Random(seed)
    length, turns = draw.randint(3, 6), draw.randint(3, 5)
    letters = "abcdefgh"[: draw.randint(4 if length == 3 else 3, 8)]
    count = draw.choice([20, 24, 30, 40, 60])
    words = {"".join(draw.choice(letters) for _ in range(length)) for _ in range(count)}
    while len(words) < 20:
        words.add("".join(draw.choice(letters) for _ in range(length)))
    return parse("\n".join(sorted(words, key=lambda word: draw.random()))).of_length(length), turns


def check(wordlist, held, best):
    """No bound of an opening is too small, and their certificate is a proof."""
    assert bool((held.bounds >= best).all())
    certificate = parsed_certificate(certificate_arrays(wordlist, held))
    work: list[tuple[float, float]] = []
    checked = prove(held.table, certificate, report=lambda done, total: work.append((done, total)))
    assert list(checked)[-1] == len(wordlist)
    if work:
        assert work == sorted(work) and abs(work[-1][1] - work[-1][0]) < 1e-6


@cache
def made(seed):
    """A list, its table, the number of turns, and the best value after each opening."""
    wordlist, turns = random_list(seed)
    best = [best_value(wordlist.words, turns, opening) for opening in range(len(wordlist))]
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

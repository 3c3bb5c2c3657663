"""The best strategy by plain recursion over every guess, the reference for searches; for small lists."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from recurrence import Recurrence

from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checker import _Checker, prove
from gpulingo.bounds.counting import count_until
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import hangman, lingo
from gpulingo.games.game import Game
from gpulingo.solvers.words.value import NO_LIMIT
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import WordList, parse

SEEDS = [10, 18, 23, 28]  # 20 to 60 words, 3 to 5 turns
QUICK = [18]  # the seeds of the quick tests


def law_of(words, game, targets=None, weights=None) -> Recurrence:
    """The recurrence over words; targets are those with the given indices."""
    listed = parse("\n".join(words)).of_length(len(words[0]))
    if targets is not None:
        listed = listed.with_targets([words[at] for at in targets])
    if weights is not None:
        listed = listed.with_weights(dict(zip(words, weights, strict=True)))
    return Recurrence(listed, game)


class Plain:
    """The recurrence over the words of a table, with the interface of a search: all words may be guessed.

    Args:
        legal, bonus, pace: as of `ValueSearch`.
    """

    def __init__(self, table, legal="any", bonus=0, pace=1):
        words = ["".join(table.alphabet[letter] for letter in row) for row in table.letters.tolist()]
        payoff = [0, *(bonus + pace * left for left in range(1, 9))]
        weights = None if table.weights is None else table.weights.tolist()
        self.law = law_of(words, Game("plain", 8, payoff, legal=legal), table.targets.tolist(), weights)

    def value(self, members, left):
        """Credits of the best strategy for [n] members."""
        return self.law.value(self.bits(members), left)

    def after(self, guess, left, members=None):
        """The same for strategies that start with a guess; `members` None: all targets."""
        return self.law.value_after(guess, None if members is None else self.bits(members), left)

    def bits(self, members):
        """Words as a set."""
        return sum(1 << place for place in members.tolist())


def best_value(words, turns, opening=None, targets=None):
    """Turns left when found, summed over the targets, by the best strategy, or the best with an opening."""
    law = law_of(words, lingo(turns), targets)
    return law.value() if opening is None else law.value_after(opening)


def best_of(words, game, targets=None, weights=None, opening=None):
    """Credits of the best strategy of a game, or of the best with an opening."""
    law = law_of(words, game, targets, weights)
    return law.value() if opening is None else law.value_after(words.index(opening))


def least_misses(words):
    """The least misses that a perfect guesser of letters needs against a host who cheats."""
    return law_of(words, replace(hangman(), opponent="adversary")).least()


def random_words(seed, most=12):
    """Distinct words of one length, from few letters."""
    draw = random.Random(seed)
    length, letters = draw.randint(1, 4), "abcdefgh"[: draw.randint(2, 8)]
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(draw.randint(1, most))})


def random_list(seed) -> tuple[WordList, int]:
    """20 to 60 words of 3 to 6 letters from few, so that they are hard to separate, and 3 to 5 turns."""
    draw = random.Random(seed)
    length, turns = draw.randint(3, 6), draw.randint(3, 5)
    letters = "abcdefgh"[: draw.randint(4 if length == 3 else 3, 8)]
    count = draw.choice([20, 24, 30, 40, 60])
    words = {"".join(draw.choice(letters) for _ in range(length)) for _ in range(count)}
    while len(words) < 20:
        words.add("".join(draw.choice(letters) for _ in range(length)))
    return parse("\n".join(sorted(sorted(words), key=lambda word: draw.random()))).of_length(length), turns


def check(wordlist, state, best):
    """Check that no bound of an opening is too small, and that their certificate is a proof."""
    assert bool((state.evidence.bounds >= best).all())
    certificate = certificate_of(wordlist, state.game, state.evidence)
    assert list(prove(state.table, certificate))[-1] == len(wordlist)


def derived(wordlist, state):
    """[W] int64: the bounds that the checker derives for every opening from a certificate of the state."""
    certificate = certificate_of(wordlist, state.game, state.evidence)
    checker = _Checker(state.table, certificate, None)
    checker.ask_neighbours(set(range(len(wordlist))))
    bounds = checker.derived(np.arange(len(wordlist)), np.full(len(wordlist), -1))
    for opening in certificate.evidence.searched:
        bounds[opening] = min(bounds[opening], checker.searched(opening))
    return bounds


def words_alike() -> WordList:
    """108 words, each with many that differ in one letter."""
    return parse("\n".join(a + b + c for a in "abcdef" for b in "abcdef" for c in "abc")).of_length(3)


def families() -> WordList:
    """18 words that guesses separate badly: much is left to search with three turns left."""
    return parse("\n".join(first + last for first in "abc" for last in "mnopqr")).of_length(2)


def set_of(members):
    """One set of words."""
    return frontier([torch.as_tensor(members, dtype=torch.int32)])


def counted(state, openings, goal):
    """Apply the evidence from counts of classes of openings; return how often there was some."""
    evidence = 0
    for lowered in count_until(state, openings, goal):
        state.apply(lowered)
        evidence += 1
    return evidence


def middle(bounds):
    """The lower median."""
    return int(np.sort(bounds)[(len(bounds) - 1) // 2])


def copied(state):
    """A state with the same evidence, as another process has it."""
    copy = BoundState(state.table, state.game)
    names = "evaluated", "counted", "neighbours", "class_bounds"
    evidence = state.evidence.rows(state.evidence.openings)
    copy.apply(replace(evidence, **{name: dict(getattr(state.evidence, name)) for name in names}))
    return copy


def searched(state, opening):
    """Evidence of an opening from the best values of all its classes."""
    return Searches(state.table, state.game, 1 << 22).of(state, [opening], 0, NO_LIMIT, None)[0].evidence


@cache
def made(seed, apart=False):
    """A list, its table, the game, and the best value after each opening; apart: a third are not targets."""
    wordlist, turns = random_list(seed)
    targets = [at for at in range(len(wordlist)) if at % 3 or not apart]
    law = law_of(wordlist.words, lingo(turns), targets)
    best = [law.value_after(opening) for opening in range(len(wordlist))]
    table = encode(wordlist.words)
    if apart:
        table = table.with_sets(targets=torch.tensor(targets, dtype=torch.int32))
    return wordlist, table, lingo(turns), np.array(best)


@pytest.fixture
def games():
    """The lists of all seeds, by seed."""
    return {seed: made(seed) for seed in SEEDS}


def _params(*games):
    slow = {seed: [] if seed in QUICK else pytest.mark.slow for seed in SEEDS}
    return [pytest.param((n, apart), marks=slow[n], id=f"{n}{'-apart' * apart}") for n, apart in games]


@pytest.fixture(params=_params(*((seed, False) for seed in SEEDS)))
def game(request):
    """One of the lists."""
    return made(*request.param)


@pytest.fixture(
    params=_params((18, False), (18, True), *((seed, seed % 2 == 0) for seed in SEEDS if seed != 18))
)
def any_game(request):
    """One of the lists; for even seeds a third of the words are not targets."""
    return made(*request.param)

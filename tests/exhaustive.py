"""The best strategy by plain recursion over every guess: what searches must agree with; small lists."""

import random
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
import torch

from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checked import Checked
from gpulingo.bounds.checker import _Checker, prove
from gpulingo.bounds.counting import count_until
from gpulingo.bounds.every_guess import MOST_PAIRS, Searches
from gpulingo.bounds.state import BoundState, bound_state
from gpulingo.bounds.supersets import Constraints
from gpulingo.games.catalogue import feedback_of, legal_after, lingo
from gpulingo.games.marks import feedback
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.reference import most_classes
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import WordList, parse

SEEDS = [10, 18, 21, 23, 28, 29]  # 20 to 60 words, 3 to 5 turns
QUICK = [18]  # what each test tries of them without the slow ones


def best_value(words, turns, opening=None, targets=None):
    """Turns left when found, summed over the targets, of the best strategy; a set is a number, a bit a word.

    With an opening, the index of a word: of the best strategy that begins with it. With targets, indices of
    words: only these are to be found, but all words may be guessed.
    """
    targets = range(len(words)) if targets is None else targets
    everything = sum(1 << at for at in targets)
    partitions = []  # of each guess: the classes of all targets, as bits, without the guess
    for guess in words:
        classes = {}
        for at in targets:
            if words[at] != guess:
                marks = feedback(guess, words[at])
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
        return turns * (everything >> opening & 1) + sum(value(one, turns - 1) for one in partitions[opening])
    return value(everything, turns)


def best_of(words, game, targets=None, weights=None, opening=None):
    """Credits of the best strategy of a game, by plain recursion over every legal guess; very small lists."""
    weights = weights or [1] * len(words)
    rule = feedback_of(game)
    marks = [[rule.feedback(guess, target) for target in words] for guess in words]

    @cache
    def allowed(guess, text):
        return frozenset(at for at, word in enumerate(words) if legal_after(game, words[guess], text, word))

    @cache
    def value(candidates, legal, left):
        if left == 0:
            return game.payoff[0] * sum(weights[target] for target in candidates)
        best, first = -1, opening is not None and left == game.turns
        for guess in [words.index(opening)] if first else sorted(legal, key=lambda at: at not in candidates):
            classes = {}
            for target in candidates:
                classes.setdefault(marks[guess][target], set()).add(target)
            if len(classes) == 1 and guess not in candidates:
                continue  # a turn is lost and nothing learnt
            total = 0
            for text, members in classes.items():
                found = guess in members
                after = frozenset() if found else legal & allowed(guess, text)
                total += (
                    weights[guess] * game.payoff[left]
                    if found
                    else value(frozenset(members), after, left - 1)
                )
            best = max(best, total)
        return best

    every = frozenset(range(len(words)))
    return value(every if targets is None else frozenset(targets), every, game.turns)


def random_list(seed) -> tuple[WordList, int]:
    """20 to 60 words of 3 to 6 letters out of few, so that they are hard to tell apart, and 3 to 5 turns."""
    draw = random.Random(seed)
    length, turns = draw.randint(3, 6), draw.randint(3, 5)
    letters = "abcdefgh"[: draw.randint(4 if length == 3 else 3, 8)]
    count = draw.choice([20, 24, 30, 40, 60])
    words = {"".join(draw.choice(letters) for _ in range(length)) for _ in range(count)}
    while len(words) < 20:
        words.add("".join(draw.choice(letters) for _ in range(length)))
    return parse("\n".join(sorted(sorted(words), key=lambda word: draw.random()))).of_length(length), turns


def check(wordlist, state, best):
    """No bound of an opening is too small, and their certificate is a proof."""
    assert bool((state.evidence.bounds >= best).all())
    certificate = certificate_of(wordlist, state.game, state.evidence)
    work: list[tuple[float, float]] = []
    checked = prove(state.table, certificate, report=lambda done, total: work.append((done, total)))
    assert list(checked)[-1] == len(wordlist)
    if work:
        assert work == sorted(work) and abs(work[-1][1] - work[-1][0]) < 1e-6


def derived(wordlist, state):
    """[W] int64: what the checker derives for every opening from what a certificate of the state names."""
    certificate = certificate_of(wordlist, state.game, state.evidence)
    checker = _Checker(state.table, certificate, Checked(), None, None)
    checker.count_supersets(certificate.evidence.supersets)
    checker.ask_neighbours(set(range(len(wordlist))))
    bounds = checker.derived(torch.arange(len(wordlist)))
    for opening in certificate.evidence.searched:
        bounds[opening].clamp_(max=checker.searched(opening))
    return bounds


def words_alike() -> WordList:
    """108 words, each with many that differ in one letter."""
    return parse("\n".join(a + b + c for a in "abcdef" for b in "abcdef" for c in "abc")).of_length(3)


def families() -> WordList:
    """18 words of which a guess tells few apart: much is left to search with three turns left."""
    return parse("\n".join(first + last for first in "abc" for last in "mnopqr")).of_length(2)


def set_of(members):
    """One set of words."""
    return frontier([torch.as_tensor(members, dtype=torch.int32)])


def two_of_supersets(table):
    """What two turns find of sets given by one or two constraints."""
    constraints = Constraints(table)
    keys = [key for count in (1, 2) for key in combinations(range(constraints.count), count)]
    keys = [key for key in keys if constraints.size(key) > 2]
    two = most_classes(table, frontier([constraints.members(key) for key in keys]), None, [])[0].tolist()
    return dict(zip(keys, two, strict=True))


def with_supersets(table, game):
    """Bounds of openings, where that is known."""
    state = bound_state(table, game)
    return BoundState(table, game, state.classes, state.evidence, two=two_of_supersets(table))


def counted(state, openings, goal):
    """Apply what counts of classes of openings bring; how often something came."""
    evidence = 0
    for lowered in count_until(state, openings, goal):
        state.apply(lowered)
        evidence += 1
    return evidence


def forgetful(state, without=()):
    """The same bounds as they are after they were read from a file, which may lack something."""
    near = {opening: list(others) for opening, others in state.evidence.neighbours.items()}
    evidence = replace(
        state.evidence.rows(state.evidence.openings),
        neighbours=near,
        evaluated=dict(state.evidence.evaluated),
        counted=dict(state.evidence.counted),
    )
    evidence = replace(evidence, **{name: {} for name in without})
    return BoundState(state.table, state.game, state.classes, evidence, two=dict(state.supersets.two))


def searched(state, opening):
    """Evidence of an opening from the best values of all its classes."""
    return Searches(state.table, state.game, 1 << 22).of(state, [opening], 0, MOST_PAIRS, None)[0].evidence


@cache
def made(seed, apart=False):
    """A list, its table, the game, and the best value after each opening; apart: a third are no targets."""
    wordlist, turns = random_list(seed)
    targets = [at for at in range(len(wordlist)) if at % 3 or not apart]
    best = [best_value(wordlist.words, turns, opening, targets) for opening in range(len(wordlist))]
    table = encode(wordlist.words)
    if apart:
        table = table.with_sets(targets=torch.tensor(targets, dtype=torch.int32))
    return wordlist, table, lingo(turns), torch.tensor(best)


@pytest.fixture
def games():
    """All of them by seed."""
    return {seed: made(seed) for seed in SEEDS}


def _params(*games):
    return [
        pytest.param(
            (seed, apart), marks=[] if seed in QUICK else pytest.mark.slow, id=f"{seed}{'-apart' * apart}"
        )
        for seed, apart in games
    ]


@pytest.fixture(params=_params(*((seed, False) for seed in SEEDS)))
def game(request):
    """One of them."""
    return made(*request.param)


@pytest.fixture(
    params=_params((18, False), (18, True), *((seed, seed % 2 == 0) for seed in SEEDS if seed != 18))
)
def any_game(request):
    """One of them; of those of even seeds a third of the words are no targets."""
    return made(*request.param)

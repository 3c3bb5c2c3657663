"""Bounds at the end of a search: what is written is what the checker derives, class by class."""

import random

import exhaustive
import pytest
import torch

from gpulingo.bounds import tighten as tightening
from gpulingo.bounds.counting import TwoGuesses, bounded_by, evaluate
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.tighten import tighten, tightened
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import parse

pytestmark = pytest.mark.usefixtures("every_opening")


def count_supersets(state, share):
    """Let a share of the supersets be counted, as a search does for the sake of others."""
    for key, two in list(exhaustive.two_of_supersets(state.table).items())[share::8]:
        state.supersets.add(key, two)


def worked(state, seed):
    """Bounds lowered in every way, in an order drawn by chance; supersets come in between and after it."""
    draw, everything = random.Random(seed), list(range(state.table.words))
    state.apply(evaluate(state, draw.sample(everything, 3)))
    for step in range(8):
        some = draw.sample(everything, 6)
        if step % 2:
            goal = int(state.evidence.bounds[some].median()) - draw.randint(0, 3)
            exhaustive.counted(state, some, goal)
        else:
            center = draw.choice(list(state.evidence.evaluated))
            others = [opening for opening in some if opening != center]
            state.apply(bounded_by(state, torch.tensor(others), center))
        if step == 4:
            state.apply(evaluate(state, some[:1]))
            count_supersets(state, 0)
    count_supersets(state, 1)


@pytest.mark.parametrize("seed", [0])
def test_tightened_bounds_are_what_the_checker_derives(any_game, seed):
    wordlist, table, game, best = any_game
    state = bound_state(table, game)
    worked(state, seed)
    again, before = exhaustive.forgetful(state), state.evidence.bounds.clone()
    tighten(state, 0, lambda: True)
    assert torch.equal(state.evidence.bounds, exhaustive.derived(wordlist, state))
    assert bool((state.evidence.bounds <= before).all())
    exhaustive.check(wordlist, state, best)
    tighten(again, 0, lambda: True)
    assert torch.equal(again.evidence.bounds, state.evidence.bounds)


@pytest.mark.slow
def test_what_does_not_fit_the_memory_is_computed_again(game):
    _, table, rules, _ = game
    states = [bound_state(table, rules), bound_state(table, rules, memory=1)]
    for state in states:
        worked(state, 5)
        tighten(state, 0, lambda: True)
    assert torch.equal(states[0].evidence.bounds, states[1].evidence.bounds)
    assert not states[1].class_bounds._cached


def test_what_three_turns_find_of_neighbours_counts_later():
    wordlist = parse("\n".join(a + b + c for a in "ab" for b in "cdefgh" for c in "ijklm")).of_length(3)
    first, then, every = (bound_state(encode(wordlist.words), lingo(5)) for _ in range(3))
    every.apply(evaluate(every, list(range(len(wordlist)))))
    three, others = TwoGuesses(every).evaluate(0), torch.arange(1, len(wordlist))
    then.apply(three)
    first.apply(evaluate(first, [0]))
    for state in (first, then):
        state.apply(bounded_by(state, others, 0))
    first.apply(three)
    before = first.evidence.bounds.clone()
    tighten(first, 0, lambda: True)
    assert torch.equal(first.evidence.bounds, then.evidence.bounds)
    assert bool((first.evidence.bounds < before).any())
    exhaustive.check(wordlist, first, torch.zeros_like(before))


def test_the_greatest_bounds_come_first_none_twice_and_not_those_that_do_not_matter(game, monkeypatch):
    _, table, rules, _ = game
    state = exhaustive.with_supersets(table, rules)
    exhaustive.counted(state, [int(state.evidence.bounds.argmin())], 0)
    value = int(state.evidence.bounds.median())
    bounds, asked = state.evidence.bounds.clone(), []
    matter = (bounds > value) | (state.evidence.looked > 0)
    assert 2 < int(matter.sum()) < table.words
    monkeypatch.setattr(tightening, "BETWEEN", 1)
    monkeypatch.setattr(
        tightening, "tightened", lambda state, some: asked.extend(some) or tightened(state, some)
    )
    tighten(state, value, lambda: len(asked) < 2)
    first = list(asked)
    tighten(state, value, lambda: True)
    assert len(first) == 2 and sorted(asked) == matter.nonzero().squeeze(1).tolist()
    assert bounds[asked].tolist() == sorted(bounds[asked].tolist(), reverse=True)
    tighten(state, value, lambda: True)
    assert len(asked) == len(set(asked))

"""What a check takes is told beforehand, and all of it is done at the end."""

import exhaustive
import pytest
import torch

from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.effort import OPENING, Effort, work
from gpulingo.bounds.neighbours import bounded_by
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.two_guesses import TwoGuesses
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode


def test_bounds_that_follow_from_sizes_take_no_work(game):
    wordlist, table, game, _ = game
    certificate = certificate_of(wordlist, game, bound_state(table, game).evidence)
    assert work(certificate, torch.empty(0, dtype=torch.int64)) == 0
    assert work(certificate, torch.tensor([3])) == pytest.approx(OPENING)


def test_all_work_is_done_at_the_end_whatever_bounds_rest_on():
    wordlist = exhaustive.words_alike()
    state = bound_state(encode(wordlist.words), lingo(5))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    state.apply(TwoGuesses(state).evaluate(0))
    state.apply(bounded_by(state, torch.arange(1, len(wordlist)), 0))
    certificate = certificate_of(wordlist, state.game, state.evidence)
    told = []
    list(prove(state.table, certificate, report=lambda done, total: told.append((done, total))))
    assert told == sorted(told) and told[-1][0] == pytest.approx(told[-1][1]) and len(told) > 100


def test_nobody_need_be_told():
    effort = Effort(None)
    effort.step(2.0)
    assert effort.done == 2.0

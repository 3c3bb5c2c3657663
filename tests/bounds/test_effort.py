"""What a check takes is told beforehand, and all of it is done at the end."""

from dataclasses import replace
from itertools import chain

import exhaustive
import pytest
import torch

from gpulingo import solve
from gpulingo.bounds.certificate import certificate_of
from gpulingo.bounds.checker import OPENING, THREE, Effort, alone, parted, prove, work
from gpulingo.bounds.counting import TwoGuesses, bounded_by, evaluate
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import find_game, lingo
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


@pytest.mark.parametrize("code", ["lingo-from3-hard4", "lingo-hard4"])
def test_where_openings_are_searched_all_work_is_done_too(code):
    wordlist, told = exhaustive.words_alike(), []
    certificate = solve(wordlist, find_game(code)).certificate
    list(prove(encode(wordlist.words), certificate, report=lambda done, total: told.append((done, total))))
    assert told == sorted(told) and told[-1][0] == pytest.approx(told[-1][1]) and len(told) > 2


def named_by(neighbours, three_turns=()):
    """A certificate of openings that name others, and some that were searched."""
    wordlist = exhaustive.words_alike()
    state = bound_state(encode(wordlist.words), lingo(5))
    evidence = replace(
        state.evidence,
        neighbours=neighbours,
        three_turns={opening: torch.ones(3, dtype=torch.int64) for opening in three_turns},
    )
    return certificate_of(wordlist, state.game, evidence)


def test_openings_that_name_the_same_neighbour_are_in_one_part():
    near = {opening: [opening % 3] for opening in range(3, 33)}
    certificate = named_by(near)
    parts = parted(certificate, torch.tensor(list(near)), 3)
    assert [{near[opening][0] for opening in part} for part in parts] == [{0}, {1}, {2}]
    assert sorted(chain(*parts)) == list(near)
    assert sum(work(certificate, torch.tensor(part)) for part in parts) == pytest.approx(
        work(certificate, torch.tensor(list(near)))
    )


def test_parts_take_about_as_much():
    certificate = named_by({opening: [0, 1] for opening in range(20, 40)}, range(10, 20))
    rest = torch.arange(2, 40)
    parts = parted(certificate, rest, 4)
    assert sorted(chain(*parts)) == rest.tolist()
    took = [sum(alone(certificate, opening) for opening in part) for part in parts]
    assert max(took) - min(took) < 1.1 * THREE
    assert parted(certificate, rest, 1) == [rest.tolist()]
    assert sorted(map(len, parted(certificate, rest, 50)))[:12] == [0] * 12


def test_nobody_need_be_told():
    effort = Effort(None)
    effort.step(2.0)
    assert effort.done == 2.0

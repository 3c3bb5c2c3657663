"""Searches cut into pieces: whoever works them out, in whatever order, they come to one certificate."""

import pickle
import random
from dataclasses import replace

import exhaustive
import pytest

from gpulingo.bounds.arrays import packed_arrays
from gpulingo.bounds.certificate import certificate_arrays
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise.pieces import KINDS, Result, Worker, begun, pieces_of, result_of
from gpulingo.optimise.solve import solve
from gpulingo.optimise.stages import Stage
from gpulingo.optimise.state import Problem
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.verify import verify

PLAN = [Stage(6, {3: 1, 4: 1}), Stage(2, {3: 4, 4: 4})]


def problem_of(wordlist, game=None):
    """What is searched."""
    return Problem(wordlist, game or lingo(), table_of(wordlist, lingo()), points, memory=1 << 24)


def bytes_of(certificate):
    """A certificate as its file."""
    return packed_arrays(certificate_arrays(certificate))


def of_result(result):
    """Everything that the result of a piece says, as a value that compares."""
    own = result.evidence
    rows = None if own is None else [
        *(column.tolist() for column in (own.openings, own.bounds, own.looked, own.two_guesses)),
        *({at: row.tolist() for at, row in lists.items()} for lists in (own.searched, own.three_turns)),
    ]  # fmt: skip
    return result.value, result.ends, result.tree, rows


def begun_with(worker, block=3, enough=0):
    """What is known before the first round."""
    problem = worker.problem
    tree = simulate(problem.wordlist, "parts", problem.game).tree
    return begun(worker, tree.value + enough, tree=tree, plan=PLAN, block=block)


def nothing(pairs):
    pass


def searched(problem, workers, shuffle=None, twice=False, block=3, enough=0):
    """What a search comes to, its pieces shared out among workers."""
    first = {}
    known = begun_with(workers[0], block, enough)
    while pieces := pieces_of(known):
        assert len(set(pieces)) == len(pieces)
        order = list(range(len(pieces)))
        if shuffle is not None:
            random.Random(shuffle).shuffle(order)
        results = {}
        for number in order * (1 + twice):
            piece = pieces[number]
            result = result_of(workers[number % len(workers)], piece)
            results[piece] = pickle.loads(pickle.dumps(result.on_cpu()))  # as it travels
            said = of_result(results[piece])
            assert said == first.setdefault(piece, said)
        known = known.after(pieces, results)
    return known


@pytest.fixture(
    params=[10, pytest.param(28, marks=pytest.mark.slow), pytest.param(55, marks=pytest.mark.slow)]
)
def problem(request):
    """Lists of which pieces of all kinds are worked out."""
    wordlist, turns = exhaustive.random_list(request.param)
    return problem_of(wordlist, lingo(turns))


@pytest.mark.slow
def test_all_pieces_together_prove_the_best_whoever_works_them_out(problem):
    words, turns = problem.wordlist.words, problem.game.turns
    known = searched(problem, [Worker(problem, nothing)])
    verify(known.tree, problem.wordlist)
    assert known.value == known.bound == exhaustive.best_value(words, turns)
    assert list(prove(problem.table, known.certificate))[-1] == len(words)
    three = [Worker(problem, nothing) for _ in range(3)]
    for shuffle in (1, 2):
        other = searched(problem, three, shuffle, twice=shuffle == 2)
        assert bytes_of(other.certificate) == bytes_of(known.certificate)
        assert other.tree == known.tree


@pytest.mark.slow
def test_three_turns_are_searched_where_more_take_too_long(monkeypatch):
    given_up = replace(KINDS["probe"], result=lambda worker, piece: Result(ends=False))
    monkeypatch.setitem(KINDS, "probe", given_up)
    problem = problem_of(exhaustive.families(), lingo(5))
    one = searched(problem, [Worker(problem, nothing)]).certificate
    workers = [Worker(problem, nothing) for _ in range(3)]
    other = searched(problem, workers, shuffle=1, twice=True).certificate
    assert bytes_of(other) == bytes_of(one)
    assert one.evidence.three_turns and list(prove(problem.table, one))[-1] == len(problem.wordlist)


def test_no_bound_of_an_opening_is_too_small(problem):
    words, turns = problem.wordlist.words, problem.game.turns
    bounds = searched(problem, [Worker(problem, nothing)], enough=2).certificate.bounds.tolist()
    for opening in range(0, len(words), 7):
        assert bounds[opening] >= exhaustive.best_value(words, turns, opening)


def test_results_given_again_or_in_another_order_change_nothing(problem):
    worker = Worker(problem, nothing)
    known = begun_with(worker)
    pieces = pieces_of(known)
    results = {piece: result_of(worker, piece) for piece in pieces}
    after = known.after(pieces, results)
    backwards = known.after(pieces, dict(reversed(results.items())))
    assert bytes_of(backwards.certificate) == bytes_of(after.certificate)
    again = replace(after, round=known.round).after(pieces, results)
    assert bytes_of(again.certificate) == bytes_of(after.certificate)


@pytest.mark.parametrize("name", ["wordle-hard", "wordle-from3-hard"])
def test_games_whose_classes_are_not_counted_are_searched_in_pieces(words22, name):
    game = find_game(name, 4)
    problem = problem_of(words22, game)
    known = searched(problem, [Worker(problem, nothing), Worker(problem, nothing)])
    best = solve(words22, game)
    assert known.value == known.bound == best.tree.value
    assert list(prove(problem.table, known.certificate))[-1] == len(words22)


@pytest.mark.parametrize("seed", [46, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (10, 28, 29))])
def test_words_that_are_no_targets_may_be_guessed(seed):
    wordlist, turns = exhaustive.random_list(seed)
    targets = [at for at in range(len(wordlist)) if at % 3]
    some = wordlist.with_targets([wordlist.words[at] for at in targets])
    problem = problem_of(some, lingo(turns))
    known = searched(problem, [Worker(problem, nothing)])
    best = exhaustive.best_value(wordlist.words, turns, targets=targets)
    assert known.value == known.bound == best
    assert list(prove(problem.table, known.certificate))[-1] == len(wordlist)

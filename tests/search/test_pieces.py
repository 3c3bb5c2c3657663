"""Searches cut into pieces: whoever works them out, in whatever order, they come to one certificate."""

import random

import pytest

from gpulingo.bounds.certificate import certificate_arrays
from gpulingo.bounds.checker import prove
from gpulingo.search.piece_files import parsed_result, result_bytes
from gpulingo.search.pieces import Worker, begun, pieces_of, result_of
from gpulingo.search.stages import stages
from gpulingo.search.state import Problem
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.verify import verify


def problem_of(wordlist, game):
    return Problem(wordlist, game, table_of(wordlist), points)


def nothing(pairs):
    pass


def bytes_of(certificate):
    return {name: array.tobytes() for name, array in certificate_arrays(certificate).items()}


def searched(problem, workers, shuffle=None, twice=False, block=3, **options):
    """What a search comes to, its pieces shared out among workers."""
    tree = simulate(problem.wordlist, "parts", problem.game).tree
    plan = stages(problem.game.turns)
    files: dict[str, bytes] = {}
    known = begun(workers[0], tree.value, tree=tree, plan=plan, block=block, **options)
    while pieces := pieces_of(known):
        assert len({piece.name for piece in pieces}) == len(pieces)
        order = list(range(len(pieces)))
        if shuffle is not None:
            random.Random(shuffle).shuffle(order)
        results = {}
        for number in order * (1 + twice):
            piece = pieces[number]
            data = result_bytes(problem, piece, result_of(workers[number % len(workers)], piece))
            assert data == files.setdefault(piece.name, data)
            results[piece.name] = parsed_result(data, problem, piece)
        known = known.after(pieces, results)
    return known


@pytest.fixture
def problem(game):
    wordlist, _, rules, _ = game
    return problem_of(wordlist, rules)


def test_all_pieces_together_prove_the_best(game):
    wordlist, table, rules, best = game
    problem = problem_of(wordlist, rules)
    known = searched(problem, [Worker(problem, nothing)])
    verify(known.tree, wordlist)
    assert known.value == known.bound == int(best.max())
    assert bool((known.certificate.bounds >= best).all())
    assert list(prove(table, known.certificate))[-1] == len(wordlist)


def test_one_worker_and_three_in_another_order_come_to_the_same_bytes(problem):
    one = searched(problem, [Worker(problem, nothing)])
    three = [Worker(problem, nothing) for _ in range(3)]
    for shuffle in (1, 2):
        other = searched(problem, three, shuffle, twice=shuffle == 2)
        assert bytes_of(other.certificate) == bytes_of(one.certificate)
        assert other.tree == one.tree

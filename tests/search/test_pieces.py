"""Searches cut into pieces: whoever works them out, in whatever order, they come to one certificate."""

import random
import re
from dataclasses import replace

import exhaustive
import pytest
from sharing import PLAN, bytes_of, problem_of

from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import find_game, lingo
from gpulingo.search.piece_files import ResultError, known_bytes, parsed_known, parsed_result, result_bytes
from gpulingo.search.pieces import KINDS, Result, Worker, begun, pieces_of, result_of
from gpulingo.search.solve import solve
from gpulingo.strategies.build import simulate
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse


def begun_with(worker, block=3, enough=0):
    """What is known before the first round."""
    problem = worker.problem
    tree = simulate(problem.wordlist, "parts", problem.game).tree
    return begun(worker, tree.value + enough, tree=tree, plan=PLAN, block=block)


def nothing(pairs):
    pass


def searched(problem, workers, shuffle=None, twice=False, block=3, enough=0):
    """What a search comes to, its pieces shared out among workers."""
    files: dict[str, bytes] = {}
    known = begun_with(workers[0], block, enough)
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


@pytest.fixture(
    params=[10, pytest.param(28, marks=pytest.mark.slow), pytest.param(55, marks=pytest.mark.slow)]
)
def problem(request):
    """Lists of which pieces of all kinds are worked out."""
    wordlist, turns = exhaustive.random_list(request.param)
    return problem_of(wordlist, lingo(turns))


@pytest.mark.slow
def test_all_pieces_together_prove_the_best(problem):
    words, turns = problem.wordlist.words, problem.game.turns
    known = searched(problem, [Worker(problem, nothing)])
    verify(known.tree, problem.wordlist)
    assert known.value == known.bound == exhaustive.best_value(words, turns)
    assert list(prove(problem.table, known.certificate))[-1] == len(words)


@pytest.mark.slow
def test_one_worker_and_three_in_another_order_come_to_the_same_bytes(problem):
    one = searched(problem, [Worker(problem, nothing)])
    three = [Worker(problem, nothing) for _ in range(3)]
    for shuffle in (1, 2):
        other = searched(problem, three, shuffle, twice=shuffle == 2)
        assert bytes_of(other.certificate) == bytes_of(one.certificate)
        assert other.tree == one.tree


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
    results = {piece.name: result_of(worker, piece) for piece in pieces}
    after = known.after(pieces, results)
    backwards = known.after(pieces, dict(reversed(results.items())))
    assert bytes_of(backwards.certificate) == bytes_of(after.certificate)
    again = replace(after, round=known.round).after(pieces, results)
    assert bytes_of(again.certificate) == bytes_of(after.certificate)
    assert parsed_known(known_bytes(after), known).certificate.bound == after.certificate.bound


def test_a_changed_byte_never_changes_what_a_result_says(problem):
    worker = Worker(problem, nothing)
    piece = next(piece for piece in pieces_of(begun_with(worker)) if piece.kind == "count")
    result = result_of(worker, piece)
    data, refused = result_bytes(problem, piece, result), 0
    for place in range(0, len(data), 13):
        try:
            read = parsed_result(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :], problem, piece)
        except ResultError as error:
            refused += 1
            assert str(error).startswith("is damaged (") and "\n" not in str(error)
        else:  # of the zip's own: a date, say
            assert result_bytes(problem, piece, read) == data
    assert refused > len(data) / 26
    for cut in (0, 1, len(data) // 2, len(data) - 1):
        with pytest.raises(ResultError):
            parsed_result(data[:cut], problem, piece)


def test_a_result_is_of_one_piece_list_and_game(problem):
    worker = Worker(problem, nothing)
    first, second = [piece for piece in pieces_of(begun_with(worker, 1)) if piece.kind == "count"][:2]
    data = result_bytes(problem, first, result_of(worker, first))
    longer = problem_of(problem.wordlist, lingo(problem.game.turns + 1))
    other = problem_of(parse("\n".join(problem.wordlist.words[::-1])).of_length(problem.wordlist.length))
    for of, piece in ((problem, second), (problem, replace(first, goal=1)), (longer, first), (other, first)):
        with pytest.raises(ResultError, match="of another piece, list or game"):
            parsed_result(data, of, piece)


def test_a_bound_that_cannot_be_is_refused(problem):
    worker = Worker(problem, nothing)
    piece = next(piece for piece in pieces_of(begun_with(worker)) if piece.kind == "count")
    result = result_of(worker, piece)
    result.evidence.bounds[0] = -1
    with pytest.raises(ResultError, match="bounds -1"):
        parsed_result(result_bytes(problem, piece, result), problem, piece)


@pytest.mark.parametrize("name", ["wordle-hard", "wordle-from3-hard"])
def test_games_whose_classes_are_not_counted_are_searched_in_pieces(words22, name):
    game = find_game(name, 4)
    problem = problem_of(words22, game)
    known = searched(problem, [Worker(problem, nothing), Worker(problem, nothing)])
    best = solve(words22, game)
    assert known.value == known.bound == best.tree.value
    assert list(prove(problem.table, known.certificate))[-1] == len(words22)


def test_pieces_of_one_search_have_names_of_their_own_that_fit_files(problem):
    known = begun_with(Worker(problem, nothing))
    names = [piece.name for piece in pieces_of(known)]
    names += [piece.name for piece in pieces_of(replace(known, goal=known.goal - 1)) if piece.bounds]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+-[0-9]+-[0-9a-f]{12}", name) for name in names)


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

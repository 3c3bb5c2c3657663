"""A search whose pieces are tasks: the same as in one process, and cut short without loss."""

import pytest

from gpulingo.bounds.certificate import certificate_arrays
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import lingo
from gpulingo.machines.pieces import RaySearch, Searched, worker_of
from gpulingo.machines.plays import Place
from gpulingo.machines.ray_tasks import connected
from gpulingo.optimise.pieces import Worker, begun, pieces_of, result_of
from gpulingo.optimise.stages import stages
from gpulingo.strategies.build import simulate
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList


class Stopped(Exception):
    """What ends a search in the middle."""


@pytest.fixture
def words(random_words):
    """140 words of 4 letters."""
    return WordList("random", random_words(3, 140, 4, "abcdefghij"))


@pytest.fixture
def searched(words):
    return Searched(words, lingo(4), "cpu", 0, 1 << 26)


def first_known(searched):
    """What is known before the first round, which has many pieces."""
    worker = worker_of(searched)
    tree = simulate(searched.wordlist, "parts", searched.game).tree
    return begun(worker, tree.value, plan=stages(searched.game.turns), block=4, tree=tree)


def alone(searched):
    """What one process comes to."""
    known = first_known(searched)
    worker = Worker(known.problem, lambda pairs: None)
    while pieces := pieces_of(known):
        known = known.after(pieces, {piece: result_of(worker, piece) for piece in pieces})
    return known


def bytes_of(known):
    return {name: array.tobytes() for name, array in certificate_arrays(known.certificate).items()}


def test_a_process_keeps_its_worker_for_the_same_search_only(searched, words):
    again = Searched(WordList("elsewhere", words.words), lingo(4), "cpu", 0, 1 << 26)
    assert worker_of(again) is worker_of(searched)
    assert worker_of(Searched(words, lingo(5), "cpu", 0, 1 << 26)) is not worker_of(searched)
    assert again != 0 and again != Searched(words, lingo(4), "cpu", 1, 1 << 26)


@pytest.mark.slow
def test_a_cluster_comes_to_the_tree_and_the_certificate_of_one_process(nodes, searched):
    with connected(nodes.address) as cluster:
        search = RaySearch(first_known(searched), cluster, Place("cpu", 0))
        search.run(lambda: None)
    one = alone(searched)
    assert bytes_of(search.known) == bytes_of(one) and search.known.tree == one.tree
    assert (search.so_far(), one.value) == (search.known, one.bound)


@pytest.mark.slow
def test_what_was_found_in_a_round_that_is_cut_short_is_not_lost(nodes, searched, words):
    def stop():
        if len(search.results) >= 2:
            raise Stopped

    with connected(nodes.address) as cluster:
        search = RaySearch(first_known(searched), cluster, Place("cpu", 0))
        with pytest.raises(Stopped):
            search.run(stop)
    before, known = search.known, search.so_far()
    openings = {opening for piece in search.results for opening in piece.openings}
    lowered = (known.certificate.bounds < before.certificate.bounds).nonzero().squeeze(1).tolist()
    assert set(lowered) and set(lowered) <= openings < set(range(len(words)))
    assert list(prove(table_of(words, lingo()), known.certificate))[-1] == len(words)

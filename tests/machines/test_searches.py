"""A search whose units are tasks of a cluster: it proves what one process proves, cut short without loss."""

import pytest

from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import proof_of
from gpulingo.games.catalogue import lingo
from gpulingo.machines.plays import Place
from gpulingo.machines.ray_tasks import connected
from gpulingo.machines.searches import Nodes, Searched, workspace_of
from gpulingo.optimise.solver import Solver
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.words.wordlist import WordList


@pytest.fixture
def words(random_words):
    """140 words of 4 letters."""
    return WordList("random", random_words(3, 140, 4, "abcdefghij"))


def test_a_process_keeps_its_workspace_for_the_same_search_only(words):
    problem = Solver(words, lingo(4)).problem
    searched, again, other = (Searched(name, problem, "cpu") for name in ("one", "one", "two"))
    assert workspace_of(again) is workspace_of(searched)
    assert workspace_of(other) is not workspace_of(again)


@pytest.mark.slow
def test_a_cluster_proves_what_one_process_proves_after_it_was_cut_short(nodes, words):
    solver, alone = Solver(words, lingo(4)), Solver(words, lingo(4))
    alone.run(lambda: None)
    merged, merge = [0], solver.merge

    def counted(*result):
        merge(*result)
        merged[0] += 1

    def stop():
        if merged[0] >= 2:
            raise TimeIsUp

    solver.merge = counted
    with connected(nodes.address) as cluster:
        executor = Nodes(cluster, Place("cpu", 0))
        assert not solver.run(stop, executor=executor)
        assert merged[0] >= 2 and solver.value <= alone.value <= solver.bound
        assert solver.run(lambda: None, executor=executor)
    assert solver.value == solver.bound == alone.value
    proof = proof_of(words, solver.state.bounds, None, solver.value)
    assert list(prove(solver.problem.table, proof))[-1] == len(words)

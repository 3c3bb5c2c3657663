"""Work files: a search goes on from what an earlier one knew, and refuses what is of another or damaged."""

import exhaustive
import pytest

from gpulingo.bounds.arrays import CertificateError
from gpulingo.bounds.supersets import Constraints
from gpulingo.games.catalogue import lingo
from gpulingo.search.resume import read_work, write_work
from gpulingo.search.solver import Solver, TimeIsUp
from gpulingo.search.stages import Stage
from gpulingo.trees.verify import verify


def solved(wordlist, turns):
    """A search that has been run to its end."""
    solver = Solver(wordlist, lingo(turns))
    assert solver.run(lambda: None)
    return solver


def problem_of(solver):
    """What a search is about, and its stages."""
    return solver.problem, solver.state.stages.plan


def test_what_was_played_counts_for_a_stage_that_is_as_wide(tmp_path):
    wordlist, turns = exhaustive.random_list(10)
    narrow, wide, wider = (dict.fromkeys(range(3, turns), count) for count in (1, 2, 3))
    first = Solver(wordlist, lingo(turns), plan=[Stage(5, narrow), Stage(3, wide)])
    first.state.exact = False
    first.upper.found()
    while first._play():
        pass
    played = first.state.stages.played
    assert len(played[0]) > len(played[1]) > 0
    write_work(tmp_path / "work.npz", first)
    second = Solver(wordlist, lingo(turns), plan=[Stage(4, wide), Stage(4, wider), Stage(4, narrow)])
    second.resume(read_work(tmp_path / "work.npz", *problem_of(second)))
    assert second.state.stages.played == [played[1], {}, played[0]]


def test_what_was_counted_of_supersets_is_in_the_work_file(tmp_path):
    wordlist, turns = exhaustive.random_list(10)
    first, second = (Solver(wordlist, lingo(turns)) for _ in range(2))
    constraints = Constraints(first.problem.table)
    keys = [(0,), (1,), (0, 1), (2,)]
    two = {key: min(7, constraints.size(key)) for key in keys if constraints.size(key)}
    assert len(two) > 2
    for key, count in two.items():
        first.upper.found().supersets.add(key, count)
    write_work(tmp_path / "work.npz", first)
    second.resume(read_work(tmp_path / "work.npz", *problem_of(second)))
    assert second.state.bounds.supersets.two == two


def test_what_was_counted_of_classes_is_in_the_work_file(tmp_path):
    wordlist, turns = exhaustive.random_list(10)
    first, second = (Solver(wordlist, lingo(turns)) for _ in range(2))
    bounds = first.upper.found()
    exhaustive.counted(bounds, [3, 7], int(bounds.evidence.bounds[[3, 7]].min()) - 1)
    exhaustive.counted(bounds, [11], 0)
    before = bounds.evidence.counted
    assert sorted(before) == [3, 7, 11]
    write_work(tmp_path / "work.npz", first)
    second.resume(read_work(tmp_path / "work.npz", *problem_of(second)))
    after = second.state.bounds.evidence.counted
    assert {opening: two.tolist() for opening, two in after.items()} == {
        opening: two.tolist() for opening, two in before.items()
    }


@pytest.mark.slow
def test_a_search_goes_on_from_its_work_file(tmp_path):
    wordlist, turns = exhaustive.random_list(29)
    whole = solved(wordlist, turns)
    left = [20]

    def check():
        left[0] -= 1
        if left[0] < 0 and first.state.bounds is not None:
            raise TimeIsUp

    first = Solver(wordlist, lingo(turns))
    assert not first.run(check) and first.state.bounds is not None
    write_work(tmp_path / "work.npz", first)
    second = Solver(wordlist, lingo(turns))
    second.resume(read_work(tmp_path / "work.npz", *problem_of(second)))
    assert (second.value, second.bound) == (first.value, first.bound)
    assert second.state.stages == first.state.stages and second.state.doubled == first.state.doubled
    assert second.run(lambda: None) and second.value == whole.value == second.bound
    verify(second.tree, wordlist)


def test_a_work_file_of_another_list_or_game_is_refused(tmp_path):
    wordlist, turns = exhaustive.random_list(18)
    write_work(tmp_path / "work.npz", solved(wordlist, turns))
    other, _ = exhaustive.random_list(21)
    with pytest.raises(CertificateError, match="search again or name another --out"):
        read_work(tmp_path / "work.npz", *problem_of(Solver(other, lingo(turns))))
    with pytest.raises(CertificateError, match=f"{turns + 1} turns"):
        read_work(tmp_path / "work.npz", *problem_of(Solver(wordlist, lingo(turns + 1))))


def test_a_damaged_work_file_is_refused_in_one_line(tmp_path):
    wordlist, turns = exhaustive.random_list(18)
    solver = solved(wordlist, turns)
    write_work(tmp_path / "work.npz", solver)
    whole = (tmp_path / "work.npz").read_bytes()
    for data in (b"", b"no zip", whole[: len(whole) // 2]):
        (tmp_path / "work.npz").write_bytes(data)
        with pytest.raises(CertificateError) as told:
            read_work(tmp_path / "work.npz", *problem_of(Solver(wordlist, lingo(turns))))
        assert "\n" not in str(told.value)

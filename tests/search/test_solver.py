"""Searches for the best strategy against plain recursion over every guess; what they keep; certificates."""

from dataclasses import replace

import exhaustive
import numpy as np
import pytest
import torch

from gpulingo.bounds.certificate import (
    CertificateError,
    certificate_arrays,
    parsed_certificate,
    read_arrays,
    read_certificate,
    write_arrays,
)
from gpulingo.bounds.checker import prove
from gpulingo.bounds.constraints import Facts
from gpulingo.games.catalogue import lingo
from gpulingo.search.resume import read_work, write_work
from gpulingo.search.solver import Solver, TimeIsUp
from gpulingo.search.stages import Stage
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.verify import verify
from gpulingo.words.listing import parse


def solved(wordlist, turns=5, **options):
    """A search that has been run to its end."""
    solver = Solver(wordlist, lingo(turns), **options)
    solver.proven = solver.run(lambda: None)
    return solver


def certificate_of(solver):
    return parsed_certificate(certificate_arrays(solver.wordlist, solver.bounds))


def proven_bound(solver, certificate):
    """The bound of a certificate, after it was checked to the last opening."""
    assert list(prove(encode(solver.wordlist.words), certificate))[-1] == len(solver.wordlist)
    return certificate.bound


def check_against_brute_force(seed, certified=True):
    wordlist, turns = exhaustive.random_list(seed)
    best = exhaustive.best_value(wordlist.words, turns)
    solver = solved(wordlist, turns)
    assert solver.proven and (solver.value, solver.bound) == (best, best)
    verify(solver.tree, wordlist)
    assert solver.tree.mean_points == 100 * best / len(wordlist)
    if certified:
        assert proven_bound(solver, certificate_of(solver)) == best


@pytest.mark.parametrize("seed", range(8))
def test_the_proven_optimum_is_that_of_brute_force(seed):
    check_against_brute_force(seed)


@pytest.mark.slow
def test_the_proven_optimum_is_that_of_brute_force_on_two_hundred_lists_more():
    for seed in range(100, 300):
        check_against_brute_force(seed, certified=seed % 5 == 0)


def test_the_best_of_a_tiny_list_is_what_anyone_can_count():
    """No guess tells all four apart: two are told apart by x, and one is found a turn later."""
    solver = solved(parse("aab\naac\naad\naae").of_length(3), 3)
    # A candidate leaves three words that only one more guess each can part: 3 + (2 + 1 + 1).
    assert solver.value == solver.bound == 3 + 2 + 1
    assert solver.tree.turn_counts() == [1, 1, 1]


def test_a_search_that_ran_out_of_time_still_bounds_the_best():
    wordlist, turns = exhaustive.random_list(29)
    best = exhaustive.best_value(wordlist.words, turns)
    for calls in (1, 5, 20, 60):
        left = [calls]

        def check(left=left):
            left[0] -= 1
            if left[0] < 0:
                raise TimeIsUp

        solver = Solver(wordlist, lingo(turns))
        solver.run(check)
        assert solver.value <= best <= solver.bound
        if solver.bounds is not None:
            assert proven_bound(solver, certificate_of(solver)) >= best


def test_a_gap_is_reached_when_no_opening_is_left_above_it():
    wordlist, turns = exhaustive.random_list(29)
    solver = Solver(wordlist, lingo(turns))
    assert solver.above(0) == len(wordlist)  # nothing is known yet
    best = exhaustive.best_value(wordlist.words, turns)
    for enough in (12, 6, 3, 0):
        assert solver.run(lambda: None, enough)
        assert solver.above(solver.value + enough) == 0 and solver.bound <= solver.value + enough
        assert solver.value <= best <= solver.bound
        bounds = solver.bounds.bounds.tolist()
        assert solver.above(solver.value - 1) == sum(bound >= solver.value for bound in bounds)


def test_every_opening_is_worth_at_most_its_bound():
    wordlist, turns = exhaustive.random_list(10)
    solver = solved(wordlist, turns)
    for opening in range(len(wordlist)):
        alone = Solver(wordlist, lingo(turns))
        value = alone._value(opening, alone._lookahead(dict.fromkeys(range(3, turns), len(wordlist)), None))
        assert value <= int(solver.bounds.bounds[opening])


def test_what_was_played_counts_for_a_stage_that_is_as_wide(tmp_path):
    wordlist, turns = exhaustive.random_list(10)
    narrow, wide, wider = (dict.fromkeys(range(3, turns), count) for count in (1, 2, 3))
    first = Solver(wordlist, lingo(turns), plan=[Stage(5, narrow), Stage(3, wide)])
    first.exact = False
    first._bounds()
    while first._play():
        pass
    assert len(first.played[0]) > len(first.played[1]) > 0
    write_work(tmp_path / "work.npz", first)
    second = Solver(wordlist, lingo(turns), plan=[Stage(4, wide), Stage(4, wider), Stage(4, narrow)])
    read_work(tmp_path / "work.npz", second)
    assert second.played == [first.played[1], {}, first.played[0]]


def test_what_was_found_of_larger_sets_is_in_the_work_file(tmp_path):
    wordlist, turns = exhaustive.random_list(10)
    first, second, third = (Solver(wordlist, lingo(turns)) for _ in range(3))
    facts = Facts(first.table)
    keys = [(0,), (1,), (0, 1), (2,)]
    found = {key: min(7, facts.size(key)) for key in keys if facts.size(key)}
    assert len(found) > 2
    for key, value in found.items():
        first._bounds()._larger.add(key, value)
    write_work(tmp_path / "work.npz", first)
    read_work(tmp_path / "work.npz", second)
    assert second.bounds.larger == found
    with np.load(tmp_path / "work.npz") as file:  # as older versions wrote it
        arrays = {name: file[name] for name in file.files if not name.startswith("larger")}
    arrays["format"][0] = 2
    np.savez(tmp_path / "old.npz", **arrays)
    read_work(tmp_path / "old.npz", third)
    assert third.bounds.larger == {}


def test_a_search_goes_on_from_its_work_file(tmp_path):
    wordlist, turns = exhaustive.random_list(29)
    whole = solved(wordlist, turns)
    left = [20]

    def check():
        left[0] -= 1
        if left[0] < 0:
            raise TimeIsUp

    first = Solver(wordlist, lingo(turns))
    assert not first.run(check) and first.bounds is not None
    write_work(tmp_path / "work.npz", first)
    second = Solver(wordlist, lingo(turns))
    read_work(tmp_path / "work.npz", second)
    assert (second.value, second.bound) == (first.value, first.bound)
    assert second.played == first.played and second.widths == first.widths
    assert second.run(lambda: None) and second.value == whole.value == second.bound
    verify(second.tree, wordlist)


def test_a_work_file_of_another_list_or_game_is_refused(tmp_path):
    wordlist, turns = exhaustive.random_list(18)
    write_work(tmp_path / "work.npz", solved(wordlist, turns))
    other, _ = exhaustive.random_list(21)
    with pytest.raises(CertificateError, match="search anew or name another --out"):
        read_work(tmp_path / "work.npz", Solver(other, lingo(turns)))
    with pytest.raises(CertificateError, match=f"{turns + 1} turns"):
        read_work(tmp_path / "work.npz", Solver(wordlist, lingo(turns + 1)))


def test_a_damaged_work_file_is_refused_in_one_line(tmp_path):
    wordlist, turns = exhaustive.random_list(18)
    solver = solved(wordlist, turns)
    write_work(tmp_path / "work.npz", solver)
    whole = (tmp_path / "work.npz").read_bytes()
    for data in (b"", b"no zip", whole[: len(whole) // 2]):
        (tmp_path / "work.npz").write_bytes(data)
        with pytest.raises(CertificateError) as told:
            read_work(tmp_path / "work.npz", Solver(wordlist, lingo(turns)))
        assert "\n" not in str(told.value)


def test_a_certificate_that_claims_less_than_the_best_is_refused():
    for seed in (10, 23, 28):
        wordlist, turns = exhaustive.random_list(seed)
        solver = solved(wordlist, turns)
        opening = int(solver.tree.guess[0])
        table = encode(wordlist.words)
        claim = certificate_of(solver)
        claim.bounds[opening] -= 1
        with pytest.raises(CertificateError, match=f"place {opening} "):
            list(prove(table, claim))
        # The same claim, now said to follow from smaller values of the classes.
        if opening in claim.searched:
            classes = claim.searched[opening].clone()
            classes[classes.argmax()] -= 1
            claim.searched[opening] = classes
            with pytest.raises(CertificateError, match=f"place {opening} "):
                list(prove(table, claim))


def test_a_certificate_with_claims_beyond_all_numbers_is_refused():
    wordlist, turns = exhaustive.random_list(10)
    solver = solved(wordlist, turns)
    claim, table = certificate_of(solver), encode(wordlist.words)
    opening = next(one for one, classes in claim.searched.items() if len(classes) > 3)
    most = torch.iinfo(torch.int64).max
    for some in ([most, most], [most, most, most, most], [-1], [-most - 1]):
        wrong = claim.searched[opening].clone()
        wrong[: len(some)] = torch.tensor(some)
        false = replace(claim, bounds=claim.bounds.clone(), searched=claim.searched | {opening: wrong})
        false.bounds[opening] = min(turns + int(wrong.sum()), int(claim.bounds[opening]) - 1)
        with pytest.raises(CertificateError, match=f"place {opening} "):
            list(prove(table, false))
    false = replace(claim, searched=claim.searched | {opening: claim.searched[opening][1:]})
    with pytest.raises(CertificateError, match=f"place {opening} of the list|place {opening} has"):
        list(prove(table, false))


def test_a_certificate_of_another_number_of_words_is_refused(tmp_path):
    wordlist, turns = exhaustive.random_list(10)
    solver = solved(wordlist, turns)
    write_work(tmp_path / "work.npz", solver)
    arrays = read_arrays(tmp_path / "work.npz")
    arrays["format"][2] -= 1
    for name in ("bounds", "looked", "twofold"):
        arrays[name] = arrays[name][1:]
    for name in ("near", "searched"):
        arrays |= {name + part: np.empty(0, dtype=np.int64) for part in ("", "_sizes", "_values")}
    write_arrays(tmp_path / "short.npz", arrays)
    with pytest.raises(CertificateError, match=f"{len(wordlist) - 1} words, its list {len(wordlist)}"):
        read_certificate(tmp_path / "short.npz", wordlist)
    with pytest.raises(CertificateError, match=f"{len(wordlist) - 1} words, its list {len(wordlist)}"):
        read_work(tmp_path / "short.npz", Solver(wordlist, lingo(turns)))


def test_the_number_of_threads_and_the_seed_change_nothing():
    wordlist, turns = exhaustive.random_list(28)
    before = torch.get_num_threads()
    try:
        trees = []
        for threads, seed in ((1, 0), (2, 0), (1, 7)):
            torch.set_num_threads(threads)
            trees.append(solved(wordlist, turns, seed=seed).tree)
    finally:
        torch.set_num_threads(before)
    assert trees[0] == trees[1] == trees[2]


def test_fewer_than_three_turns_are_left_to_build():
    with pytest.raises(ValueError, match="gpulingo build"):
        Solver(parse("aab\naac").of_length(3), lingo(2))

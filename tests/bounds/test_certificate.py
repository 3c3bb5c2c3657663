"""Certificates as arrays: written arrays are read back, others are refused."""

import io
import zipfile
from dataclasses import replace

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.arrays import (
    CertificateError,
    check_range,
    checked_row,
    read_arrays,
    write_arrays,
)
from gpulingo.bounds.certificate import (
    Certificate,
    certificate_arrays,
    certificate_of,
    merged,
    parsed_certificate,
    read_certificate,
)
from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import bounded_by, evaluate, proof_of
from gpulingo.bounds.state import bound_state
from gpulingo.games.catalogue import lingo
from gpulingo.optimise.solver import Solver, TimeIsUp
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.verify import verify


@pytest.fixture
def certified():
    """A list, its table and a certificate with evidence of every kind."""
    wordlist, turns = exhaustive.random_list(18)
    table = encode(wordlist.words)
    state = exhaustive.with_supersets(table, lingo(turns))
    state.apply(evaluate(state, [0, 1]))
    state.apply(bounded_by(state, np.arange(2, len(wordlist)), 0))
    state.apply(exhaustive.searched(state, 3))
    return wordlist, table, certificate_of(wordlist, state.game, state.evidence)


def test_a_certificate_is_read_back_as_it_was_written(certified):
    wordlist, _, certificate = certified
    three = {4: np.array([7, 5]), 9: np.array([3])}
    certificate = replace(certificate, evidence=replace(certificate.evidence, three_turns=three))
    arrays = certificate_arrays(certificate)
    assert arrays["format"].tolist() == [8, certificate.turns, len(wordlist)]
    assert arrays["game"].tobytes() == b"lingo"
    again = certificate_arrays(parsed_certificate(arrays))
    assert arrays.keys() == again.keys()
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
    evidence = certificate.evidence
    assert evidence.neighbours and evidence.supersets and evidence.searched and evidence.three_turns


def test_a_certificate_of_another_game_is_refused_in_one_line(certified, tmp_path):
    wordlist, _, certificate = certified
    arrays = certificate_arrays(certificate)
    write_arrays(tmp_path / "a.bounds.npz", arrays)
    game = certificate.game
    assert read_certificate(tmp_path / "a.bounds.npz", wordlist, game).game == game
    with pytest.raises(CertificateError, match=f"is for the game {game.code}, asked for is lingo9") as told:
        read_certificate(tmp_path / "a.bounds.npz", wordlist, lingo(9))
    assert "\n" not in str(told.value)
    arrays["game"] = np.frombuffer(b"chess", dtype=np.uint8)
    write_arrays(tmp_path / "b.bounds.npz", arrays)
    with pytest.raises(CertificateError, match="is for a game that is not known here") as told:
        read_certificate(tmp_path / "b.bounds.npz", wordlist)
    assert "\n" not in str(told.value)


SHAPES = [
    ({"format": [9, 5, 24]}, "has the format 9, this gpulingo reads 8"),
    ({"near": [0], "near_sizes": [1], "near_values": [99]}, "beyond"),
    ({"near": [0], "near_sizes": [2], "near_values": [1]}, "do not fit"),
    ({"searched": [-1], "searched_sizes": [0]}, "do not fit"),
    ({"twofold": [True]}, "twofold as bool .1., expected one row of"),
    ({"looked": 3}, "looked as int64 .., expected one row of"),
    ({"format": [np.inf, 5, 24]}, "format as float64"),
    ({"fingerprint": [[1]]}, "has a fingerprint that is not text"),
    ({"searched": [0], "searched_sizes": [24], "searched_values": np.empty((24, 0, 1), int)}, "24, 0, 1"),
    ({"larger": [3, 4]}, "larger sets"),
    ({"game": [[1]]}, "has game as int64"),
    ({"game": np.array([255, 1], dtype=np.uint8)}, "a game that is not known"),
    (
        {"searched": [4], "searched_sizes": [1], "searched_values": [1 << 60]},
        f"values of classes {1 << 60}, expected 0",
    ),
]


def test_a_certificate_of_another_shape_is_refused(certified):
    arrays = certificate_arrays(certified[2])
    parsed_certificate(arrays)
    for change, told in SHAPES:
        with pytest.raises(ValueError, match=told):
            parsed_certificate(arrays | {name: np.array(values) for name, values in change.items()})


@pytest.mark.parametrize("name", ["larger", "game"])
def test_no_array_may_be_missing(certified, name):
    arrays = certificate_arrays(certified[2])
    del arrays[name]
    with pytest.raises(ValueError, match=f"lacks {name}"):
        parsed_certificate(arrays)


def test_a_bound_beyond_what_all_words_are_worth_is_refused(certified, tmp_path):
    wordlist, _, certificate = certified
    arrays = certificate_arrays(certificate)
    arrays["bounds"][0] = certificate.turns * len(wordlist) + 1
    write_arrays(tmp_path / "a.bounds.npz", arrays)
    with pytest.raises(
        CertificateError, match=f"has bounds of .* {certificate.turns * len(wordlist)} at most"
    ):
        read_certificate(tmp_path / "a.bounds.npz", wordlist)


def test_numbers_out_of_range_and_rows_of_another_shape_are_refused():
    check_range("turns", [1, 5], 1, 5)
    with pytest.raises(ValueError, match="has turns 6, expected 1 to 5"):
        check_range("turns", [6, 2], 1, 5)
    with pytest.raises(ValueError, match=r"has row as int64 \[2\], expected one row of 3 of kind i"):
        checked_row("row", np.array([1, 2]), "i", 3)


def test_a_file_that_unpacks_to_too_much_is_refused_unread(tmp_path):
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("bounds.npy", "w") as member:
        for _ in range(9):
            member.write(bytes(1 << 20))
    with pytest.raises(CertificateError, match="declares 9,437,184 bytes in 1 arrays, the most is 1,048,576"):
        read_arrays(path, 1 << 20)


def test_a_shape_is_not_believed(tmp_path):
    header = io.BytesIO()
    shape = {"descr": "<i8", "fortran_order": False, "shape": (1 << 40,)}
    np.lib.format.write_array_header_1_0(header, shape)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
        file.writestr("bounds.npy", header.getvalue() + bytes(80))
    with pytest.raises(CertificateError, match=r"says that it is int64 \[1099511627776\], it has 80 bytes"):
        read_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 cut short"])
def test_what_is_no_npz_is_refused_in_one_line(tmp_path, data):
    (tmp_path / "a.npz").write_bytes(data)
    with pytest.raises(CertificateError, match="make it by `solve`") as told:
        read_arrays(tmp_path / "a.npz")
    assert "\n" not in str(told.value)


def cut_short(wordlist, turns, calls, *, tree=None, given=None, **options):
    """A search that is stopped after so many calls of its check."""
    left = [calls]

    def check():
        left[0] -= 1
        if left[0] < 0:
            raise TimeIsUp

    solver = Solver(wordlist, lingo(turns), **options)
    solver.begin_with(tree, given)
    solver.run(check)
    return solver


def certified_by(wordlist, state):
    return certificate_of(wordlist, state.game, state.evidence)


def partial(wordlist, turns):
    """Certificates of searches that stopped at different bounds by different methods."""
    exact, loose = (cut_short(wordlist, turns, calls) for calls in (60, 25))
    found = [certified_by(wordlist, loose.state.bounds), certified_by(wordlist, exact.state.bounds)]
    looked = cut_short(wordlist, turns, 25)
    state = looked.state.bounds
    state.apply(evaluate(state, list(range(0, len(wordlist), 2))))
    state.apply(bounded_by(state, np.arange(1, len(wordlist), 2), 0))
    exhaustive.counted(state, list(range(5, len(wordlist), 5)), 0)
    return [*found, certified_by(wordlist, state)]


def test_the_merged_bounds_are_the_smallest_and_follow_from_what_is_named(game):
    wordlist, table, rules, best = game
    turns = rules.turns
    some = partial(wordlist, turns)
    for order in (some, some[::-1], some[1:]):
        one = merged(order)
        assert np.array_equal(one.bounds, np.min([each.bounds for each in order], axis=0))
        assert bool((one.bounds >= best).all())
        again = parsed_certificate(certificate_arrays(one))
        assert list(prove(table, again))[-1] == len(wordlist)
    assert merged([some[0], some[0]]) is some[0]


def test_a_search_that_begins_with_what_is_known_ends_with_no_less_wherever_it_ends(game):
    wordlist, _, rules, best = game
    turns = rules.turns
    optimum = int(best.max())
    before = cut_short(wordlist, turns, 40)
    given = certified_by(wordlist, before.state.bounds)
    for calls in (0, 3, 30, 10_000):
        solver = cut_short(wordlist, turns, calls, tree=before.tree, given=given)
        assert before.value <= solver.value <= optimum <= solver.bound <= given.bound
        verify(solver.tree, wordlist)
        proof = proof_of(wordlist, solver.state.bounds, solver.state.given)
        assert proof.bound <= given.bound and max(proof.bound, solver.value) == solver.bound
        assert list(prove(encode(wordlist.words), proof))[-1] == len(wordlist)
    assert solver.value == solver.bound == optimum


def test_a_certificate_below_what_a_tree_has_is_dropped(game):
    wordlist, _, rules, best = game
    turns = rules.turns
    given = certified_by(wordlist, cut_short(wordlist, turns, 40).state.bounds)
    given.bounds[:] = 1
    solver = cut_short(wordlist, turns, 10**9, given=given)
    assert solver.state.given is None and solver.state.bounds.given is None
    assert solver.value == solver.bound == int(best.max())


def test_an_opening_that_others_rest_on_stays_what_it_was():
    """A neighbour that is bounded by two guesses stays so if its own bound later has another source."""
    wordlist, table, rules, _ = exhaustive.made(10)
    nothing = bound_state(table, rules).evidence
    twofold, lower = nothing.two_guesses.copy(), nothing.bounds.copy()
    twofold[3] = True
    lower[3] -= 1
    first = replace(nothing, two_guesses=twofold, neighbours={5: [3]})
    both = [
        Certificate(wordlist.fingerprint, rules, each) for each in (first, replace(nothing, bounds=lower))
    ]
    evidence = merged(both).evidence
    assert bool(evidence.two_guesses[3]) and evidence.neighbours == {5: [3]}

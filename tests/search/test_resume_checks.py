"""Work files and certificates that were changed by hand: what is refused, and that nothing false passes."""

import io
import zipfile

import exhaustive
import numpy as np
import pytest

from gpulingo.bounds.arrays import CertificateError, read_arrays, write_arrays
from gpulingo.bounds.certificate import certificate_of, read_certificate
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import lingo
from gpulingo.search.resume import read_work, write_work
from gpulingo.search.resume_checks import most_bytes
from gpulingo.search.solver import Solver, TimeIsUp
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import parsed_tree, tree_bytes


@pytest.fixture(scope="module")
def game():
    """A list, the number of turns, and the best value."""
    wordlist, turns = exhaustive.random_list(29)
    return wordlist, turns, exhaustive.best_value(wordlist.words, turns)


@pytest.fixture(scope="module")
def arrays(game, tmp_path_factory):
    """The work file of a search that was stopped on its way, an opening or more evaluated."""
    wordlist, turns, _ = game
    left = [150]

    def check():
        left[0] -= 1
        bounds = solver.state.bounds
        if left[0] < 0 and bounds is not None and bounds.evidence.evaluated:  # the clock says when
            raise TimeIsUp

    solver = Solver(wordlist, lingo(turns))
    solver.run(check)
    path = tmp_path_factory.mktemp("work") / "whole.npz"
    write_work(path, solver)
    return read_arrays(path)


def read_back(arrays, game, folder):
    """A search that goes on from these arrays."""
    wordlist, turns, _ = game
    write_arrays(folder / "a.work.npz", arrays)
    solver = Solver(wordlist, lingo(turns))
    solver.resume(read_work(folder / "a.work.npz", solver.problem, solver.state.stages.plan))
    return solver


def at(name, place, value):
    """A change of one number of an array."""

    def change(arrays):
        made = arrays[name].copy()
        made.reshape(-1)[place] = value
        return {name: made}

    return change


def counted(values=(3,), at_opening=0):
    """Where one class of every opening is counted: what is said of those of one opening."""

    def change(arrays):
        lists = {"": [at_opening], "_sizes": [len(values)], "_values": values}
        looked = {"looked": np.ones_like(arrays["looked"])}
        return looked | {f"counted{part}": np.array(numbers) for part, numbers in lists.items()}

    return change


def low_bound(arrays):
    """A bound of 1 for an opening that is not the tree's."""
    opening = parsed_tree(arrays["tree"].tobytes()).guess[0]
    return at("bounds", int(opening == 0), 1)(arrays)


def other_tree(arrays):
    """The tree, its first two leaves exchanged, so that each stands after the marks of the other."""
    tree = parsed_tree(arrays["tree"].tobytes())
    guess, leaves = list(tree.guess), [n for n in range(len(tree)) if tree.first[n] == tree.first[n + 1]]
    one, other = leaves[0], leaves[1]
    guess[one], guess[other] = guess[other], guess[one]
    return {"tree": np.frombuffer(tree_bytes(tree.replaced(guess=guess)), dtype=np.uint8)}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (at("of_list", 3, 1), "has other numbers of classes than its list"),
        (lambda some: {"of_list": some["of_list"].astype(float)}, "has of_list as float64"),
        (lambda some: {"of_list": some["of_list"][1:]}, "has of_list as int64"),
        (low_bound, "has bounds that no opening of its list can have"),
        (at("bounds", 0, 1 << 62), f"has bounds {1 << 62}, expected 0 to"),
        (at("bounds", 0, -1), "has bounds -1, expected 0 to"),
        (at("looked", 0, 1 << 20), f"has looked {1 << 20}, expected 0 to"),
        (at("format", 1, 1 << 40), f"has turns {1 << 40}, expected 1 to 255"),
        (at("seen_values", 0, 1 << 50), "has seen of"),
        (at("seen_values", 0, -3), "has seen of"),
        (at("seen", 0, 10**6), "has arrays seen that do not fit"),
        (at("seen_sizes", 0, 1 << 62), "has arrays seen that do not fit"),
        (counted(at_opening=10**6), "has arrays counted that do not fit"),
        (counted(values=(3, 3)), "has numbers of counted classes of opening 0 2, expected 0 to 1"),
        (counted(values=(0,)), "has counts of classes 0, expected 1 to"),
        (counted(values=(1 << 50,)), f"has counts of classes {1 << 50}, expected 1 to"),
        (at("value", 0, 3), "has the value 3, its tree of"),
        (lambda some: {"tree": some["tree"][:0]}, "without a tree"),
        (lambda some: {"tree": some["tree"][:50]}, "has a tree that does not hold"),
        (other_tree, "has a tree that does not hold"),
        (lambda some: {"doubled": np.array([[10**6, 4]])}, "has openings that were searched 1000000"),
        (lambda some: {"doubled": np.array([[0, 32]])}, "has doubled limits 32, expected 1 to 31"),
        (lambda some: {"doubled": np.array([4, 4])}, "has doubled as int64 [2], expected [any, 2] of kind i"),
        (lambda some: {"played": np.array([[0, -1, 5]])}, "has openings that were played -1, expected 0 to"),
        (lambda some: {"played": np.array([[0, 1, 10**9]])}, "has values that were played 1000000000"),
        (lambda some: {"plan": np.array([[0, 99, 5]])}, "has turns of stages 99, expected 1 to"),
        (at("exact", 0, 7), "has exact 7, expected -1 to 2"),
        (at("seconds", 0, np.nan), "has seconds [nan"),
        (
            lambda some: {"larger": np.array([[5, 3]]), "larger_found": np.array([2])},
            "has a larger set [5, 3] of which two turns find 2",
        ),
        (lambda some: {"larger": np.array([[1 << 30]])}, f"has larger sets of constraints up to {1 << 30}"),
        (
            lambda some: {"near": np.array([0]), "near_sizes": np.array([1]), "near_values": np.array([1])}
            | {f"{name}{part}": np.empty(0, np.int64) for name in ("seen", "three") for part in
               ("", "_sizes", "_values")},
            "names openings that were not seen",
        ),
    ],
)  # fmt: skip
def test_a_work_file_that_was_changed_is_refused(arrays, game, tmp_path, change, said):
    with pytest.raises(CertificateError) as told:
        read_back(arrays | change(arrays), game, tmp_path)
    text = str(told.value)
    assert said in text and text.startswith(f"{tmp_path}/a.work.npz ") and "\n" not in text


def test_a_bound_below_what_the_tree_has_is_refused(arrays, game, tmp_path):
    opening = int(parsed_tree(arrays["tree"].tobytes()).guess[0])
    low = at("bounds", opening, int(arrays["value"][0]) - 1)(arrays)
    with pytest.raises(CertificateError, match="bound of its opening below"):
        read_back(arrays | low, game, tmp_path)


def test_a_work_file_of_the_version_before_is_read(arrays, game, tmp_path):
    lacked = ("doubled", "counted", "counted_sizes", "counted_values")
    before = {name: array for name, array in arrays.items() if name not in lacked}
    before |= at("format", 0, 4)(arrays) | at("exact", 0, 2)(arrays) | {"widths": np.array([[0, 256]])}
    solver = read_back(before, game, tmp_path)
    assert solver.state.exact is True and solver.state.doubled == {}
    assert solver.run(lambda: None) and solver.value == game[2]
    certificate = certificate_of(game[0], solver.problem.game, solver.state.bounds.evidence)
    assert list(prove(encode(game[0].words), certificate))[-1] == len(game[0])


def test_bounds_that_were_made_up_prove_nothing(arrays, game, tmp_path):
    """A search believes possible bounds, and may end with them; the check of its certificate does not."""
    wordlist, _, best = game
    untold = {"tree": arrays["tree"][:0], "value": np.zeros(1, dtype=np.int64)}
    solver = read_back(arrays | untold | {"bounds": arrays["bounds"].clip(max=best - 1)}, game, tmp_path)
    assert solver.run(lambda: None)
    certificate = certificate_of(wordlist, solver.problem.game, solver.state.bounds.evidence)
    assert certificate.bound == best - 1
    with pytest.raises(CertificateError, match="what is named for it gives"):
        list(prove(encode(wordlist.words), certificate))


@pytest.mark.slow
def test_a_file_that_unpacks_to_too_much_is_refused_unread(game, tmp_path):
    wordlist, _, _ = game
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("bounds.npy", "w") as member:
        for _ in range(257):
            member.write(bytes(1 << 20))
    assert path.stat().st_size < 1 << 20
    for read in (lambda: read_certificate(path, wordlist), lambda: read_arrays(path, 1 << 20)):
        with pytest.raises(CertificateError, match="it declares 269,484,032 bytes in 1 arrays, the most is"):
            read()


def test_a_shape_is_not_believed(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i8", "fortran_order": False, "shape": (1 << 40,)}
    )
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
        file.writestr("bounds.npy", header.getvalue() + bytes(80))
    with pytest.raises(
        CertificateError, match=r"an array says that it is int64 \[1099511627776\], it has 80 bytes"
    ):
        read_arrays(tmp_path / "a.npz")


def test_what_may_be_unpacked_grows_with_the_list():
    assert most_bytes(22) < 1 << 25 < most_bytes(5000) < most_bytes(50_655) == 1 << 32

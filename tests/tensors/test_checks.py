"""Errors of operations and their messages: every check, on every backend."""

import pytest
import torch

from gpulingo.tensors.checks import code_type, narrowest
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import encode

TABLE = encode(["able", "bale", "cafe", "dare", "earl"])


def ints(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


def longs(*numbers):
    return torch.tensor(numbers, dtype=torch.int64)


SETS = frontier([ints(0, 1, 2), ints(3, 4)])
PARTS = Objective(longs(0, 1, 1, 1, 1, 1), bonus=1)


def told(kind, call):
    """The one-line message of a call's error, which must be of exactly this kind."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind and "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("members", "offsets", "said"),
    [
        (longs(0, 1), longs(0, 2), "members is torch.int64 [2], expected [M] int32"),
        (ints(0, 1), ints(0, 2), "offsets is torch.int32 [2], expected [S + 1] int64"),
        (ints(0, 1), longs(0), "0 sets of 2 members in total, expected at least one in each"),
        (ints(), longs(0, 0), "1 sets of 0 members in total, expected at least one in each"),
        (ints(0, 1), longs(1, 2), "offsets go from 1 to 2, expected 0 to 2, the number of members"),
        (ints(0, 1), longs(0, 3), "offsets go from 0 to 3, expected 0 to 2, the number of members"),
        (ints(0, 1), longs(0, 1, 1, 2), "offsets do not rise, expected at least one member in each set"),
        (ints(-1, 1), longs(0, 2), f"members go from -1 to 1, expected indices of 0 to {2**31 - 1}"),
        (ints(1, 0), longs(0, 2), "members do not rise inside each set: sort them, take each word once"),
        (
            ints(0, 1, 1),
            longs(0, 1, 3),
            "members do not rise inside each set: sort them, take each word once",
        ),
    ],
)
def test_what_is_no_frontier_is_told(members, offsets, said):
    assert told(ValueError, lambda: Frontier(members, offsets)) == said


@pytest.mark.parametrize(
    ("kind", "sets", "said"),
    [
        (ValueError, [], "no candidate sets, expected at least one"),
        (ValueError, [ints(1), ints()], "an empty candidate set, expected at least one word in each"),
        (ValueError, [longs(0, 1 << 32)], f"members go from 0 to {1 << 32}, expected indices of 0 to"),
        (ValueError, [ints(2, 1)], "members do not rise inside each set"),
        (TypeError, [[0, 1]], "a candidate set is of type list, expected a tensor"),
    ],
)
def test_what_cannot_be_joined_to_a_frontier_is_told(kind, sets, said):
    assert told(kind, lambda: frontier(sets)).startswith(said)


def test_only_sets_that_there_are_can_be_taken():
    assert told(ValueError, lambda: SETS.take(longs(2))) == "sets holds 2, expected 0 to 1"
    assert told(ValueError, lambda: SETS.take(longs(-1, 0))) == "sets holds -1, expected 0 to 1"
    assert told(ValueError, lambda: SETS.take(ints(0))) == "sets is torch.int32 [1], expected [R] int64"
    assert SETS.take(longs()).sets == 0
    for at in (-1, 2):
        assert told(IndexError, lambda at=at: SETS.candidates(at)) == f"set {at} of 2: sets are 0 to 1"


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        (ValueError, {"frontier": frontier([ints(5)])}, "frontier holds word 5, the table ends at 4"),
        (ValueError, {"pool": ints(0, 5)}, "pool holds 5, expected 0 to 4"),
        (ValueError, {"pool": ints(3, 1)}, "pool does not rise, expected ascending indices: sort it, take"),
        (ValueError, {"pool": longs(0, 1)}, "pool is torch.int64 [2], expected [P] int32"),
        (ValueError, {"pool": ints(0, 1).to("meta")}, "pool is torch.int32 [2], expected [P] int32"),
        (ValueError, {"width": 0}, "width is 0, expected at least 1"),
        (ValueError, {"width": 1 << 40}, f"width is {1 << 40} for 2 sets of 5 words, expected no"),
        (
            ValueError,
            {"objective": Objective(longs(0, 1, 2))},
            "a set of 3 words, the objective's table ends at 2",
        ),
        (TypeError, {"pool": [0, 1]}, "pool is of type list, expected a tensor"),
    ],
)
def test_what_cannot_be_ranked_is_told(kind, change, said):
    names = {"table": TABLE, "frontier": SETS, "pool": TABLE.pool, "objective": PARTS, "width": 1} | change
    assert told(kind, lambda: rank(**names)).startswith(said)


@pytest.mark.parametrize(
    ("kind", "sets", "guesses", "said"),
    [
        (ValueError, SETS, ints(0), "guesses is torch.int32 [1], expected [2] int32"),
        (ValueError, SETS, longs(0, 1), "guesses is torch.int64 [2], expected [2] int32"),
        (ValueError, SETS, ints(0, 5), "guesses holds 5, expected 0 to 4"),
        (ValueError, frontier([ints(9)]), ints(0), "frontier holds word 9, the table ends at 4"),
        (TypeError, SETS, [0, 1], "guesses is of type list, expected a tensor"),
    ],
)
def test_what_cannot_be_split_is_told(kind, sets, guesses, said):
    assert told(kind, lambda: split(TABLE, sets, guesses)) == said


def test_a_list_is_no_table_of_an_objective():
    assert "table is of type list" in told(TypeError, lambda: Objective(table=[0, 1]))


class Elsewhere(torch.Tensor):
    """A tensor that claims to be on a GPU."""

    device = torch.device("cuda:0")


def test_tensors_on_two_devices_are_told():
    far = ints(0, 1).as_subclass(Elsewhere)
    said = "lies on cuda:0, expected cpu: move it there with .to"
    assert told(ValueError, lambda: rank(TABLE, SETS, far, PARTS)) == f"pool {said}"
    assert told(ValueError, lambda: split(TABLE, SETS, far)) == f"guesses {said}"
    front = Frontier.unchecked(far, longs(0, 2), 2)
    assert told(ValueError, lambda: rank(TABLE, front, None, PARTS)) == f"frontier {said}"


def test_patterns_take_32_bits_up_to_19_letters_and_64_up_to_39():
    assert [code_type(length) for length in (19, 20, 39)] == ["int32", "int64", "int64"]
    with pytest.raises(ValueError, match=r"^words of 40 letters, expected at most 39"):
        code_type(40)


def test_sets_are_joined_in_order():
    front = frontier([torch.tensor([4, 7, 9]), torch.tensor([0]), torch.tensor([1, 2])])
    assert front.members.tolist() == [4, 7, 9, 0, 1, 2]
    assert front.offsets.tolist() == [0, 3, 4, 6]
    assert (front.sets, front.sizes.tolist()) == (3, [3, 1, 2])
    assert front.owners.tolist() == [0, 0, 0, 1, 2, 2]
    assert front.firsts.tolist() == [4, 0, 1]
    assert [front.candidates(s).tolist() for s in range(3)] == [[4, 7, 9], [0], [1, 2]]
    assert (front.members.dtype, front.firsts.dtype) == (torch.int32, torch.int32)
    assert (front.offsets.dtype, front.sizes.dtype, front.owners.dtype) == (torch.int64,) * 3


@pytest.mark.parametrize(
    ("table", "largest", "counts", "complete"),
    [
        ([0, 1, 1, 1], False, True, True),
        ([0, 1, 1, 1], True, False, True),
        ([0, 1, 2, 3], False, False, True),
        ([0, 1, 2, 4], False, False, False),
        ([0, 0, 0, 0], False, False, True),
        ([0, -1, -1, -4], False, False, False),
        ([0, -1, -1, -1], True, False, True),
        ([0, -2, -1, -3], True, False, False),
        ([0, 1], False, True, True),
        ([0], False, True, True),
    ],
)
def test_an_objective_knows_what_kernels_may_leave_out(table, largest, counts, complete):
    way = Objective(torch.tensor(table), largest=largest)
    assert (way.counts_classes, way.complete_is_best) == (counts, complete)


@pytest.mark.parametrize(
    ("table", "bonus", "said"),
    [
        (torch.zeros(3), 0, r"objective table is torch.float32 \[3\], expected \[n \+ 1\] int64"),
        (torch.zeros(0, dtype=torch.int64), 0, r"objective table is int64 \[0\]"),
        (torch.tensor([1, 1]), 0, r"table\[0\] is 1, bonus 0: expected 0 and at least 0"),
        (torch.tensor([0, 1]), -1, r"table\[0\] is 0, bonus -1: expected 0 and at least 0"),
    ],
)
def test_what_is_no_objective_is_told(table, bonus, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        Objective(table, bonus)


@pytest.mark.parametrize(
    ("most", "kind"),
    [(0, "uint8"), (255, "uint8"), (256, "int16"), (32767, "int16"), (32768, "int32"), (1 << 40, "int32")],
)  # fmt: skip
def test_the_narrowest_type_that_holds_a_number_is_the_first_of_them(most, kind):
    assert narrowest(most, "uint8", "int16", "int32") == kind

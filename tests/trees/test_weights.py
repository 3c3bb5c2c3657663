"""Trees of lists with weights: they carry these, and a list without them is weighed by what it is handed."""

import pytest

from gpulingo.storage.npz import npy, pack, unpack
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import (
    CheckpointError,
    check_fits,
    read_checkpoint,
    tree_bytes,
    write_checkpoint,
)
from gpulingo.trees.tree import ARRAYS
from gpulingo.trees.verify import verify


@pytest.fixture
def heavy(words22):
    """The 22 words, of which the first 20 are targets, the first of weight 5, the second of 0."""
    some = words22.with_targets(words22.words[:20])
    return some.with_weights(dict(zip(some.targets, [5, 0, *[1] * 18], strict=True)), "w.tsv")


def test_a_tree_carries_the_weights_of_its_list(tmp_path, heavy):
    tree = simulate(heavy).tree
    write_checkpoint(tree, tmp_path / "a.npz")
    back = read_checkpoint(tmp_path / "a.npz")
    assert back == tree and list(back.weights) == heavy.weights and back.total_weight == 23
    check_fits(back, heavy)
    plain = heavy.weighed(None, "")
    assert verify(back, plain) == verify(back, heavy)  # it brings its weights along
    others = [5, 1, *[1] * 18, 0, 0]
    for words in (heavy.weighed(others, "o.tsv"), heavy.with_targets(heavy.words)):
        with pytest.raises(CheckpointError, match=r"^checkpoint is for list"):
            check_fits(back, words)
    with pytest.raises(CheckpointError, match=r"^checkpoint is for list"):
        check_fits(simulate(plain).tree, heavy)
    # What the header says of the list does not do: neither other weights nor none.
    for lie in ([*others], [5, 0, *[1] * 18, 0, 1], None):
        said = tree.replaced(weights=lie, mean_points=None)
        for words in (heavy, plain):
            with pytest.raises(CheckpointError, match=r"^checkpoint is for list"):
                check_fits(said, words)
    assert tree != tree.replaced(weights=others) and tree != tree.replaced(weights=None)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1] * 21, "is not an array of 22 <i4"),
        ([-1, *[1] * 21], "has 22 weights, expected 22 of 0 or more"),
        ([0] * 22, "has a total weight of 0, expected 1 to 16777216"),
        ([1 << 24, *[1] * 21], "has a total weight of 16777237, expected 1 to 16777216"),
        ([5, *[1] * 21], "mean points, its nodes give"),
    ],
)
def test_weights_that_no_list_has_are_refused(tmp_path, heavy, weights, said):
    data = tree_bytes(simulate(heavy).tree)
    members = unpack(data, ("header", *ARRAYS), ("weights",))
    assert list(members) == ["header", *ARRAYS, "weights"]
    members["weights"] = npy(weights, "i4")
    (tmp_path / "a.npz").write_bytes(pack(list(members.items())))
    assert said in refusal(tmp_path / "a.npz")
    with pytest.raises(CheckpointError, match=said):
        write_checkpoint(simulate(heavy).tree.replaced(weights=weights), tmp_path / "b.npz")


def test_a_guess_outside_the_list_of_a_tree_with_weights_is_told(tmp_path, heavy):
    members = unpack(tree_bytes(simulate(heavy).tree), ("header", *ARRAYS), ("weights",))
    guesses = list(memoryview(members["guess"])[128:].cast("i"))
    members["guess"] = npy([*guesses[:-1], 99], "i4")
    (tmp_path / "a.npz").write_bytes(pack(list(members.items())))
    assert "has guesses outside a list of 22 words" in refusal(tmp_path / "a.npz", thorough=False)


def refusal(path, **how):
    with pytest.raises(CheckpointError) as caught:
        read_checkpoint(path, **how)
    return str(caught.value)

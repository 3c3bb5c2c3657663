"""Which checkpoint is used where several are kept for a list."""

import itertools
from pathlib import Path

import pytest

from gpulingo.trees.checkpoint import file_name, tree_bytes
from gpulingo.trees.kept import kept_paths, kept_trees, path_of_best
from gpulingo.trees.tree import Tree


@pytest.fixture
def keep(tmp_path, words22):
    """A function that keeps a tree, or any bytes, in a folder, and gives the path."""

    def kept(folder, what):
        (tmp_path / folder).mkdir(exist_ok=True)
        path = tmp_path / folder / file_name("lingo", 5, words22.fingerprint)
        path.write_bytes(tree_bytes(what) if isinstance(what, Tree) else what)
        return str(path)

    return kept


def folders(tmp_path, names="abc"):
    return [str(tmp_path / name) for name in names]


def with_bound(tree, bound):
    tree.bound = bound
    return tree


def test_most_points_come_first_then_the_lower_bound_then_the_folder(tmp_path, words22, grown, keep):
    trees = [grown(words22, opening=at) for at in (0, 5)]
    worse, better = sorted(trees, key=lambda tree: tree.mean_points)
    assert worse.mean_points < better.mean_points
    for order in itertools.permutations("abc"):
        worst = keep(order[0], worse)
        loose = keep(order[1], with_bound(better, None))
        tight = keep(order[2], with_bound(better, 480.0))
        assert list(kept_trees(words22, folders(tmp_path))[0]) == [tight, loose, worst]
    same = [keep(name, better) for name in "abc"]
    assert list(kept_trees(words22, folders(tmp_path, "cab"))[0]) == [same[2], same[0], same[1]]


def test_one_file_in_two_folders_is_one(tmp_path, words22, grown, keep):
    path = keep("a", grown(words22))
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert kept_paths(words22, folders(tmp_path)) == [path]
    (tmp_path / "c" / Path(path).name).mkdir(parents=True)  # no file
    assert kept_paths(words22, [*folders(tmp_path), f"{tmp_path}/b/../a"]) == [path]
    assert kept_paths(words22, folders(tmp_path), ".bounds.npz") == []


def test_what_is_damaged_or_of_another_list_is_passed_over_in_a_line_that_names_it(
    tmp_path, words22, grown, keep
):
    tree = grown(words22)
    good = keep("b", tree)
    other = grown(words22, fingerprint=words22.fingerprint[:12] + "0" * 52)
    remedy = "replace it with `gpulingo build --length 5 --folder"
    for what, said in (
        (tree_bytes(tree)[:-1], "has a damaged end"),
        (b"", "ends before"),
        (other, "is for list"),
    ):
        path = keep("a", what)
        trees, (fault,) = kept_trees(words22, folders(tmp_path))
        assert (list(trees), fault.count("\n")) == ([good], 0)
        assert path in fault and said in fault
        assert remedy in fault or "rebuild with" in fault


def test_the_best_is_one_of_the_turns_that_are_asked_for(tmp_path, words22, grown, keep):
    short, long = keep("a", grown(words22, turns=4)), keep("b", grown(words22, turns=5))
    trees, faults = kept_trees(words22, folders(tmp_path))
    assert [path_of_best(trees, turns) for turns in (4, 5, 6)] == [short, long, None]
    assert faults == [] and path_of_best({}, 5) is None

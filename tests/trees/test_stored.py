"""Which checkpoint is used where several are kept for a list."""

import itertools
from pathlib import Path

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.storage.files import file_name
from gpulingo.trees.checkpoint import stored_paths, stored_trees, tree_bytes
from gpulingo.trees.tree import Tree


@pytest.fixture
def keep(tmp_path, words22):
    """A function that keeps a tree, or any bytes, in a folder, and gives the path."""

    def kept(folder, what, game="lingo5"):
        (tmp_path / folder).mkdir(exist_ok=True)
        path = tmp_path / folder / file_name(game, 5, words22.fingerprint)
        path.write_bytes(tree_bytes(what) if isinstance(what, Tree) else what)
        return str(path)

    return kept


def folders(tmp_path, names="abc"):
    return [str(tmp_path / name) for name in names]


def test_most_points_come_first_then_the_lower_bound_then_the_folder(tmp_path, words22, grown, keep):
    trees = [grown(words22, opening=at) for at in (0, 5)]
    worse, better = sorted(trees, key=lambda tree: tree.mean_points)
    assert worse.mean_points < better.mean_points
    for order in itertools.permutations("abc"):
        worst = keep(order[0], worse)
        loose = keep(order[1], better)
        tight = keep(order[2], better.replaced(bound=480.0))
        assert list(stored_trees(words22, lingo(), folders(tmp_path))[0]) == [tight, loose, worst]
    same = [keep(name, better) for name in "abc"]
    assert list(stored_trees(words22, lingo(), folders(tmp_path, "cab"))[0]) == [same[2], same[0], same[1]]


def test_one_file_in_two_folders_is_one(tmp_path, words22, grown, keep):
    path = keep("a", grown(words22))
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert stored_paths(words22, lingo(), folders(tmp_path)) == [path]
    (tmp_path / "c" / Path(path).name).mkdir(parents=True)  # no file
    assert stored_paths(words22, lingo(), [*folders(tmp_path), f"{tmp_path}/b/../a"]) == [path]
    assert stored_paths(words22, lingo(), folders(tmp_path), ".bounds.npz") == []


def test_what_is_damaged_or_of_another_list_is_passed_over_in_a_line_that_names_it(
    tmp_path, words22, grown, keep
):
    tree = grown(words22)
    good = keep("b", tree)
    other = grown(words22, fingerprint=words22.fingerprint[:12] + "0" * 52)
    remedy = "replace it with `gpulingo simulate --length 5 --save"
    for what, said in (
        (tree_bytes(tree)[:-1], "has a damaged end"),
        (b"", "ends before"),
        (other, "is for list"),
    ):
        path = keep("a", what)
        trees, (fault,) = stored_trees(words22, lingo(), folders(tmp_path))
        assert (list(trees), fault.count("\n")) == ([good], 0)
        assert path in fault and said in fault
        assert remedy in fault or "make it again with" in fault


def test_trees_of_one_game_are_looked_for(tmp_path, words22, grown, keep):
    short = keep("a", grown(words22, turns=4), "lingo4")
    long = keep("a", grown(words22, turns=5))
    for game, paths in ((lingo(4), [short]), (lingo(5), [long]), (lingo(6), [])):
        trees, faults = stored_trees(words22, game, folders(tmp_path))
        assert (list(trees), faults) == (paths, [])


def test_a_name_of_another_game_than_the_header_is_told(tmp_path, words22, grown, keep):
    path = keep("a", grown(words22, turns=4))
    trees, (fault,) = stored_trees(words22, lingo(), folders(tmp_path))
    assert trees == {}
    assert fault.startswith(
        f"checkpoint {path} is for lingo4, not lingo5; replace it with `gpulingo simulate"
    )

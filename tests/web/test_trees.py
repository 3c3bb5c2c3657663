"""What is told of kept trees: the figures of their headers, of the commands and of the documents."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.games.catalogue import find_game
from gpulingo.games.rules import typed
from gpulingo.report.values import of_tree
from gpulingo.web.requests import RequestError

from .conftest import kept


@pytest.mark.slow
def test_the_trees_of_the_embedded_list_are_told_with_the_figures_of_their_headers(atlas):
    told = atlas.kept.told()
    assert (told["notes"], told["none"]) == ([], "")
    lengths = {"wordle6": (5,), "wordle-hard6": (5,), "lingo5": range(4, 14), "hangman6": range(4, 14)}
    assert [(own["game"], own["length"]) for own in told["trees"]] == [
        (code, length) for code, own in lengths.items() for length in own
    ]
    for own in told["trees"]:
        tree, _ = kept(own["length"], own["game"])
        values = of_tree(tree)
        assert own["cells"].items() >= values.cells(tree.mean_points, tree.lost).items()
        assert (own["bound"], own["lost"]) == (values.bound(tree.bound), tree.lost)
        assert own["optimal"] == (tree.bound == tree.mean_points) == (own["gap"] == "✓ proven best")
        assert own["share"] == pytest.approx(values.figure(tree.mean_points) / values.figure(tree.bound))
        assert own["turns"] == tree.turn_counts()


@pytest.mark.slow
def test_the_figures_are_those_of_the_table_of_checkpoints(atlas):
    page = Path(__file__).parents[2].joinpath("checkpoints", "README.md").read_text(encoding="utf-8")
    for own in atlas.kept.told()["trees"]:
        (line,) = (line for line in page.splitlines() if f" {own['file']} |" in line)
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        turns = " ".join(f"{count:,}" for count in own["turns"])
        if own["game"] == "hangman6":
            assert [own["cells"]["won"], own["cells"]["won, %"], own["bound"]] == cells[2:]
        elif own["game"] == "lingo5":
            assert [own["cells"]["mean points"], own["bound"]] == [f"{float(cells[n]):.3f}" for n in (3, 6)]
            assert turns == cells[4]
        else:
            figures = [own["cells"][name] for name in ("total guesses", "mean guesses")]
            assert [own["opening"], *figures, turns, str(own["lost"])] == cells[2:] and own["optimal"]


@pytest.mark.slow
def test_the_figures_are_those_of_verify(atlas):
    for own in atlas.kept.told()["trees"]:
        if own["length"] in (5, 13):
            name, rule = typed(find_game(own["game"]))
            line = ["prove", "--tree-only", str(own["length"]), "--game", f"{name}{len(own['turns'])}"]
            done = CliRunner().invoke(app, [*line, *rule.split()])
            assert all(cell in done.output for cell in own["cells"].values() if own["game"] == "lingo5")
            assert all(f"{count:,}" in done.output for count in own["turns"])


def test_a_damaged_tree_is_told_and_passed_over(small):
    from gpulingo.storage.files import file_name

    words = small.kept.lists.every(5)
    Path(file_name("lingo5", 5, words.fingerprint)).write_bytes(b"PK damaged")
    told = small.kept.told()
    assert told["trees"] == [] and "lingo5-5-" in told["notes"][0]


def test_of_a_list_without_trees_it_is_told_that_none_is_kept(small):
    assert small.kept.told()["none"].endswith(
        "gpulingo simulate --game wordle --length 5 --save checkpoints/"
    )
    with pytest.raises(RequestError, match="no tree is stored for the words of 5 letters"):
        small.branch({"game": "lingo5", "length": 5})


@pytest.mark.slow
def test_only_so_many_trees_and_classes_are_remembered(atlas):
    atlas.kept._walks.most = 6
    for length in range(4, 12):
        atlas.branch({"game": "lingo5", "length": length, "count": 0})
    assert len(atlas.kept._walks) == 6
    walk = atlas.kept.walk(find_game("lingo5"), 5)
    for row in atlas.branch({"game": "lingo5", "length": 5, "count": 100})["classes"]:
        if not row["end"]:
            atlas.branch({"game": "lingo5", "length": 5, "path": [row["marks"]]})
    assert len(walk._parted) == 48

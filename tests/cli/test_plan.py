"""What is played, and by which strategy."""

import re
from pathlib import Path

import pytest

import gpulingo.trees.stored
from gpulingo.cli.commands.simulate import _checked_paths
from gpulingo.cli.plays import simulations
from gpulingo.cli.run import Bar, Run
from gpulingo.storage.faults import UsageError
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "best"),
        ({"strategy": "best"}, "best"),
        ({"opening": "heron"}, "parts"),
        ({"consistent": True}, "parts"),
        ({"turns": 6}, "parts"),
        ({"strategy": "letters"}, "letters"),
    ],
)
def test_the_kept_tree_is_played_unless_something_else_is_asked_for(best_stored_tree, options, name, plan):
    (play,) = plan(**options).plays()
    assert play.strategy.name == name


def test_what_would_be_lost_is_refused_before_anything_is_played(best_stored_tree, words22, plan):
    write_checkpoint(simulate(words22).tree, "tree.npz")

    def refused(**options):
        """What is said of writing the tree of a plan in the place of the one that stands there."""
        with pytest.raises(UsageError) as caught:
            _checked_paths(plan(**options), Path("tree.npz"), None, folder=False)
        return str(caught.value)

    assert "is for 5 turns, not 6: name another" in refused(turns=6)
    Path("list.txt").rename("whole.txt")
    Path("list.txt").write_text("\n".join(words22.words[:-1]))
    assert re.search(r"is for list .*, this list is .*: name another", refused(strategy="letters"))
    Path("whole.txt").rename("list.txt")
    _checked_paths(plan(strategy="letters"), Path("tree.npz"), None, folder=False)
    write_checkpoint(simulate(words22).tree.replaced(bound=500.0), Path("tree.npz"))
    assert "bound 500.000, and would be lost: name another" in refused(strategy="letters")
    _checked_paths(plan(), Path("tree.npz"), None, folder=False)  # the same tree may be written again


def test_a_kept_checkpoint_is_read_once_a_run(best_stored_tree, monkeypatch, plan):
    paths = []

    def counted(path, **options):
        paths.append(str(path))
        return read_checkpoint(path, **options)

    monkeypatch.setattr(gpulingo.trees.stored, "read_checkpoint", counted)
    (simulation,) = simulations(plan(), Bar(Run("simulate"), None))
    assert simulation.strategy == "best"
    assert paths == [str(best_stored_tree)]


def test_no_length_draws_from_the_random_numbers_of_another(list22, plan):
    list22.write_text(list22.read_text() + "bird\nbard\nbond\nband\n")
    both = plan(lengths="4-5", strategy="random", seed=3).plays()
    assert both[0].strategy is not both[1].strategy
    asked = [plan(lengths=lengths, strategy="random", seed=3) for lengths in ("5", "4-5")]
    alone, after = ([*simulations(one, Bar(Run("simulate"), None))] for one in asked)
    assert alone[0].tree == after[1].tree

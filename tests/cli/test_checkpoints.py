"""What stands where a search writes."""

import pytest

from gpulingo.cli.checkpoints import better_tree
from gpulingo.games.catalogue import lingo
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint


def best(words, turns=5):
    return simulate(words, "parts", game=lingo(turns)).tree


@pytest.mark.parametrize("turns", [5, 6])
def test_the_tree_of_more_points_stays_where_it_is_for_the_same_list_and_turns(
    tmp_path, words22, grown, capsys, turns
):
    path, worse = tmp_path / "best.npz", grown(words22)
    better = best(words22, turns)
    assert better_tree(path, worse, words22) is worse
    write_checkpoint(better, path)
    assert better.mean_points > worse.mean_points
    assert better_tree(path, worse, words22) == (better if turns == 5 else worse)
    assert capsys.readouterr().err.count("more than was found: its tree stays") == (turns == 5)
    assert better_tree(path, better, words22) is better
    path.write_bytes(b"broken")
    assert better_tree(path, worse, words22) is worse

"""Output files: tried before the work, and never written over other files."""

from pathlib import Path

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.optimise.kept import better_tree
from gpulingo.storage.files import check_destination
from gpulingo.strategies.build import simulate
from gpulingo.strategies.tuned import tuned_name
from gpulingo.trees.checkpoint import write_checkpoint


def test_a_file_that_can_be_written_is_left_as_it_was(tmp_path):
    for path in (tmp_path / "new", tmp_path / "old"):
        (tmp_path / "old").write_text("12")
        check_destination(path, form=rb"\d+")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def best(words, turns=5):
    return simulate(words, "parts", game=lingo(turns)).tree


@pytest.mark.parametrize("turns", [5, 6])
def test_the_tree_of_more_points_stays_where_it_is_for_the_same_list_and_turns(
    tmp_path, words22, grown, turns
):
    path, worse, told = tmp_path / "best.npz", grown(words22), list[str]()
    better = best(words22, turns)
    assert better_tree(path, worse, words22, told.append) is worse
    write_checkpoint(better, path)
    assert better.mean_points > worse.mean_points
    assert better_tree(path, worse, words22, told.append) == (better if turns == 5 else worse)
    assert ["more than was found: its tree stays" in text for text in told] == [True] * (turns == 5)
    assert better_tree(path, better, words22, told.append) is better
    path.write_bytes(b"broken")
    assert better_tree(path, worse, words22, told.append) is worse


@pytest.mark.parametrize(
    "command",
    ["simulate --strategy tuned", "compare --strategies parts,tuned", "solve", "openings --top 1", "tune"],
)
def test_damaged_values_beside_whole_ones_are_told_in_one_line(run, list22, words22, command):
    options = "--length 5 --wordlist list.txt --device cpu --turns 4"
    run(f"tune {options} --iterations 0 --pools none")
    whole = Path("checkpoints", tuned_name(5, words22.fingerprint, 4))
    Path(whole.name).write_text("{")
    done = run(f"{command} {options}")
    assert (done.exit_code, done.stderr.count("\n")) == (0, 1)
    assert " are no JSON: run `gpulingo tune --length" in done.stderr
    ending = "; skipped\n" if command == "tune" else f"; {whole} is used instead\n"
    assert done.stderr.endswith(ending)

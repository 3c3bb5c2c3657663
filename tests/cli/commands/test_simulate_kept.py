"""`gpulingo simulate` of trees that are kept: which one is played, and what `--save` may replace."""

import json
from pathlib import Path

from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint


def kept_path(words):
    return Path("checkpoints") / file_name("lingo5", 5, words.fingerprint)


def test_the_best_tree_is_played_wherever_it_stands_and_is_called_best(run, list22, words22, grown):
    line = "simulate --length 5 --wordlist list.txt --device cpu"
    path = kept_path(words22)
    path.parent.mkdir()
    best, worse = simulate(words22).tree, grown(words22)
    assert worse.mean_points < best.mean_points
    for near, far in ((worse, best), (best, worse)):
        write_checkpoint(near, path.name)
        write_checkpoint(far, path)
        done = run(f"{line} --json --save kept.npz")
        entry = json.loads(done.stdout)
        assert (entry["strategy"], entry["mean_points"], done.stderr) == ("best", best.mean_points, "")
        assert read_checkpoint("kept.npz") == best  # under the name that its header has
        assert run(f"{line} --strategy best --json").stdout.startswith(done.stdout.partition(', "seconds')[0])
    assert "; strategy: best; " in run(line).stdout


def test_a_damaged_tree_is_told_once_and_another_is_played(run, list22, words22, grown):
    line = "simulate --length 5 --wordlist list.txt --device cpu --json"
    path, tree = kept_path(words22), grown(words22)
    path.parent.mkdir()
    Path(path.name).write_bytes(b"PK")
    done = run(line)
    assert json.loads(done.stdout)["strategy"] == "parts"
    assert (done.stderr.count("\n"), "no other is stored for this list" in done.stderr) == (1, True)
    write_checkpoint(tree, path)
    done = run(line)
    assert json.loads(done.stdout)["mean_points"] == tree.mean_points
    assert done.stderr == (
        f"gpulingo: checkpoint {path.name} ends before its array header; replace it with `gpulingo simulate "
        f"--length 5 --save .`; {path} is used instead\n"
    )


def test_saving_what_is_worse_than_what_is_kept_is_told_in_one_line(run, list22, words22):
    path, best = kept_path(words22), simulate(words22).tree
    path.parent.mkdir()
    write_checkpoint(best, path)
    done = run("simulate --length 5 --wordlist list.txt --device cpu --strategy letters --save a.npz")
    worse = read_checkpoint("a.npz")
    assert (done.exit_code, worse.mean_points < best.mean_points) == (0, True)
    assert done.stderr == (
        f"gpulingo: {path} is better and stays in use: {best.mean_points:.3f} mean points, "
        f"a.npz has {worse.mean_points:.3f}\n"
    )


def test_a_tree_that_was_solved_is_not_replaced_by_another(run, refused, list22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --out best.npz").exit_code == 0
    before = Path("best.npz").read_bytes()
    for options in ("--strategy letters", "--turns 4", ""):
        done = refused(f"simulate --length 5 --wordlist list.txt --device cpu --save best.npz {options}", "")
        assert "name another file or folder" in done.stderr
        assert Path("best.npz").read_bytes() == before

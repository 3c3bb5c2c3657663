"""`gpulingo simulate`: what it prints and writes, and what it refuses."""

import json
import subprocess
from pathlib import Path

import pytest

from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint
from gpulingo.words.listing import embedded


def test_the_tree_and_the_turn_of_every_word_are_written(run, list22, words22):
    done = run(
        "simulate --length 5 --wordlist list.txt --device cpu --opening CRANE --save a.npz --per-word a.tsv"
    )
    told = simulate(words22, opening="crane")
    assert done.exit_code == 0
    assert read_checkpoint("a.npz") == told.tree
    rows = [line.split("\t") for line in (list22.parent / "a.tsv").read_text().splitlines()]
    assert [(word, int(turn)) for word, turn in rows] == told.found_turns()
    assert {path.name for path in list22.parent.iterdir()} == {"list.txt", "a.npz", "a.tsv"}


def test_without_a_list_the_embedded_one_is_used(run, list22):
    done = run("simulate --length 4 --device cpu --strategy letters --json")
    assert json.loads(done.stdout)["list"] == "embedded list"
    assert json.loads(done.stdout)["words"] == len(embedded().of_length(4))
    list22.rename(list22.parent / "wordlist5.txt")
    done = run("simulate --length 4-5 --device cpu --strategy letters")
    assert done.stdout.startswith("list: embedded list (4), wordlist5.txt (5); strategy: letters")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_files_are_written_though_nobody_takes_the_output(process, list22):
    line = "simulate --length 5 --wordlist list.txt --device cpu --save tree.npz --per-word turns.tsv"
    with Path("/dev/full").open("w") as full:
        done = process(line, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert read_checkpoint(list22.parent / "tree.npz").words == 22
    assert len((list22.parent / "turns.tsv").read_text().splitlines()) == 22


ENDED = """
import signal

def f(sizes):
    if len(sizes) == 23:  # the 22 words of 5 letters
        signal.raise_signal(signal.SIGINT)
    return -sizes**2
"""


def test_ctrl_c_prints_the_lengths_so_far(run, list22):
    list22.write_text(list22.read_text() + "bird\nbard\nabcdef\n")
    (list22.parent / "ended_simulate.py").write_text(ENDED)
    line = "simulate --length 4-6 --wordlist list.txt --device cpu --strategy ended_simulate:f"
    done = run(line)
    assert done.exit_code == 130
    assert done.stderr == "gpulingo: interrupted after 1 of 3 lengths; the rest is --length 5-6\n"
    rows = done.stdout.splitlines()
    assert rows[2].split()[:3] == ["4", "2", "bird"] and not rows[3]  # the only length of the table
    done = run(f"{line} --json")
    assert [json.loads(row)["length"] for row in done.stdout.splitlines()] == [4]


def test_a_file_of_the_same_kind_is_replaced(run, list22):
    for option in ("--save a.npz", "--per-word a.tsv") * 2:
        assert run(f"simulate --length 5 --wordlist list.txt --device cpu {option}").exit_code == 0


@pytest.fixture
def kept(list22):
    """The options that save trees of a list to its folder `checkpoints`."""
    (list22.parent / "checkpoints").mkdir()
    return "--wordlist list.txt --device cpu --save checkpoints"


def test_a_damaged_checkpoint_is_replaced(run, kept, words22):
    line = f"simulate --length 5 {kept}"
    assert run(line).exit_code == 0
    path = Path("checkpoints") / f"lingo5-5-{words22.fingerprint[:12]}.npz"
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    done = run(line)
    assert (done.exit_code, done.stderr.count("\n"), path.read_bytes()) == (0, 1, whole)
    assert f"{path.name} has a damaged end" in done.stderr


@pytest.mark.parametrize("saved", ["other", "other.npz"])
def test_a_kept_tree_that_does_not_do_what_it_says_is_not_written_again(
    refused, list22, words22, grown, saved
):
    path = Path(f"checkpoints/lingo5-5-{words22.fingerprint[:12]}.npz")
    path.parent.mkdir()
    Path("other").mkdir()
    tree = grown(words22)
    leaves = [at for at in range(len(tree)) if tree.first[at] == tree.first[at + 1] and tree.hit[at]]
    guess = list(tree.guess)
    guess[leaves[-1]], guess[leaves[-2]] = guess[leaves[-2]], guess[leaves[-1]]
    write_checkpoint(tree.replaced(guess=guess), path)
    done = refused(f"simulate --save {saved} --length 5 --wordlist list.txt --device cpu", "", code=1)
    assert done.stderr.endswith("make it again with `gpulingo simulate --save`, naming a --strategy\n")
    assert not Path("other.npz").exists() and not list(Path().glob("other/*.npz"))


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
        assert read_checkpoint("kept.npz") == best  # under the name in its header
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


def test_several_openings_are_guessed_whatever_the_marks(run, list22, words22):
    line = "simulate --length 5 --wordlist list.txt --opening CRANE,heron"
    done = run(f"{line} --per-word a.tsv --save a.npz")
    told = simulate(words22, opening=("crane", "heron"))
    assert done.exit_code == 0 and done.stdout.splitlines()[2].split()[2] == "crane,heron"
    assert read_checkpoint("a.npz") == told.tree
    turns = dict(row.split("\t") for row in Path("a.tsv").read_text().splitlines())
    assert (turns.pop("crane"), turns.pop("heron")) == ("1", "2") and "1" not in turns.values()
    entry = json.loads(run(f"{line} --json").stdout)
    assert (entry["opening"], entry["opening_given"]) == ("crane,heron", True)

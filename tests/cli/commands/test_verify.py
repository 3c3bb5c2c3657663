"""`gpulingo prove --tree-only`: a checkpoint that does what it says, and others."""

import json
from pathlib import Path

import pytest

from gpulingo.storage.files import file_name
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint


def test_a_good_checkpoint_is_right_for_all_words(run, middle):
    tree = read_checkpoint(middle)
    done = run("prove --tree-only middle.npz --wordlist list.txt")
    head, names, row = done.stdout.splitlines()
    assert done.exit_code == 0
    assert head == "middle.npz: right for all 22 words of 5 letters in list.txt"
    assert names.startswith("strategy  mean points  mean guesses  turn 1")
    counts = [str(count) for count in tree.turn_counts()]
    assert row.split() == ["middle", f"{tree.mean_points:.3f}", f"{tree.mean_guesses:.3f}", *counts, "0"]


def test_json_is_one_object(run, middle):
    entry = json.loads(run("prove --tree-only middle.npz --wordlist list.txt --json").stdout)
    tree = read_checkpoint(middle)
    assert (entry["turns"], entry["lost"]) == (tree.turn_counts(), 0)
    assert (entry["mean_points"], entry["fingerprint"]) == (tree.mean_points, tree.fingerprint)


def test_the_list_is_found_as_elsewhere(run, middle):
    done = run("prove --tree-only middle.npz")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "checkpoint is for list" in done.stderr
    assert "name its list with --wordlist (read: embedded list)" in done.stderr
    (middle.parent / "list.txt").rename(middle.parent / "wordlist.txt")
    assert run("prove --tree-only middle.npz").exit_code == 0


def test_a_length_names_the_best_that_is_kept(run, middle, words22):
    none = run("prove --tree-only 5 --wordlist list.txt")
    assert (none.exit_code, none.stdout, none.stderr.count("\n")) == (2, "", 1)
    assert (
        "no tree is stored for the words of 5 letters in list.txt and lingo of 5 turns: make one with"
        in none.stderr
    )
    assert run("prove --tree-only 4 --wordlist list.txt").exit_code == 1  # no words of 4 letters
    assert run("prove --tree-only 0 --wordlist list.txt").exit_code == 2
    path = file_name("lingo5", 5, words22.fingerprint)
    Path("5").write_bytes(middle.read_bytes())
    middle.rename(path)
    assert run("prove --tree-only 5 --wordlist list.txt").stdout.startswith(f"{path}: right for all 22 words")
    assert run("prove --tree-only ./5 --wordlist list.txt").stdout.startswith("5: right for all 22 words")
    shown = run("show 5 --wordlist list.txt --limit 3")
    assert (shown.exit_code, shown.stdout) == (0, run(f"show {path} --wordlist list.txt --limit 3").stdout)


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (
            "none.npz --wordlist list.txt",
            2,
            "no checkpoint at none.npz: name a file that `gpulingo simulate --save` wrote",
        ),
        (". --wordlist list.txt", 2, "no checkpoint at .: name a file"),
        ("list.txt --wordlist list.txt", 1, "checkpoint list.txt has no array header where it should stand"),
        ("middle.npz --wordlist none.txt", 2, "--wordlist: no word list at none.txt"),
        ("middle.npz --wordlist middle.npz", 1, "middle.npz is not UTF-8 text"),
    ],
)
def test_bad_input_is_one_line(refused, middle, line, code, said):
    refused(f"prove --tree-only {line}", said, code=code)


def test_a_checkpoint_cut_short_or_with_a_changed_byte_is_told(refused, middle):
    data = middle.read_bytes()
    for broken in (data[:-1], data[: len(data) // 2], b"", data[:300] + bytes([data[300] ^ 1]) + data[301:]):
        middle.write_bytes(broken)
        refused("prove --tree-only middle.npz --wordlist list.txt", "checkpoint middle.npz ", code=1)


def test_a_tree_that_does_not_do_what_it_says_is_told(refused, middle, words22, grown):
    tree = grown(words22)
    guesses = list(tree.guess)
    guesses[1], guesses[2] = guesses[2], guesses[1]
    write_checkpoint(tree.replaced(guess=guesses), middle)
    refused("prove --tree-only middle.npz --wordlist list.txt", "", code=1)

"""`gpulingo prove`: what it derives again, and what it refuses."""

import json
from pathlib import Path

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.words.listing import read

SOLVE = "solve --length 5 --wordlist list.txt --device cpu"


def test_prove_takes_the_lowest_certificate_that_is_kept_for_a_length(run, kept):
    tree, name = read_checkpoint(kept), kept.with_suffix(".bounds.npz").name
    assert run(f"{SOLVE} --out mine.npz").exit_code == 0  # to the end
    Path("mine.bounds.npz").rename(name)
    entry = json.loads(run("prove 5 --wordlist list.txt --device cpu --json").stdout)
    assert entry["checkpoint"] == str(kept)
    assert tree.mean_points <= entry["bound"] < tree.bound
    for path in (Path(name), kept.with_suffix(".bounds.npz")):
        path.unlink()
    none = run("prove 5 --wordlist list.txt")
    assert (none.exit_code, none.stdout, none.stderr.count("\n")) == (2, "", 1)
    assert "no certificate at" in none.stderr and "`gpulingo solve --length 5` writes one" in none.stderr


def test_a_certificate_below_the_points_of_the_tree_is_refused_and_replaced(run, list22, words22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz"
    assert run(line).exit_code == 0
    arrays = read_arrays("best.bounds.npz")
    write_arrays("best.bounds.npz", arrays | {"bounds": arrays["bounds"] * 0})
    done = run("prove best.npz --wordlist list.txt --device cpu")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "remove the certificate and search again" in done.stderr
    assert run(line).exit_code == 0
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


def test_prove_refuses_what_is_not_there_or_not_of_this_list(run, list22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --out best.npz").exit_code == 0
    done = run("prove best.npz --wordlist list.txt --certificate none.npz")
    assert done.exit_code == 2 and "no certificate at none.npz" in done.stderr
    words = read(list22).of_length(5).words
    (list22.parent / "other.txt").write_text("\n".join(words[:-1]))
    assert run("solve --length 5 --wordlist other.txt --device cpu --out other.npz").exit_code == 0
    done = run("prove best.npz --wordlist list.txt --certificate other.bounds.npz")
    assert done.exit_code == 1 and "is for list" in done.stderr and done.stderr.count("\n") == 1

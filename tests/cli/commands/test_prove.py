"""`gpulingo prove`: what it derives, and what it refuses."""

import json
from pathlib import Path

import exhaustive
import pytest

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.bounds.certificate import certificate_arrays, certificate_of
from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint

SOLVE = "solve --length 5 --wordlist list.txt --device cpu"
PROVE = "prove {} --wordlist list.txt --device cpu"


@pytest.mark.slow
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


def test_a_certificate_below_the_points_of_the_tree_is_refused_and_replaced(run, refused, list22, words22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz"
    assert run(line).exit_code == 0
    arrays = read_arrays("best.bounds.npz")
    write_arrays("best.bounds.npz", arrays | {"bounds": arrays["bounds"] * 0 + 1})
    done = refused("prove best.npz --wordlist list.txt --device cpu", "", code=1)
    assert "remove the certificate and search again" in done.stderr
    assert run(line).exit_code == 0
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


@pytest.fixture
def counted(list22, grown, every_opening):
    """The path of a checkpoint of 108 words, whose certificate counts classes of all openings."""
    wordlist = exhaustive.words_alike()
    list22.write_text("\n".join(wordlist.words))
    state = BoundState(encode(wordlist.words), lingo(5))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    write_checkpoint(grown(wordlist), "tree.npz")
    arrays = certificate_arrays(certificate_of(wordlist, state.game, state.evidence))
    write_arrays("tree.bounds.npz", arrays)
    return Path("tree.npz")


@pytest.fixture
def proven(run, counted):
    """The command that checks this certificate, and its output in one run."""
    line = PROVE.format(counted)
    done = run(line)
    assert (done.exit_code, done.stderr) == (0, "") and "the bounds of all 108 openings hold" in done.stdout
    return line, done.stdout


def test_a_check_that_is_out_of_time_says_how_far_it_came(run, proven):
    line, _ = proven
    done = run(f"{line} --time 0s")
    said = "gpulingo: the time is up after 0 of 108 openings: --part K/N checks them in parts\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", said)


def test_parts_are_the_whole(run, proven):
    line, _ = proven
    held = []
    for part in (1, 2, 3):
        entry = json.loads(run(f"{line} --part {part}/3 --json").stdout)
        assert (entry["part"], entry["parts"]) == (part, 3)
        held.append(entry["openings"])
    by_size = (sum(held) - 108) // 2
    assert 108 - by_size > 50 and min(held) > by_size


def test_a_tree_that_does_not_do_what_it_says_is_told(refused, middle, words22, grown):
    tree = grown(words22)
    guesses = list(tree.guess)
    guesses[1], guesses[2] = guesses[2], guesses[1]
    write_checkpoint(tree.replaced(guess=guesses), middle)
    refused("prove --tree-only middle.npz --wordlist list.txt", "", code=1)

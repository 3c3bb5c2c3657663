"""`gpulingo solve`: what it begins with, and what stands where it writes."""

import json
from pathlib import Path

import pytest

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint

SOLVE = "solve --length 5 --wordlist list.txt --device cpu"


@pytest.mark.parametrize("ending", ["--gap 300", "--time 0s"])
def test_what_is_better_and_stands_there_stays(run, list22, random_words, ending):
    list22.write_text("\n".join(random_words(1, 200, 5, "abcd")))
    line = "solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz"
    assert run(line).exit_code == 0
    best, proof = read_checkpoint("best.npz"), Path("best.bounds.npz").read_bytes()
    done = run(f"{line} {ending} --json")
    assert done.exit_code == 0
    assert f"begins with best.npz: {best.mean_points:.5f} mean points\n" in done.stderr
    assert f"begins with best.bounds.npz: bound {best.bound:.5f}\n" in done.stderr
    assert (json.loads(done.stdout)["bound"], json.loads(done.stdout)["gap"]) == (best.bound, 0)
    assert (read_checkpoint("best.npz"), Path("best.bounds.npz").read_bytes()) == (best, proof)
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


@pytest.mark.parametrize("ending", ["--time 0s", "--gap 300", "--openings 1 --width 3:1 --gap 1", ""])
def test_a_search_elsewhere_begins_with_what_is_kept_and_writes_nothing_worse(run, kept, ending):
    tree, bounds = read_checkpoint(kept), kept.with_suffix(".bounds.npz")
    assert tree.bound > tree.mean_points
    done = run(f"{SOLVE} --out mine.npz {ending} --json")
    entry, mine = json.loads(done.stdout), read_checkpoint("mine.npz")
    assert done.exit_code == 0
    assert f"begins with {kept}: {tree.mean_points:.5f} mean points\n" in done.stderr
    assert f"begins with {bounds}: bound {tree.bound:.5f}\n" in done.stderr
    assert (entry["mean_points"], entry["bound"]) == (mine.mean_points, mine.bound)
    assert mine.mean_points >= tree.mean_points and mine.bound <= tree.bound
    assert (mine.mean_points == mine.bound) == (not ending)
    assert run("prove mine.npz --wordlist list.txt --device cpu").exit_code == 0
    for path in Path().glob("mine.*npz"):
        path.unlink()


def test_a_search_in_the_place_of_a_damaged_checkpoint_replaces_it(run, kept):
    tree = read_checkpoint(kept)
    for path in (kept, kept.with_suffix(".bounds.npz")):
        path.write_bytes(path.read_bytes()[:-9])
    done = run(f"{SOLVE} --gap 2")
    assert (done.exit_code, done.stderr.count("skipped")) == (0, 2)
    assert f"checkpoint {kept} has a damaged end; replace it with `gpulingo simulate" in done.stderr
    assert "begins with" not in done.stderr
    assert read_checkpoint(kept) == tree
    assert run(f"prove {kept} --wordlist list.txt --device cpu").exit_code == 0


def test_a_fresh_search_begins_with_nothing_and_writes_nothing_worse_where_it_stands(run, kept):
    before = read_checkpoint(kept)
    done = run(f"{SOLVE} --out {kept} --fresh --time 0s")
    assert (done.exit_code, done.stderr.count("begins with")) == (0, 0)
    after = read_checkpoint(kept)
    assert (after.mean_points, after.bound) == (before.mean_points, before.bound)
    assert "begins with" in run(f"{SOLVE} --out {kept} --time 0s").stderr


def test_a_tree_that_does_not_do_what_it_says_is_no_beginning(run, kept):
    tree = read_checkpoint(kept)
    guess, hit = list(tree.guess), list(tree.hit)
    leaves = [at for at in range(len(tree)) if tree.first[at] == tree.first[at + 1] and hit[at]]
    guess[leaves[-1]], guess[leaves[-2]] = guess[leaves[-2]], guess[leaves[-1]]
    write_checkpoint(tree.replaced(guess=guess), Path(kept.name))
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("make it again with `gpulingo simulate --save`; skipped")) == (
        0,
        1,
    )
    assert f"begins with {kept}" in done.stderr


def test_a_tree_that_does_not_do_what_it_says_does_not_stay(run, kept):
    sound = read_checkpoint(kept)
    guess, hit = list(sound.guess), list(sound.hit)
    early, late = hit.index(0), len(hit) - 1 - hit[::-1].index(1)
    guess[early], guess[late] = guess[late], guess[early]
    hit[early], hit[late] = 1, 0  # a word is found too soon
    other = sound.replaced(guess=guess, hit=hit, mean_points=None)
    assert other.mean_points > sound.mean_points
    write_checkpoint(other, Path("mine.npz"))
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("make it again with `gpulingo simulate --save`; skipped")) == (
        0,
        1,
    )
    assert "mine.npz: " in done.stderr and done.stderr.count("; replaced\n") == 1
    mine = read_checkpoint("mine.npz")
    assert (mine.mean_points, mine.bound) == (sound.mean_points, sound.bound)


def test_a_certificate_that_a_tree_refutes_is_passed_over(run, kept):
    tree, path = read_checkpoint(kept), kept.with_suffix(".bounds.npz")
    arrays = read_arrays(path)
    arrays["bounds"][tree.guess[0]] = 10  # the greatest of all bounds stays what it was
    write_arrays(path, arrays)
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    assert (done.exit_code, done.stderr.count("remove it; skipped\n")) == (0, 1)
    assert not Path("mine.bounds.npz").exists()
    assert run(f"{SOLVE} --out mine.npz --gap 2").exit_code == 0
    assert run("prove mine.npz --wordlist list.txt --device cpu").exit_code == 0


def test_a_certificate_of_other_turns_or_another_list_is_put_aside(run, list22, words22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz --turns"
    assert run(line, "3").exit_code == 0
    Path("best.npz").unlink()  # with it the search would be refused
    first = Path("best.bounds.npz").read_bytes()
    done = run(line, "4")
    said = (
        f"best.bounds.npz was for list {words22.fingerprint[:12]} and 3 turns: it is now best.old1.bounds.npz"
    )
    assert (done.exit_code, done.stderr.count(said)) == (0, 1)
    assert Path("best.old1.bounds.npz").read_bytes() == first
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0
    list22.write_text("\n".join(words22.words[:-1]))
    refused = run(line, "4")
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "best.npz is for list" in refused.stderr and "name another with --out" in refused.stderr
    Path("best.npz").unlink()
    assert "it is now best.old2.bounds.npz" in run(line, "4").stderr
    assert run("prove best.npz --wordlist list.txt --device cpu").exit_code == 0


def test_a_checkpoint_of_other_turns_is_not_replaced(run, list22):
    line = "solve --length 5 --wordlist list.txt --device cpu --out best.npz --turns"
    assert run(line, "4").exit_code == 0
    before = Path("best.npz").read_bytes()
    done = run(line, "5")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is for 4 turns, not 5: name another with --out" in done.stderr
    assert Path("best.npz").read_bytes() == before


def test_a_bound_of_a_header_that_no_certificate_has_is_not_lost_without_a_word(run, kept):
    before = read_checkpoint(kept)
    Path("mine.npz").write_bytes(kept.read_bytes())
    for path in (kept, kept.with_suffix(".bounds.npz")):
        path.unlink()
    done = run(f"{SOLVE} --out mine.npz --time 0s")
    after = read_checkpoint("mine.npz")
    assert (done.exit_code, after.mean_points) == (0, before.mean_points)
    said = f"said bound {before.bound:.5f}, for which there is no certificate: {after.bound:.5f} now\n"
    assert after.bound > before.bound and said in done.stderr

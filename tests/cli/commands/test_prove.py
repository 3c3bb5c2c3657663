"""`gpulingo prove`: what it derives again, and what it refuses."""

import json
import math
import signal
import subprocess
import sys
from pathlib import Path

import exhaustive
import pytest

from gpulingo.bounds.arrays import read_arrays, write_arrays
from gpulingo.bounds.certificate import certificate_arrays, certificate_of
from gpulingo.bounds.counting import evaluate
from gpulingo.bounds.state import bound_state
from gpulingo.cli import proving
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint
from gpulingo.words.listing import read

SOLVE = "solve --length 5 --wordlist list.txt --device cpu"
WORK = "tree.bounds.work.npz"
PROVE = "prove {} --wordlist list.txt --device cpu"
# A process that writes its work file whenever it can, and kills itself after a while.
KILLED = """
import os
from gpulingo.cli import app, proving
save = proving.Work.save
def saved(work):
    save(work)
    if len(work.checked.openings) > {openings}:
        os.kill(os.getpid(), 9)
proving.Work.save, proving.SAVED = saved, -1.0
app()
"""


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


@pytest.mark.slow
def test_prove_refuses_what_is_not_there_or_not_of_this_list(run, list22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --out best.npz").exit_code == 0
    done = run("prove best.npz --wordlist list.txt --certificate none.npz")
    assert done.exit_code == 2 and "no certificate at none.npz" in done.stderr
    words = read(list22).of_length(5).words
    (list22.parent / "other.txt").write_text("\n".join(words[:-1]))
    assert run("solve --length 5 --wordlist other.txt --device cpu --out other.npz").exit_code == 0
    done = run("prove best.npz --wordlist list.txt --certificate other.bounds.npz")
    assert done.exit_code == 1 and "is for list" in done.stderr and done.stderr.count("\n") == 1


@pytest.fixture
def counted(list22, grown, every_opening):
    """A checkpoint of 108 words with a certificate that counts classes of all openings; its path."""
    wordlist = exhaustive.words_alike()
    list22.write_text("\n".join(wordlist.words))
    state = bound_state(encode(wordlist.words), lingo(5))
    state.apply(evaluate(state, list(range(len(wordlist)))))
    write_checkpoint(grown(wordlist), "tree.npz")
    arrays = certificate_arrays(certificate_of(wordlist, state.game, state.evidence))
    write_arrays("tree.bounds.npz", arrays)
    return Path("tree.npz")


@pytest.fixture
def proven(run, counted, monkeypatch):
    """The command that checks that certificate, and what it prints in one go; no time is too long for it."""
    monkeypatch.setattr(proving, "SAVED", math.inf)
    line = PROVE.format(counted)
    done = run(line)
    assert (done.exit_code, done.stderr) == (0, "") and "the bounds of all 108 openings hold" in done.stdout
    assert not Path(WORK).exists()
    return line, done.stdout


def test_a_check_that_is_out_of_time_goes_on_where_it_was(run, proven):
    line, printed = proven
    done = run(f"{line} --time 0s")
    said = f"gpulingo: the time is up after 0 of 108 openings: --resume continues from {WORK}\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", said)
    done = run(f"{line} --resume --time 0s")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", said)
    for _ in range(2):  # the second has nothing left to check
        done = run(f"{line} --resume")
        assert (done.exit_code, done.stdout, done.stderr) == (0, printed, "")


@pytest.mark.slow
def test_a_check_that_is_killed_goes_on_where_it_was(run, proven, tmp_path):
    line, printed = proven
    for openings in (0, 20, 40):
        command = [sys.executable, "-c", KILLED.format(openings=openings), *line.split()]
        resumed = ["--resume"] * (openings > 0)
        done = subprocess.run([*command, *resumed], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert len(read_arrays(Path(WORK))["openings"]) > openings
    done = run(f"{line} --resume")
    assert (done.exit_code, done.stdout, done.stderr) == (0, printed, "")


def test_parts_go_on_from_each_other_and_are_the_whole(run, proven):
    line, printed = proven
    held = []
    for part, resumed in ((1, ""), (2, " --resume"), (3, " --resume")):
        entry = json.loads(run(f"{line} --part {part}/3{resumed} --json").stdout)
        assert (entry["part"], entry["parts"]) == (part, 3)
        held.append(entry["openings"])
    checked = read_arrays(Path(WORK))["openings"]
    by_size = (sum(held) - 108) // 2
    assert len(checked) == 108 - by_size > 50
    done = run(f"{line} --resume")
    assert (done.exit_code, done.stdout) == (0, printed)


def test_a_check_from_the_start_takes_nothing_from_the_work_file(run, proven):
    line, printed = proven
    Path(WORK).write_bytes(b"anything")
    done = run(line)
    aside = Path("tree.bounds.old1.work.npz")
    said = f"gpulingo: {WORK} of an earlier check is now {aside}: --resume would have continued it\n"
    assert (done.exit_code, done.stdout, done.stderr) == (0, printed, said)
    assert aside.read_bytes() == b"anything" and not Path(WORK).exists()


def test_a_work_file_that_is_not_of_this_check_is_wrong_usage(run, proven):
    line, _ = proven
    none = run(f"{line} --resume")
    assert (none.exit_code, none.stdout, none.stderr.count("\n")) == (2, "", 1)
    assert f"--resume, but there is no {WORK}: leave it out to begin" in none.stderr
    assert run(f"{line} --time 0s").exit_code == 1
    data = Path(WORK).read_bytes()
    write_arrays("other.npz", read_arrays("tree.bounds.npz"))
    other, said = Path("other.npz").read_bytes(), "is damaged, or no work file of `gpulingo prove`"
    for seen in (data[:-9], other, b""):
        Path(WORK).write_bytes(seen)
        done = run(f"{line} --resume")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert f"--resume: {WORK} {said}" in done.stderr
    Path(WORK).write_bytes(data)
    arrays = read_arrays("tree.bounds.npz")
    write_arrays("tree.bounds.npz", arrays | {"bounds": arrays["bounds"] + 1})
    done = run(f"{line} --resume")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"--resume: {WORK} is for another certificate" in done.stderr

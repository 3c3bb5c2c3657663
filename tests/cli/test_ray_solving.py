"""`gpulingo solve --ray`: the same checkpoint and certificate as the pieces give in one process."""

import json
from pathlib import Path

import pytest


def test_what_has_no_pieces_is_refused_before_a_cluster_is_looked_for(run, list22):
    for line, said in (
        (
            "--objective worst",
            "--ray is for the best mean against chance: leave out --ray or the other objective",
        ),
        ("--opponent adversary", "--ray is for the best mean against chance"),
        ("--resume", "--ray with --resume or --shared: leave one of them out"),
        ("--shared here", "--ray with --resume or --shared: leave one of them out"),
        ("--game hangman", "gpulingo: --ray where letters are guessed: such searches have no pieces"),
    ):
        done = run(f"solve --length 5 --wordlist list.txt --ray 127.0.0.1:1 {line}")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert said in done.stderr
    assert not Path("here").exists()


@pytest.fixture
def many(list22, random_words):
    """A list of 140 words of 4 letters: a round of it has many pieces."""
    list22.write_text("".join(f"{word}\n" for word in random_words(3, 140, 4, "abcdefghij")))
    return list22


@pytest.mark.slow
def test_a_cluster_finds_and_proves_what_one_process_does(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --turns 4 --fresh --device cpu --json --out"
    shared = run(f"{line} ray.npz --ray {nodes.address}")
    assert shared.exit_code == 0
    assert all(" pieces" in line for line in shared.stderr.splitlines())  # progress and nothing else
    alone = run(f"{line} alone.npz --shared folder")
    entries = [json.loads(done.stdout) for done in (shared, alone)]
    for entry in entries:
        del entry["seconds"], entry["checkpoint"]
    assert entries[0] == entries[1]
    assert entries[0]["ended"] == "proven"
    assert len(list(Path("folder").rglob("*.npz"))) > 6  # the results of pieces, and what it began with
    assert Path("ray.npz").read_bytes() == Path("alone.npz").read_bytes()
    assert Path("ray.bounds.npz").read_bytes() == Path("alone.bounds.npz").read_bytes()
    assert run("prove ray.npz --wordlist list.txt").exit_code == 0


@pytest.mark.slow
def test_when_the_time_is_up_what_was_found_is_written(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --fresh --device cpu --time 0 --out a.npz"
    done = run(f"{line} --ray {nodes.address}")
    assert done.exit_code == 0
    assert "time is up; a.npz" in done.stdout
    assert done.stderr.splitlines()[-1].endswith(" pieces of round 0 are done")
    assert run("prove a.npz --wordlist list.txt").exit_code == 0

"""`gpulingo solve --ray`: a checkpoint and a certificate as good as those of one process."""

import json

import pytest

from gpulingo.cli.ray_solving import ended_text
from gpulingo.games.game import CREDIT


def test_what_has_no_pieces_is_refused_before_a_cluster_is_looked_for(refused, list22):
    for line, said in (
        (
            "--objective worst",
            "--ray is for the best mean against chance: leave out --ray or the other objective",
        ),
        ("--opponent adversary", "--ray is for the best mean against chance"),
        ("--resume", "--ray with --resume: leave one of them out, results are kept"),
        ("--shared here", "gpulingo: no such option: --shared"),
        ("--game hangman", "gpulingo: --ray where letters are guessed: such searches have no pieces"),
    ):
        done = refused(f"solve --length 5 --wordlist list.txt --ray 127.0.0.1:1 {line}", "")
        assert said in done.stderr


@pytest.fixture
def many(list22, random_words):
    """A list of 140 words of 4 letters: a round of it has many pieces."""
    list22.write_text("".join(f"{word}\n" for word in random_words(3, 140, 4, "abcdefghij")))
    return list22


@pytest.mark.slow
def test_a_cluster_finds_and_proves_what_one_process_does(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --turns 4 --fresh --device cpu --json --out"
    many = run(f"{line} ray.npz --ray {nodes.address}")
    assert many.exit_code == 0
    assert all(" pieces" in line for line in many.stderr.splitlines())  # progress and nothing else
    one = run(f"{line} alone.npz")
    entries = [json.loads(done.stdout) for done in (many, one)]
    assert [entry["ended"] for entry in entries] == ["proven", "proven"]
    assert entries[0]["mean_points"] == entries[0]["bound"] == entries[1]["bound"]
    assert run("prove ray.npz --wordlist list.txt").exit_code == 0


@pytest.mark.slow
def test_when_the_time_is_up_what_was_found_is_written(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --fresh --device cpu --time 0 --out a.npz"
    done = run(f"{line} --ray {nodes.address}")
    assert done.exit_code == 0
    assert "time is up; a.npz" in done.stdout
    assert done.stderr.splitlines()[-1].endswith(" pieces of round 0 are done")
    assert run("prove a.npz --wordlist list.txt").exit_code == 0


@pytest.mark.parametrize(
    ("bound", "said"), [(0.0, "proven"), (3.0, "gap reached"), (4.0, "nothing is left to try")]
)
def test_what_is_said_of_the_end_is_what_is_printed(words22, grown, bound, said):
    tree = grown(words22)
    tree = tree.replaced(bound=tree.mean_points + bound * CREDIT / len(words22))
    assert ended_text(tree, len(words22), 3 * CREDIT / len(words22) + 0.01) == said

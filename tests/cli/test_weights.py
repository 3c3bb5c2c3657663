"""`--weights`: the weight of each target, in every command that plays, reads or searches for a tree."""

import json
import os
from pathlib import Path

import pytest

from gpulingo.trees.checkpoint import read_checkpoint

LISTS = "--wordlist list.txt --targets t.txt"
PLAYED = f"--length 5 {LISTS} --game wordle --device cpu"


@pytest.fixture
def heavy(list22, words22):
    """Every second of the 22 words is a target, in t.txt, with a weight of 1 to 11 in w.tsv."""
    some = words22.with_targets(words22.words[::2], "t.txt")
    Path("t.txt").write_text("".join(f"{word}\n" for word in some.targets))
    weights = {word: place for place, word in enumerate(some.targets, 1)}
    Path("w.tsv").write_text("".join(f"{word}\t{weight}\n" for word, weight in weights.items()))
    return some.with_weights(weights, "w.tsv")


def printed(run, command):
    done = run(command)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("option", ["--weights", "--targets"])
def test_a_list_from_a_pipe_is_read_once_for_all_lengths(run, heavy, option):
    words = [*heavy.targets, *(f"{word}s" for word in heavy.targets)]
    Path("lengths.txt").write_text("".join(f"{word}\n" for word in words))
    line = "{}\t2\n" if option == "--weights" else "{}\n"
    reader, writer = os.pipe()
    os.write(writer, "".join(map(line.format, words)).encode())
    os.close(writer)
    done = run(f"simulate 5,6 -w lengths.txt -s parts --device cpu {option} /dev/fd/{reader}")
    os.close(reader)
    assert done.exit_code == 0, done.stderr


def test_the_best_tree_by_weight_is_found_and_proven_with_the_weights_or_its_own(run, heavy):
    solved = json.loads(printed(run, f"solve {PLAYED} --weights w.tsv --json"))
    assert (solved["weights"], solved["weight"], solved["optimal"]) == ("w.tsv", 66, True)
    built = json.loads(printed(run, f"simulate {PLAYED} --weights w.tsv --strategy parts --json"))
    plain = json.loads(printed(run, f"solve {PLAYED} --json"))
    light = read_checkpoint(plain["checkpoint"]).replaced(weights=heavy.weights, mean_points=None)
    others = (built["total_guesses"], light.total_guesses)
    assert solved["total_guesses"] == solved["bound_total_guesses"] <= min(others)
    for weights in ("--weights w.tsv", ""):
        proven = json.loads(printed(run, f"prove {solved['checkpoint']} {LISTS} {weights} --json"))
        assert proven["weight"] == 66 and proven["optimal"] is True
        assert proven["total_guesses"] == solved["total_guesses"]

"""`--weights`: what each target counts, in every command that plays, reads or searches for a tree."""

import json
from pathlib import Path

import pytest
import typer

from gpulingo.cli.app import app
from gpulingo.games.catalogue import find_game
from gpulingo.report.results import read_results
from gpulingo.storage.files import file_name
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import read_checkpoint

COMMANDS = typer.main.get_command(app).commands
LISTS = "--wordlist list.txt --targets t.txt"
PLAYED = f"--length 5 {LISTS} --game wordle --device cpu"


@pytest.fixture
def heavy(list22, words22):
    """Every second of the 22 words is a target, in t.txt, with a weight of 1 to 11 in w.tsv."""
    some = words22.with_targets(words22.words[::2], "t.txt")
    Path("t.txt").write_text("".join(f"{word}\n" for word in some.targets))
    weights = {word: place for place, word in enumerate(some.targets, 1)}
    Path("w.tsv").write_text("".join(f"{word}\t{weight}\n" for word, weight in weights.items()))
    Path("ones.tsv").write_text("".join(f"{word}\t1\n" for word in weights))
    return some.with_weights(weights, "w.tsv")


def printed(run, command):
    done = run(command)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_every_command_that_plays_or_reads_a_tree_takes_weights():
    taking = {
        name for name in COMMANDS if any("--weights" in option.opts for option in COMMANDS[name].params)
    }
    assert taking == {
        "simulate",
        "compare",
        "show",
        "openings",
        "solve",
        "prove",
        "suggest",
        "review",
    }


def test_what_is_counted_and_summed_up_is_weighted(run, heavy):
    tree = simulate(heavy, "entropy", find_game("wordle")).tree
    counts = {"turns": tree.turn_counts(), "lost": 0, "words": 11, "weights": "w.tsv", "weight": 66}
    values = {"mean_points": tree.mean_points, "mean_guesses": pytest.approx(tree.total_guesses / 66)}
    totals = {"total_guesses": tree.total_guesses, "fingerprint": heavy.fingerprint}
    entry = json.loads(printed(run, f"simulate {PLAYED} --weights w.tsv --strategy entropy --json"))
    expected = counts | values | totals
    assert {name: entry[name] for name in expected} == expected and sum(entry["turns"]) == 66
    compared = f"compare {PLAYED} --weights w.tsv --strategies entropy --json --out r.jsonl"
    entry = json.loads(printed(run, compared))
    assert {name: entry[name] for name in expected} == expected
    assert entry["found_by"][-1] == 1
    (result,) = read_results("r.jsonl")
    assert (result.total_weight, result.words, result.weights) == (66, 11, "w.tsv")
    table = printed(run, f"simulate {PLAYED} --weights w.tsv --strategy entropy")
    assert "list: list.txt; targets: t.txt; weights: w.tsv; strategy: entropy" in table
    assert "words found, by weight" in table and f" {tree.total_guesses} " in table


def test_a_tree_is_kept_for_its_weights_and_verified_with_them_or_its_own(run, heavy):
    Path("checkpoints").mkdir()
    built = printed(run, f"simulate {PLAYED} --weights w.tsv --strategy parts --save checkpoints --json")
    path = f"checkpoints/{file_name('wordle6', 5, heavy.fingerprint)}"
    entry = json.loads(built)
    assert (entry["checkpoint"], entry["weights"], entry["weight"]) == (path, "w.tsv", 66)
    tree = read_checkpoint(path)
    assert list(tree.weights) == heavy.weights
    for named in (f"5 --game wordle {LISTS} --weights w.tsv", f"{path} {LISTS} --weights w.tsv"):
        entry = json.loads(printed(run, f"prove --tree-only {named} --json"))
        assert (entry["weights"], entry["weight"], entry["turns"]) == ("w.tsv", 66, tree.turn_counts())
    entry = json.loads(printed(run, f"prove --tree-only {path} {LISTS} --json"))
    assert (entry["weights"], entry["total_guesses"]) == ("the checkpoint", tree.total_guesses)
    assert printed(run, f"show {path} {LISTS}").splitlines()[0].endswith(" (66)")
    done = run(f"prove --tree-only {path} {LISTS} --weights ones.tsv")
    assert done.exit_code == 1 and "checkpoint has other weights than those of ones.tsv" in done.stderr


def test_all_weights_one_make_the_same_file_as_none(run, heavy):
    for folder, weights in (("plain", ""), ("ones", "--weights ones.tsv")):
        Path(folder).mkdir()
        printed(run, f"simulate {PLAYED} {weights} --strategy entropy --save {folder}")
    files = [
        {path.name: path.read_bytes() for path in Path(folder).iterdir()} for folder in ("plain", "ones")
    ]
    assert files[0] == files[1] and len(files[0]) == 1


@pytest.mark.slow
def test_the_commoner_of_two_words_is_tried_first(run, heavy):
    Path("list.txt").write_text("aback\nabaca\nabase\n")
    shown = printed(
        run, "simulate --length 5 --wordlist list.txt --weights levels --turns 1 --json --strategy parts"
    )
    entry = json.loads(shown)
    assert (entry["opening"], entry["weights"], entry["turns"]) == ("aback", "levels", [880])


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
        assert (proven["weight"], proven["total_guesses"], proven["optimal"]) == (
            66,
            solved["total_guesses"],
            True,
        )


def test_openings_are_played_out_without_weights(run, heavy):
    done = run(f"openings {PLAYED} --weights w.tsv")
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("gpulingo: weights of w.tsv: openings are ranked without weights, use")


def test_a_file_of_weights_is_not_replaced(run, heavy):
    done = run(f"simulate {PLAYED} --weights w.tsv --strategy letters --per-word w.tsv")
    assert done.exit_code == 2 and "w.tsv would replace a file that is read" in done.stderr

"""`gpulingo solve --objective` and `--opponent`: least worst turn, fewest lost words, against brute force."""

import json

import exhaustive
import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList

SOLVE = "solve --length 3 --wordlist list.txt --device cpu --json"
FAMILY = [first + second + "x" for first in "abc" for second in "mnop"] + ["abc", "mno"]


@pytest.fixture
def family(tmp_path, monkeypatch):
    """Words that are hard to tell apart, in a file of the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("\n".join(FAMILY))
    return WordList("list.txt", FAMILY)


def least_turns(name, words):
    """The fewest turns within which all words can be found."""
    found = (turns for turns in range(1, 20) if best(f"{name}-found", turns) == len(words))
    return next(found)


def best(name, turns):
    """Credits of a best strategy."""
    return exhaustive.best_of(FAMILY, find_game(name, turns))


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["", "-hard", "-consistent"])
def test_the_worst_turn_is_least_and_then_the_mean_is(run, family, rule):
    least = least_turns(f"wordle{rule}", FAMILY)
    entry = json.loads(run(f"{SOLVE} --game wordle{rule} --turns 9 --objective worst").stdout)
    assert (entry["worst_guesses"], entry["worst_proven"], entry["optimal"]) == (least, True, True)
    tree = read_checkpoint(entry["checkpoint"])
    verify(tree, family)
    assert tree.turns == least and tree.lost == 0
    lost_first = find_game(f"wordle{rule}-lost", least)  # of which the best mean without a lost word is best
    assert tree.replaced(game=lost_first, mean_points=None).value == best(lost_first.name, least)
    assert entry["total_guesses"] == tree.total_guesses


@pytest.mark.parametrize("rule", ["", "-hard", "-consistent"])
def test_an_adversary_is_beaten_in_as_few_guesses_as_can_be(run, family, rule):
    least = least_turns(f"lingo{rule}", FAMILY)
    done = run(f"{SOLVE} --game lingo{rule} --opponent adversary")
    entry = json.loads(done.stdout)
    assert (entry["worst_guesses"], entry["worst_proven"]) == (least, True), done.stderr
    tree = read_checkpoint(entry["checkpoint"])
    assert tree.game.code == f"lingo{rule}-found{least}" and verify(tree, family)
    text = run(f"{SOLVE} --game lingo{rule} --opponent adversary".removesuffix("--json"))
    assert text.stdout.count(f"at most {least} guesses; no strategy needs fewer: proven") <= 1
    fewer = next(
        iter(sorted((family_path(entry)).glob(f"lingo{rule}-found{least - 1}-3-*[0-9a-f].npz"))), None
    )
    if fewer is not None:
        proof = run(f"prove {fewer} --wordlist list.txt --device cpu --json")
        assert proof.exit_code == 0 and json.loads(proof.stdout)["bound_lost"] >= 1


def family_path(entry):
    """The folder of a checkpoint."""
    from pathlib import Path

    return Path(entry["checkpoint"]).parent


@pytest.mark.parametrize("turns", [3, 4])
def test_lost_words_come_first_then_the_worst_turn_then_the_mean(run, family, turns):
    done = run(f"{SOLVE} --game lingo --turns {turns} --objective lost")
    entry = json.loads(done.stdout)
    found = best("lingo-found", turns)
    tree = read_checkpoint(entry["checkpoint"])
    assert len(FAMILY) - tree.lost == found and entry["lost"] == tree.lost
    last = entry["worst_guesses"]
    assert best("lingo-found", last) == found > best("lingo-found", last - 1)
    assert tree.value == best("lingo-lost", last) and entry["worst_proven"] and entry["optimal"]


@pytest.mark.parametrize("aim", ["--objective worst", "--objective lost", "--opponent adversary"])
@pytest.mark.parametrize("rule", ["", "--hard"])
def test_where_the_time_is_up_only_what_is_true_is_called_proven(run, family, rule, aim):
    done = run(f"{SOLVE} --game lingo {rule} {aim} --time 0")
    entry, least = json.loads(done.stdout), least_turns("lingo" + rule.replace("--", "-"), FAMILY)
    assert done.exit_code == 0 and entry["worst_guesses"] >= least
    assert entry["worst_guesses"] == least or not entry["worst_proven"]
    assert entry["worst_proven"] or entry["ended"] == "time is up"


@pytest.mark.parametrize("rule", ["", "-hard"])
def test_the_best_of_the_least_worst_turn_stands_where_it_was_asked_for(run, family, tmp_path, rule):
    done = run(f"{SOLVE} --game wordle{rule} --objective worst --out {tmp_path}/worst.npz")
    entry = json.loads(done.stdout)
    assert entry["checkpoint"] == f"{tmp_path}/worst.npz" and entry["optimal"]
    verify(read_checkpoint(tmp_path / "worst.npz"), family)
    proof = run(f"prove {tmp_path}/worst.npz --wordlist list.txt --device cpu")
    assert proof.exit_code == 0, proof.stderr


def test_an_objective_and_an_adversary_are_too_much(run, family):
    done = run("solve --length 3 --wordlist list.txt --objective worst --opponent adversary")
    assert done.exit_code == 2
    assert "--objective worst with an adversary, who makes every round the worst: leave it out" in done.stderr
    assert run("solve --length 3 --wordlist list.txt --objective best").exit_code == 2

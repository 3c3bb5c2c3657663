"""`solve` and `prove` for hangman against recursion over every letter, with both opponents."""

import json
import random

import numpy as np
import pytest
from exhaustive import best_of, least_misses

from gpulingo.bounds.host_proof import read_host_proof, write_host_proof
from gpulingo.games.catalogue import hangman, hangman_misses
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList

SEEDS = (1, 3)


def drawn(seed):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcdefg", k=4)) for _ in range(24)})
    return WordList("list.txt", words)


@pytest.fixture
def words(request, tmp_path, monkeypatch):
    """A list in a file of the current folder."""
    monkeypatch.chdir(tmp_path)
    wordlist = drawn(request.param)
    (tmp_path / "list.txt").write_text("\n".join(wordlist.words))
    return wordlist


of_seeds = pytest.mark.parametrize("words", SEEDS, indirect=True)


SOLVE = "solve --game hangman --length 4 --wordlist list.txt --json"


@of_seeds
@pytest.mark.parametrize("lives", [1, 3, 5])
def test_the_most_words_that_can_be_won_are_found_and_proven(run, words, lives):
    entry = json.loads(run(f"{SOLVE} --lives {lives}").stdout)
    most = best_of(words.words, hangman(lives))
    assert entry["won"] == entry["bound_won"] == most
    assert entry["optimal"] is True and entry["ended"] == "proven"
    tree = read_checkpoint(entry["checkpoint"])
    turns = verify(tree, words)
    assert sum(turn > 0 for turn in turns) == most == sum(entry["misses"]) and tree.turns == lives
    misses = [turn - 1 if turn else lives for turn in turns]
    assert entry["mean_misses"] == pytest.approx(sum(misses) / len(misses))
    again = json.loads(
        run(f"simulate --game hangman --lives {lives} --length 4 --wordlist list.txt --json").stdout
    )
    assert (again["strategy"], again["won"], again["bound_won"]) == ("best", most, most)


@of_seeds
def test_the_fewest_misses_are_found_and_proven(run, words):
    entry = json.loads(run(f"{SOLVE} --lives 3 --objective misses").stdout)
    total = 3 * len(words) - best_of(words.words, hangman_misses(3))
    assert (entry["total_misses"], entry["bound_total_misses"], entry["optimal"]) == (total, total, True)
    assert entry["game"] == "hangman-misses"
    verify(read_checkpoint(entry["checkpoint"]), words)


@pytest.mark.slow
@of_seeds
def test_what_a_host_forces_is_found_and_both_strategies_are_checked(run, words):
    entry = json.loads(run(f"{SOLVE} --opponent adversary").stdout)
    least = least_misses(words.words)
    assert (entry["misses"], entry["enough"], entry["optimal"]) == (least, least, True)
    tree = read_checkpoint(entry["guesser"])
    assert tree.game.code == f"hangman{least + 1}" and max(verify(tree, words)) == least + 1
    proof = json.loads(run(f"prove {entry['guesser']} --wordlist list.txt --json").stdout)
    assert (proof["misses"], proof["enough"], proof["optimal"]) == (least, least, True)
    for lives, wins in ((least, "host"), (least + 1, "guesser")):
        who = json.loads(run(f"{SOLVE} --opponent adversary --lives {lives}").stdout)
        assert (who["lives"], who["wins"]) == (lives, wins)
    text = run(f"prove {entry['guesser']} --wordlist list.txt").stdout
    assert "both sides are best: proven" in text


@pytest.mark.parametrize("words", [2], indirect=True)
def test_a_host_who_claims_more_than_he_forces_is_refused(run, words):
    entry = json.loads(run(f"{SOLVE} --opponent adversary").stdout)
    proof = read_host_proof(entry["host"], words)
    forged = proof.misses + np.int32(1)
    write_host_proof(
        entry["host"],
        type(proof)(proof.fingerprint, proof.length, proof.words, proof.starts, forged, proof.answers),
    )
    done = run(f"prove {entry['guesser']} --wordlist list.txt")
    assert done.exit_code == 1 and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", [3], indirect=True)
def test_where_the_time_is_up_the_best_so_far_is_written(run, words):
    entry = json.loads(run(f"{SOLVE} --lives 2 --time 0").stdout)
    most = best_of(words.words, hangman(2))
    assert entry["won"] <= most <= entry["bound_won"]
    assert entry["ended"] in ("time is up", "proven")
    verify(read_checkpoint(entry["checkpoint"]), words)
    entry = json.loads(run(f"{SOLVE} --opponent adversary --time 0").stdout)
    assert entry["misses"] <= least_misses(words.words) <= entry["enough"]
    verify(read_checkpoint(entry["guesser"]), words)

"""Which game is played: `--game` alone, with `--turns`, and with the game of a checkpoint."""

import json
from pathlib import Path

import pytest

from gpulingo.cli.options import chosen_game
from gpulingo.trees.checkpoint import read_checkpoint


@pytest.mark.parametrize(
    ("name", "turns", "code"), [("lingo", None, "lingo5"), ("lingo", 6, "lingo6"), ("lingo6", 6, "lingo6")]
)
def test_the_turns_stand_in_the_name_or_in_their_own_option(name, turns, code):
    assert chosen_game(name, turns).code == code


def test_hard_mode_from_a_later_turn_is_solved_proved_kept_and_followed(run, list22):
    lists, option = "--wordlist list.txt --device cpu", "--game wordle --hard-from"
    totals = {}
    for turn in ("1", "2", "3", "4"):
        done = run(f"solve --length 5 {lists} {option} {turn} --out {turn}.npz --json")
        assert done.exit_code == 0, done.stderr
        entry = json.loads(done.stdout)
        totals[turn] = entry["total_guesses"]
        assert totals[turn] == entry["bound_total_guesses"]
        assert "no strategy" in run(f"prove {turn}.npz {lists}").stdout
        assert run(f"prove --tree-only {turn}.npz --wordlist list.txt {option} {turn}").exit_code == 0
    assert totals["1"] == totals["2"] >= totals["3"] >= totals["4"]
    assert [read_checkpoint(Path(f"{turn}.npz")).game.code for turn in totals] == [
        "wordle-hard6",
        "wordle-hard6",
        "wordle-from3-hard6",
        "wordle-from4-hard6",
    ]

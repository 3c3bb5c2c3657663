"""`gpulingo show`: a tree or a branch of it, and histories that it refuses."""

import pytest

from gpulingo.advice.notation import read_history
from gpulingo.games.catalogue import feedback_of
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.text import tree_lines


def test_the_tree_is_printed(run, middle, words22):
    done = run("show middle.npz --wordlist list.txt")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == tree_lines(read_checkpoint(middle), words22.words)


def test_a_branch_is_printed_as_far_as_asked(run, middle, words22):
    tree = read_checkpoint(middle)
    whole = tree_lines(tree, words22.words)
    guess, marks = whole[0].split()[0], whole[1].split()[0]
    done = run(f"show middle.npz --wordlist list.txt --history {guess}:{marks} --turns 2 --limit 2")
    lines = tree_lines(
        tree,
        words22.words,
        history=read_history([f"{guess}:{marks}"], feedback_of(tree.game)),
        turns=2,
        limit=2,
    )
    assert done.stdout.splitlines() == lines
    spaced = run("show middle.npz --wordlist list.txt --turns 2 --limit 2 --history", f" {guess}:{marks}  ")
    assert spaced.stdout == done.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--history raise", "--history: 'raise' is not a guess with its marks: write it as crane:BYBBG"),
        ("--history raise:XX", "--history: marks 'XX' of 'raise' are 2, it has 5 letters"),
        ("--history raise:XX!XO", "--history: marks 'XX!XO' of raise hold '!' at place 3"),
        ("--history zebra:XXXXX", "--history: the guess of turn 1 is macaw in this tree"),
        ("--history macaw:OOOOO", "--history: turn 1 finds macaw: no guess follows"),
        ("--history macaw:O???O", "--history: no word fits the marks GYYYG of macaw on turn 1"),
        ("--turns 0", "invalid value for '--turns': '0' is not a whole number from 1 to 255"),
        ("--limit -1", "invalid value for '--limit': '-1' is not a whole number"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_2(refused, middle, line, said):
    refused(f"show middle.npz --wordlist list.txt {line}", said)


def test_a_list_that_the_checkpoint_is_not_for_is_a_failed_run(refused, middle):
    refused("show middle.npz", "checkpoint is for list ", code=1)

"""Trees of 22 words: pickled, shown from a history on; more are rows of calls.tsv."""

import pickle

from gpulingo.advice.notation import read_history
from gpulingo.games import marks
from gpulingo.strategies.build import simulate
from gpulingo.trees.text import tree_lines


def test_a_tree_travels_to_other_processes_whatever_buffers_it_has(words22):
    tree = simulate(words22).tree
    assert isinstance(tree.guess, memoryview)
    there = pickle.loads(pickle.dumps(tree))
    assert there == tree
    assert there.turn_counts() == tree.turn_counts()
    plain = tree.replaced(
        **{name: list(getattr(tree, name)) for name in ("guess", "pattern", "first", "hit")}
    )
    assert pickle.loads(pickle.dumps(plain)) == tree


def test_a_branch_begins_after_its_history(words22, grown):
    tree = grown(words22)
    lines = tree_lines(tree, words22.words)
    assert len(lines) == len(tree) == 22
    first = [line for line in lines if line.startswith("  ") and line[2] != " "]
    row, guess, count = first[0].split()
    history = read_history([words22.words[tree.guess[0]], row], marks)
    branch = tree_lines(tree, words22.words, history=history)
    assert branch[0] == f"{guess} {count}"
    assert branch == [line[2:] for line in ["  " + branch[0], *lines[2 : 1 + len(branch)]]]
    assert len(branch) == int(count.strip("()"))

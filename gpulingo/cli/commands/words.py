"""`gpulingo words` and `show`: the content of a list and its checkpoints; a checkpoint as text."""

from __future__ import annotations

import os
from typing import Any

from gpulingo.cli import options
from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import all_lists, list_entry, opened, sources_text
from gpulingo.cli.options import option
from gpulingo.cli.parse import between
from gpulingo.cli.tables import print_table
from gpulingo.games.catalogue import ANSWERS, feedback_of
from gpulingo.games.game import Game
from gpulingo.storage.faults import reported
from gpulingo.storage.files import SHORT
from gpulingo.storage.printed import line_of
from gpulingo.trees.stored import stored_trees
from gpulingo.trees.text import found_roots, tree_lines, tree_nodes
from gpulingo.trees.tree import Tree
from gpulingo.trees.values import Values, of_tree
from gpulingo.words.levels import LEVELS, NO_LEVEL, answers, embedded_digest, levels_of
from gpulingo.words.listing import EMBEDDED_NAME, EMBEDDED_VERSION, WordList


def words(
    listed: options.Lettered,
    *,
    rules: options.Rules,
    as_json: bool = options.JSON,
) -> None:
    """Describe a word list and its stored trees."""
    game = rules.chosen()
    lists = all_lists(listed, game)
    fitting = [(words, _fitting(words, game)) for words in lists]
    if as_json:
        for words, trees in fitting:
            print(line_of("words", _entry(words, trees)))
        return
    print(f"list: {sources_text(lists)}")
    if any(words.turkish for words in lists):
        print("capitals: I is ı and İ is i, because the list has ı or İ")
    rows, means = [], list(Values(game, 1).cells(0))
    pool = ["pool"] * any(words.target_ids is not None for words in lists)
    for words, trees in fitting:
        sizes = [f"{words.target_count:,}", *[f"{len(words):,}" for _ in pool]]
        keys = [str(words.length), *sizes, words.fingerprint[:SHORT]]
        used = next(iter(trees), None)
        for path, tree in trees.items():
            cells = of_tree(tree).cells(tree.value).values()
            rows.append([*keys, path, tree.strategy, *cells, "yes" if path == used else "no"])
        if not trees:
            rows.append([*keys, "none", "", "", "", ""])
    texts = ["fingerprint", "checkpoint", "strategy"]
    columns = ["length", "words", *pool, *texts, *means, "used"]
    print_table(columns, rows, left=[*texts, "used"])
    counts = [(words.length, len(words), *_level_counts(words).values()) for words, _ in fitting]
    if 2 * sum(row[-1] for row in counts) < sum(row[1] for row in counts):
        return  # a list in another language: levels of the few words in common are meaningless
    rows = [[f"{n:,}" for n in row] for row in counts]
    whose = "" if all(wordlist.source == EMBEDDED_NAME for wordlist, _ in fitting) else "these words by the "
    print(f"\n{whose}embedded list, version {EMBEDDED_VERSION}, sha256 {embedded_digest()}")
    print("its answers, and words of at most each level:")
    print_table(["length", "words", ANSWERS, *LEVELS], rows)


def _entry(wordlist: WordList, trees: dict[str, Tree]) -> dict[str, Any]:
    used = next(iter(trees), None)
    fitting = [
        {"path": path, "strategy": tree.strategy, "turns": tree.turns, "mean_points": tree.mean_points}
        | of_tree(tree).entry(tree.words, tree.value, tree.bound_value)
        | {"bound": tree.bound, "used": path == used}
        for path, tree in trees.items()
    ]
    entry: dict[str, Any] = {"length": wordlist.length, "words": wordlist.target_count}
    entry |= {**list_entry(wordlist), "fingerprint": wordlist.fingerprint, "levels": _level_counts(wordlist)}
    return entry | {"checkpoints": fitting}


def _level_counts(wordlist: WordList) -> dict[str, int]:
    """Return the numbers of answers and of words up to each level; words without a level are not counted."""
    wordlist = wordlist.weighed(None, "")  # a copy, so that the strings of all words are freed with it
    levels, chosen = levels_of(wordlist, NO_LEVEL), set(answers(wordlist.length))
    counts = {name: sum(word_level <= level for word_level in levels) for name, level in LEVELS.items()}
    return {ANSWERS: sum(word in chosen for word in wordlist.words), **counts}


def _fitting(wordlist: WordList, game: Game) -> dict[str, Tree]:
    """Return the checkpoints that fit, by path, the best first; damaged ones are reported."""
    trees = reported(stored_trees(wordlist, game), tell)
    return {min(path, os.path.relpath(path), key=len): tree for path, tree in trees.items()}


def show(
    stored: options.Stored,
    *,
    letter: str = options.LETTER,
    history: str = option(
        '"GUESS:MARKS ..."', "The branch after these guesses, for example raise:BBYBG.", default=""
    ),
    turns: int | None = option("NUMBER", "Turns of the branch to print.", parser=between(1, 255)),
    limit: int | None = option("NUMBER", "Most lines to print.", parser=between(1, 10**9)),
    as_json: bool = options.JSON,
) -> None:
    """Print a stored tree or one branch of it."""
    from gpulingo.advice.notation import read_history

    _, tree, words = opened(stored)
    with wrong_usage("--history"):
        rounds = read_history(history.split(), feedback_of(tree.game), words.enter)
    letter = words.enter(letter)
    with wrong_usage("--letter"):
        found_roots(tree, letter)
    with wrong_usage("--history"):
        if as_json:
            nodes = tree_nodes(tree, words.words, rounds, letter, turns)[:limit]
            lines = [line_of("show", node) for node in nodes]
        else:
            lines = tree_lines(tree, words.words, history=rounds, letter=letter, turns=turns, limit=limit)
    print("\n".join(lines))

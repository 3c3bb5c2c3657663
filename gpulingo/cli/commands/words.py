"""`gpulingo words` and `show`: the content of a list and its checkpoints; a checkpoint as text."""

from __future__ import annotations

import os
from typing import Any

from gpulingo.advice.notation import read_history
from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import list_head, lists_of, opened, sources_text
from gpulingo.cli.options import LETTER, Lettered, Printed, Rules, Stored, between, group, option
from gpulingo.cli.run import Run
from gpulingo.games.catalogue import feedback_of
from gpulingo.storage.faults import reported
from gpulingo.storage.files import SHORT
from gpulingo.trees.stored import stored_trees
from gpulingo.trees.text import found_roots, tree_lines, tree_nodes
from gpulingo.trees.values import Values, of_tree
from gpulingo.words.listing import EMBEDDED_NAME, EMBEDDED_VERSION
from gpulingo.words.targets import embedded_digest, level_counts


@group
class ListOptions(Lettered, Rules, Printed):
    pass


def words(args: ListOptions) -> None:
    """Describe a word list and its stored trees."""
    game, run = args.chosen(), Run("words", as_json=args.as_json)
    lists, rows, counts = lists_of(args).every(game), list[dict[str, str]](), list[dict[str, int]]()
    pools = any(words.target_ids is not None for words in lists)
    for words in lists:
        trees, levels = reported(stored_trees(words, game), tell), level_counts(words)
        trees = {min(path, os.path.relpath(path), key=len): tree for path, tree in trees.items()}
        used = next(iter(trees), None)  # the best first
        row = {"length": f"{words.length}", "words": f"{words.target_count:,}"}
        row |= {"pool": f"{len(words):,}"} if pools else {}
        row |= {"fingerprint": words.fingerprint[:SHORT]}
        entries = []
        for path, tree in trees.items():
            values, is_used = of_tree(tree), path == used
            entry = {"path": path, "strategy": tree.strategy, "turns": tree.turns}
            entry |= {"mean_points": tree.mean_points}
            entry |= values.entry(tree.words, tree.value, tree.bound_value)
            entries.append(entry | {"bound": tree.bound, "used": is_used})
            cells = row | {"checkpoint": path, "strategy": tree.strategy} | values.cells(tree.value)
            rows.append(cells | {"used": "yes" if is_used else "no"})
        if not trees:
            means = dict.fromkeys(["strategy", *Values(game, 1).cells(0), "used"], "")
            rows.append(row | {"checkpoint": "none"} | means)
        counts.append({"length": words.length, "words": len(words)} | levels)
        run.entry(list_head(words) | {"levels": levels, "checkpoints": entries})
    run.text(f"list: {sources_text(lists)}")
    if any(words.turkish for words in lists):
        run.text("capitals: I is ı and İ is i, because the list has ı or İ")
    run.table(rows, left=["fingerprint", "checkpoint", "strategy", "used"])
    if args.as_json or 2 * sum(row["huge"] for row in counts) < sum(row["words"] for row in counts):
        return  # a list in another language: levels of the few words in common are meaningless
    whose = "" if all(words.source == EMBEDDED_NAME for words in lists) else "these words by the "
    run.text(f"\n{whose}embedded list, version {EMBEDDED_VERSION}, sha256 {embedded_digest()}")
    run.text("its answers, and words of at most each level:")
    run.table([{name: f"{number:,}" for name, number in row.items()} for row in counts])


@group
class ShowOptions(Stored, Printed):
    letter: str = LETTER
    history: str = option(
        '"GUESS:MARKS ..."', "The branch after these guesses, for example raise:BBYBG.", default=""
    )
    turns: int | None = option("NUMBER", "Turns of the branch to print.", parser=between(1, 255))
    limit: int | None = option("NUMBER", "Most lines to print.", parser=between(1, 10**9))


def show(args: ShowOptions) -> None:
    """Print a stored tree or one branch of it."""
    (_, tree, words), run = opened(args), Run("show", as_json=args.as_json)
    with wrong_usage("--history"):
        rounds = read_history(args.history.split(), feedback_of(tree.game), words.enter)
    letter = words.enter(args.letter)
    with wrong_usage("--letter"):
        found_roots(tree, letter)
    branch: dict[str, Any] = {"history": rounds, "letter": letter, "turns": args.turns}
    with wrong_usage("--history"):
        nodes = tree_nodes(tree, words.words, **branch)[: args.limit] if args.as_json else []
        lines = [] if args.as_json else tree_lines(tree, words.words, **branch, limit=args.limit)
    for node in nodes:
        run.entry(node)
    run.text(*lines)

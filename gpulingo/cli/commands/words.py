"""`gpulingo words`: what a list holds, and which checkpoints fit."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.errors import tell
from gpulingo.cli.lists import all_sources, sources_text

if TYPE_CHECKING:
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList


def words(wordlist: options.Wordlist = None, as_json: options.Json = False) -> None:
    """Print what a list holds per length, and which checkpoints fit."""
    sources = all_sources(wordlist)
    found = [(source.wordlist, _fitting(source.wordlist)) for source in sources]
    if as_json:
        for one, trees in found:
            print(json.dumps(_entry(one, trees), ensure_ascii=False))
        return
    from gpulingo.cli.tables import guesses_text, points_text, print_table

    print(f"list: {sources_text(sources)}")
    rows = []
    for one, trees in found:
        keys, used = [str(one.length), f"{len(one):,}", one.fingerprint[:12]], _used(trees)
        for path, tree in trees.items():
            means = [points_text(tree.mean_points), guesses_text(tree.mean_guesses)]
            rows.append([*keys, path, tree.strategy, *means, "yes" if path == used else "no"])
        if not trees:
            rows.append([*keys, "none", "", "", "", ""])
    columns = [
        "length",
        "words",
        "fingerprint",
        "checkpoint",
        "strategy",
        "mean points",
        "mean guesses",
        "used",
    ]
    print_table(columns, rows, left=[*columns[2:5], "used"])


def _entry(wordlist: WordList, trees: dict[str, Tree]) -> dict[str, Any]:
    """The words of a length as a JSON object."""
    fitting = [
        {
            "path": path,
            "strategy": tree.strategy,
            "turns": tree.turns,
            "mean_points": tree.mean_points,
            "mean_guesses": tree.mean_guesses,
            "bound": tree.bound,
            "used": path == _used(trees),
        }
        for path, tree in trees.items()
    ]
    entry: dict[str, Any] = {"length": wordlist.length, "words": len(wordlist), "list": wordlist.source}
    return entry | {"fingerprint": wordlist.fingerprint, "checkpoints": fitting}


def _fitting(wordlist: WordList) -> dict[str, Tree]:
    """The checkpoints that fit, by path, the best first; damaged ones are told."""
    from gpulingo.games.catalogue import lingo
    from gpulingo.trees.kept import kept_trees

    trees, faults = kept_trees(wordlist, lingo())
    for fault in faults:
        tell(fault)
    return {min(path, os.path.relpath(path), key=len): tree for path, tree in trees.items()}


def _used(trees: dict[str, Tree]) -> str | None:
    """The path of the one that is used."""
    return next(iter(trees), None)

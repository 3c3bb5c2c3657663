"""`gpulingo words`: what a list holds, and which checkpoints fit."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.guard import tell
from gpulingo.cli.sources import all_sources, sources_text

if TYPE_CHECKING:
    from gpulingo.trees.tree import Tree
    from gpulingo.words.lists import WordList


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
        keys = [str(one.length), f"{len(one):,}", one.fingerprint[:12]]
        for path, tree in trees.items():
            means = [points_text(tree.mean_points), guesses_text(tree.mean_guesses)]
            rows.append([*keys, path, tree.strategy, *means])
        if not trees:
            rows.append([*keys, "none", "", "", ""])
    columns = ["length", "words", "fingerprint", "checkpoint", "strategy", "mean points", "mean guesses"]
    print_table(columns, rows, left=columns[2:5])


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
        }
        for path, tree in trees.items()
    ]
    entry: dict[str, Any] = {"length": wordlist.length, "words": len(wordlist), "list": wordlist.source}
    return entry | {"fingerprint": wordlist.fingerprint, "checkpoints": fitting}


def _fitting(wordlist: WordList) -> dict[str, Tree]:
    """The checkpoints that fit, by path, in the order in which the player looks; damaged ones are told."""
    from gpulingo.play.pit import GAME
    from gpulingo.trees.checkpoint import (
        FOLDERS,
        CheckpointError,
        check_fits,
        find_checkpoint,
        read_checkpoint,
    )

    found: dict[str, Tree] = {}
    for folder in dict.fromkeys(map(os.path.realpath, FOLDERS)):
        path = find_checkpoint([folder], GAME.name, wordlist.length, wordlist.fingerprint)
        if path is None:
            continue
        path = min(path, os.path.relpath(path), key=len)
        try:
            tree = read_checkpoint(path, thorough=False)
            check_fits(tree, wordlist)
            found[path] = tree
        except CheckpointError as error:
            tell(str(error))
    return found

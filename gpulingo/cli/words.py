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
    from gpulingo.cli.tables import print_table

    print(f"list: {sources_text(sources)}")
    rows = []
    for one, trees in found:
        used = _used(trees)
        texts = [
            f"{path} ({tree.strategy}, {tree.mean_points:.3f} mean points{', used' * (path == used)})"
            for path, tree in trees.items()
        ]
        rows.append([str(one.length), f"{len(one):,}", one.fingerprint[:12], ", ".join(texts) or "none"])
    print_table(["length", "words", "fingerprint", "checkpoints"], rows, left=["fingerprint", "checkpoints"])


def _entry(wordlist: WordList, trees: dict[str, Tree]) -> dict[str, Any]:
    """The words of a length as a JSON object."""
    fitting = [
        {
            "path": path,
            "strategy": tree.strategy,
            "turns": tree.turns,
            "mean_points": tree.mean_points,
            "bound": tree.bound,
            "used": path == _used(trees),
        }
        for path, tree in trees.items()
    ]
    entry: dict[str, Any] = {"length": wordlist.length, "words": len(wordlist), "list": wordlist.source}
    return entry | {"fingerprint": wordlist.fingerprint, "checkpoints": fitting}


def _fitting(wordlist: WordList) -> dict[str, Tree]:
    """The checkpoints that fit, by path, the best first; damaged ones are told."""
    from gpulingo.trees.kept import kept_trees

    trees, faults = kept_trees(wordlist)
    for fault in faults:
        tell(fault)
    return {min(path, os.path.relpath(path), key=len): tree for path, tree in trees.items()}


def _used(trees: dict[str, Tree]) -> str | None:
    """The path of the one that is used."""
    from gpulingo.rules.lingo import Lingo
    from gpulingo.trees.kept import path_of_best

    return path_of_best(trees, Lingo().turns)

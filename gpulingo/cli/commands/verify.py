"""`gpulingo verify`: replay a checkpoint against every word, by the reference rule alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import opened
from gpulingo.cli.errors import tell
from gpulingo.cli.lists import list_entry, list_text
from gpulingo.report.values import of_tree
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.trees.tree import Tree
    from gpulingo.words.wordlist import WordList


def verify(
    checkpoint: options.Checkpoint,
    wordlist: options.CheckpointList = None,
    targets: options.CheckpointTargets = None,
    weights: options.CheckpointWeights = None,
    game: options.CheckpointGame = None,
    rule: options.Rule = "",
    as_json: options.Json = False,
) -> None:
    """Replay a checkpoint against every word: `prove --tree-only`."""
    replay(*opened(checkpoint, wordlist, game, targets, weights, rule=rule, gives=True), as_json)
    tell("`gpulingo verify` is now `gpulingo prove --tree-only`; the old name works for one more version")


def replay(path: Path, tree: Tree, words: WordList, as_json: bool) -> None:
    """Replay a tree against every word by the reference rule, and print what it does.

    Raises:
        CheckpointError: it does not what its header says.
    """
    from gpulingo.trees.verify import verify as replayed

    replayed(tree, words)
    counts, lost, values = tree.turn_counts(), tree.lost, of_tree(tree)
    if as_json:
        entry: dict[str, Any] = {"checkpoint": str(path), **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint, "length": words.length, "words": words.target_count}
        entry |= {"strategy": tree.strategy, "turns": counts, "lost": lost, "mean_points": tree.mean_points}
        entry |= {"bound": tree.bound} | values.entry(len(words), tree.mean_points, tree.bound)
        print(line_of("prove", entry))
        return
    from gpulingo.cli.tables import print_rows

    right = f"right for all {words.target_count:,} words of {words.length} letters"
    print(f"{path}: {right} in {list_text(words)}")
    row = {"strategy": tree.strategy} | values.cells(tree.mean_points, lost) | values.turn_cells(counts, lost)
    print_rows([row], left=["strategy"])

"""`gpulingo verify`: replay a checkpoint against every word, by the plain rule alone."""

from __future__ import annotations

import json
from typing import Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import opened


def verify(
    checkpoint: options.Checkpoint,
    wordlist: options.CheckpointList = None,
    game: options.CheckpointGame = None,
    as_json: options.Json = False,
) -> None:
    """Replay a checkpoint against every word by the plain rule."""
    from gpulingo.trees.verify import verify as replayed

    path, tree, words = opened(checkpoint, wordlist, game)
    found_on = replayed(tree, words)
    counts, lost = [found_on.count(turn) for turn in range(1, tree.turns + 1)], found_on.count(0)
    if as_json:
        entry: dict[str, Any] = {
            "checkpoint": str(path),
            "list": words.source,
            "fingerprint": words.fingerprint,
        }
        entry |= {
            "length": words.length,
            "words": words.target_count,
            "strategy": tree.strategy,
            "turns": counts,
        }
        entry |= {"lost": lost, "mean_points": tree.mean_points, "bound": tree.bound}
        entry["mean_guesses"] = tree.mean_guesses
        print(json.dumps(entry, ensure_ascii=False))
        return
    from gpulingo.cli.tables import guesses_text, points_text, print_table

    print(f"{path}: right for all {words.target_count:,} words of {words.length} letters in {words.source}")
    means = [points_text(tree.mean_points), guesses_text(tree.mean_guesses)]
    numbers = [f"turn {turn}" for turn in range(1, tree.turns + 1)]
    row = [tree.strategy, *means, *(f"{n:,}" for n in (*counts, lost))]
    print_table(["strategy", "mean points", "mean guesses", *numbers, "lost"], [row], left=["strategy"])

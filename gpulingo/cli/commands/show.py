"""`gpulingo show`: a checkpoint, or a branch of it, as text."""

from __future__ import annotations

from typing import Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import opened
from gpulingo.cli.errors import wrong_usage
from gpulingo.cli.parse import between

History = Annotated[
    str,
    typer.Option(
        metavar='"GUESS:MARKS ..."', help="The branch after these guesses, for example raise:XX?XO."
    ),
]
Letter = Annotated[
    str,
    typer.Option(metavar="LETTER", help="The given first letter, with --first-letter."),
]
Levels = Annotated[
    int | None,
    typer.Option("--turns", parser=between(1, 255), metavar="NUMBER", help="Turns of the branch to print."),
]
Limit = Annotated[
    int | None, typer.Option(parser=between(1, 10**9), metavar="NUMBER", help="Most lines to print.")
]


def show(
    checkpoint: options.Checkpoint,
    wordlist: options.CheckpointList = None,
    targets: options.CheckpointTargets = None,
    weights: options.CheckpointWeights = None,
    game: options.CheckpointGame = None,
    rule: options.Rule = "",
    letter: Letter = "",
    history: History = "",
    turns: Levels = None,
    limit: Limit = None,
) -> None:
    """Print a stored tree or one branch of it."""
    from gpulingo.trees.text import found_roots, parsed_history, tree_lines

    _, tree, words = opened(
        checkpoint, wordlist, game, targets, weights,
        rule=rule, gives=True,
    )  # fmt: skip
    with wrong_usage("--history"):
        rounds = parsed_history(history, tree.game)
    letter = letter.lower()
    with wrong_usage("--letter"):
        found_roots(tree, letter)
    with wrong_usage("--history"):
        lines = tree_lines(tree, words.words, history=rounds, letter=letter, turns=turns, limit=limit)
    print("\n".join(lines))

"""`gpulingo show`: a checkpoint, or a branch of it, as text."""

from __future__ import annotations

from gpulingo.cli import options
from gpulingo.cli.checkpoints import opened
from gpulingo.cli.errors import wrong_usage
from gpulingo.cli.options import option
from gpulingo.cli.parse import between


def show(
    stored: options.Stored,
    *,
    letter: str = options.LETTER,
    history: str = option(
        '"GUESS:MARKS ..."', "The branch after these guesses, for example raise:BBYBG.", default=""
    ),
    turns: int | None = option("NUMBER", "Turns of the branch to print.", parser=between(1, 255)),
    limit: int | None = option("NUMBER", "Most lines to print.", parser=between(1, 10**9)),
) -> None:
    """Print a stored tree or one branch of it."""
    from gpulingo.advice.notation import read_history
    from gpulingo.games.catalogue import feedback_of
    from gpulingo.trees.text import found_roots, tree_lines

    _, tree, words = opened(stored)
    with wrong_usage("--history"):
        rounds = read_history(history.split(), feedback_of(tree.game), words.enter)
    letter = words.enter(letter)
    with wrong_usage("--letter"):
        found_roots(tree, letter)
    with wrong_usage("--history"):
        lines = tree_lines(tree, words.words, history=rounds, letter=letter, turns=turns, limit=limit)
    print("\n".join(lines))

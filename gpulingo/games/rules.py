"""The rules of legal guesses, and the options that select them."""

from __future__ import annotations

from gpulingo.games.game import Game

HINTS = ("hard", "consistent")  # legal guesses depend on hints
GIVING = ("letter", "start")  # the first letter is given; the same, and every guess begins with it


def options_of(rule: str) -> str:
    """Return the options that select a rule; the inverse of `asked_rule`."""
    if rule.startswith("from"):
        return f"--hard-from {rule.removeprefix('from').partition('-')[0]}"
    return {"letter": "--first-letter", "start": "--first-letter --must-start"}.get(rule, f"--{rule}")


def typed(game: Game) -> tuple[str, str]:
    """Return the name of a game without turns and rule, and the options for the rule, after a space."""
    rule = "" if game.rule == "any" else f" {options_of(game.rule)}"
    return game.name.replace(f"-{game.rule}", "", 1), rule

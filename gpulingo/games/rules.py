"""The rules of what may be guessed, and the options that ask for them."""

from __future__ import annotations

from gpulingo.games.game import Game

HINTS = ("hard", "consistent")  # what may be guessed depends on what was shown
GIVING = ("letter", "start")  # the first letter; the same, and every guess begins with it


def options_of(rule: str) -> str:
    """The options that ask for a rule; the twin of `asked_rule`."""
    if rule.startswith("from"):
        return f"--hard-from {rule.removeprefix('from').partition('-')[0]}"
    return {"letter": "--first-letter", "start": "--first-letter --must-start"}.get(rule, f"--{rule}")


def typed(game: Game) -> tuple[str, str]:
    """The name of a game without turns and rule, and the options that ask for the rule, after a space."""
    rule = "" if game.rule == "any" else f" {options_of(game.rule)}"
    return game.name.replace(f"-{game.rule}", "", 1), rule

"""The rules of what may be guessed as they are asked for: options, the name of the rule, the game."""

from __future__ import annotations

from gpulingo.games.game import Game
from gpulingo.games.rules import GIVING, options_of
from gpulingo.storage.faults import UsageError


def asked_rule(
    *,
    hard: bool = False,
    hard_from: str | None = None,
    consistent: bool = False,
    first_letter: bool = False,
    must_start: bool = False,
) -> str:
    """The rule that options ask for, in the form of `Game.rule`, or empty."""
    given = {"--hard": hard, f"--hard-from {hard_from}": hard_from is not None, "--consistent": consistent}
    options = [option for option, asked in (given | {"--first-letter": first_letter}).items() if asked]
    if len(options) > 1:
        raise UsageError(f"{' and '.join(options)}: give one of them")
    if must_start and not first_letter:
        raise UsageError("--must-start without --first-letter: give both")
    if first_letter:
        return "start" if must_start else "letter"
    if hard_from is None:
        return options[0].removeprefix("--") if options else ""
    if not (hard_from.isascii() and hard_from.isdigit() and len(hard_from) < 9 and int(hard_from) > 0):
        raise UsageError(f"--hard-from {hard_from[:40]!r} is no turn: give a whole number from 1 on")
    return f"from{int(hard_from)}-hard" if int(hard_from) > 2 else "hard"  # on turn 1 there is no hint yet


def under_rule(game: Game, rule: str) -> Game:
    """The game under a rule that was asked for, which it may have already; the game itself where none was."""
    if rule and game.rule != rule:
        giving, given = rule in GIVING, f"{options_of(rule)} with --game {game.name}"
        if game.guesses_letters:
            raise UsageError(f"{given}, where letters are guessed: leave it out")
        if not game.shows_marks and rule != "consistent":
            raise UsageError(f"{given}, which has no such rule: leave it out")
        if game.rule != "any" or (giving and not game.rises_by_one):
            raise UsageError(f"{given}, which has a rule of its own: leave one out")
        game = game.with_letter(rule == "start") if giving else game.under(rule)
    if not game.ruled_left:
        seen = f"{options_of(game.rule)} in a game of {game.turns} turns"
        raise UsageError(f"{seen}: name one of these turns, or leave it out")
    return game

"""Games in plain words: their titles and rules, the counts that some show, and their hosts."""

from __future__ import annotations

import re

TITLES = {"evil-wordle": "Evil Wordle", "bulls-and-cows": "Bulls and Cows", "black-pegs": "Black pegs"}
RULES = {  # and objectives
    "hard": "hard mode", "consistent": "guesses must fit", "letter": "first letter given",
    "lost": "fewest lost", "found": "most found", "misses": "fewest misses",
}  # fmt: skip
COUNTS = {
    "mastermind": ["placed", "elsewhere"], "bulls-and-cows": ["bulls", "cows"], "black-pegs": ["placed"],
    "jotto": ["in common"],
}  # fmt: skip
HOSTS = {
    "honest": "honest: a word at random",
    "largest": "cheats: keeps the biggest group of words",
    "adversary": "cheats: keeps the hardest group of words",
    "diversity": "cheats: keeps the group with most letters",
}


def title(code: str) -> str:
    """Return the name of a game and its rules in plain words.

    >>> title("lingo-from3-hard5"), title("black-pegs")
    ('Lingo, hard from turn 3', 'Black pegs')
    """
    name = re.sub(r"from(\d)-hard", r"hard from turn \1", code.rstrip("0123456789"))
    game = next((known for known in TITLES if name.startswith(known)), name.partition("-")[0])
    rules = [RULES.get(part, part) for part in name.removeprefix(game).split("-") if part]
    return ", ".join([TITLES.get(game, game.capitalize()), *rules])

"""Sentences about positions and guesses, from sentences.json, which an exported page fills too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpulingo.advice.answer import Answer, Fit
from gpulingo.advice.outlook import GuessStats
from gpulingo.games.catalogue import guessed
from gpulingo.games.game import Game
from gpulingo.words.letters import capitals
from gpulingo.words.listing import EMBEDDED_NAME
from gpulingo.words.shown import counted

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "sentences.json").read_text("utf-8"))


def filled(name: str, **fields: object) -> str:
    """Return the sentence of a name with its fields, which are texts and whole numbers.

    >>> filled("choice groups", best="SHOUT", words="38", noun="word", best_groups=24, groups=12)
    'SHOUT splits 38 words into 24 groups, yours into 12.'
    """
    text: str = TABLES[name].format(**fields)
    return text


LISTED = 20  # most words of a sentence
SURE = 1 - 1e-9  # because chances are quotients of floats
RAREST = 0.3  # share of the words that fit, from which on the usual answers are not few
SMALL = 0.005  # a cost that rounds to 0 with two digits


def guess_entries(guesses: Sequence[GuessStats], game: Game, turn: int, left: int) -> dict[str, list[Any]]:
    """Return the best guesses for JSON, with a sentence about each, and costs of those after the first."""
    return {
        "suggestions": [stats.entry(game, guesses[0]) for stats in guesses],
        "sentences": [guess_sentence(stats, game, turn, left) for stats in guesses],
        "costs": [cost_text(stats, guesses[0], game) for stats in guesses[1:]],
    }


def cost_text(stats: GuessStats, best: GuessStats, game: Game) -> str:
    """Return the cost of a guess in the game's unit; empty if the values are of different methods.

    >>> from gpulingo.advice.outlook import GuessStats
    >>> from gpulingo.games.catalogue import wordle
    >>> first = GuessStats("dents", [1, 1, 0], 2, classes=2, largest=1, target=True, exact=True)
    >>> other = GuessStats("zones", [0, 2, 0], 2, classes=2, largest=1, target=False, by="played out")
    >>> cost_text(other, first, wordle()), cost_text(other, other, wordle())
    ('', 'about as good')
    """
    cost, about = stats.cost(best, game), "" if stats.exact and best.exact else "about "
    if cost is None:
        return ""
    if cost < SMALL and (about or not cost):
        more = game.mean_misses(stats.turns, stats.total) - game.mean_misses(best.turns, best.total)
        tied = not game.counts_misses or more < SMALL
        return f"{about}as good" if tied else filled("cost misses", about=about, more=f"{more:.2f}")
    return f"{about}{cost:.2f}" if cost >= SMALL else f"under {2 * SMALL:.2f}"


def guess_sentence(stats: GuessStats, game: Game, turn: int, left: int) -> str:
    """Return the sentence about following a guess on a turn; `left` is the number of possible answers.

    >>> from gpulingo.advice.outlook import GuessStats
    >>> from gpulingo.games.catalogue import wordle
    >>> sure = GuessStats("shout", [0, 0, 24, 14, 0, 0], 38, classes=24, largest=7, target=False, exact=True)
    >>> guess_sentence(sure, wordle(), 2, 38)
    '63 % to finish on guess 3, never later than guess 4.'
    """
    host, letters, chances = game.opponent != "chance", game.guesses_letters, stats.chances()
    last = next((at for at, chance in enumerate(chances, 1) if chance >= SURE), 0)
    soon = chances[turn] if turn < len(chances) else 0.0
    sure = 0 < last <= turn + 1
    kinds = {
        "forces": host and stats.exact,
        "forces at most": host,
        "wins": letters,
        "only": sure and left == 1,
        "sure": sure and stats.target,
        "next": sure,
        "soon": last and soon >= 0.5,
        "ends": last,
        "risk": True,
    }
    used = sum(at * count for at, count in enumerate(stats.turns, 1))
    mean = (used + (game.turns + 1) * (stats.total - sum(stats.turns))) / stats.total
    text = filled(
        f"guess {next(kind for kind, holds in kinds.items() if holds)}", left=f"{left:,}",
        noun=guessed(game)[0], about="" if stats.exact else "About ", count=f"{stats.expected(game):.0f}",
        chance=_percent(chances[-1] if letters else soon), by="by" if stats.target else "on", next=turn + 1,
        last=last, mean=f"{mean:.1f}", risk=_percent(1 - chances[-1]),
    )  # fmt: skip
    alike = filled("guess alike", count=f"{stats.alike:,}") if stats.alike > 1 else ""
    return text[0].upper() + text[1:] + alike


def state_card(answer: Answer) -> dict[str, str]:
    """Return what to show in place of a guess: `state`, `title` and `text`; empty if there is a guess.

    `one`: a single word fits. `outside`: no usual answer fits, other words do. `out`: no guess is left.
    """
    left, fit = answer.left, answer.fit
    if answer.turn > answer.game.turns:
        state, title = "out", "Out of guesses"
    elif fit.every:
        state, title = "outside", left[0]
    elif len(left) == 1:
        state, title = "one", left[0]
    else:
        return {}
    one, words = len(left) == 1, counted(len(left), fit.noun)
    listed = " ".join(map(capitals, left[:LISTED]))
    listed += f" and {len(left) - LISTED:,} more" if len(left) > LISTED else ""
    verbs = {"fit": "fits", "do": "does"} if one else {"fit": "fit", "do": "do"}
    fields = {"noun": fit.noun, "word": capitals(title), "words": words, "listed": listed, **verbs}
    return {"state": state, "title": title, "text": filled(f"card {state}", **fields)}


def rarer_text(answer: Answer) -> str:
    """Return a warning if the usual answers are few of the words that fit; otherwise empty."""
    left, fit = len(answer.left), answer.fit
    if answer.turn == 1 or not fit.answers or fit.every or left >= RAREST * fit.words:
        return ""
    more = fit.words - left
    return filled("rarer one" if more == 1 else "rarer", count=f"{more:,}")


def whose_text(fit: Fit, game: Game) -> str:
    """Return whose list the usual answers are, if players of Wordle could take it for another."""
    embedded = fit.answers and not fit.every and fit.source == EMBEDDED_NAME and game.shown == "guesses"
    return filled("whose", count=f"{fit.targets:,}") if embedded else ""


def _percent(chance: float) -> str:
    """Return a chance that does not round to 0 or 100 % unless it is exactly that."""
    share = 100 * chance
    if 0 < share < 0.5 or 99.5 <= share < 100:
        return f"{share:.1f} %" if 0.05 <= share < 99.95 else ("under 0.1 %" if share < 1 else "over 99.9 %")
    return f"{share:.0f} %"


def squares(head: str, history: Sequence[tuple[str, str]], signs: Sequence[str] = ()) -> str:
    """Return a round as coloured squares, with the signs of its guesses; `head` follows the name gpulingo.

    >>> squares("2/6", [("dents", "?XXX?"), ("zones", "OOOOO")], "!★").splitlines()
    ['gpulingo 2/6', '', '🟨⬛⬛⬛🟨 !', '🟩🟩🟩🟩🟩 ★']
    """
    rows = ["".join(TABLES["squares"][mark] for mark in marks) for _, marks in history]
    signed = map(" ".join, zip(rows, signs, strict=True)) if signs else rows
    return "\n".join([f"gpulingo {head}", "", *signed])

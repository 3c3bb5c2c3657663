"""Sentences as templates about a position and its best guess, in a file that the exported page uses too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpulingo.advice.adviser import Answer, Fit
from gpulingo.advice.outlook import GuessStats, amount
from gpulingo.games.catalogue import guessed
from gpulingo.games.game import Game
from gpulingo.words.letters import capitals
from gpulingo.words.listing import EMBEDDED_NAME
from gpulingo.words.shown import counted

FILE = Path(__file__).parent / "sentences.json"
TABLES: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


def filled(name: str, **fields: object) -> str:
    """Return the sentence of a name with its fields, which are texts and whole numbers.

    >>> filled("choice groups", best="SHOUT", words="38", noun="word", best_groups=24, groups=12)
    'SHOUT splits 38 words into 24 groups, yours into 12.'
    """
    text: str = TABLES[name].format(**fields)
    return text


LISTED = 20  # most words of a sentence
SURE = 1 - 1e-9  # because chances are quotients of floats
SMALL = 0.005  # a cost that rounds to 0 with two digits


def guess_entries(guesses: Sequence[GuessStats], game: Game, turn: int, left: int) -> dict[str, list[Any]]:
    """Return the best guesses for JSON, with a sentence about each, and costs of those after the first."""
    sentences = []
    for own in guesses:
        alike = filled("guess alike", count=f"{own.alike:,}") if own.alike > 1 else ""
        sentences.append(guess_sentence(own, game, turn, left) + alike)
    return {
        "suggestions": [own.entry(game, guesses[0]) for own in guesses],
        "sentences": sentences,
        "costs": [cost_text(own, guesses[0], game) for own in guesses[1:]],
    }


def cost_text(own: GuessStats, best: GuessStats, game: Game) -> str:
    """Return the cost of a guess against the best one; empty if their values are of different methods.

    >>> from gpulingo.advice.outlook import GuessStats
    >>> from gpulingo.games.catalogue import wordle
    >>> first = GuessStats("dents", [1, 1, 0], 2, classes=2, largest=1, target=True, exact=True)
    >>> other = GuessStats("zones", [0, 2, 0], 2, classes=2, largest=1, target=False, by="played out")
    >>> cost_text(other, first, wordle()), cost_text(other, other, wordle())
    ('', 'about as good')
    """
    cost, about = own.cost(best, game), "" if own.exact and best.exact else "about "
    if cost is None:
        return ""
    if cost < SMALL and (about or not cost):
        return f"{about}as good"
    return f"{about}{amount(cost, game)}" if cost >= SMALL else f"under {amount(2 * SMALL, game)}"


def guess_sentence(own: GuessStats, game: Game, turn: int, left: int) -> str:
    """Return the sentence about following a guess on a turn; `left` is the number of possible answers.

    >>> from gpulingo.advice.outlook import GuessStats
    >>> from gpulingo.games.catalogue import wordle
    >>> sure = GuessStats("shout", [0, 0, 24, 14, 0, 0], 38, classes=24, largest=7, target=False, exact=True)
    >>> guess_sentence(sure, wordle(), 2, 38)
    '63 % to finish on guess 3, never later than guess 4.'
    """
    about = "" if own.exact else "About "
    if game.opponent != "chance":
        return filled(
            "guess forces" if own.exact else "guess forces at most", count=f"{own.expected(game):.0f}"
        )
    chances = own.chances()
    if game.guesses_letters:
        return _opened("guess wins", about=about, chance=_percent(chances[-1]))
    noun = guessed(game)[0]
    last = next((at for at, chance in enumerate(chances, 1) if chance >= SURE), 0)
    if last and last <= turn + 1:
        kind = "guess only" if left == 1 else "guess sure" if own.target else "guess next"
        return filled(kind, left=f"{left:,}", noun=noun)
    soon = chances[turn] if turn < len(chances) else 0.0
    if last and soon >= 0.5:
        by, chance = "by" if own.target else "on", _percent(soon)
        return _opened("guess soon", about=about, chance=chance, by=by, next=turn + 1, last=last)
    lost = own.total - sum(own.turns)
    found = sum(at * count for at, count in enumerate(own.turns, 1))
    mean = f"{(found + (game.turns + 1) * lost) / own.total:.1f}"
    risk, kind = _percent(1 - chances[-1]), "guess ends" if last else "guess risk"
    return filled(kind, about=about, mean=mean, last=last, risk=risk)


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


def rarer_text(answer: Answer, rarest: float = 0.3) -> str:
    """Return a warning if the usual answers are few of the words that fit; otherwise empty."""
    left, fit = len(answer.left), answer.fit
    if answer.turn == 1 or not fit.answers or fit.every or left >= rarest * fit.words:
        return ""
    more = fit.words - left
    return filled("rarer one" if more == 1 else "rarer", count=f"{more:,}")


def whose_text(fit: Fit, game: Game, answers: int) -> str:
    """Return whose list the usual answers are, if players of Wordle could take it for another."""
    own = fit.answers and not fit.every and fit.source == EMBEDDED_NAME and game.shown == "guesses"
    return filled("whose", count=f"{answers:,}") if own else ""


def entry(answer: Answer) -> dict[str, Any]:
    """Return an answer for the page: its guesses with their sentences, its state, and warnings."""
    guesses = guess_entries(answer.guesses, answer.game, answer.turn, len(answer.left))
    return {**guesses, "card": state_card(answer), "rarer": rarer_text(answer)}


def _percent(chance: float) -> str:
    """Return a chance that does not round to 0 or 100 % unless it is exactly that."""
    share = 100 * chance
    if 0 < share < 0.5 or 99.5 <= share < 100:
        return f"{share:.1f} %" if 0.05 <= share < 99.95 else ("under 0.1 %" if share < 1 else "over 99.9 %")
    return f"{share:.0f} %"


def _opened(name: str, **fields: object) -> str:
    text = filled(name, **fields)
    return text[0].upper() + text[1:]

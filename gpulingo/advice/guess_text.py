"""Sentences of the page about the best guess and about a position without one."""

from __future__ import annotations

from gpulingo.games.catalogue import guessed
from gpulingo.words.shown import counted

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from gpulingo.advice.answer import Answer
    from gpulingo.advice.outlook import GuessStats
    from gpulingo.games.game import Game

LISTED = 20  # words of a sentence, at most
SURE = 1 - 1e-9  # chances are quotients


def guess_sentence(own: GuessStats, game: Game, turn: int, left: int) -> str:
    """The sentence about following a guess.

    Args:
        turn: of the guess; where misses cost, one more than those before it. left: possible answers.

    >>> from gpulingo.advice.outlook import GuessStats
    >>> from gpulingo.games.catalogue import wordle
    >>> sure = GuessStats("shout", [0, 0, 24, 14, 0, 0], 38, classes=24, largest=7, target=False, exact=True)
    >>> guess_sentence(sure, wordle(), 2, 38)
    '63 % to finish on guess 3, never later than guess 4.'
    """
    about = "" if own.exact else "About "
    if game.opponent != "chance":
        count = f"{own.expected(game):.0f} guesses against this host, whatever it says."
        return f"Takes {count}" if own.exact else f"Takes at most {count}"
    chances = own.chances()
    if game.guesses_letters:
        return _capital(f"{about}{_percent(chances[-1])} to win.")
    noun = guessed(game)[0]
    last = next((at for at, chance in enumerate(chances, 1) if chance >= SURE), 0)
    if last and last <= turn + 1:
        if own.target and left > 1:
            return f"1 in {left:,} that it is the {noun}; if not, the next guess finds it."
        return (
            f"It cannot be the {noun}, but the next guess is certain." if left > 1 else f"It is the {noun}."
        )
    soon = chances[turn] if turn < len(chances) else 0.0
    if last and soon >= 0.5:
        by = "by" if own.target else "on"
        return _capital(
            f"{about}{_percent(soon)} to finish {by} guess {turn + 1}, never later than guess {last}."
        )
    lost = own.total - sum(own.turns)
    found = sum(at * count for at, count in enumerate(own.turns, 1))
    mean = f"{about}{(found + (game.turns + 1) * lost) / own.total:.1f} guesses on average"
    if last:
        return f"{mean}, never later than guess {last}."
    return f"{mean}; {_percent(1 - chances[-1])} to run out of guesses."


def state_card(answer: Answer) -> dict[str, str]:
    """Return what to show in place of a guess: `state`, `title` and `text`; empty if there is a guess.

    `one`: a single word fits. `outside`: no usual answer fits, other words do. `out`: no guess is left.
    """
    left, fit = answer.left, answer.fit
    if answer.turn > answer.game.turns:
        shown = f"{counted(len(left), fit.noun)} still fit" + ("s" if len(left) == 1 else "")
        return {"state": "out", "title": "Out of guesses", "text": f"{shown}: {_listed(left)}."}
    if fit.every:
        does = "does" if len(left) == 1 else "do"
        found = f"{counted(len(left), fit.noun)} of the full list {does}"
        text = f"No usual answer fits, but {found}: {_listed(left)}."
        return {"state": "outside", "title": left[0], "text": text}
    if len(left) == 1:
        return {"state": "one", "title": left[0], "text": f"The {fit.noun} is {left[0].upper()}."}
    return {}


def rarer_text(answer: Answer, rarest: float = 0.3) -> str:
    """A warning where the usual answers are few of the words that fit; empty where they are not."""
    left, fit = len(answer.left), answer.fit
    if answer.turn == 1 or not fit.answers or fit.every or left >= rarest * fit.words:
        return ""
    more = fit.words - left
    return f"The answer may be a rarer word: {more:,} more fit{'s' if more == 1 else ''}."


def entry(answer: Answer) -> dict[str, Any]:
    """The sentences of an answer, for JSON: those of its guesses, its state, and what else to say."""
    game, turn, left = answer.game, answer.turn, len(answer.left)
    sentences = [guess_sentence(own, game, turn, left) for own in answer.guesses]
    return {"sentences": sentences, "card": state_card(answer), "rarer": rarer_text(answer)}


def _listed(left: Sequence[str]) -> str:
    """Words in capitals, the first of many."""
    more = f" and {len(left) - LISTED:,} more" if len(left) > LISTED else ""
    return " ".join(word.upper() for word in left[:LISTED]) + more


def _percent(chance: float) -> str:
    """A chance that does not round to 0 or 100 % unless it is."""
    share = 100 * chance
    if 0 < share < 0.5 or 99.5 <= share < 100:
        return f"{share:.1f} %" if 0.05 <= share < 99.95 else ("under 0.1 %" if share < 1 else "over 99.9 %")
    return f"{share:.0f} %"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]

"""Reviews of rounds as rows of a table, sentences and JSON objects; many rounds as means and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gpulingo.advice.review import EXACT, PLAYED, TREE, Review, Turn, rises, unit
from gpulingo.advice.sentences import filled
from gpulingo.games.game import Game
from gpulingo.games.marks import lettered

MEASURES = ("start", "lost", "luck", "result")
SURE = 1.959963984540054  # standard errors on each side of a 95 % interval
GOOD_LUCK = "luck, above 0 is good"  # where it is a number
NOT_SHOWN = "(unfit word)"  # in place of its name
SHOWN = 20  # numbers of lines that are told


class Mean:
    """The mean of some numbers.

    Attributes:
        mean: of them. count: how many. error: its standard error; None of less than two numbers.
    """

    __slots__ = ("count", "error", "mean")

    def __init__(self, numbers: Sequence[Fraction]) -> None:
        self.count = len(numbers)
        mean = sum(numbers, Fraction(0)) / self.count
        self.mean = float(mean)
        squares = sum(float(number - mean) ** 2 for number in numbers)
        single = self.count < 2
        self.error = None if single else (squares / (self.count - 1) / self.count) ** 0.5

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the 95 % interval, by the normal distribution.

        >>> [round(end, 2) for end in Mean([Fraction(1), Fraction(3)]).interval]
        [0.04, 3.96]
        """
        return None if self.error is None else (self.mean - SURE * self.error, self.mean + SURE * self.error)


def turn_rows(reviewed: Review) -> list[dict[str, str]]:
    """A row for every guess: column -> cell."""
    return [_row(number, turn, reviewed) for number, turn in enumerate(reviewed.turns, 1)]


def _row(number: int, turn: Turn, reviewed: Review) -> dict[str, str]:
    game = reviewed.game
    return {
        "turn": str(number),
        "guess": turn.guess,
        "marks": lettered(turn.marks),
        "left": f"{turn.before.words:,}",
        "after": f"{turn.after.words:,}",
        "expected": f"{float(turn.expected_before):.3f}",
        "by": turn.before.how,
        "best": shown_best(turn, game),
        "chosen": f"{float(turn.expected_chosen):.3f}",
        **dict(zip(("choice", "luck"), part_texts(turn, game), strict=True)),
    }


def shown_best(turn: Turn, game: Game) -> str:
    """The best guess, unless it is an unfit word that was neither guessed nor the only one left."""
    best = turn.before.best
    if game.counts_misses or best == turn.guess or turn.before.words == 1:
        return best
    from gpulingo.words.levels import unfit_words  # not worth a file to others

    return NOT_SHOWN if best in unfit_words(len(best)) else best


def part_texts(turn: Turn, game: Game) -> tuple[str, str]:
    """The cost or gain of a choice and of its marks, as tables print it."""
    return effect_text(-turn.lost, game), effect_text(turn.luck, game)


def effect_text(gained: Fraction, game: Game) -> str:
    """A gain (above 0) or a loss in words, without a sign.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> [effect_text(Fraction(sign, 2), game) for sign in (-1, 1) for game in (lingo(), wordle())]
    ['cost 0.500', 'cost 0.500', 'gained 0.500', 'saved 0.500']
    """
    good = "gained" if rises(game) else "saved"
    return f"{good if gained > 0 else 'cost'} {float(abs(gained)):.3f}"


def _signed(value: Fraction) -> str:
    """A number with its sign."""
    return f"{'-' if value < 0 else '+'} {float(abs(value)):.3f}"


TURN_TEXTS = ("guess", "marks", "by", "best")  # columns of text


def sentences(reviewed: Review) -> list[str]:
    """The result, the sum with its signs, and the sources of the numbers."""
    game = reviewed.game
    best, start = reviewed.turns[0].before.how == EXACT, f"{float(reviewed.start):.3f}"
    choices, luck_text = (effect_text(gained, game) for gained in (-reviewed.lost, reviewed.luck))
    kind = "good " if reviewed.luck > 0 else "bad " if reviewed.luck < 0 else ""
    sign = 1 if rises(game) else -1
    lost, luck = (_signed(own) for own in (-sign * reviewed.lost, sign * reviewed.luck))
    end = filled(f"end {reviewed.state}", count=len(reviewed.turns))
    result = f"{float(reviewed.result):.3f}"
    kinds = {worth.how for turn in reviewed.turns for worth in (turn.before, turn.after)}
    return [
        filled(
            "sum", play=filled("sum proven" if best else "sum known"), start=start, choices=choices,
            kind=kind, luck=luck_text, result=_result_text(reviewed),
        ),
        filled("sum exact", start=start, lost=lost, luck=luck, result=result, unit=unit(game), end=end),
        *(filled(f"how {how}") for how in (TREE, EXACT, PLAYED) if how in kinds),
        *([filled("how gained")] if any(turn.lost < 0 for turn in reviewed.turns) else []),
    ]  # fmt: skip


def _result_text(reviewed: Review) -> str:
    """The result of a round, in its unit."""
    name, value = unit(reviewed.game), reviewed.result
    whole = reviewed.state != "open" and value.denominator == 1
    number = str(value) if whole else f"{float(value):.3f}"
    if name == "won, %":
        amount = f"{number} % won"
    else:
        amount = f"{number} {name.removesuffix('es') if number == '1' else name}"
    return filled(f"result {reviewed.state}", amount=amount)


def entry(reviewed: Review) -> dict[str, Any]:
    """A round as a JSON object; what is exact as a fraction in a text."""
    game, played = reviewed.game, reviewed.played
    line = {"line": played.line} if played.line else {}
    values = {name: getattr(reviewed, name) for name in MEASURES}
    return {
        **line,
        "game": game.code,
        "unit": unit(game),
        "state": reviewed.state,
        **{name: float(value) for name, value in values.items()},
        "exact": {name: str(value) for name, value in values.items()},
        "turns": [
            {
                "guess": turn.guess,
                "marks": turn.marks,
                "left_before": turn.before.words,
                "left_after": turn.after.words,
                "expected_before": float(turn.expected_before),
                "expected_chosen": float(turn.expected_chosen),
                "expected_after": float(turn.expected_after),
                "by": turn.before.how,
                "by_after": turn.after.how,
                "best": turn.before.best,
                "lost": float(turn.lost),
                "luck": float(turn.luck),
            }
            for turn in reviewed.turns
        ],
    }


def means(rounds: Sequence[Review]) -> dict[str, Mean]:
    """The means of what was expected at the start, lost, given by luck, and of the results, at least one."""
    return {name: Mean([getattr(own, name) for own in rounds]) for name in MEASURES}


def means_by_guess(rounds: Sequence[Review]) -> list[dict[str, Mean]]:
    """The means of what the first, second .. guesses lost and of their luck."""
    most = max(len(own.turns) for own in rounds)
    return [
        {
            name: Mean([getattr(own.turns[place], name) for own in rounds if len(own.turns) > place])
            for name in ("lost", "luck")
        }
        for place in range(most)
    ]


def mean_rows(rounds: Sequence[Review]) -> list[dict[str, str]]:
    """A row for every mean: column -> cell."""
    titles = ("expected at the start", "lost by choices", GOOD_LUCK, "result")
    rows = [_mean_row(title, mean) for title, mean in zip(titles, means(rounds).values(), strict=True)]
    for number, own in enumerate(means_by_guess(rounds), 1):
        rows += [_mean_row(f"guess {number}: {name}", mean) for name, mean in own.items()]
    return rows


def _mean_row(name: str, mean: Mean) -> dict[str, str]:
    ends = "-" if mean.interval is None else f"{mean.interval[0]:.3f} to {mean.interval[1]:.3f}"
    return {"value": name, "mean": f"{mean.mean:.3f}", "95 % interval": ends, "rounds": f"{mean.count:,}"}


def summary_entry(rounds: Sequence[Review], unread: Sequence[int]) -> dict[str, Any]:
    """Many rounds as a JSON object, and the lines that could not be read."""
    if not rounds:
        return {"rounds": 0, "unread": list(unread)}
    return {
        "rounds": len(rounds),
        "unread": list(unread),
        "unit": unit(rounds[0].game),
        "states": {state: sum(own.state == state for own in rounds) for state in ("found", "lost", "open")},
        "means": {name: _mean_entry(mean) for name, mean in means(rounds).items()},
        "by_guess": [
            {name: _mean_entry(mean) for name, mean in own.items()} for own in means_by_guess(rounds)
        ],
        "reviews": [entry(own) for own in rounds],
    }


def _mean_entry(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.mean, "interval": mean.interval, "rounds": mean.count}


def unread_text(unread: Sequence[int], lines: int) -> str:
    """The number of lines that could not be read, and which; empty if all could."""
    if not unread:
        return ""
    more = f" and {len(unread) - SHOWN:,} more" if len(unread) > SHOWN else ""
    count = f"{len(unread):,} of {lines:,} lines could not be read"
    return f"{count}: {', '.join(map(str, unread[:SHOWN]))}{more}"

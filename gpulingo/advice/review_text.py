"""Reviews of rounds as rows of a table, sentences and JSON objects; the verdict on a round.

Source of the scores: with the loss L and the luck G of a round in guesses, skill = 99 * 2**-L and
luck = 99 / (1 + 10**-G), each rounded, so that the result follows from start, skill and luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from gpulingo.advice.review import EXACT, PLAYED, TREE, Review, Turn
from gpulingo.advice.sentences import TABLES, filled
from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of, guessed, lettered
from gpulingo.games.game import Game
from gpulingo.games.units import unit_of
from gpulingo.hosts.host import classes_of
from gpulingo.words.letters import capitals
from gpulingo.words.shown import counted

MEASURES = ("start", "lost", "luck", "result")
SURE = 1.959963984540054  # standard errors on each side of a 95 % interval
GOOD_LUCK = "luck, above 0 is good"  # heading of luck as a number
NOT_SHOWN = "(unfit word)"  # replaces an unfit word
SHOWN = 20  # line numbers that are listed


class Mean:
    """The mean of some numbers."""

    def __init__(self, numbers: Sequence[Fraction]) -> None:
        self.count = len(numbers)
        mean = sum(numbers, Fraction(0)) / self.count
        self.mean = float(mean)
        squares = sum(float(number - mean) ** 2 for number in numbers)
        self.error = (squares / (self.count - 1) / self.count) ** 0.5 if self.count > 1 else None  # standard

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the 95 % interval, by the normal distribution.

        >>> [round(end, 2) for end in Mean([Fraction(1), Fraction(3)]).interval]
        [0.04, 3.96]
        """
        return None if self.error is None else (self.mean - SURE * self.error, self.mean + SURE * self.error)


def turn_rows(reviewed: Review) -> list[dict[str, str]]:
    """Return a row for every guess: column -> cell."""
    game = reviewed.game
    return [
        {
            "turn": str(number),
            "guess": turn.guess,
            "marks": lettered(game, turn.marks),
            "left": f"{turn.before.words:,}",
            "after": f"{turn.after.words:,}",
            "expected": f"{float(turn.expected_before):.3f}",
            "by": turn.before.how,
            "best": shown_best(turn, game),
            "chosen": f"{float(turn.expected_chosen):.3f}",
            **dict(zip(("choice", "luck"), part_texts(turn, game), strict=True)),
        }
        for number, turn in enumerate(reviewed.turns, 1)
    ]


def shown_best(turn: Turn, game: Game) -> str:
    """Return the best guess, unless it is an unfit word that was neither guessed nor the only one left."""
    best = turn.before.best
    if game.counts_misses or best == turn.guess or turn.before.words == 1:
        return best
    from gpulingo.words.levels import unfit_words  # here: others do not need it

    return NOT_SHOWN if best in unfit_words(len(best)) else best


def part_texts(turn: Turn, game: Game) -> tuple[str, str]:
    """Return the cost or gain of a choice and of its marks, as printed in tables."""
    return effect_text(-turn.lost, game), effect_text(turn.luck, game)


def effect_text(gained: Fraction, game: Game) -> str:
    """Return a gain (above 0) or a loss as text without a sign.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> [effect_text(Fraction(sign, 2), game) for sign in (-1, 1) for game in (lingo(), wordle())]
    ['cost 0.500', 'cost 0.500', 'gained 0.500', 'saved 0.500']
    """
    good = "gained" if unit_of(game).rises else "saved"
    return f"{good if gained > 0 else 'cost'} {float(abs(gained)):.3f}"


TURN_TEXTS = ("guess", "marks", "by", "best")  # text columns


def sentences(reviewed: Review) -> list[str]:
    """Return the result, the signed sum, and the sources of the numbers."""
    game, value, name = reviewed.game, reviewed.result, unit_of(reviewed.game).short
    best, start = reviewed.turns[0].before.how == EXACT, f"{float(reviewed.start):.3f}"
    choices, luck_text = (effect_text(gained, game) for gained in (-reviewed.lost, reviewed.luck))
    kind = "good " if reviewed.luck > 0 else "bad " if reviewed.luck < 0 else ""
    sign, result = 1 if unit_of(game).rises else -1, f"{float(value):.3f}"
    parts = [sign * own for own in (-reviewed.lost, reviewed.luck)]
    lost, luck = (f"{'-' if own < 0 else '+'} {float(abs(own)):.3f}" for own in parts)
    number = str(value) if reviewed.state != "open" and value.denominator == 1 else result
    if name == "won, %":
        amount = f"{number} % won"
    else:
        amount = f"{number} {name.removesuffix('es') if number == '1' else name}"
    end = filled(f"end {reviewed.state}", count=len(reviewed.turns))
    kinds = {value.how for turn in reviewed.turns for value in (turn.before, turn.after)}
    return [
        filled(
            "sum", play=filled("sum proven" if best else "sum known"), start=start, choices=choices,
            kind=kind, luck=luck_text, result=filled(f"result {reviewed.state}", amount=amount),
        ),
        filled("sum exact", start=start, lost=lost, luck=luck, result=result, unit=name, end=end),
        *(filled(f"how {how}") for how in (TREE, EXACT, PLAYED) if how in kinds),
        *([filled("how gained")] if any(turn.lost < 0 for turn in reviewed.turns) else []),
    ]  # fmt: skip


def entry(reviewed: Review) -> dict[str, Any]:
    """Return a round as a JSON object; exact numbers are fractions as text."""
    game, played = reviewed.game, reviewed.played
    line = {"line": played.line} if played.line else {}
    values = {name: getattr(reviewed, name) for name in MEASURES}
    return {
        **line,
        "game": game.code,
        "unit": unit_of(game).short,
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
    """Return the means of expectation at the start, losses, luck and results, for at least one round."""
    return {name: Mean([getattr(own, name) for own in rounds]) for name in MEASURES}


def means_by_guess(rounds: Sequence[Review]) -> list[dict[str, Mean]]:
    """Return the means of losses and luck of the first, second .. guesses."""
    most = max(len(own.turns) for own in rounds)
    return [
        {
            name: Mean([getattr(own.turns[place], name) for own in rounds if len(own.turns) > place])
            for name in ("lost", "luck")
        }
        for place in range(most)
    ]


def mean_rows(rounds: Sequence[Review]) -> list[dict[str, str]]:
    """Return a row for every mean: column -> cell."""
    titles = ("expected at the start", "lost by choices", GOOD_LUCK, "result")
    rows = [_mean_row(title, mean) for title, mean in zip(titles, means(rounds).values(), strict=True)]
    for number, own in enumerate(means_by_guess(rounds), 1):
        rows += [_mean_row(f"guess {number}: {name}", mean) for name, mean in own.items()]
    return rows


def _mean_row(name: str, mean: Mean) -> dict[str, str]:
    ends = "-" if mean.interval is None else f"{mean.interval[0]:.3f} to {mean.interval[1]:.3f}"
    return {"value": name, "mean": f"{mean.mean:.3f}", "95 % interval": ends, "rounds": f"{mean.count:,}"}


def summary_entry(rounds: Sequence[Review], unread: Sequence[int]) -> dict[str, Any]:
    """Return many rounds as a JSON object, with the lines that could not be read."""
    if not rounds:
        return {"rounds": 0, "unread": list(unread)}
    return {
        "rounds": len(rounds),
        "unread": list(unread),
        "unit": unit_of(rounds[0].game).short,
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
    """Return the number of lines that could not be read, and which; empty if all could."""
    if not unread:
        return ""
    more = f" and {len(unread) - SHOWN:,} more" if len(unread) > SHOWN else ""
    count = f"{len(unread):,} of {lines:,} lines could not be read"
    return f"{count}: {', '.join(map(str, unread[:SHOWN]))}{more}"


MOST = 99  # greatest score
*LABELS, (*BLUNDER, _) = TABLES["labels"]  # name, sign and most % of a guess lost
BANDS, SQUARES = TABLES["bands"], TABLES["squares"]
SLIGHT = Fraction(1, 1000)  # of a guess: not visible in any printed number
WEIGHT = Fraction(1, 4)  # of a guess: loss from which a choice against known hints is mentioned


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A guess of a round with its verdict."""

    best_groups: int
    best_largest: int
    groups: int
    label: str
    largest: int
    mean_left: Fraction
    sentence: str
    sign: str
    small: str

    def entry(self) -> dict[str, Any]:
        """Return all attributes, for JSON."""
        return asdict(self) | {"mean_left": float(self.mean_left)}


@dataclass(slots=True, kw_only=True)
class Verdict:
    """The verdict on a round."""

    about: bool
    headline: str
    lead: str
    luck: int | None
    share: str = ""
    skill: int
    turns: list[Judged]

    @property
    def scores(self) -> str:
        """Return skill and luck in a line, such as `skill 69, luck 57`."""
        luck = "" if self.luck is None else filled("scores luck", luck=self.luck)
        return filled("scores", about="about " if self.about else "", skill=self.skill, luck=luck)

    def lines(self, reviewed: Review) -> list[str]:
        """Return the verdict as text: headline, scores and lead, then a line per guess."""
        width = max(len(f"{own.sign} {own.label}") for own in self.turns)
        rows = [
            f"  {turn.guess}  {f'{own.sign} {own.label}':{width}}  {own.sentence}"
            for turn, own in zip(reviewed.turns, self.turns, strict=True)
        ]
        return [f"{self.headline}: {self.scores} (0 to 99). {self.lead}", *rows]

    def entry(self) -> dict[str, Any]:
        """Return all attributes, for JSON."""
        return asdict(self) | {"turns": [turn.entry() for turn in self.turns]}


class _Split:
    """The classes that a guess makes of words: number, largest, and mean of words left."""

    def __init__(self, guess: str, left: Sequence[str], game: Game) -> None:
        sizes = [len(own) for own in classes_of(feedback_of(game), guess, list(left)).values()]
        self.groups, self.largest = len(sizes), max(sizes)
        self.mean_left = Fraction(sum(size * size for size in sizes), len(left))


def guess_unit(game: Game) -> Fraction:
    """Return the size of one guess in the game's unit."""
    return {"guesses": Fraction(1), "points": Fraction(100), "misses": Fraction(1)}.get(
        unit_of(game).short, Fraction(50)
    )


def skill_score(lost: Fraction) -> int:
    """Return the skill score of choices that lost some guesses against the best.

    >>> [skill_score(Fraction(own, 100)) for own in (0, 5, 10, 25, 50, 100, 200)]
    [99, 96, 92, 83, 70, 50, 25]
    """
    return round(MOST * 2.0 ** -float(lost))


def luck_score(gained: Fraction) -> int:
    """Return the luck score of marks that saved some guesses, 50 for fair marks.

    >>> [luck_score(Fraction(own, 100)) for own in (-100, -45, 0, 13, 67, 100)]
    [9, 26, 50, 57, 82, 90]
    """
    return round(MOST / (1 + 10.0 ** -float(gained)))


def verdict(reviewed: Review, targets: Sequence[str], *, hosted: bool = False) -> Verdict:
    """Judge a round over the targets of its review; `hosted`: a host chose the answer during it,
    so that it has no luck.
    """
    game, rule = reviewed.game, feedback_of(reviewed.game)
    one, left, turns = guess_unit(game), list(targets), list[Judged]()
    for place, turn in enumerate(reviewed.turns):
        own, best = _Split(turn.guess, left, game), _Split(turn.before.best or turn.guess, left, game)
        label, sign = _label(turn, game)
        judged = Judged(
            best_groups=best.groups, best_largest=best.largest, groups=own.groups, label=label,
            largest=own.largest, mean_left=own.mean_left, sign=sign, small=_small(turn, game, own),
            sentence=_sentence(reviewed, place, left, own, best),
        )  # fmt: skip
        turns.append(judged)
        left = [word for word in left if rule.feedback(turn.guess, word) == turn.marks]
    total = sum((max(Fraction(0), turn.lost) for turn in reviewed.turns), Fraction(0))
    about = any(own.how == PLAYED for turn in reviewed.turns for own in (turn.before, turn.after))
    skill = skill_score(total / one)
    made = Verdict(
        about=about, headline=_headline(reviewed), lead=_lead(reviewed, skill),
        luck=None if hosted else luck_score(reviewed.luck / one), skill=skill, turns=turns,
    )  # fmt: skip
    if rule is marks:  # only marks have squares
        count = len(reviewed.turns) if reviewed.state == "found" else "X"
        rows, signs = [(turn.guess, turn.marks) for turn in reviewed.turns], [own.sign for own in turns]
        made.share = squares(f"{count}/{game.turns}  {made.scores}", rows, signs)
    return made


def _label(turn: Turn, game: Game) -> tuple[str, str]:
    if turn.before.words == 1 and turn.lost > 0:
        return BLUNDER[0], BLUNDER[1]
    share = 100 * turn.lost / guess_unit(game)
    name, sign, *_ = next((own for own in LABELS if share <= own[2]), BLUNDER)
    return name, sign


def _sentence(reviewed: Review, place: int, left: Sequence[str], own: _Split, best: _Split) -> str:
    """Return a sentence about a choice: the first of several that applies."""
    game, turn, words = reviewed.game, reviewed.turns[place], len(left)
    less, name = turn.lost, capitals(shown_best(turn, game))
    right = reviewed.state == "found" and place == len(reviewed.turns) - 1
    best_name, noun = name if name.isalnum() else "A better guess", guessed(game)[0]
    letters, one = game.guesses_letters, guess_unit(game)
    letter, at = _against(reviewed, place) if less > WEIGHT * one else ("", 0)
    kinds = {
        "only": words == 1 and (right or letters or less <= 0),
        "missed": words == 1,
        "better": less < -SLIGHT * one,
        "lucky": right and not letters and less > 0,
        "right": right and not letters,
        "impossible": not letters and less > 0 and turn.guess not in left and turn.before.best in left,
        "against": at > 0,
        "best letter": letters and less <= 0,
        "best": less <= 0,
        "opening": place == 0 and _label(turn, game)[0] == "good",
        "groups": best.groups > own.groups,
        "largest": best.largest < own.largest,
        "needs": not unit_of(game).rises,
        "wins": unit_of(game).short == "won, %",
        "gives": True,
    }
    kind = next(kind for kind, holds in kinds.items() if holds)
    return filled(
        f"choice {kind}", noun=noun, words=f"{words:,}", word=capitals(left[0]), guess=capitals(turn.guess),
        best=best_name, groups=own.groups, best_groups=best.groups, largest=f"{own.largest:,}",
        best_largest=f"{best.largest:,}", less=f"{float(less):.2f}", unit=unit_of(game).short,
        letter=capitals(letter), place=at,
    )  # fmt: skip


def _against(reviewed: Review, place: int) -> tuple[str, int]:
    """Return the first placed letter that a guess does not keep, and its place from 1; 0 if it keeps all."""
    guess = reviewed.turns[place].guess
    for turn in reviewed.turns[:place] if feedback_of(reviewed.game) is marks else ():
        for at, (letter, mark) in enumerate(zip(turn.guess, turn.marks, strict=True), 1):
            if mark == "O" and guess[at - 1] != letter:
                return letter, at
    return "", 0


def _small(turn: Turn, game: Game, own: _Split) -> str:
    """Return the cost or gain of a choice and of its marks, and the words left."""
    parts = [
        filled(f"small {what}", effect=effect_text(gained, game))
        for what, gained in (("choice", -turn.lost), ("luck", turn.luck))
        if abs(gained) > SLIGHT * guess_unit(game)
    ]
    if abs(turn.luck) > SLIGHT * guess_unit(game) and own.mean_left > 1:
        mean = f"{float(own.mean_left):,.{0 if own.mean_left >= 10 else 1}f}"
        after = counted(turn.after.words, guessed(game)[0])
        kind = "left"
        if turn.luck * (turn.after.words - own.mean_left) > 0:  # the number of words contradicts the luck
            kind = "harder" if turn.luck < 0 else "easier"
        parts[-1] += filled(f"small {kind}", after=after, mean=mean)
    return " · ".join(parts)


def _headline(reviewed: Review) -> str:
    count, target = len(reviewed.turns), capitals(reviewed.played.target)
    if reviewed.state == "lost":
        return filled("headline lost", word=target) if target else "Not found"
    if reviewed.state == "open":
        return filled("headline open one" if count == 1 else "headline open", count=count)
    word = "" if reviewed.game.guesses_letters else capitals(reviewed.turns[-1].guess)
    return filled("headline found", word=target or word or "Found", count=count)


def _lead(reviewed: Review, skill: int) -> str:
    name = unit_of(reviewed.game).short.replace("won, %", "% of rounds")
    band = next(name for least, name in BANDS if skill >= least)
    worst = max(reviewed.turns, key=lambda turn: turn.lost)
    fields = {"guess": capitals(worst.guess), "amount": f"{float(worst.lost):.2f}", "unit": name}
    return filled("lead" if worst.lost > 0 else "lead free", band=band, **fields)


def squares(head: str, history: Sequence[tuple[str, str]], signs: Sequence[str] = ()) -> str:
    """Return a round as coloured squares, with the signs of its guesses; `head` follows the name gpulingo.

    >>> squares("2/6", [("dents", "?XXX?"), ("zones", "OOOOO")], "!★").splitlines()
    ['gpulingo 2/6', '', '🟨⬛⬛⬛🟨 !', '🟩🟩🟩🟩🟩 ★']
    """
    own = ["".join(SQUARES[mark] for mark in marks) for _, marks in history]
    return "\n".join(
        [f"gpulingo {head}", "", *map(" ".join, zip(own, signs, strict=True) if signs else zip(own))]
    )

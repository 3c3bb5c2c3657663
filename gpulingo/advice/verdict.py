"""The verdict on a reviewed round: skill and luck from 0 to 99, and a label and a sentence per guess.

Source of the scores: with the loss L and the luck G of a round in guesses, skill = 99 * 2**-L and
luck = 99 / (1 + 10**-G), each rounded, so that start, skill and luck give the result back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from gpulingo.advice.review import PLAYED, Review, Turn, rises, unit
from gpulingo.advice.review_text import effect_text, shown_best
from gpulingo.advice.sentences import TABLES, filled
from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of, guessed
from gpulingo.games.game import Game
from gpulingo.hosts.host import classes_of
from gpulingo.words.letters import capitals
from gpulingo.words.shown import counted

MOST = 99  # of a score
*LABELS, (*BLUNDER, _) = TABLES["labels"]  # name, sign and % of a guess that is lost at most
BANDS, SQUARES = TABLES["bands"], TABLES["squares"]
SLIGHT = Fraction(1, 1000)  # of a guess, that no number shows
WEIGHT = Fraction(1, 4)  # of a guess, from which on a choice against what was known is named


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A guess of a round, judged.

    Attributes:
        label, sign: `best`, `good` .. by what the choice lost, and its sign.
        sentence: what the choice did, in words. small: what it and its marks cost or saved.
        groups, largest: classes that the guess makes of the words left, and the words of the largest.
        best_groups, best_largest: the same for the best guess.
        mean_left: words left after the guess, on average.
    """

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
        """All attributes, for JSON."""
        return asdict(self) | {"mean_left": float(self.mean_left)}


@dataclass(slots=True, kw_only=True)
class Verdict:
    """A round, judged.

    Attributes:
        skill: 0 to 99; 99 where no choice lost anything. luck: 0 to 99, 50 is fair; None against a host that
            chooses the answer. about: True if a value was estimated, not proven.
        headline, lead: the round in a title and a sentence. turns: its guesses.
        share: text with coloured squares, to be sent to others.
    """

    about: bool
    headline: str
    lead: str
    luck: int | None
    share: str = ""
    skill: int
    turns: list[Judged]

    @property
    def scores(self) -> str:
        """Skill and luck in a line, such as `skill 69, luck 57`."""
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
        """All attributes, for JSON."""
        return asdict(self) | {"turns": [turn.entry() for turn in self.turns]}


class _Split:
    """The classes that a guess makes of words: how many, the largest, and the words left on average."""

    def __init__(self, guess: str, left: Sequence[str], game: Game) -> None:
        sizes = [len(own) for own in classes_of(feedback_of(game), guess, list(left)).values()]
        self.groups, self.largest = len(sizes), max(sizes)
        self.mean_left = Fraction(sum(size * size for size in sizes), len(left))


def guess_unit(game: Game) -> Fraction:
    """The size of one guess in the unit of a game."""
    return {"guesses": Fraction(1), "points": Fraction(100), "misses": Fraction(1)}.get(
        unit(game), Fraction(50)
    )


def skill_score(lost: Fraction) -> int:
    """The skill of choices that lost some guesses against the best.

    >>> [skill_score(Fraction(own, 100)) for own in (0, 5, 10, 25, 50, 100, 200)]
    [99, 96, 92, 83, 70, 50, 25]
    """
    return round(MOST * 2.0 ** -float(lost))


def luck_score(gained: Fraction) -> int:
    """The luck of marks that saved some guesses, 50 where they were fair.

    >>> [luck_score(Fraction(own, 100)) for own in (-100, -45, 0, 13, 67, 100)]
    [9, 26, 50, 57, 82, 90]
    """
    return round(MOST / (1 + 10.0 ** -float(gained)))


def verdict(reviewed: Review, targets: Sequence[str], *, hosted: bool = False) -> Verdict:
    """Judge a round.

    Args:
        targets: of the list that the round was reviewed over.
        hosted: True if a host chose the answer during the round, so that no luck is in it.
    """
    game, rule = reviewed.game, feedback_of(reviewed.game)
    one, left, turns = guess_unit(game), list(targets), list[Judged]()
    for place, turn in enumerate(reviewed.turns):
        turns.append(_judged(reviewed, place, left))
        left = [word for word in left if rule.feedback(turn.guess, word) == turn.marks]
    total = sum((max(Fraction(0), turn.lost) for turn in reviewed.turns), Fraction(0))
    about = any(own.how == PLAYED for turn in reviewed.turns for own in (turn.before, turn.after))
    skill = skill_score(total / one)
    made = Verdict(
        about=about, headline=_headline(reviewed), lead=_lead(reviewed, skill),
        luck=None if hosted else luck_score(reviewed.luck / one), skill=skill, turns=turns,
    )  # fmt: skip
    made.share = _share(reviewed, made)
    return made


def _judged(reviewed: Review, place: int, left: Sequence[str]) -> Judged:
    game, turn = reviewed.game, reviewed.turns[place]
    own, best = _Split(turn.guess, left, game), _Split(turn.before.best or turn.guess, left, game)
    label, sign = _label(turn, game)
    return Judged(
        best_groups=best.groups, best_largest=best.largest, groups=own.groups, label=label,
        largest=own.largest, mean_left=own.mean_left,
        sentence=_sentence(reviewed, place, left, own, best), sign=sign,
        small=_small(turn, game, own),
    )  # fmt: skip


def _label(turn: Turn, game: Game) -> tuple[str, str]:
    """The label of a choice by what it lost, and its sign."""
    if turn.before.words == 1 and turn.lost > 0:
        return BLUNDER[0], BLUNDER[1]
    share = 100 * turn.lost / guess_unit(game)
    name, sign, *_ = next((own for own in LABELS if share <= own[2]), BLUNDER)
    return name, sign


def _sentence(reviewed: Review, place: int, left: Sequence[str], own: _Split, best: _Split) -> str:
    """A sentence about a choice: the first of several that is true of it."""
    game, turn, words = reviewed.game, reviewed.turns[place], len(left)
    less, name = turn.lost, capitals(shown_best(turn, game))
    right = reviewed.state == "found" and place == len(reviewed.turns) - 1
    best_name, noun = name if name.isalnum() else "A better guess", guessed(game)[0]
    letters = game.guesses_letters
    known = _against(reviewed, place) if less > WEIGHT * guess_unit(game) else ""
    if words == 1:
        kind = "only" if right or letters or less <= 0 else "missed"
    elif less < -SLIGHT * guess_unit(game):
        kind = "better"
    elif right and not letters:
        kind = "lucky" if less > 0 else "right"
    elif not letters and less > 0 and turn.guess not in left and turn.before.best in left:
        kind = "impossible"
    elif known:
        return known
    elif less <= 0:
        kind = "best letter" if letters else "best"
    elif place == 0 and _label(turn, game)[0] == "good":
        kind = "opening"
    elif best.groups > own.groups:
        kind = "groups"
    elif best.largest < own.largest:
        kind = "largest"
    else:
        kind = "needs" if not rises(game) else "wins" if unit(game) == "won, %" else "gives"
    return filled(
        f"choice {kind}", noun=noun, words=f"{words:,}", word=capitals(left[0]), guess=capitals(turn.guess),
        best=best_name, groups=own.groups, best_groups=best.groups, largest=f"{own.largest:,}",
        best_largest=f"{best.largest:,}", less=f"{float(less):.2f}", unit=unit(game),
    )  # fmt: skip


def _against(reviewed: Review, place: int) -> str:
    """The first placed letter that a guess does not keep, as a sentence; empty if it keeps all."""
    if feedback_of(reviewed.game) is not marks:
        return ""
    guess = reviewed.turns[place].guess
    for turn in reviewed.turns[:place]:
        for at, (letter, mark) in enumerate(zip(turn.guess, turn.marks, strict=True)):
            if mark == "O" and guess[at] != letter:
                return filled("choice against", letter=capitals(letter), place=at + 1)
    return ""


def _small(turn: Turn, game: Game, own: _Split) -> str:
    """The cost or gain of a choice and of its marks, and the words that they left."""
    parts = [
        filled(f"small {what}", effect=effect_text(gained, game))
        for what, gained in (("choice", -turn.lost), ("luck", turn.luck))
        if abs(gained) > SLIGHT * guess_unit(game)
    ]
    if abs(turn.luck) > SLIGHT * guess_unit(game) and own.mean_left > 1:
        mean = f"{float(own.mean_left):,.{0 if own.mean_left >= 10 else 1}f}"
        after = counted(turn.after.words, guessed(game)[0])
        kind = "left"
        if turn.luck * (turn.after.words - own.mean_left) > 0:  # the count says the reverse of the luck
            kind = "harder" if turn.luck < 0 else "easier"
        parts[-1] += filled(f"small {kind}", after=after, mean=mean)
    return " · ".join(parts)


def _headline(reviewed: Review) -> str:
    """The round in a title, such as `MERGE in 4`."""
    count, target = len(reviewed.turns), reviewed.played.target
    if reviewed.state == "found":
        word = target or (reviewed.turns[-1].guess if not reviewed.game.guesses_letters else "")
        return filled("headline found", word=capitals(word) or "Found", count=count)
    if reviewed.state == "lost":
        return filled("headline lost", word=capitals(target)) if target else "Not found"
    return filled("headline open one" if count == 1 else "headline open", count=count)


def _lead(reviewed: Review, skill: int) -> str:
    """The band of the skill, and the guess that cost most."""
    game = reviewed.game
    band = next(name for least, name in BANDS if skill >= least)
    worst = max(reviewed.turns, key=lambda turn: turn.lost)
    less = worst.lost
    name = "% of rounds" if unit(game) == "won, %" else unit(game)
    amount, kind = f"{float(less):.2f}", "lead" if less > 0 else "lead free"
    return filled(kind, band=band, guess=capitals(worst.guess), amount=amount, unit=name)


def _share(reviewed: Review, made: Verdict) -> str:
    """A share text: the scores, then the squares and the sign of each guess; empty without squares."""
    if feedback_of(reviewed.game) is not marks:
        return ""
    count = len(reviewed.turns) if reviewed.state == "found" else "X"
    rows, signs = [(turn.guess, turn.marks) for turn in reviewed.turns], [own.sign for own in made.turns]
    return squares(f"{count}/{reviewed.game.turns}  {made.scores}", rows, signs)


def squares(head: str, history: Sequence[tuple[str, str]], signs: Sequence[str] = ()) -> str:
    """Return a round as coloured squares.

    Args:
        head: after the name gpulingo, in the first line. signs: of the guesses; none: without.

    >>> squares("2/6", [("dents", "?XXX?"), ("zones", "OOOOO")], "!★").splitlines()
    ['gpulingo 2/6', '', '🟨⬛⬛⬛🟨 !', '🟩🟩🟩🟩🟩 ★']
    """
    own = ["".join(SQUARES[mark] for mark in marks) for _, marks in history]
    return "\n".join(
        [f"gpulingo {head}", "", *map(" ".join, zip(own, signs, strict=True) if signs else zip(own))]
    )

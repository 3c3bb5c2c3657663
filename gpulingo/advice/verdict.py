"""The verdict on a round: scores of skill and luck, and a sentence about each choice.

Source of the scores: with the loss L and the luck G of a round in guesses, skill = 99 * 2**-L and
luck = 99 / (1 + 10**-G), each rounded, so that the result follows from start, skill and luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from gpulingo.advice.outlook import PLAYED, class_sizes
from gpulingo.advice.review_text import effect_text, review_entry, shown_best
from gpulingo.advice.round import Review, Turn
from gpulingo.advice.sentences import TABLES, filled, squares
from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of, guessed
from gpulingo.games.game import Game
from gpulingo.games.units import unit_of
from gpulingo.words.letters import capitals
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList

MOST = 99  # greatest score
*LABELS, (*BLUNDER, _) = TABLES["labels"]  # name, sign and most % of a guess lost
BANDS = TABLES["bands"]
SLIGHT = Fraction(1, 1000)  # of a guess: not visible in any printed number
TIED = 25  # most % of a guess that a choice counts as which cost misses alone
WEIGHT = Fraction(1, 4)  # of a guess: loss from which a choice against known hints is mentioned


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A guess of a round with its verdict."""

    best_groups: int
    best_largest: int
    groups: int
    label: str
    largest: int
    mean_left: float
    sentence: str
    sign: str
    small: str


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
        width = max(len(f"{judged.sign} {judged.label}") for judged in self.turns)
        rows = [
            f"  {turn.guess}  {f'{judged.sign} {judged.label}':{width}}  {judged.sentence}"
            for turn, judged in zip(reviewed.turns, self.turns, strict=True)
        ]
        return [f"{self.headline}: {self.scores} (0 to 99). {self.lead}", *rows]

    def entry(self) -> dict[str, Any]:
        """Return all attributes, for JSON."""
        return asdict(self)


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
    one, left, turns = unit_of(game).guess, list(targets), list[Judged]()
    for place, turn in enumerate(reviewed.turns):
        sizes, best = (class_sizes(rule, word, left) for word in (turn.guess, turn.before.best or turn.guess))
        mean_left = Fraction(sum(size * size for size in sizes), len(left))
        label, sign = _label(turn, game)
        judged = Judged(
            best_groups=len(best), best_largest=max(best), groups=len(sizes), label=label,
            largest=max(sizes), mean_left=float(mean_left), sign=sign, small=_small(turn, game, mean_left),
            sentence=_sentence(reviewed, place, left, sizes, best),
        )  # fmt: skip
        turns.append(judged)
        left = [word for word in left if rule.feedback(turn.guess, word) == turn.marks]
    total = sum((max(Fraction(0), turn.lost) for turn in reviewed.turns), Fraction(0))
    about = any(value.how == PLAYED for turn in reviewed.turns for value in (turn.before, turn.after))
    skill = skill_score(total / one)
    made = Verdict(
        about=about, headline=_headline(reviewed), lead=_lead(reviewed, skill),
        luck=None if hosted else luck_score(reviewed.luck / one), skill=skill, turns=turns,
    )  # fmt: skip
    if rule is marks:  # only marks have squares
        count = len(reviewed.turns) if reviewed.state == "found" else "X"
        rows, signs = [(turn.guess, turn.marks) for turn in reviewed.turns], [judged.sign for judged in turns]
        made.share = squares(f"{count}/{game.turns}  {made.scores}", rows, signs)
    return made


def judged_entry(reviewed: Review, words: WordList) -> dict[str, Any]:
    """Return a review as a JSON object, with the origin of its words and, of one board, the verdict."""
    judged = {} if reviewed.game.boards > 1 else {"verdict": verdict(reviewed, words.targets).entry()}
    return {"list": words.source, **review_entry(reviewed), **judged}


def _label(turn: Turn, game: Game) -> tuple[str, str]:
    if turn.before.words == 1 and turn.lost > 0:
        return BLUNDER[0], BLUNDER[1]
    share = max(100 * turn.lost / unit_of(game).guess, Fraction(TIED) * (turn.missed > SLIGHT))
    name, sign, *_ = next((label for label in LABELS if share <= label[2]), BLUNDER)
    return name, sign


def _sentence(
    reviewed: Review, place: int, left: Sequence[str], sizes: Sequence[int], best: Sequence[int]
) -> str:
    """A sentence about a choice, the first that is true of it; `sizes`, `best`: those of its classes."""
    game, turn, words = reviewed.game, reviewed.turns[place], len(left)
    less, name = turn.lost, capitals(shown_best(turn, game))
    right = reviewed.state == "found" and place == len(reviewed.turns) - 1
    best_name, noun = name if name.isalnum() else "A better guess", guessed(game)[0]
    letters, one = game.guesses_letters, unit_of(game).guess
    letter, at = _against(reviewed, place) if less > WEIGHT * one else ("", 0)
    kinds = {
        "only": words == 1 and (right or letters or less <= 0),
        "missed": words == 1,
        "better": less < -SLIGHT * one,
        "lucky": right and not letters and less > 0,
        "right": right and not letters,
        "impossible": not letters and less > 0 and turn.guess not in left and turn.before.best in left,
        "against": at > 0,
        "misses": turn.missed > SLIGHT,
        "best tried": less <= 0 and turn.before.how == PLAYED,
        "best": less <= 0,
        "opening": place == 0 and _label(turn, game)[0] == "good",
        "groups": len(best) > len(sizes),
        "largest": max(best) < max(sizes),
        "needs": not unit_of(game).rises,
        "wins": unit_of(game).short == "won, %",
        "gives": True,
    }
    kind = next(kind for kind, holds in kinds.items() if holds)
    return filled(
        f"choice {kind}", noun=noun, words=f"{words:,}", word=capitals(left[0]), guess=capitals(turn.guess),
        best=best_name, groups=len(sizes), best_groups=len(best), largest=f"{max(sizes):,}",
        best_largest=f"{max(best):,}", less=f"{float(less or turn.missed):.2f}", unit=unit_of(game).short,
        letter=capitals(letter), place=at, kind="letter" if letters else "guess",
    )  # fmt: skip


def _against(reviewed: Review, place: int) -> tuple[str, int]:
    """Return the first placed letter that a guess does not keep, and its place from 1; 0 if it keeps all."""
    guess = reviewed.turns[place].guess
    for turn in reviewed.turns[:place] if feedback_of(reviewed.game) is marks else ():
        for at, (letter, mark) in enumerate(zip(turn.guess, turn.marks, strict=True), 1):
            if mark == "O" and guess[at - 1] != letter:
                return letter, at
    return "", 0


def _small(turn: Turn, game: Game, mean_left: Fraction) -> str:
    """Return the cost or gain of a choice and of its marks, and the words left."""
    parts = [
        filled(f"small {what}", effect=effect_text(gained, game))
        for what, gained in (("choice", -turn.lost), ("luck", turn.luck))
        if abs(gained) > SLIGHT * unit_of(game).guess
    ]
    if abs(turn.luck) > SLIGHT * unit_of(game).guess and mean_left > 1:
        mean = f"{float(mean_left):,.{0 if mean_left >= 10 else 1}f}"
        after = counted(turn.after.words, guessed(game)[0])
        kind = "left"
        if turn.luck * (turn.after.words - mean_left) > 0:  # the count says the reverse of the luck
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
    band = next(name for least, name in BANDS if skill >= least)
    worst = max(reviewed.turns, key=lambda turn: (turn.lost, turn.missed))
    guess, amount = capitals(worst.guess), f"{float(worst.lost or worst.missed):.2f}"
    kind = "lead" if worst.lost > 0 else "lead misses" if worst.missed > SLIGHT else "lead free"
    return filled(kind, band=band, guess=guess, amount=amount, unit=unit_of(reviewed.game).noun)

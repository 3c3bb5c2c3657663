"""Reviews as rows of tables, means over rounds, and JSON; the verdict on a round.

A verdict has scores of skill and luck, and a sentence about each choice. Source of the scores: with the loss
L and the luck G of a round in guesses, skill = 99 * 2**-L and luck = 99 / (1 + 10**-G), each rounded, so that
the result follows from start, skill and luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from gpulingo.advice.outlook import EXACT, PLAYED, TREE, class_sizes
from gpulingo.advice.round import PASS, Review, Turn
from gpulingo.advice.sentences import TABLES, filled, squares
from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of, guessed, lettered
from gpulingo.games.game import Game
from gpulingo.games.units import unit_of
from gpulingo.words.letters import capitals
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import WordList

MEASURES = ("start", "lost", "luck", "result")
WIDTH = 1.959963984540054  # standard errors on each side of a 95 % interval
GOOD_LUCK = "luck, above 0 is good"  # heading of luck as a number
NOT_SHOWN = "(unfit word)"  # replaces an unfit word
SHOWN = 20  # line numbers that are listed
SHOWN_WORST = 10  # guesses that lost most


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
            "best": shown_best(turn),
            "chosen": f"{float(turn.expected_chosen):.3f}",
            "choice": effect_text(-turn.lost, game),
            "luck": effect_text(turn.luck, game),
        }
        for number, turn in enumerate(reviewed.turns, 1)
    ]


def shown_best(turn: Turn) -> str:
    """Return the best guess, unless it is an unfit word that was neither guessed nor the only one left."""
    best = turn.before.best
    if turn.game.counts_misses or best == turn.guess or turn.before.words == 1:
        return best
    from gpulingo.words.targets import unfit_words  # here: others do not need it

    return NOT_SHOWN if best in unfit_words(len(best)) else best


def effect_text(gained: Fraction, game: Game) -> str:
    """Return a gain (above 0) or a loss as text without a sign.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> [effect_text(Fraction(sign, 2), game) for sign in (-1, 1) for game in (lingo(), wordle())]
    ['cost 0.500', 'cost 0.500', 'gained 0.500', 'saved 0.500']
    """
    good = "gained" if unit_of(game).rises else "saved"
    return f"{good if gained > 0 else 'cost'} {float(abs(gained)):.3f}"


TURN_TEXTS = ("guess", "marks", "by", "best")  # text columns


def review_sentences(reviewed: Review) -> list[str]:
    """Return the result, the signed sum, and the sources of the numbers."""
    game, value, name = reviewed.game, reviewed.result, unit_of(reviewed.game).short
    best, start = reviewed.turns[0].before.how == EXACT, f"{float(reviewed.start):.3f}"
    choices, luck_text = effect_text(-reviewed.lost, game), effect_text(reviewed.luck, game)
    kind = "good " if reviewed.luck > 0 else "bad " if reviewed.luck < 0 else ""
    sign, result = 1 if unit_of(game).rises else -1, f"{float(value):.3f}"
    parts = [sign * part for part in (-reviewed.lost, reviewed.luck)]
    lost, luck = (f"{'-' if part < 0 else '+'} {float(abs(part)):.3f}" for part in parts)
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


def review_entry(reviewed: Review) -> dict[str, Any]:
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
                "known": turn.known,
                "luck": float(turn.luck),
            }
            for turn in reviewed.turns
        ],
    }


def mean_entry(numbers: Sequence[Fraction]) -> dict[str, Any]:
    """Return the mean of some numbers, with its 95 % interval by the normal distribution.

    >>> mean = mean_entry([Fraction(1), Fraction(3)])
    >>> mean["mean"], [round(end, 2) for end in mean["interval"]], mean["rounds"]
    (2.0, [0.04, 3.96], 2)
    """
    count, interval = len(numbers), None
    mean = sum(numbers, Fraction(0)) / count
    if count > 1:
        squares = sum(float(number - mean) ** 2 for number in numbers)
        width = WIDTH * (squares / (count - 1) / count) ** 0.5
        interval = float(mean) - width, float(mean) + width
    return {"mean": float(mean), "interval": interval, "rounds": count}


def means(items: Sequence[Review | Turn], names: Sequence[str] = MEASURES) -> dict[str, dict[str, Any]]:
    """Return the means of expectation at the start, losses, luck and results, for at least one round."""
    return {name: mean_entry([getattr(item, name) for item in items]) for name in names}


def summary(rounds: Sequence[Review]) -> dict[str, Any]:
    """Return what rounds have together, as a JSON object: means, also of the first, second .. guesses, and
    by the first guess, the most used first; the kinds of losses, see `Turn.known`; the worst guesses.
    """
    openings, turns = dict[str, list[Review]](), [review.turns for review in rounds]
    columns = [[row[at] for row in turns if len(row) > at] for at in range(max(map(len, turns)))]
    for review in sorted(rounds, key=lambda review: review.turns[0].guess):
        openings.setdefault(review.turns[0].guess, []).append(review)
    return {
        "unit": unit_of(rounds[0].game).short,
        "states": {state: sum(own.state == state for own in rounds) for state in ("found", "lost", "open")},
        "means": means(rounds),
        "by_guess": [means(column, ("lost", "luck")) for column in columns],
        "by_opening": {
            guess: means(group, ("result",)) | means([review.turns[0] for review in group], ("lost", "luck"))
            for guess, group in sorted(openings.items(), key=lambda item: -len(item[1]))
        },
        "known": dict(Counter(turn.known for review in rounds for turn in review.turns)),
        "worst": worst_guesses(rounds),
    }


def summary_entry(rounds: Sequence[Review], unread: Sequence[int]) -> dict[str, Any]:
    """Return many rounds as a JSON object, with the lines that could not be read."""
    told = summary(rounds) | {"reviews": [review_entry(review) for review in rounds]} if rounds else {}
    return {"rounds": len(rounds), "unread": list(unread), **told}


def worst_guesses(rounds: Sequence[Review]) -> list[dict[str, Any]]:
    """Return the guesses that cost most over all rounds, each once per position, for JSON; without passes.

    `lost` is the loss in one round, `after` the round so far.
    """
    turns: dict[tuple[str, str], list[Turn]] = {}
    for review in rounds:
        after = review.played.letter
        for turn in review.turns:
            turns.setdefault((after, turn.guess), []).append(turn)
            after = f"{after} {turn.guess}:{lettered(review.game, turn.marks)}".strip()
    worst = [item for item in turns.items() if item[1][0].lost > 0 and not item[0][1].startswith(PASS)]
    worst.sort(key=lambda item: (-len(item[1]) * item[1][0].lost, item[0]))
    return [
        {
            "lost": float(turn.lost),
            "known": turn.known,
            "rounds": 1 + len(others),
            "guess": guess,
            "best": shown_best(turn),
            "left": turn.before.words,
            "after": after,
        }
        for (after, guess), (turn, *others) in worst[:SHOWN_WORST]
    ]


def mean_cells(mean: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a mean: column -> cell."""
    ends = "-" if mean["interval"] is None else "{:.3f} to {:.3f}".format(*mean["interval"])
    return {"mean": f"{mean['mean']:.3f}", "95 % interval": ends, "rounds": f"{mean['rounds']:,}"}


def mean_rows(entry: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return a row for every mean of a summary: column -> cell."""
    titles = ("expected at the start", "lost by choices", GOOD_LUCK, "result")
    named = dict(zip(titles, entry["means"].values(), strict=True))
    for number, measures in enumerate(entry["by_guess"], 1):
        named |= {f"guess {number}: {name}": mean for name, mean in measures.items()}
    return [{"value": name, **mean_cells(mean)} for name, mean in named.items()]


def opening_rows(entry: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return a row for each of the most used first guesses: column -> cell; none if all rounds share one."""
    rows = []
    for guess, measures in entry["by_opening"].items():
        lost, luck = (f"{measures[name]['mean']:.3f}" for name in ("lost", "luck"))
        result = mean_cells(measures["result"])
        rows.append({"opening": guess, **result, "lost by it": lost, GOOD_LUCK: luck})
    return rows[:SHOWN] if len(rows) > 1 else []


def exact_text(known: Mapping[str, int]) -> str:
    """Return the kinds of losses with their numbers as text, such as `32 exact, 8 at least`."""
    if len(known) == 1:
        return f"all {next(iter(known))}"
    return ", ".join(f"{count:,} {kind}" for kind, count in Counter(known).most_common())


def worst_rows(worst: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return a row for each of such guesses: column -> cell; * marks a loss that is not proven."""
    return [
        {
            "lost": f"{row['lost']:.3f}{' *' if row['known'] != 'exact' else ''}",
            "rounds": f"{row['rounds']:,}",
            "guess": row["guess"],
            "best": row["best"],
            "left": f"{row['left']:,}",
            "after": row["after"] or "-",
        }
        for row in worst
    ]


def unread_text(unread: Sequence[int], lines: int) -> str:
    """Return the number of lines that could not be read, and which."""
    more = f" and {len(unread) - SHOWN:,} more" if len(unread) > SHOWN else ""
    count = f"{len(unread):,} of {lines:,} lines could not be read"
    return f"{count}: {', '.join(map(str, unread[:SHOWN]))}{more}"


MOST = 99  # greatest score
*LABELS, (*BLUNDER, _) = TABLES["labels"]  # name, sign and most % of a guess lost
BANDS = TABLES["bands"]
SLIGHT = Fraction(1, 1000)  # of a guess: not visible in any printed number
TIED = 25  # most % of a guess that a choice counts as which cost misses alone
WEIGHT = Fraction(1, 4)  # of a guess: loss from which a choice against known hints is mentioned


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


def verdict(reviewed: Review, targets: Sequence[str], *, hosted: bool = False) -> dict[str, Any]:
    """Return the verdict on a round over the targets of its review, as a JSON object; `hosted`: a host chose
    the answer during the round, so that it has no luck.
    """
    game, rule, one = reviewed.game, feedback_of(reviewed.game), unit_of(reviewed.game).guess
    left, turns = list(targets), list[dict[str, Any]]()
    for place, turn in enumerate(reviewed.turns):
        sizes, best = (class_sizes(rule, word, left) for word in (turn.guess, turn.before.best or turn.guess))
        mean_left = Fraction(sum(size * size for size in sizes), len(left))
        label, sign = _label(turn)
        turns.append({
            "best_groups": len(best), "best_largest": max(best), "groups": len(sizes), "label": label,
            "largest": max(sizes), "mean_left": float(mean_left),
            "sentence": _sentence(reviewed, place, left, sizes, best), "sign": sign,
            "small": _small(turn, mean_left),
        })  # fmt: skip
        left = [word for word in left if rule.feedback(turn.guess, word) == turn.marks]
    skill = skill_score(sum((max(Fraction(0), turn.lost) for turn in reviewed.turns), Fraction(0)) / one)
    made = {
        "about": any(value.how == PLAYED for turn in reviewed.turns for value in (turn.before, turn.after)),
        "headline": _headline(reviewed), "lead": _lead(reviewed, skill),
        "luck": None if hosted else luck_score(reviewed.luck / one), "share": "", "skill": skill,
        "turns": turns,
    }  # fmt: skip
    if rule is marks:  # only marks have squares
        count = len(reviewed.turns) if reviewed.state == "found" else "X"
        rows, signs = [(turn.guess, turn.marks) for turn in reviewed.turns], [own["sign"] for own in turns]
        made["share"] = squares(f"{count}/{game.turns}  {scores_text(made)}", rows, signs)
    return made


def scores_text(judged: Mapping[str, Any]) -> str:
    """Return skill and luck of a verdict in a line, such as `skill 69, luck 57`."""
    luck = "" if judged["luck"] is None else filled("scores luck", luck=judged["luck"])
    return filled("scores", about="about " if judged["about"] else "", skill=judged["skill"], luck=luck)


def verdict_lines(reviewed: Review, judged: Mapping[str, Any]) -> list[str]:
    """Return a verdict as text: headline, scores and lead, then a line per guess."""
    labels = [f"{turn['sign']} {turn['label']}" for turn in judged["turns"]]
    width = max(map(len, labels))
    rows = [
        f"  {turn.guess}  {label:{width}}  {one['sentence']}"
        for turn, label, one in zip(reviewed.turns, labels, judged["turns"], strict=True)
    ]
    return [f"{judged['headline']}: {scores_text(judged)} (0 to 99). {judged['lead']}", *rows]


def judged_entry(reviewed: Review, words: WordList) -> dict[str, Any]:
    """Return a review as a JSON object, with the origin of its words and, of one board, the verdict."""
    judged = {} if reviewed.game.boards > 1 else {"verdict": verdict(reviewed, words.targets)}
    return {"list": words.source, **review_entry(reviewed), **judged}


def _label(turn: Turn) -> tuple[str, str]:
    if turn.before.words == 1 and turn.lost > 0:
        return BLUNDER[0], BLUNDER[1]
    share = max(100 * turn.lost / unit_of(turn.game).guess, Fraction(TIED) * (turn.missed > SLIGHT))
    name, sign, *_ = next((label for label in LABELS if share <= label[2]), BLUNDER)
    return name, sign


def _sentence(
    reviewed: Review, place: int, left: Sequence[str], sizes: Sequence[int], best: Sequence[int]
) -> str:
    """A sentence about a choice, the first that is true of it; `sizes`, `best`: those of its classes."""
    game, turn, words = reviewed.game, reviewed.turns[place], len(left)
    less, name = turn.lost, capitals(shown_best(turn))
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
        "opening": place == 0 and _label(turn)[0] == "good",
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


def _small(turn: Turn, mean_left: Fraction) -> str:
    """Return the cost or gain of a choice and of its marks, and the words left."""
    game, slight = turn.game, SLIGHT * unit_of(turn.game).guess
    parts = [
        filled(f"small {what}", effect=effect_text(gained, game))
        for what, gained in (("choice", -turn.lost), ("luck", turn.luck))
        if abs(gained) > slight
    ]
    if abs(turn.luck) > slight and mean_left > 1:
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

"""Verdicts on random rounds: scores by their formulas, and sentences that are true for recounted classes."""

import random
import re
from collections import Counter
from fractions import Fraction

import exhaustive
import pytest
from sampled import quick

from gpulingo.advice.outlook import EXACT, PLAYED
from gpulingo.advice.review_text import _lead, luck_score, scores_text, skill_score, verdict
from gpulingo.advice.round import Review, SetValue, Turn, read_round, target_round
from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.games.marks import feedback
from gpulingo.games.units import unit_of

KINDS = {  # kinds of sentences, by a text in each
    "right": "and the right one", "lucky": "and lucky", "last": "The only word left", "missed": "^Only ",
    "known": "was known to be", "impossible": "any more", "groups": "splits", "largest": "leaves at most",
    "opening": "A strong opening", "best": "does better here", "average": "on average",
}  # fmt: skip


def sizes(guess, words):
    return Counter(feedback(guess, word) for word in words)


def drawn(code, seed):
    """A random round, its verdict and the targets; losses, luck and best guesses are random too."""
    game, draw, words = find_game(code), random.Random(seed), exhaustive.random_list(18)[0]
    rule, target, guesses = feedback_of(game), draw.choice(words.targets), list[str]()
    left, turns = list(words.targets), list[Turn]()
    credits = draw.randint(0, 200)  # hundredths of a guess
    how = (EXACT, PLAYED)[seed % 2]
    while len(guesses) < game.turns and target not in guesses:
        guess = target if draw.random() < 0.2 else draw.choice(left if draw.random() < 0.5 else words.words)
        row = rule.feedback(guess, target)
        best = draw.choice(left if draw.random() < 0.7 else words.words)
        before = SetValue(credits, 100, len(left), how, left[0] if len(left) == 1 else best)
        chosen = credits - (
            0 if left == [guess] else 60 if len(left) == 1 else draw.choice([0, 5, 20, 30, 70])
        )
        left = [word for word in left if rule.feedback(guess, word) == row]
        credits = chosen + (draw.randint(-90, 90) if len(left) > 1 else 0)
        turns.append(Turn(guess, row, before, chosen, SetValue(credits, 100, len(left), EXACT), game))
        guesses.append(guess)
    played = target_round(target, guesses, game)
    own = Review(played, game, turns, "found" if target in guesses else "lost")
    return own, verdict(own, words.targets), words.targets


@pytest.mark.parametrize("code", quick(["wordle", "lingo", "wordle-hard"], ["lingo"]))
def test_scores_follow_from_what_was_lost_and_from_luck(code):
    for seed in range(100):
        own, made, _ = drawn(code, seed)
        one = unit_of(own.game).guess
        total = sum(max(0, turn.lost) for turn in own.turns) / one
        assert made["skill"] == round(99 * 2.0 ** -float(total))
        assert made["luck"] == round(99 / (1 + 10.0 ** -float(own.luck / one)))
        assert own.balanced and (made["skill"] == 99) == (total < Fraction(8, 1000))


def test_a_guess_that_loses_more_never_scores_more_and_luck_never_less():
    losses = [Fraction(own, 100) for own in range(300)]
    assert [skill_score(own) for own in losses] == sorted(map(skill_score, losses), reverse=True)
    gains = [own - Fraction(3, 2) for own in losses]
    assert [luck_score(own) for own in gains] == sorted(map(luck_score, gains))
    assert luck_score(Fraction(0)) == 50


def test_a_round_is_called_by_the_greatest_skill_that_it_reached():
    said = [_lead(drawn("wordle", 0)[0], skill).split()[1] for skill in (95, 94, 70, 69, 0)]
    assert said == ["nearly", "strong", "good", "fair", "rough"]


@pytest.mark.slow
def test_every_kind_of_sentence_occurs_and_is_true_of_recounted_classes():
    seen = Counter()
    for seed in range(200):
        own, made, targets = drawn("wordle", seed)
        left = list(targets)
        for turn, one in zip(own.turns, made["turns"], strict=True):
            of_guess, of_best = sizes(turn.guess, left), sizes(turn.before.best, left)
            assert (one["groups"], one["largest"]) == (len(of_guess), max(of_guess.values()))
            assert (one["best_groups"], one["best_largest"]) == (len(of_best), max(of_best.values()))
            assert one["mean_left"] == sum(size**2 for size in of_guess.values()) / len(left)
            kinds = [name for name, text in KINDS.items() if re.search(text, one["sentence"])]
            assert kinds, one["sentence"]
            seen[kinds[0]] += 1
            less = turn.lost
            if kinds[0] == "groups":
                numbers = list(map(int, re.findall(r"\d+", one["sentence"])))
                assert numbers == [len(left), len(of_best), len(of_guess)] and numbers[1] > numbers[2]
            if kinds[0] == "largest":
                assert max(of_best.values()) < max(of_guess.values()) and len(of_best) <= len(of_guess)
            if kinds[0] == "known":
                letter, place = re.findall(r"The (.) .* place (\d+)", one["sentence"])[0]
                assert turn.guess[int(place) - 1].upper() != letter
                assert all(word[int(place) - 1].upper() == letter for word in left)
            if kinds[0] == "impossible":
                assert turn.guess not in left and turn.before.best in left
            assert (kinds[0] in ("right", "last", "best")) <= (less <= 0)
            if kinds[0] == "best":  # of an estimate only what was tried is known
                assert ("that was tried" in one["sentence"]) == (turn.before.how == PLAYED)
            assert (one["label"] == "best") == (less <= 0)
            left = [word for word in left if feedback(turn.guess, word) == turn.marks]
    assert set(seen) == set(KINDS)


def test_a_share_text_is_read_again_and_hosts_leave_nothing_to_luck():
    own, made, targets = next(one for one in map(drawn, ["wordle"] * 9, range(9)) if one[0].state == "found")
    words = [turn.guess for turn in own.turns]
    read = read_round(made["share"], own.game, words=words)
    assert read.guesses == own.played.guesses
    assert made["share"].startswith(f"gpulingo {len(words)}/6  ") and scores_text(made) in made["share"]
    assert verdict(own, targets, hosted=True)["luck"] is None

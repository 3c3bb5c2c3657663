"""The words that advice counts: answers, then all words; unfit guesses are hidden unless no other is left."""

import os
import random
from pathlib import Path

import pytest

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.outlook import GuessStats
from gpulingo.cli.pipes import BY_OPTION
from gpulingo.cli.request import Request
from gpulingo.games import marks
from gpulingo.words.listing import embedded
from gpulingo.words.targets import answers, unfit_words, words_up_to

WORDLE = os.environ.get("GPULINGO_WORDLE_LISTS")
UNFIT = sorted(unfit_words(5))
ROW = [*UNFIT[:2], "dents", UNFIT[2], "zones", "reads"]  # guesses, the best first


class Ranked:
    """An engine that returns the first guesses of a row, as many as requested."""

    def __init__(self, row):
        self.row = row

    def outlooks(self, words, game, history, *, count, **_):
        found = [
            GuessStats(guess, [0, 9 - place, 0, 0, 0], 9, classes=2, largest=1, target=True)
            for place, guess in enumerate(self.row)
        ]
        return found[:count], "by a row"


@pytest.fixture
def advise(folder):
    """A function that makes an adviser for a row of guesses, which are also the words."""

    def make(row=ROW, **options):
        Path("wordlist.txt").write_text("\n".join(row) + "\n")
        return Adviser(Request(**options).question(), lambda: Ranked(row), lambda text: None)

    return make


def guesses(answer):
    return [own.guess for own in answer.guesses]


@pytest.mark.parametrize("top", [1, 2, 3])
def test_unfit_guesses_are_not_shown_and_others_take_their_places(advise, top):
    answer = advise(top=top).answer([])
    assert guesses(answer) == ["dents", "zones", "reads"][:top]
    told = "; 2 guesses are not shown (88.889 points better): --every adds unfit guesses, and nothing else"
    assert answer.how(BY_OPTION) == f"by a row{told}" and UNFIT[0] not in "\n".join(answer.lines()[2:])


def test_unfit_guesses_are_shown_where_they_are_asked_for(advise):
    assert guesses(advise(top=4, every=True).answer([])) == ROW[:4]


def test_of_unfit_guesses_after_a_fit_one_nothing_is_told(advise):
    answer = advise(["dents", UNFIT[0], "zones"], top=2).answer([])
    assert (guesses(answer), answer.how()) == (["dents", "zones"], "by a row")


@pytest.mark.parametrize("count", [1, 2])
def test_an_unfit_word_is_shown_where_no_other_may_be_guessed(advise, count):
    answer = advise(UNFIT[:count], top=1).answer([])
    assert (guesses(answer), answer.how()) == (UNFIT[:1], "by a row")


def test_the_only_word_that_fits_is_shown_though_unfit(advise):
    row = marks.feedback("zones", UNFIT[0])
    answer = advise([UNFIT[0], "zones"], top=1).answer([("zones", row)])
    assert (answer.left, guesses(answer), answer.how()) == (UNFIT[:1], UNFIT[:1], "by a row")


def outside():
    """Words of the list that are not answers: ten that many people know, and of Wordle's if there are any."""
    known = set(words_up_to(50, 5)).difference(answers(5))
    if WORDLE:
        wordles = (Path(WORDLE) / "targets.txt").read_text().split()
        known = set(wordles).intersection(embedded().of_length(5).words).difference(answers(5))
        assert len(known) == 158
    return random.Random(1).sample(sorted(known), 4)


@pytest.mark.slow
def test_nobody_is_blamed_for_a_word_that_is_no_answer(talk, scripted):
    Path("wordlist.txt").unlink()
    for word in outside():
        begun = talk("wordle12", targets=None)
        adviser, history = begun.adviser, []
        while adviser.left(5, history)[0].targets_source == "answers":
            guess = adviser.left(5, history)[1][0]  # the first answer that fits, so not the word
            history.append((guess, marks.feedback(guess, word)))
            said = begun.take(" ".join(history[-1]))
            assert not any("no word fits" in line for line in said)
        answer = adviser.answer(history)
        assert word in answer.left and answer.left.count(*guesses(answer))
        count = f"no answer fits; of all 11,506 words of the embedded list {len(answer.left):,} do"
        assert answer.lines()[0].startswith(count) and "one of the answers" not in answer.how()
        assert any(line.startswith(count) for line in said)


def test_while_answers_fit_both_counts_and_what_chances_rest_on_are_told(talk):
    Path("wordlist.txt").unlink()
    adviser = talk("wordle").adviser
    row = ("crane", "X???X")
    left = [
        [word for word in words if marks.feedback(row[0], word) == row[1]]
        for words in (answers(5), embedded().of_length(5).words)
    ]
    answer = adviser.answer([row])
    assert answer.left == left[0]
    assert answer.lines()[0].startswith(f"{len(left[0])} answers, {len(left[1])} words left of the embedded")
    assert answer.how().endswith("; chances hold if the word is one of the answers")


def test_marks_that_no_word_gives_are_a_contradiction_of_all_words(talk):
    Path("wordlist.txt").unlink()
    adviser = talk("wordle").adviser
    said = adviser.contradiction(5, [("crane", "OOOOX"), ("crane", "XXXXX")])
    words = sum(marks.feedback("crane", word) == "OOOOX" for word in embedded().of_length(5).words)
    assert f"rules out the {words} words that fit" in said

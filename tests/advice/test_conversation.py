"""Answers at a terminal that `tests/transcripts` does not cover: failures of a search, any input."""

import random

import pytest

from gpulingo.advice.conversation import Paint, Revealed, paint_for
from gpulingo.cli.pipes import REMEDIES
from gpulingo.games import marks
from gpulingo.games.catalogue import hangman
from gpulingo.player.guesser import Guesser, QuizRule

from .conftest import WORDS


def said(talk, *lines):
    """The answer to the last of some lines, as one text."""
    return "\n".join([talk.take(line) for line in lines][-1])


@pytest.mark.slow
def test_whatever_is_typed_about_words_there_is_an_answer_and_no_error(talk):
    chance = random.Random(4)
    signs = [*"X ? O undo again words why guessed bones tones é :".split(), "it was", " ", "\0", "\x1b[2J"]
    one = talk("lingo3")
    for _ in range(500):
        line = "".join(chance.choices(signs, k=chance.randrange(7)))
        row = marks.feedback(one.session.guess, chance.choice(WORDS)) if len(one.session.guess) == 5 else ""
        lines = one.take(chance.choice([line, " ".join(line), row, row, "undo", "I guessed roses", "again"]))
        assert lines and not {"\n", "\x1b"} & {*"".join(lines)}
        assert len(one.history) <= 3 and not one.ended


@pytest.mark.parametrize("proposal", ["fail", "nails", "bones"])
def test_where_the_engine_fails_any_word_that_fits_is_guessed(talk, scripted, proposal):
    one = talk(engine=scripted(proposal))
    text = said(one, "bones XOOOO")
    assert one.session.guess == "zones"
    assert "guessing any word that fits" in text or proposal != "bones"


def test_a_strategy_that_is_named_is_asked_first(talk):
    class Searcher:
        def guess(self, history):
            return "roses" if not history else "nails"

    one = talk(strategy=lambda words: Searcher())
    assert one.session.guess == "roses" and said(one, "why").endswith("Found by the strategy that was named.")
    text = said(one, marks.feedback("roses", "tones"))
    assert "the strategy failed: it proposes 'nails'; continuing without it" in text


def test_a_strategy_is_left_out_where_no_answer_fits(talk, folder):
    class Searcher:
        def guess(self, history):
            return "dealt"

    (folder / "wordlist.txt").unlink()
    one = talk("wordle", strategy=lambda words: Searcher())
    text = said(one, "slate ?XX??", "ester X??O?")
    assert "no answer fits; of all 11,506 words of the embedded list 6 do" in text
    assert one.session.guess == "roset" and "failed" not in text
    said(one, "undo", "undo", "slate ?XX??")
    assert one.session.guess == "dealt"


def test_whatever_is_typed_in_hangman_there_is_an_answer_and_no_error():
    chance, rules = random.Random(5), {4: QuizRule("fish dish wish iris hill moth".split())}
    guesser = Guesser(lambda size: rules.get(len(size)) or QuizRule([]), hangman(3), print)
    one = Revealed(guesser, Paint(), REMEDIES, 0)
    one.greeting()
    lines = [*"4 no undo _i__ again words why é 0 99 fish".split(), "_ _ s _", "I guessed s", "", "\x1b[2J"]
    for _ in range(2000):
        answer = one.take(chance.choice(lines))
        assert answer and not {"\n", "\x1b"} & {*"".join(answer)}


def test_colours_are_beside_the_marks_and_off_where_they_are_not_wanted():
    assert Paint(True).tiles("1122", "2,1") == "1 1 2 2  2,1"  # counts give no mark of a single sign
    text = Paint(True).tiles("dents", "XO?XX")
    assert text.endswith("  BGYBB") and "\x1b[30;42m E \x1b[0m\x1b[30;43m N \x1b[0m" in text
    assert paint_for({"TERM": "xterm-256color"}).colour
    for environment in ({}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
        assert "\x1b" not in paint_for(environment).tiles("dents", "XO?XX")

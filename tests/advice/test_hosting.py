"""Hosts as conversations: what they mark and tell; a guess that may not be made costs nothing."""

import random

import pytest

from gpulingo.advice.conversation import Paint
from gpulingo.advice.terminal import OVER, Hosted
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.marks import feedback, lettered
from gpulingo.hosts.host import Host
from gpulingo.words.wordlist import WordList

CLASHING = ["left", "help", "quit", "mint", "mind"]


def said(talk, *lines):
    """The answer to the last of some lines, as one text."""
    return "\n".join([talk.take(line) for line in lines][-1])


@pytest.fixture
def honest(words22):
    """A function that makes a talk with an honest host of 22 words."""

    def make(game="wordle", **options):
        draw = random.Random(1)
        return Hosted(lambda: Host(words22, find_game(game), None, draw), Paint(), **options)

    return make


def test_a_word_that_is_drawn_marks_every_guess(honest, words22):
    talk = honest()
    word = talk.host.word()
    assert "I have a word of 5 letters, one of 22; you have 6 guesses." in talk.greeting()[0]
    other = next(own for own in words22.words if own != word)
    row = feedback(other, word)
    assert said(talk, other.upper()) == f"  {' '.join(other)}  {lettered(row)}"
    left = [own for own in words22.words if feedback(other, own) == row]
    assert said(talk, "left") == f"{len(left)} word{'s' if len(left) > 1 else ''} left: {' '.join(left)}"
    assert "Found in 2 guesses. again or quit?" in said(talk, word)
    assert said(talk, other) == OVER
    assert "I have a word" in said(talk, "again") and not talk.over
    assert said(talk, "quit") == "" and talk.ended


def test_a_letter_that_is_given_is_told_and_asked_for(honest, words22):
    talk = honest("lingo-start")
    letter = talk.host.word()[0]
    assert (
        f"that begins with {letter}, one of {len(talk.host.left)}; you have 5 guesses" in talk.greeting()[0]
    )
    assert all(own[0] == letter for own in talk.host.left)
    other = next(own for own in words22.words if own[0] != letter)
    assert said(talk, other).startswith(f"{other} does not begin with {letter}: guess again")


def test_what_may_be_guessed_is_a_guess_and_a_command_with_a_slash():
    from gpulingo.words.listing import parse

    words = parse("\n".join(CLASHING)).of_length(4)
    talk = Hosted(lambda: Host(words, find_game("lingo"), None, random.Random(2)), Paint())
    assert "/help says more" in talk.greeting()[1]
    assert said(talk, "/left").startswith("5 words left: ") and talk.prompt == "guess 1> "
    assert said(talk, "left").startswith("  l e f t  ") and said(talk, "/quit") == "" and talk.ended


def test_a_word_of_hangman_is_found():
    words = WordList("three words", ["fish", "dish", "wish"])
    talk = Hosted(lambda: Host(words, hangman(2), None, random.Random(1)), Paint())
    word = talk.host.word()
    assert said(talk, *"iSh", word[0]) == f"Found with 0 misses: {word}. again or quit?"


def test_colours_are_beside_the_marks_and_off_where_they_are_not_wanted():
    from gpulingo.advice.conversation import paint_for

    assert Paint(True).tiles("1122", "2,1") == "1 1 2 2  2,1"  # which says nothing of any one sign
    text = Paint(True).tiles("dents", "XO?XX")
    assert text.endswith("  BGYBB") and "\x1b[30;42m E \x1b[0m\x1b[30;43m N \x1b[0m" in text
    assert paint_for({"TERM": "xterm-256color"}).colour
    for environment in ({}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
        assert "\x1b" not in paint_for(environment).tiles("dents", "XO?XX")

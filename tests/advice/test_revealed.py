"""Hangman, where the program guesses and a script shows the word: what it says and takes back."""

import random

import pytest

from gpulingo.advice.conversation import Paint, Revealed
from gpulingo.games.catalogue import hangman
from gpulingo.player.guesser import Guesser, QuizRule
from gpulingo.words.shown import shown

WORDS = ["fish", "dish", "wish", "iris", "hill", "moth"]


@pytest.fixture
def talk():
    """A function that begins a conversation about these words."""

    def begun(length=4, lives=3):
        rules = {4: QuizRule(WORDS)}
        talk = Revealed(
            Guesser(lambda size: rules.get(len(size)) or QuizRule([]), hangman(lives), print),
            lives,
            Paint(),
            length,
        )
        talk.greeting()
        return talk

    return begun


def said(talk, *lines):
    """The answer to the last of some lines, as one text."""
    return "\n".join([talk.take(line) for line in lines][-1])


def shows(talk, word):
    """Show the word until it is found or lost; the last answer."""
    text, letters = "", set()
    while not talk.guesser.over:
        letters.add(talk.guesser.guess)
        before = talk.guesser.shown
        now = shown(word, letters)
        text = said(talk, "no" if now == before else " ".join(now))
    return text


@pytest.mark.parametrize("word", ["fish", "iris", "moth"])
def test_a_word_is_found(talk, word):
    one = talk()
    assert "Found with " in shows(one, word) and one.guesser.shown == word
    assert said(one, "e") == one.is_over and said(one, "why") == one.is_over
    assert said(one, "again").startswith("hangman: think of a word; 3 misses") and one.prompt == "your word> "
    assert said(one, "quit") == "" and one.ended


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("_ _ _", "has 3 places, the word has 4"),
        ("12", "holds '1', '2'"),
        ("", "the line is empty"),
        ("why", "5 of the 6 words left have i"),
    ],
)
def test_it_asks_again_and_nothing_is_lost(talk, line, told):
    one = talk()
    assert told in said(one, line)
    assert (one.guesser.shown, one.guesser.guess, one.prompt) == ("____", "i", "word with i> ")
    assert said(one, "_i__").startswith("  _ i _ _   0/3 missed\n4 words left")


def test_undo_goes_back_letter_by_letter_also_after_the_end(talk):
    one = talk()
    shows(one, "fish")
    text = said(one, "undo")
    assert (not one.guesser.over and "words left" in text) or "word left" in text
    for _ in range(9):
        said(one, "undo")
    assert (one.guesser.shown, one.guesser.guess) == ("____", "i") and said(
        one, "undo"
    ) == "There is nothing to undo."


def test_another_letter_may_have_been_guessed(talk):
    one = talk()
    assert said(one, "I guessed S") == "You guessed s." and one.prompt == "word with s> "
    assert said(one, "undo").endswith("I guess i.")
    said(one, "guessed s", "__s_")
    assert one.guesser.shown == "__s_" and said(one, "guessed s") == "'s' was guessed before."


def test_whatever_is_typed_there_is_an_answer_and_no_error(talk):
    chance = random.Random(5)
    one = talk(0)
    lines = [
        "4",
        "no",
        "undo",
        "_i__",
        "_ _ s _",
        "again",
        "I guessed s",
        "words",
        "why",
        "é",
        "0",
        "99",
        "fish",
        "",
    ]
    for _ in range(2000):
        answer = one.take(chance.choice(lines))
        assert answer and all("\n" not in line for line in answer)


def test_a_letter_may_come_with_its_places(talk):
    one = talk()
    while one.guesser.guess != "i":
        said(one, "no")
    assert "_ i _ _" in said(one, "i:_i__")
    letter = one.guesser.guess
    assert "type it as _ i _ _" in said(one, "q=____") and one.guesser.guess == letter
    assert f"{letter} i _ _" in said(one, f"{letter} = O___")

"""Sentences of the page about a guess, and the texts shown without one."""

import pytest

from gpulingo.advice.adviser import Answer, Fit
from gpulingo.advice.outlook import GuessStats
from gpulingo.advice.sentences import guess_sentence, rarer_text, state_card
from gpulingo.games.catalogue import absurdle, find_game

LATER = "never later than guess"


def own(turns, total, *, target=False, exact=True):
    return GuessStats("shout", turns, total, classes=2, largest=1, target=target, exact=exact)


@pytest.mark.parametrize(
    ("guess", "turn", "left", "said"),
    [
        (own([0, 1, 2, 0, 0, 0], 3, target=True), 2, 3,
         "1 in 3 that it is the word; if not, the next guess finds it."),
        (own([0, 0, 2, 0, 0, 0], 2), 2, 2, "It cannot be the word, but the next guess is certain."),
        (own([0, 0, 24, 14, 0, 0], 38), 2, 38, f"63 % to finish on guess 3, {LATER} 4."),
        (own([0, 1, 23, 14, 0, 0], 38, target=True), 2, 38, f"63 % to finish by guess 3, {LATER} 4."),
        (own([0, 0, 8, 4, 4, 0], 16), 2, 16, f"50 % to finish on guess 3, {LATER} 5."),
        (own([0, 0, 4, 10, 2, 0], 16), 2, 16, f"3.9 guesses on average, {LATER} 5."),
        (own([0, 0, 100, 300, 90, 9], 500), 2, 500, "4.0 guesses on average; 0.2 % to run out of guesses."),
        (own([0, 0, 4, 10, 2, 0], 16, exact=False), 2, 16, f"About 3.9 guesses on average, {LATER} 5."),
    ],
)  # fmt: skip
def test_a_guess_is_described_by_the_first_sentence_that_is_true(guess, turn, left, said):
    assert guess_sentence(guess, find_game("wordle"), turn, left) == said


def test_a_host_and_a_letter_have_sentences_of_their_own():
    host = GuessStats("shout", [0, 0, 0, 5], 5, classes=2, largest=1, target=False, exact=True)
    assert guess_sentence(host, absurdle(), 1, 5) == "Takes 4 guesses against this host, whatever it says."
    letter = GuessStats("e", [90, 5, 2, 1, 0, 0], 100, classes=2, largest=1, target=False, exact=True)
    assert guess_sentence(letter, find_game("hangman"), 1, 100) == "98 % to win."


@pytest.mark.parametrize(
    ("left", "turn", "every", "state", "text"),
    [
        (["merge"], 2, 0, "one", "The word is MERGE."),
        (["anode"], 2, 9, "outside", "No usual answer fits, but 1 word of the full list does: ANODE."),
        (["anode", "merge"], 7, 0, "out", "2 words still fit: ANODE MERGE."),
        (["anode", "merge"], 2, 0, "", ""),
    ],
)
def test_a_position_without_a_guess_to_make_says_why(left, turn, every, state, text):
    answer = Answer(find_game("wordle"), turn, Fit("embedded list", len(left), "answers", every), left)
    card = state_card(answer)
    assert (card.get("state", ""), card.get("text", "")) == (state, text)


@pytest.mark.parametrize(("words", "said"), [(3, ""), (20, "The answer may be a rarer word: 18 more fit.")])
def test_few_usual_answers_among_many_words_are_a_warning(words, said):
    answer = Answer(find_game("wordle"), 2, Fit("embedded list", words, "answers"), ["anode", "merge"])
    assert rarer_text(answer) == said
    first = Answer(find_game("wordle"), 1, Fit("embedded list", words, "answers"), ["anode", "merge"])
    assert rarer_text(first) == ""

"""The quiz's rule, written out once more and by hand."""

import random

from gpulingo.player.guesser import best_letter, fitting, quiz_letter, square_sums
from gpulingo.words.shown import UNKNOWN, shown

WORDS = "fish dish wish wise iris hill mill miss list silk moth oath".split()


def plain_letter(text, missed, words):
    """The rule, letter by letter and word by word."""
    guessed = {*text, *missed}
    left = [word for word in words if shown(word, guessed) == text and not {*word} & {*missed}]
    if not left:
        return ""
    ranks = {}
    for letter in {*"".join(left)} - guessed:
        sums = [sum(word.count(letter) ** 2 for word in row) for row in (left, words)]
        ranks[letter] = (-sums[0], -sums[1], letter)
    return min(ranks, key=ranks.get, default="")


def test_words_fit_where_a_letter_shown_stands_nowhere_else_and_no_missed_one_is_held():
    assert fitting("_i__", "", WORDS) == [*WORDS[:4], *WORDS[5:10]]
    assert fitting("_i__", "s", WORDS) == ["hill", "mill"]
    assert fitting("i_i_", "", WORDS) == ["iris"]
    assert fitting("____", "i", WORDS) == ["moth", "oath"]


def test_the_letter_is_that_of_the_greatest_sum_of_squares():
    # l: 2^2 + 2^2 + 1 + 1 = 10; s: 4 + 1 + 1 + 1 + 4 + 1 + 1 = more
    assert square_sums(["hill", "mill", "miss"]) == {"h": 1, "i": 3, "l": 8, "m": 2, "s": 4}
    assert quiz_letter("____", "", ["hill", "mill", "miss"]) == "l"


def test_ties_go_by_all_words_then_by_the_alphabet():
    assert quiz_letter("_at", "", ["bat", "cat", "cup"]) == "c"  # once in each, twice in all words
    assert quiz_letter("_at", "", ["bat", "cat"]) == "b"
    assert best_letter({"a": 2, "b": 2}, {"b": 1}, "") == "b"
    assert best_letter({"a": 2}, {}, "a") == ""


def test_where_no_word_fits_or_all_is_shown_there_is_no_letter():
    assert quiz_letter("zz__", "", WORDS) == "" == quiz_letter("fish", "", WORDS)


def test_the_rule_is_the_plain_one_at_positions_of_random_words(random_words):
    draw = random.Random(1)
    for seed in range(20):
        words = random_words(seed, 40, 5, "abcdefg")
        for word in draw.sample(words, 10):
            letters = draw.sample("abcdefg", draw.randint(0, 4))
            text = shown(word, letters)
            missed = [letter for letter in letters if letter not in word]
            assert quiz_letter(text, missed, words) == plain_letter(text, missed, words)
            assert UNKNOWN in text or quiz_letter(text, missed, words) == ""

"""Rounds as people enter them: guesses with marks, share texts, targets; and invalid texts."""

import random

import pytest

from gpulingo.advice.round import (
    RoundError,
    check_round,
    fault_of,
    line_round,
    marked_round,
    read_round,
    shared_round,
    shared_rows,
    strange_guesses,
    target_round,
)
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import find_game
from gpulingo.words.listing import parse

LINGO, WORDLE, HANGMAN = find_game("lingo"), find_game("wordle"), find_game("hangman")
WORDS = parse("dents\ndozes\nreads\nzones\ntones").of_length(5)
ROWS = ["\u2b1b\U0001f7e8\u2b1b\U0001f7e9\U0001f7e9", "\U0001f7e9" * 5]
SHARED = [("dozes", "X?XOO"), ("reads", "OOOOO")]


def test_rows_without_words_name_the_option_or_stay_open():
    text = f"Wordle 1,234 2/6\n\n{ROWS[0]}\n{ROWS[1]}"
    with pytest.raises(RoundError, match=r"2 rows of squares, 2 without a word") as caught:
        read_round(text, WORDLE)
    assert worded(caught.value).endswith(": give the guesses by --words WORD,WORD,..")
    assert read_round(text, WORDLE, bare=True).guesses == [("", row) for _, row in SHARED]


def test_a_share_of_several_boards_says_so():
    boards = "\n".join(["Daily Quordle 9", "67", *[f"{ROWS[0]} {ROWS[0]}"] * 3, ""] * 2)
    for words in ([], ["dozes"] * 12):
        with pytest.raises(RoundError, match="squares of 4 boards: give the rows of one board"):
            read_round(boards, WORDLE, words=words)


def test_a_row_of_one_square_is_no_row():
    assert shared_rows("\U0001f7e9 for you\n" + ROWS[0], WORDLE) == [("", ROWS[0])]


def test_a_lost_game_has_no_number_of_rows_in_its_title():
    text = "Wordle 9 X/6\n" + "\n".join([ROWS[0]] * 6)
    assert len(shared_round(text, ["dozes"] * 6, WORDLE).guesses) == 6


def test_a_target_gives_the_marks_of_the_plain_rule_and_the_first_letter():
    assert target_round("READS", ["dozes", "reads"], LINGO).guesses == [
        ("dozes", "?XX?O"),
        ("reads", "OOOOO"),
    ]
    assert target_round("reads", ["dozes"], find_game("lingo-letter")).letter == "r"
    assert target_round("reads", ["e", "z"], HANGMAN).guesses == [("e", "_O___"), ("z", "_____")]


def test_a_letter_shows_the_length_of_the_word_and_a_code_of_one_peg_does_not():
    assert marked_round(["i:_O__"], find_game("hangman")).length == 4
    assert marked_round(["3:0,0", "1:1,0"], find_game("mastermind")).length == 1


def test_words_beside_the_list_are_told_once_and_letters_never():
    played = target_round("reads", ["zzzzz", "dozes", "zzzzz"], LINGO)
    assert strange_guesses(played, WORDS, LINGO) == ["zzzzz"]
    assert strange_guesses(target_round("reads", ["q"], HANGMAN), WORDS, HANGMAN) == []


def test_a_contradiction_names_the_guess_and_a_reading_or_the_target():
    said = fault_of(marked_round(["dozes:XOOOO", "tones:OOOOX"], LINGO), WORDS, LINGO)
    assert said == (
        "no word fits: guess 1, dozes BGGGG, rules out every word; "
        "no single other mark would do: check the guesses"
    )
    said = fault_of(marked_round(["zones:XOOOX"], LINGO), WORDS, LINGO)
    assert said.endswith("rules out every word; if the s of zones (place 5) were G instead of B, 1 would fit")
    said = fault_of(target_round("zebra", ["dozes"], LINGO), WORDS, LINGO)
    assert said == "zebra is not among the targets of text: name another list or target"
    given = target_round("reads", ["dozes"], find_game("lingo-letter"))
    given.letter, given.target = "q", ""
    assert "begins with the letter 'q'" in fault_of(given, WORDS, find_game("lingo-letter"))


def test_whatever_is_pasted_becomes_a_round_or_one_line():
    draw, signs = random.Random(5), "abXO?012:/-._ \n\t<>é\U0001f7e9\U0001f7e8\u2b1b\ufe0f\x00'\"%"
    read = 0
    for _ in range(3000):
        text = "".join(draw.choice(signs) for _ in range(draw.randint(0, 30)))
        game = draw.choice([LINGO, WORDLE, HANGMAN, find_game("wordle-hard")])
        words = [draw.choice(["dozes", "ab", "", "é", "a:b"]) for _ in range(draw.randint(0, 3))]
        reads = [lambda: line_round(text, game), lambda: shared_round(text, words, game)]  # noqa: B023
        for one in [*reads, lambda: target_round(draw.choice(["abcde", "ab", text]), text.split(), game)]:  # noqa: B023
            try:
                played = one()
                check_round(played, game)
                read += 1
            except RoundError as error:
                assert "\n" not in str(error) and len(str(error)) < 400
    assert read > 20

"""Rounds as people enter them: guesses with marks, share texts, targets; and invalid texts."""

import random
import re

import pytest

from gpulingo.advice.round import (
    Round,
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


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ROWS),
        "Wordle 1,234 2/6\n\n" + "\n".join(ROWS),
        "Wordle 1.234 2/6*\r\n\r\n" + "\r\n".join(ROWS) + "\r\nthat was close! \U0001f600",
        " ".join(ROWS),
        "\n".join(ROWS).replace("\u2b1b", "\u2b1c"),
        "\n".join(ROWS).replace("\u2b1b", "\u2b1b\ufe0f").replace("\U0001f7e9", "\U0001f7e7"),
        "\u2066" + "\u2069\n\u2067".join(ROWS) + "\u2069",
        "\n".join(ROWS).translate(dict(zip(map(ord, "\u2b1b\U0001f7e8\U0001f7e9"), "🖤💛💚", strict=True))),
        "#Lingo 12 2/5 \U0001f525\n" + "\n".join(ROWS).replace("\U0001f7e8", "\U0001f7e6"),
    ],
)
def test_the_rows_of_a_share_text_are_read_whatever_stands_around_them(text):
    assert shared_round(text, ["Dozes", "READS"], WORDLE).guesses == SHARED


@pytest.mark.parametrize(
    "text",
    [
        f"Wordle 9 2/6\n\n{ROWS[0]} DOZES\n{ROWS[1]} READS\n\nwell!",
        f"{ROWS[0]} dozes {ROWS[1]} reads",
        f"1. dozes {ROWS[0]}\n2. reads {ROWS[1]}",
        "dozes BYBGG, reads=ooooo",
    ],
)
def test_rows_with_their_words_need_no_other_words(text):
    assert read_round(text, WORDLE).guesses == SHARED


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


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("nothing", ["dozes"], "no rows of coloured squares"),
        (ROWS[1], ["dozes", "reads"], "1 row of squares and 2 words"),
        ("Wordle 9 3/6 " + " ".join(ROWS), ["dozes", "reads"], "the title says 3/6, the text has 2 rows"),
        (" ".join(ROWS), ["dozes", "read"], "row 2: marks .* are 5, it has 4 letters"),
        (" ".join(ROWS), ["dozes", "r3ads"], "word 2 is 'r3ads'"),
        (" ".join([ROWS[0], ROWS[0][:4]]), ["dozes", "read"], "words of several lengths"),
        ("x" * 200_000, ["dozes"], "a text of 200,000 characters"),
    ],
)
def test_what_is_no_share_text_is_told_in_a_line(text, words, told):
    with pytest.raises(RoundError, match=told) as error:
        shared_round(text, words, WORDLE)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


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


def test_a_line_of_a_file_has_marks_or_the_target_first_or_is_json():
    assert line_round("dozes:x?xgg reads:22222", LINGO).guesses == SHARED
    line = '{"target": "READS", "guesses": ["dozes", "reads"], "day": 4}'
    assert line_round(line, LINGO).guesses == line_round("reads dozes reads", LINGO).guesses
    assert line_round('{"guesses": ["dozes:x?xgg", "reads ggggg"]}', LINGO).guesses == SHARED
    assert (
        line_round("reads dozes reads", LINGO).guesses
        == target_round("reads", ["dozes", "reads"], LINGO).guesses
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "no guesses"),
        ("reads", "no guesses of reads"),
        ("reads doze", "guess 1 is 'doze'"),
        ("reads:XXXX", "are 4, it has 5 letters"),
        ("reads:XXXXX doz:XXX", "words of 5 .* and 3"),
        ("reads:XXZXX", "hold 'Z' at place 3"),
        ("<b>reads</b> dozes", "target '<b>reads</b>'"),
        ("reads " * 2000, "12,000 characters"),
        ("a:_ " * 1001, "1,001 guesses"),
        ('{"target": "reads"', 'is no JSON: write {"target": "reads",'),
        ('{"target": "reads"}', "has no guesses: write"),
        ('{"target": "reads", "guesses": "dozes"}', "has guesses 'dozes', expected a list: write"),
        ('{"target": 5, "guesses": []}', "has target 5, expected text: write"),
    ],
)
def test_what_is_no_round_is_told_in_a_line(line, told):
    with pytest.raises(RoundError, match=told):
        line_round(line, HANGMAN if line.startswith("a:") else LINGO)
    assert len(line_round("a:_ " * 1000, HANGMAN).guesses) == 1000


@pytest.mark.parametrize(
    ("game", "guesses", "told"),
    [
        ("lingo", [("reads", "OOOOO"), ("dozes", "X?XOO")], "guess 2, dozes, comes after the word was found"),
        ("lingo1", [("reads", "XXXXX"), ("dozes", "X?XOO")], "comes after 1 guess, .* use --game lingo2"),
        ("hangman1", [("q", "_____"), ("z", "_____")], "comes after 1 miss, "),
        ("hangman", [("e", "O_"), ("z", "_O"), ("x", "__")], "guess 3, x, comes after the word was found"),
        ("wordle-hard", [("reads", "XOXXX"), ("dozen", "XXXXX")], "guess 2, dozen, is not allowed"),
        (
            "wordle-from3-hard",
            [("reads", "XOXXX"), ("dozen", "XXXXX"), ("tipsy", "X")],
            "guess 3, tipsy, is not",
        ),
    ],
)
def test_a_round_that_the_game_does_not_allow_is_refused(game, guesses, told):
    with pytest.raises(RoundError) as caught:
        check_round(Round(guesses), find_game(game))
    assert re.search(told, worded(caught.value))


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

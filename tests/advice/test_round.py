"""Rounds as people enter them: whatever is pasted becomes a round or one line; examples are in tables."""

import random

from gpulingo.advice.round import RoundError, check_round, line_round, read_round, target_round
from gpulingo.games.catalogue import find_game

LINGO, WORDLE, HANGMAN = find_game("lingo"), find_game("wordle"), find_game("hangman")


def test_whatever_is_pasted_becomes_a_round_or_one_line():
    draw, signs = random.Random(5), "abXO?012:/-._ \n\t<>é\U0001f7e9\U0001f7e8\u2b1b\ufe0f\x00'\"%"
    read = 0
    for _ in range(3000):
        text = "".join(draw.choice(signs) for _ in range(draw.randint(0, 30)))
        game = draw.choice([LINGO, WORDLE, HANGMAN, find_game("wordle-hard")])
        words = [draw.choice(["dozes", "ab", "", "é", "a:b"]) for _ in range(draw.randint(0, 3))]
        reads = [lambda: line_round(text, game), lambda: read_round(text, game, words=words)]  # noqa: B023
        for one in [*reads, lambda: target_round(draw.choice(["abcde", "ab", text]), text.split(), game)]:  # noqa: B023
            try:
                played = one()
                check_round(played, game)
                read += 1
            except RoundError as error:
                assert "\n" not in str(error) and len(str(error)) < 400
    assert read > 20

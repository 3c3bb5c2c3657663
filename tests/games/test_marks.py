"""The plain rule against the referee's answers, its laws, and its errors."""

import random

from gpulingo.games.marks import feedback


def test_the_referee_of_the_pit_agrees(pit_list):
    rows = [line.split() for line in (pit_list.parent / "vectors.tsv").read_text().splitlines()]
    assert len(rows) == 3000
    assert [row for row in rows if feedback(row[1], row[0]) != row[2]] == []


def test_marks_of_a_letter_count_the_smaller_supply():
    chance = random.Random(2)
    for _ in range(500):
        length = chance.randint(1, 13)
        guess, target = ("".join(chance.choices("abcd", k=length)) for _ in range(2))
        row = feedback(guess, target)
        for letter in "abcd":
            marked = sum(g == letter and mark != "X" for g, mark in zip(guess, row, strict=True))
            assert marked == min(guess.count(letter), target.count(letter))
        assert (row == "O" * length) == (guess == target)

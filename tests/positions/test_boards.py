"""Advice in rounds of several boards: marks of every board in, what is left and the best guesses out."""

import itertools

import pytest

from gpulingo import ContradictionError, find_game, suggest_boards
from gpulingo.games import marks

WORDS = "bones coney dents dozes money reads tours stone toned".split()


def shown(guess, targets, found=()):
    return f"{guess}:" + ",".join(
        "-" if n in found else marks.feedback(guess, own) for n, own in enumerate(targets)
    )


@pytest.mark.parametrize("targets", [("reads", "coney"), ("tours", "money"), ("dents", "stone")])
def test_each_board_has_the_words_that_its_marks_allow(targets):
    answer = suggest_boards(shown("toned", targets), WORDS, "dordle", device="cpu")
    for left, target in zip(answer.left, targets, strict=True):
        assert left == [
            own for own in WORDS if marks.feedback("toned", own) == marks.feedback("toned", target)
        ]
    assert answer.turn == 2 and answer.found == [False, False]
    for own in answer.guesses:
        assert own.answers == [n for n, left in enumerate(answer.left, 1) if own.guess in left]


def mean_after(guess, left, turn):
    """The mean turn of the last board after a guess, by the answers to every later history."""
    total, pairs = 0, [pair for pair in itertools.product(*left) if len({*pair}) == 2]
    for pair in pairs:
        history, found, now, own = [], {}, turn, guess
        while len(found) < 2:
            history.append(shown(own, pair, found))
            found |= {n: now for n, word in enumerate(pair) if word == own}
            now += 1
            if len(found) < 2:
                before = " ".join([*BEFORE, *history])
                own = suggest_boards(before, WORDS, "dordle", top=1, seconds=0, device="cpu").guesses[0].guess
        total += now - 1
    return total / len(pairs)


BEFORE = [shown("toned", ("reads", "bones"))]


def test_a_guess_is_rolled_out_over_all_pairs_of_different_answers():
    answer = suggest_boards(BEFORE, WORDS, "dordle", seconds=0, device="cpu")
    assert "rolled out over all" in answer.how and not any(own.exact for own in answer.guesses)
    assert "over 100 drawn sets" in suggest_boards((), WORDS, "3-wordle", seconds=0, device="cpu").how
    best = answer.guesses[0]
    assert best.turn == mean_after(best.guess, answer.left, 2) and best.won == 1


def least(words, game, rows, turn, guesses):
    """The fewest turns of the last words over sets of answers, of strategies that begin with guesses."""
    if turn > game.turns:
        return len(rows) * (game.turns + 1)
    best = 1 << 30
    for guess in guesses:
        classes = {}
        for row in rows:
            shown = tuple(own and marks.feedback(guess, own) for own in row)
            after = tuple("" if own == guess else own for own in row)
            classes.setdefault(shown, []).append(after)
        total = 0
        for own in classes.values():
            if not any(own[0]):
                total += turn * len(own)
            elif len(own) < len(rows) or own != rows:
                total += least(words, game, own, turn + 1, words)
            else:
                total += 1 << 30  # it shows nothing
        best = min(best, total)
    return best


@pytest.mark.parametrize(
    ("words", "name", "history"),
    [
        ("algae caper clasp paste saber", "dordle", ""),
        ("light might night right sight", "dordle4", ""),
        ("light might night right", "3-wordle", ""),
        ("light might night right sight", "3-wordle4", "light:BGGGG,GGGGG,BGGGG"),
        ("light might night right sight", "quordle5", "light:BGGGG,BGGGG,BGGGG,BGGGG"),
    ],
)
def test_few_sets_are_searched_and_no_strategy_is_better(words, name, history):
    words, game = words.split(), find_game(name)
    answer = suggest_boards(history, words, name, top=9, seconds=60, device="cpu")
    assert answer.how.endswith("proven") and len(answer.guesses) == len(words) - len(history.split())
    rows = [row for row in itertools.product(*answer.left) if len({*row}) == len(row)]
    rows = [tuple("" if done else w for w, done in zip(row, answer.found, strict=True)) for row in rows]
    for own in answer.guesses:
        assert own.exact and own.turn * len(rows) == pytest.approx(
            min(least(words, game, rows, answer.turn, [own.guess]), len(rows) * (game.turns + 1))
        )
    assert [own.turn for own in answer.guesses] == sorted(own.turn for own in answer.guesses)


def test_a_board_that_is_found_keeps_its_word_and_needs_no_marks():
    history = [shown("reads", ("reads", "tours")), shown("toned", ("reads", "tours"), {0})]
    answer = suggest_boards(history, WORDS, "dordle", device="cpu")
    assert answer.left == [["reads"], ["tours"]] and answer.found == [True, False]
    assert [(own.guess, own.turn, own.answers) for own in answer.guesses[:1]] == [("tours", 3.0, [2])]
    assert answer.lines()[0] == "board 1: found: reads" and answer.entry()["boards"][1]["left"] == 1


@pytest.mark.parametrize(
    ("history", "said"),
    [
        ("toned:XXXXX", "guess 1, toned, has marks of 1 board, dordle has 2: write - for one that is found"),
        ("reads:GGGGG,XXXXX toned:XXXXX,XXXXX", "guess 2, toned, has marks of board 1, which guess 1 found"),
        ("reads:GGGGG,XXXXX toned:-,-", "guess 2, toned, has no marks of board 2, which is not found"),
        ("reads:XXXXX,XXQXX", "guess 1, reads, board 2: marks 'XXQXX' of reads hold 'Q' at place 3"),
        ("reads", "'reads' is not a guess with its marks: write it as crane:BYBBG,BBBBG"),
        ("reads:GGGGG,XXXXG", "board 2: no word fits: guess 1, reads BBBBG, rules out"),
        ("reads:GGGGG,GGGGG", "every board is found: there is nothing left to guess"),
        ("reads:XXXXX,XXXXX tare:XXXX,XXXX", "words of 5 and 4 letters: give guesses of one round"),
    ],
)
def test_marks_that_cannot_be_are_refused_by_guess_and_board(history, said):
    with pytest.raises(ContradictionError) as error:
        suggest_boards(history, WORDS, "dordle", device="cpu")
    assert str(error.value).startswith(said)

"""Advice in rounds of several boards: marks of every board in, what is left and the best guesses out."""

import itertools
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from gpulingo import ContradictionError, find_game, review, suggest_boards
from gpulingo.advice.several import written_boards
from gpulingo.games import marks
from gpulingo.games.catalogue import wordle
from gpulingo.positions.boards import LEAST, BoardsSearch, answers, reviewed
from gpulingo.positions.rounds import adviser_over
from gpulingo.tensors.clock import Deadline
from gpulingo.words.targets import unfit_words, words_of

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

    @cache
    def after(guess, rows, turn):
        classes = {}
        for row in rows:
            shown = tuple(own and marks.feedback(guess, own) for own in row)
            classes.setdefault(shown, []).append(tuple("" if own == guess else own for own in row))
        return sum(value(tuple(own), turn) for own in classes.values())

    @cache
    def value(rows, turn):
        if not any(rows[0]):
            return turn * len(rows)
        if turn == game.turns:
            return len(rows) * (turn + 1)
        return min(after(guess, rows, turn + 1) for guess in words)

    return min(after(guess, tuple(rows), turn) for guess in guesses)


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
    assert answer.how.endswith("proven") and len(answer.guesses) == len(words)
    rows = [row for row in itertools.product(*answer.left) if len({*row}) == len(row)]
    rows = [tuple("" if done else w for w, done in zip(row, answer.found, strict=True)) for row in rows]
    for own in answer.guesses:
        assert own.exact
        assert own.turn * len(rows) == pytest.approx(least(words, game, rows, answer.turn, [own.guess]))
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
        ("reads:GGGGG,GGGGG", "board 2: every word that fits is that of a board before it, and the words"),
        ("reads:GGGGG,YBBBG tours:-,GGGGG", "every board is found: there is nothing left to guess"),
        ("reads:GGGGG,YBBBG tours:-,GGGGG dents:-,-", "guess 3, dents, comes after every word was found"),
        (
            "reads:XXXXX,XXXXX tare:XXXX,XXXX",
            "words of 5 (reads) and 4 (tare) letters: give words of one length",
        ),
    ],
)
def test_marks_that_cannot_be_are_refused_by_guess_and_board(history, said):
    with pytest.raises(ContradictionError) as error:
        suggest_boards(history, WORDS, "dordle", device="cpu")
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_guess_of_drawn_words_is_that_of_plain_recursion(seed):
    chance = Random(seed)
    every, name = (
        ["".join(own) for own in itertools.product("abc", repeat=3)],
        ("dordle", "3-wordle4")[seed % 2],
    )
    words = sorted(chance.sample(every, 7 - seed % 2))
    target = chance.sample(words, 2 + seed % 2)
    answer = suggest_boards(shown(words[0], target), words, name, top=1, seconds=60, device="cpu")
    rows = [row for row in itertools.product(*answer.left) if len({*row}) == len(row)]
    rows = [tuple("" if done else w for w, done in zip(row, answer.found, strict=True)) for row in rows]
    totals = {own: least(words, find_game(name), rows, 2, [own]) for own in words}
    assert answer.guesses[0].exact
    assert answer.guesses[0].turn == pytest.approx(min(totals.values()) / len(rows))
    adviser = adviser_over(words, name, several=True, device="cpu")
    search = BoardsSearch(answer, adviser, Deadline(60)).exact
    bounds = search._bounds(search.rows, 2) // search.unit
    assert all(bounds[search.kind[words.index(own)]] <= total for own, total in totals.items())


def test_a_guess_that_is_better_than_those_rolled_out_costs_nothing():
    best = suggest_boards((), WORDS, "3-wordle", seconds=60, device="cpu").guesses[0]
    first = suggest_boards((), WORDS, "3-wordle", seconds=0, device="cpu").guesses[0]
    assert best.turn < first.turn
    adviser = adviser_over(WORDS, "3-wordle", several=True, device="cpu")
    turn = reviewed(adviser, best.guess, targets=["reads", "tours", "coney"], seconds=0).turns[0]
    assert (turn.known, turn.lost, turn.before.best) == ("about", 0, best.guess)


@pytest.mark.parametrize(
    ("words", "name", "target", "guesses", "state"),
    [
        ("algae caper clasp paste saber", "dordle", "paste,saber", "clasp caper paste saber", "found"),
        ("light might night right sight", "dordle4", "right,sight", "light might night right", "lost"),
        ("light might night right", "3-wordle", "night,right,light", "light night", "open"),
    ],
)
def test_a_review_says_what_each_guess_cost_against_the_best_of_all(words, name, target, guesses, state):
    words, game, here = words.split(), find_game(name), tuple(target.split(","))
    found = review(guesses, words, name, target=target, device="cpu")
    assert (found.state, found.balanced) == (state, True)
    end = {"found": len(guesses.split()), "lost": game.turns + 1, "open": found.result}
    assert found.result == end[state]
    left = list(itertools.permutations(words, game.boards))
    for number, (turn, guess) in enumerate(zip(found.turns, guesses.split(), strict=True), 1):
        best, own = (least(words, game, left, number, guesses) for guesses in (words, [guess]))
        assert turn.known == "exact" and turn.lost == Fraction(own - best, len(left))
        shown = [own and marks.feedback(guess, own) for own in here]
        assert (turn.guess, turn.marks) == (guess, ",".join(own or "-" for own in shown))
        left = [row for row in left if [own and marks.feedback(guess, own) for own in row] == shown]
        left = [tuple("" if own == guess else own for own in row) for row in left]
        here = tuple("" if own == guess else own for own in here)


def test_squares_of_all_boards_are_read_with_their_words():
    text = "Daily Dordle 2&1/7\n\u2b1b\U0001f7e9 \U0001f7e9\U0001f7e9\n\U0001f7e9\U0001f7e9 \u2b1b\u2b1b\n"
    assert written_boards(text, find_game("dordle"), ["my", "by"], []) == [
        "my:\u2b1b\U0001f7e9,\U0001f7e9\U0001f7e9",
        "by:\U0001f7e9\U0001f7e9,-",
    ]


def test_words_that_are_never_suggested_are_guessed_where_no_other_is_left():
    hidden = sorted(unfit_words(5))[:4]
    assert {own.guess for own in suggest_boards((), hidden, "dordle", device="cpu").guesses} == {*hidden}
    words = [*WORDS, hidden[0]]
    target = [hidden[0], "reads"]
    history = [shown("toned", target), shown("reads", target)]
    answer = suggest_boards(history, words, "dordle", device="cpu")
    assert answer.left[0] == [hidden[0]] and answer.guesses[0].guess == hidden[0]


def test_a_board_that_fits_no_usual_answer_has_other_words():
    answer = suggest_boards("esses:XOXXO,XXXXX", 5, "dordle", seconds=0, device="cpu")
    assert answer.guesses and answer.left[0] and not {*answer.left[0]} & {*words_of(5, wordle()).targets}


def test_a_word_that_the_list_lacks_may_be_found():
    history = shown("grape", ["reads", "grape"])
    with pytest.warns(UserWarning, match="grape is not among the words"):
        answer = suggest_boards(history, WORDS, "dordle", device="cpu")
    assert answer.left[1] == ["grape"] and answer.found == [False, True] and answer.guesses[0].exact
    with pytest.warns(UserWarning), pytest.raises(ContradictionError, match="board 2: no word fits"):
        suggest_boards([shown("dents", ["reads", "dozes"]), history], WORDS, "dordle", device="cpu")


def test_sets_that_are_drawn_have_different_words_also_where_few_have():
    members = [np.arange(14)] * 14
    rows, are_all = answers(members, [False] * 14)
    assert not are_all and len(rows) >= LEAST and all(len({*row}) == 14 for row in rows.tolist())
    rows, are_all = answers([np.arange(2), np.arange(2), np.arange(3)], [True, False, False])
    assert are_all and sorted(rows.tolist()) == [[-1, 0, 2], [-1, 1, 2]]


def test_a_round_that_is_surely_lost_is_proven_lost():
    answer = suggest_boards((), WORDS[:4], "quordle2", device="cpu")
    assert {(own.turn, own.won, own.exact) for own in answer.guesses} == {(3.0, 0.0, True)}


def test_words_of_a_review_are_entered_as_their_list_has_them():
    plain, other = (review(own, WORDS, "dordle", target=target, device="cpu") for own, target in
                    (("dents reads", "reads,dents"), ("DENTS Reads", "READS,Dents")))  # fmt: skip
    assert repr(plain) == repr(other) and plain.state == "found"
    with pytest.raises(ContradictionError, match="qqqqq is not among the targets"):
        review("dents", WORDS, "dordle", target="dents,qqqqq", device="cpu")
    with pytest.raises(ContradictionError, match="guess 3, tours, comes after every word was found"):
        review("dents reads tours", WORDS, "dordle", target="reads,dents", device="cpu")


def test_a_line_of_turns_above_the_squares_is_no_board():
    text = "\U0001f7e52\ufe0f\u20e3\n\u2b1b\U0001f7e9 \U0001f7e9\U0001f7e9\n"
    assert len(written_boards(text, find_game("dordle"), ["my"], [])) == 1
    with pytest.raises(ContradictionError, match="squares of 2 boards without the guesses"):
        written_boards(text, find_game("dordle"))
    with pytest.raises(ContradictionError, match="squares and targets: give one of them"):
        written_boards(text, find_game("dordle"), ["my"], ["my", "by"])

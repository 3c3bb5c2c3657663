"""The best guesses of a position: what is expected of each is what plain recursion finds, or less."""

from __future__ import annotations

import random

import pytest

from gpulingo.games.catalogue import feedback_of, find_game, legal_after
from gpulingo.search.outlooks import outlooks
from gpulingo.words.listing import WordList

LISTS = 6


def small(seed: int, count: int = 14) -> WordList:
    """A list of words of four of six letters."""
    chance = random.Random(seed)
    words = {"".join(chance.choices("abcdef", k=4)) for _ in range(200)}
    return WordList("small", sorted(words)[:count])


def value(left, history, game, words, turns_left):
    """Credits of the best strategy for candidates, by plain recursion over every legal guess."""
    if turns_left == 0:
        return game.payoff[0] * len(left)
    return max(
        guess_value(guess, left, history, game, words, turns_left)
        for guess in words
        if all(legal_after(game, before, row, guess) for before, row in history)
    )


def guess_value(guess, left, history, game, words, turns_left):
    """Credits of the best strategy that begins with a guess."""
    rule, classes = feedback_of(game), {}
    for word in left:
        classes.setdefault(rule.feedback(guess, word), []).append(word)
    total = 0
    for row, part in classes.items():
        if rule.pattern(row) == rule.solved(len(guess)):
            total += game.payoff[turns_left]
        else:
            total += value(part, [*history, (guess, row)], game, words, turns_left - 1)
    return total


@pytest.mark.parametrize("code", ["lingo3", "wordle3", "wordle-hard3", "wordle-consistent3", "wordle-found3"])
@pytest.mark.parametrize("seed", range(LISTS))
def test_exact_guesses_expect_what_plain_recursion_finds(code, seed):
    words, game = small(seed), find_game(code)
    rule = feedback_of(game)
    first, target = words[seed], words[(5 * seed + 3) % len(words)]
    if first == target:
        target = words[(5 * seed + 4) % len(words)]
    history = [(first, rule.feedback(first, target))]
    left = [word for word in words.words if rule.feedback(first, word) == history[0][1]]
    found, how = outlooks(words, game, history, count=5, seconds=60, device="cpu")
    values = {own.guess: sum(game.credits(t) * n for t, n in enumerate(own.turns, 1)) for own in found}
    lost = {own.guess: game.credits(0) * (own.total - sum(own.turns)) for own in found}
    best = value(left, history, game, words.words, game.turns - 1)
    for own in found:
        exact = guess_value(own.guess, left, history, game, words.words, game.turns - 1)
        reached = values[own.guess] + lost[own.guess]
        assert own.total == len(left)
        assert reached == exact if own.exact else reached <= exact
    assert found[0].exact and values[found[0].guess] == best
    assert "search of every guess" in how


def test_guesses_come_in_the_order_of_what_is_expected_and_none_twice():
    words, game = small(1, 40), find_game("lingo4")
    found, _ = outlooks(words, game, [], count=8, seconds=60, device="cpu")
    values = [own.expected(game) for own in found]
    assert values == sorted(values, reverse=True) and len(values) == 8
    assert len({own.guess for own in found}) == 8


def test_classes_and_the_largest_are_those_of_the_guess():
    words, game = small(2, 40), find_game("lingo4")
    rule = feedback_of(game)
    for own in outlooks(words, game, [], count=5, seconds=1, device="cpu")[0]:
        rows = [rule.feedback(own.guess, word) for word in words.words]
        assert own.classes == len(set(rows))
        # The largest of those that go on: the guess itself, once found, is over.
        sizes = [rows.count(row) for row in set(rows) if row != "OOOO"]
        assert own.largest == max(sizes)
        assert own.target


def test_weights_count_in_what_is_expected():
    words = WordList("pair", ["ab", "cd"]).with_weights({"ab": 1, "cd": 3})
    best, *_ = outlooks(words, find_game("lingo2"), [], count=2, seconds=5, device="cpu")[0]
    assert (best.guess, best.total, best.turns) == ("cd", 4, [3, 1])


def test_a_guess_that_is_no_word_narrows_down_and_is_not_proposed():
    words, game = small(3, 30), find_game("lingo4")
    rule = feedback_of(game)
    row = rule.feedback("abba", words[7])
    history = [("zzzz", "XXXX"), ("abba", row)] if "abba" not in words else [("zzzz", "XXXX")]
    found, _ = outlooks(words, game, history, count=5, seconds=5, device="cpu")
    assert found and all(own.guess in words for own in found)


def test_letters_of_hangman_are_played_out_and_none_is_guessed_again():
    words, game = WordList("few", ["noon", "moon", "soap", "sand", "band", "bend"]), find_game("hangman2")
    found, how = outlooks(words, game, [("n", "____")], count=9, seconds=5, device="cpu")
    assert "frequency" in how
    assert {own.guess for own in found} <= set("abdemops")
    assert found[0].total == 1  # soap alone has no n


def test_where_the_last_guess_is_next_only_candidates_are_proposed():
    words, game = small(4, 30), find_game("lingo1")
    found, _ = outlooks(words, game, [], count=3, seconds=5, device="cpu")
    assert [own.guess for own in found] == words.words[:3]
    assert all(sum(own.turns) == 1 for own in found)


def test_a_guess_that_hard_mode_does_not_allow_is_told():
    words = WordList("few", ["abcd", "abce", "afgh", "xyzw"])
    with pytest.raises(ValueError, match="not allowed in wordle-hard"):
        outlooks(
            words, find_game("wordle-hard6"), [("abcd", "OOOX"), ("xyzw", "XXXX")], seconds=1, device="cpu"
        )

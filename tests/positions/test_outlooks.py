"""The best guesses of a position: what is expected of each is what plain recursion finds, or less."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import pytest

import gpulingo.positions.outlooks as module
from gpulingo.advice.outlook import AHEAD, PLAYED
from gpulingo.games import positions
from gpulingo.games.catalogue import HOSTED, feedback_of, find_game, forbidding
from gpulingo.optimise.every_guess import Deadline
from gpulingo.positions import rollout
from gpulingo.positions.outlooks import PositionSearch, outlooks
from gpulingo.positions.rollout import position_of
from gpulingo.trees.text import guess_names
from gpulingo.words.listing import WordList

LISTS = 6
CODES = ["lingo3", "wordle3", "wordle-hard3", "wordle-from3-hard4", "wordle-from4-hard-lost4",
         "wordle-consistent3", "wordle-found3"]  # fmt: skip


def small(seed: int, count: int = 14) -> WordList:
    """A list of words of four of six letters."""
    chance = random.Random(seed)
    words = {"".join(chance.choices("abcdef", k=4)) for _ in range(200)}
    return WordList("small", sorted(words)[:count])


# Eight words that hints leave no other guess for, and some that part them.
ALIKE = WordList("alike", [*(f"aab{letter}" for letter in "abcdefgh"), "cdef", "defg", "efgh", "hcge"])


def value(left, history, game, words, turns_left):
    """Credits of the best strategy for candidates, by plain recursion over every legal guess."""
    if turns_left == 0:
        return game.payoff[0] * len(left)
    return max(
        guess_value(guess, left, history, game, words, turns_left)
        for guess in words
        if not forbidding(game, history, guess)
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


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(("words", "seed"), [*((small(seed), seed) for seed in range(LISTS)), (ALIKE, 0)])
def test_exact_guesses_expect_what_plain_recursion_finds(code, words, seed):
    game = find_game(code)
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


@pytest.mark.slow
@pytest.mark.parametrize("code", ["lingo-start3", "lingo-letter3"])
def test_games_that_give_the_first_letter_are_searched_to_the_end(code):
    words, game = small(4, 40), find_game(code)
    left = [word for word in words.words if word[0] == "b"]
    legal = left if game.legal == "start" else words.words
    found, _ = outlooks(words, game, [], letter="b", count=5, seconds=60, device="cpu")
    plain = find_game("lingo3")
    assert found[0].exact and len(left) > 3
    for own in found:
        reached = sum(game.credits(t) * n for t, n in enumerate(own.turns, 1))
        assert own.guess in legal and reached == guess_value(own.guess, left, [], plain, legal, 3)


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


def letters_value(left, lives, game, letters):
    """Credits of the best guesser of letters, by plain recursion."""
    if len(set(left)) == 1 or not lives:
        return game.payoff[lives] * len(left)
    return max(letter_value(letter, left, lives, game, letters) for letter in parting(left, letters))


def parting(left, letters):
    """The letters that part the words."""
    return [letter for letter in letters if len({positions.feedback(letter, word) for word in left}) > 1]


def letter_value(letter, left, lives, game, letters):
    """Credits of the best guesser who begins with a letter."""
    classes = {}
    for word in left:
        classes.setdefault(positions.feedback(letter, word), []).append(word)
    return sum(letters_value(part, lives - ("O" not in row), game, letters) for row, part in classes.items())


@pytest.mark.parametrize("code", ["hangman2", "hangman3", "hangman-misses2", "hangman-misses3"])
@pytest.mark.parametrize("seed", range(3))
def test_letters_of_hangman_are_searched_to_the_end(code, seed):
    words, game = small(seed, 9), find_game(code)
    found, how = outlooks(words, game, [("z", "____")], count=9, seconds=60, device="cpu")
    assert how == "by a search of every guess: proven best" and all(own.exact for own in found)
    lives = game.turns - 1
    best = letters_value(words.words, lives, game, "abcdef")
    values = {own.guess: sum(game.credits(t) * n for t, n in enumerate(own.turns, 1)) for own in found}
    assert values[found[0].guess] == best and set(values) <= set("abcdef")
    for letter in parting(words.words, set(values)):
        assert values[letter] == letter_value(letter, words.words, lives, game, "abcdef")


def test_letters_are_counted_with_their_weights():
    words, game = small(5, 8), find_game("hangman2")
    words = words.with_weights({word: 1 + number for number, word in enumerate(words.words)})
    found, _ = outlooks(words, game, [], count=9, seconds=60, device="cpu")
    assert found[0].exact and found[0].total == 36
    often = [word for number, word in enumerate(words.words) for _ in range(number + 1)]
    assert sum(found[0].turns) == letters_value(often, 2, game, "abcdef")


@pytest.mark.parametrize("code", ["lingo4", "wordle-hard4", "hangman3"])
def test_what_is_as_good_as_the_best_is_exact_though_no_time_was_left_for_it(code, monkeypatch):
    words, game = small(1, 12), find_game(code)
    position = position_of(words, game, [], "", "cpu")
    search = PositionSearch(position, guess_names(game, words.words), 10, Deadline(60))
    search.run()
    best, *rest = search.best()
    ties = [own.guess for own in rest if own.credits(game) == best.credits(game)]
    assert ties
    search.found = [best, *(replace(own, exact=False) for own in rest)]
    assert {own.guess for own in search.best() if own.exact} == {best.guess, *ties}


def hard_list():
    """A list that no search gets through in the time of a test."""
    chance = random.Random(7)
    return WordList("hard", sorted({"".join(chance.choices("abcdefghij", k=5)) for _ in range(4000)}))


@pytest.mark.slow
def test_who_watches_is_told_the_best_so_far_and_can_stop_the_search():
    stop, told = threading.Event(), []

    def progress(found, how):
        told.append((found, how))
        stop.set()

    words, begun = hard_list(), time.monotonic()
    found, _ = outlooks(
        words, find_game("lingo6"), [], seconds=600, device="cpu", progress=progress, stop=stop
    )
    assert time.monotonic() - begun < 300
    assert len(told) == 1 and told[0][0] and "*" in told[0][1]
    assert found[0].expected(find_game("lingo6")) >= told[0][0][0].expected(find_game("lingo6"))


@pytest.mark.parametrize("code", ["lingo6", "hangman6", "wordle-hard6", "absurdle", "evil-wordle"])
def test_a_search_that_is_stopped_before_it_begins_has_no_guesses(code):
    stop = threading.Event()
    stop.set()
    game = HOSTED[code]() if code in HOSTED else find_game(code)
    found, how = outlooks(small(1), game, [], seconds=600, device="cpu", stop=stop)
    assert (found, how) == ([], "stopped before the first guess was rolled out")


def test_the_time_counts_from_the_beginning(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("gpulingo.optimise.every_guess.clock", lambda: now[0])
    position = position_of(small(2, 30), find_game("lingo4"), [], "", "cpu")
    search = PositionSearch(position, small(2, 30).words, 5, Deadline(2))
    now[0] = 3.0  # something took it all
    search.run()
    assert len(search.found) >= 5 and not any(own.exact or own.by == AHEAD for own in search.found)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    "code", ["lingo6", "hangman6", "wordle-hard6", "lingo-consistent5", "absurdle", "evil-wordle"]
)
def test_as_many_guesses_as_are_wanted_come_though_no_time_is_left(code, large, monkeypatch):
    words, game = small(5, 60), HOSTED[code]() if code in HOSTED else find_game(code)
    position = position_of(words, game, [], "", "cpu")
    monkeypatch.setattr(rollout, "PAIRS", len(words) * len(position.table.pool) - large)  # a guess a block
    monkeypatch.setattr(rollout, "FEW", 1)
    found, how = outlooks(words, game, [], count=5, seconds=0, device="cpu")
    assert len({own.guess for own in found}) == len(found) == 5
    assert found == sorted(found, key=lambda own: own.order(game)) or code in HOSTED
    if code in ("lingo6", "wordle-hard6"):
        assert ("among the words left" in how) and ("some" in how) != large


def test_a_guess_that_was_played_out_quickly_is_played_out_well_as_time_allows():
    words, game = small(5, 60), find_game("lingo6")
    position = position_of(words, game, [], "", "cpu")
    quick, well = (PositionSearch(position, words.words, 5, Deadline(seconds)) for seconds in (0, 600))
    quick.roll_out(quick.deadline)
    well.roll_out(well.deadline)
    assert "among" not in well.how(well.best()) and all(own.by == PLAYED for own in well.best())
    assert all(own.credits(game) <= best.credits(game)
               for own, best in zip(quick.best(), well.best(), strict=True))  # fmt: skip


def test_what_is_loaded_does_not_count(monkeypatch):
    order = []
    monkeypatch.setattr(module, "_load", lambda *arguments: order.append("loaded"))
    monkeypatch.setattr(module, "Deadline", lambda *arguments: order.append("begun") or Deadline(*arguments))
    outlooks(small(2, 30), find_game("lingo4"), [], seconds=0, device="cpu")
    assert order == ["loaded", "begun"]


@pytest.mark.parametrize("code", ["lingo1", "wordle-hard", "lingo-start", "hangman", "hangman-misses3"])
def test_every_kind_of_game_can_be_loaded(code):
    for weighed in (False, True):
        module._load.__wrapped__(find_game(code), "cpu", weighed, 60.0)


def test_small_sets_are_searched_before_anything_is_looked_ahead_of(monkeypatch):
    monkeypatch.setattr(PositionSearch, "look_ahead", lambda self, deadline: pytest.fail("looked ahead"))
    found, _ = outlooks(small(3, 60), find_game("lingo5"), [], seconds=600, device="cpu")
    assert len(found) == 10 and all(own.exact for own in found)


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

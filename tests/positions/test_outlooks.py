"""The best guesses of a position: the expected value of each is that of plain recursion, or less."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from functools import partial

import pytest
from recurrence import Recurrence

from gpulingo.games.catalogue import HOSTED, feedback_of, find_game
from gpulingo.games.game import Game
from gpulingo.games.marks import feedback
from gpulingo.positions import rollout
from gpulingo.positions.outlooks import PositionSearch, outlooks
from gpulingo.positions.rollout import known_table, position_of, table_with
from gpulingo.positions.rounds import suggest
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import Pool
from gpulingo.tensors.clock import Deadline
from gpulingo.words.listing import WordList
from gpulingo.words.targets import words_of

CODES = ["lingo3", "wordle3", "wordle-hard3", "wordle-from3-hard4", "wordle-from4-hard-lost4",
         "wordle-consistent3", "wordle-found3"]  # fmt: skip


def small(seed: int, count: int = 14) -> WordList:
    """A list of words of four letters out of six."""
    chance = random.Random(seed)
    words = {"".join(chance.choices("abcdef", k=4)) for _ in range(200)}
    return WordList("small", sorted(words)[:count])


# Eight words that hard mode makes the only legal guesses, and some words that separate them.
ALIKE = WordList("alike", [*(f"aab{letter}" for letter in "abcdefgh"), "cdef", "defg", "efgh", "hcge"])


class Law(Recurrence):
    """The recurrence after a history, for guesses of words or of letters."""

    def __init__(self, words, game, history=()):
        super().__init__(words, game)
        self.legal, self.turns_left = self.every_guess, game.turns - len(history)
        for guess, row in history:
            self.legal = self.still_legal(self.guesses.index(guess), row, self.legal)

    def best(self, left):
        """Credits of the best strategy for some words."""
        return self.value(self.bits(left), self.turns_left, self.legal)

    def after(self, guess, left):
        """Credits of the best strategy that starts with a guess."""
        return self.value_after(self.guesses.index(guess), self.bits(left), self.turns_left, self.legal)


@pytest.mark.parametrize(
    ("code", "words", "seed"),
    [*((code, small(seed), seed) for seed, code in enumerate(CODES)),
     *((code, ALIKE, 0) for code in ("wordle-hard3", "wordle-from4-hard-lost4"))],
)  # fmt: skip
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
    law = Law(words, game, history)
    for own in found:
        exact = law.after(own.guess, left)
        reached = values[own.guess] + lost[own.guess]
        assert own.total == len(left)
        assert reached == exact if own.exact else reached <= exact
    assert found[0].exact and values[found[0].guess] == law.best(left)
    assert "search of every guess" in how


def test_later_questions_about_a_list_find_its_table():
    words, game = small(4, 40), find_game("wordle")
    asked = partial(outlooks, words, game, count=1, seconds=0, device="cpu")
    asked([])
    made = known_table.cache_info().misses
    asked([(words[0], feedback(words[0], words[1]))])
    assert known_table.cache_info().misses == made


@pytest.mark.slow
def test_a_game_that_gives_the_first_letter_is_searched_to_the_end():
    words, game = small(4, 40), find_game("lingo-letter3")
    left = [word for word in words.words if word[0] == "b"]
    found, _ = outlooks(words, game, [], letter="b", count=5, seconds=60, device="cpu")
    plain = find_game("lingo3")
    assert found[0].exact and len(left) > 3
    for own in found:
        reached = sum(game.credits(t) * n for t, n in enumerate(own.turns, 1))
        law = Law(words, plain)
        assert own.guess in words and reached == law.after(own.guess, left)


def test_classes_and_the_largest_are_those_of_the_guess():
    words, game = small(2, 40), find_game("lingo4")
    rule = feedback_of(game)
    for own in outlooks(words, game, [], count=5, seconds=1, device="cpu")[0]:
        rows = [rule.feedback(own.guess, word) for word in words.words]
        assert own.classes == len(set(rows))
        # The largest class after which the round continues: the found guess itself does not count.
        sizes = [rows.count(row) for row in set(rows) if row != "OOOO"]
        assert own.largest == max(sizes)
        assert own.target


@pytest.mark.parametrize(("seed", "code"), list(enumerate(["hangman3", "hangman-misses3"])))
def test_letters_of_hangman_are_searched_to_the_end(code, seed):
    words, game = small(seed, 9), find_game(code)
    found, how = outlooks(words, game, [("z", "____")], count=9, seconds=60, device="cpu")
    assert how == "by a search of every guess: proven best" and all(own.exact for own in found)
    law = Law(words, game)
    law.turns_left -= 1  # z is not in the word
    values = {own.guess: sum(game.credits(t) * n for t, n in enumerate(own.turns, 1)) for own in found}
    assert values[found[0].guess] == law.best(words.words) and set(values) <= set("abcdef")
    for letter in values:
        assert values[letter] == law.after(letter, words.words)


@pytest.mark.parametrize(
    ("seed", "code"), [(0, "hangman4"), (1, "hangman6"), (2, "hangman-misses4"), (3, "hangman4")]
)
def test_on_ties_of_the_words_won_the_letter_of_fewest_misses_is_first_then_of_fewest_words_left(code, seed):
    words, game = small(seed, 8), find_game(code)
    found, _ = outlooks(words, game, [], count=9, seconds=60, device="cpu")
    law = Law(words, game.tie_broken(len(words)))
    values = {own.guess: law.after(own.guess, words.words) for own in found}
    credits = [sum(law.game.credits(t) * n for t, n in enumerate(own.turns, 1)) for own in found]
    assert credits == list(values.values()) and max(credits) == law.best(words.words)
    assert found == sorted(found, key=lambda own: (-values[own.guess], own.largest))


@pytest.mark.parametrize("code", ["lingo4", "wordle-hard4", "hangman3"])
def test_what_is_as_good_as_the_best_is_exact_though_no_time_was_left_for_it(code, monkeypatch):
    words, game = small(1, 12), find_game(code)
    position = position_of(words, game, [], "", "cpu")
    search = PositionSearch(position, words, 10, Deadline(60))
    search.run()
    best, *rest = search.best()
    ties = [own.number for own in rest if own.order(game)[0] == best.order(game)[0]]
    assert ties
    search.found = [best, *(replace(own, exact=False) for own in rest)]
    assert {own.number for own in search.best() if own.exact} == {best.number, *ties}


def hard_list():
    """A list that no search finishes within the time of a test."""
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


@pytest.mark.parametrize("code", ["lingo6", "hangman6", "absurdle"])
def test_a_search_that_is_stopped_before_it_begins_has_no_guesses(code):
    stop = threading.Event()
    stop.set()
    game = HOSTED[code]() if code in HOSTED else find_game(code)
    found, how = outlooks(small(1), game, [], seconds=600, device="cpu", stop=stop)
    assert (found, how) == ([], "stopped before the first guess was rolled out")


@pytest.mark.parametrize(
    ("code", "large"), [("lingo6", True), ("wordle-hard6", False), ("hangman6", True), ("absurdle", False)]
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


def test_a_guess_that_hard_mode_does_not_allow_is_told():
    words = WordList("few", ["abcd", "abce", "afgh", "xyzw"])
    with pytest.raises(ValueError, match="not allowed in wordle-hard"):
        outlooks(
            words, find_game("wordle-hard6"), [("abcd", "OOOX"), ("xyzw", "XXXX")], seconds=1, device="cpu"
        )


WORDS = WordList("few", ["abcd", "abce", "afgh"])


@pytest.fixture
def search(monkeypatch):
    """A search of a list that is treated as large."""
    monkeypatch.setattr(rollout, "PAIRS", 100)
    monkeypatch.setattr(rollout, "PART", Pool("letters", 9))
    words = small(2, 24)
    return PositionSearch(
        position_of(words, find_game("lingo3"), [], "", "cpu"), words, 5, Deadline(0)
    ), words


def test_as_many_as_are_wanted_are_played_out_four_at_a_time_and_only_words_left_follow(search):
    search, words = search
    search.roll_out(search.deadline)
    assert rollout.FEW < search.count and len(search.found) == 2 * rollout.FEW
    for own in search.found:
        paid = -own.order(search.game)[0]
        assert paid <= Law(words, search.game).after(words[own.number], words.words)
    assert "by parts among the words left: * is a lower limit" in search.how(search.best())


@pytest.mark.parametrize("code", ["lingo", "wordle-hard"])
def test_words_that_a_list_lacks_come_last_and_are_not_legal(code):
    table, more = table_with(WORDS, find_game(code), ["zzzz", "abcd", "xyzw", "zzzz"])
    assert more.words == [*WORDS.words, "xyzw", "zzzz"]
    assert (table.words, table.targets.tolist(), table.pool.tolist()) == (5, [0, 1, 2], [0, 1, 2])


def test_a_letter_that_a_list_lacks_is_one_of_the_alphabet_and_no_word():
    table, more = table_with(WORDS, find_game("hangman"), ["z", "a"])
    assert more.words == [*WORDS.words, "zzzz"] and "z" in table.alphabet
    assert table.targets.tolist() == [0, 1, 2] and table.pool.min() >= table.words


@pytest.mark.parametrize("code", ["wordle-hard6", "wordle-consistent6"])
def test_a_guess_outside_the_list_narrows_what_may_be_guessed(code):
    position = position_of(WORDS, find_game(code), [("abzz", "OOXX")], "", "cpu")
    assert position.pool.members.tolist() == [0, 1] and position.table.pool.tolist() == [0, 1, 2]
    later = position_of(WORDS, find_game("wordle-from3-hard6"), [("abzz", "OOXX")], "", "cpu")
    assert later.pool.tolist() == [0, 1, 2] and later.allowed_of(0).tolist() == [0, 1]
    with pytest.raises(ValueError, match="not allowed"):
        position_of(WORDS, find_game(code), [("abzz", "OOXX"), ("zzzz", "XXXX")], "", "cpu")


def test_where_candidates_alone_are_legal_they_stay_so_after_a_guess_outside_the_list():
    rules = Game("a game", 3, range(4), legal="candidates")
    words = WordList("a list", ["ab", "cb", "db", "eb"])
    for guess in ("ab:XO", "az:XX"):
        assert position_of(words, rules, [tuple(guess.split(":"))], "", "cpu").pool is None


@pytest.mark.parametrize("name", ["jotto", "black-pegs", "bulls-and-cows", "mastermind"])
def test_the_first_of_a_short_search_is_no_worse_than_the_best_one_step_strategy(name):
    chance = random.Random(0)
    jotto = sorted({"".join(chance.choices("abcdefgh", k=4)) for _ in range(150)})
    words = WordList("own", jotto) if name == "jotto" else words_of(3, find_game(name))
    trees = [simulate(words, own, name).tree for own in ("parts", "entropy", "expected_size")]
    best = suggest([], words, name, seconds=0.01, device="cpu").guesses[0]
    assert sum(best.turns) == len(words)
    found = sum(turn * count for turn, count in enumerate(best.turns, 1))
    assert found <= min(tree.total_guesses for tree in trees)

"""A search of few words in numpy: the answers of the search with tensors, without torch."""

import json
import random
import subprocess
import sys
import threading

import pytest

from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.positions import few_words, outlooks
from gpulingo.words.listing import WordList

SEARCH = """
import json, sys
from gpulingo.games.catalogue import find_game
from gpulingo.positions.few_words import outlooks
from gpulingo.words.listing import WordList
words, history = json.loads(sys.argv[1])
found, how = outlooks(WordList("few", words), find_game("wordle"), history, seconds=60)
print(json.dumps([found[0].guess, how, "torch" in sys.modules]))
"""


SEARCHES = few_words.outlooks, outlooks.outlooks


@pytest.mark.parametrize("code", ["lingo", "lingo3", "wordle", "wordle3"])
@pytest.mark.parametrize("guesses", [0, 1])
@pytest.mark.parametrize("count", [1, 6])
def test_answers_are_those_of_the_search_with_tensors(code, guesses, count, random_words):
    game, draws = find_game(code), random.Random(guesses)
    for length in (3, 5):
        words = WordList("few", random_words(6 * length + guesses, 40, length))
        words = words.with_targets(words.words[::2], "some")
        target, rule = draws.choice(words.targets), feedback_of(game)
        strange = ["j" * length][:guesses]
        history = [(guess, rule.feedback(guess, target)) for guess in strange]
        history += [(guess, rule.feedback(guess, target)) for guess in words.words[:guesses]]
        if len(history) + 2 > game.turns:
            history = history[-1:]
        asked = words, game, history
        answers = [search(*asked, count=count, seconds=60, device="cpu") for search in SEARCHES]
        ours, theirs = ([stats.entry(game, found[0]) for stats in found] + [how] for found, how in answers)
        assert ours == theirs and len(ours) > 1


def test_it_takes_no_torch(random_words):
    words = random_words(3, 60, 5)
    history = [(words[0], feedback_of(find_game("wordle")).feedback(words[0], words[9]))]
    run = [sys.executable, "-c", SEARCH, json.dumps([words, history])]
    guess, how, torch = json.loads(subprocess.check_output(run, text=True))
    found, expected = outlooks.outlooks(WordList("few", words), find_game("wordle"), history, device="cpu")
    assert (guess, how, torch) == (found[0].guess, expected, False)


def test_without_time_one_guess_is_rolled_out_and_is_a_limit(random_words):
    words = WordList("few", random_words(1, 90, 4))
    found, how = few_words.outlooks(words, find_game("lingo"), [], seconds=0, count=3)
    assert len(found) == 3 and not any(stats.exact for stats in found) and "rolled out by parts" in how


def test_rollouts_are_told_where_the_search_before_them_finds_nothing(random_words, monkeypatch):
    words, told = WordList("few", random_words(1, 90, 4)), []
    options = {"seconds": 60, "count": 3, "progress": lambda found, how: told.append((len(found), how))}
    monkeypatch.setattr(few_words, "FIRST", 0)
    few_words.outlooks(words, find_game("lingo"), [], **options)
    ((count, how),) = told
    assert count == 3 and "rolled out by parts" in how


class Soon(threading.Event):
    """An event that is set once it was asked for."""

    def is_set(self):
        before = super().is_set()
        self.set()
        return before


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_that_is_stopped_before_it_found_any_guess_rolls_some_out(search, random_words):
    words = WordList("few", random_words(1, 90, 4))
    found, how = search(words, find_game("lingo"), [], seconds=600, count=3, device="cpu", stop=Soon())
    assert len(found) == 3 and "rolled out by parts" in how

"""The search of a position before and beside its rollouts, in arrays and in tensors."""

import json
import subprocess
import sys
import threading

import pytest

from gpulingo.games.catalogue import feedback_of, find_game
from gpulingo.positions import outlooks
from gpulingo.words.listing import WordList

SEARCH = """
import json, sys
from gpulingo.games.catalogue import find_game
from gpulingo.positions.outlooks import outlooks
from gpulingo.words.listing import WordList
words, history = json.loads(sys.argv[1])
found, how = outlooks(WordList("few", words), find_game("wordle"), history, seconds=60)
print(json.dumps([found[0].guess, how, "torch" in sys.modules]))
"""


@pytest.mark.slow
def test_it_takes_no_torch(random_words):
    words = random_words(3, 60, 5)
    history = [(words[0], feedback_of(find_game("wordle")).feedback(words[0], words[9]))]
    run = [sys.executable, "-c", SEARCH, json.dumps([words, history])]
    guess, how, torch = json.loads(subprocess.check_output(run, text=True))
    found, expected = outlooks.outlooks(WordList("few", words), find_game("wordle"), history, device="cpu")
    assert (guess, how, torch) == (found[0].guess, expected, False)


def test_without_time_one_guess_is_rolled_out_and_is_a_limit(random_words):
    words = WordList("few", random_words(1, 90, 4))
    found, how = outlooks.outlooks(words, find_game("lingo"), [], seconds=0, count=3)
    assert len(found) == 3 and not any(stats.exact for stats in found) and "rolled out by parts" in how


def test_rollouts_are_told_where_the_search_before_them_finds_nothing(random_words, monkeypatch):
    words, told = WordList("few", random_words(1, 90, 4)), []
    options = {"seconds": 60, "count": 3, "progress": lambda found, how: told.append((len(found), how))}
    monkeypatch.setattr(outlooks, "FIRST", 0)
    outlooks.outlooks(words, find_game("lingo"), [], **options)
    assert 3 in [count for count, _ in told] and "rolled out by parts" in told[0][1]


class Soon(threading.Event):
    """An event that is set once it was asked for."""

    def is_set(self):
        before = super().is_set()
        self.set()
        return before


def test_a_search_that_is_stopped_before_it_found_any_guess_rolls_some_out(random_words):
    words = WordList("few", random_words(1, 90, 4))
    found, how = outlooks.outlooks(words, find_game("lingo"), [], seconds=600, count=3, stop=Soon())
    assert len(found) == 3 and "rolled out by parts" in how

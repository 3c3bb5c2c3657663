"""A player of one round, in process: tree, search, any fitting word, and useless marks."""

import pytest

from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import lingo
from gpulingo.games.marks import feedback
from gpulingo.match.referee import play_round
from gpulingo.player.player import WordPlayer


class Scripted:
    """A search that proposes words from a script and records the histories it gets."""

    def __init__(self, words):
        self.words, self.histories = list(words), []

    def guess(self, history):
        self.histories.append(history)
        word = self.words.pop(0)
        if isinstance(word, Exception):
            raise word
        return word


@pytest.fixture
def said():
    return []


@pytest.fixture
def seat(words22, said):
    def player(**how):
        return WordPlayer(words22, lambda fault: said.append(worded(fault)), **({"game": lingo()} | how))

    return player


def guesser(player):
    def guess(history):
        if history:
            player.learn(history[-1][1])
        return player.choose()

    return guess


def test_each_round_of_a_tree_is_worth_what_the_tree_says(words22, grown, seat, said):
    for turns in (1, 2, 5):
        tree = grown(words22, turns=turns)
        for target, turn in zip(words22.words, tree.found_turns(), strict=True):
            player = seat(tree=tree, game=lingo(turns))
            played = play_round(guesser(player), target, words22.words, lingo(turns))
            assert played.points == lingo(turns).points(turn)
    assert said == []


def test_without_a_tree_the_searcher_is_asked_with_the_history(words22, seat, said):
    search = Scripted(["heron", "olive"])
    player = seat(search=lambda wordlist: search)
    assert player.choose() == "heron"
    assert not player.learn(feedback("heron", "olive"))
    assert player.choose() == "olive"
    assert player.learn("OOOOO")
    assert search.histories == [[], [("heron", feedback("heron", "olive"))]]
    assert said == []


@pytest.mark.parametrize("proposed", [RuntimeError("out\nof memory"), "zzzzz", "heron", None, 5])
def test_a_searcher_that_fails_is_replaced_by_any_fitting_word(words22, seat, said, proposed):
    player = seat(search=lambda wordlist: Scripted(["heron", proposed]))
    assert player.choose() == "heron"
    marks = feedback("heron", "crane")
    player.learn(marks)
    word = player.choose()
    assert word != "heron" and feedback("heron", word) == marks
    assert len(said) == 1 and said[0].startswith("the search failed (") and "\n" not in said[0]


def test_a_searcher_that_cannot_be_made_is_replaced(words22, seat, said):
    def fail(wordlist):
        raise ImportError("no torch here")

    assert seat(search=fail).choose() == words22.words[0]
    assert said == ["the search failed (ImportError: no torch here); guessing any word that fits"]


def test_a_broken_tree_is_replaced_by_the_searcher(words22, grown, seat, said):
    tree = grown(words22)
    tree = tree.replaced(guess=[99, *tree.guess[1:]])
    player = seat(tree=tree, search=lambda wordlist: Scripted(["heron"]))
    assert player.choose() == "heron"
    assert len(said) == 1 and said[0].startswith("the checkpoint leads nowhere (IndexError: ")


@pytest.mark.parametrize(
    "marks", ["", "XX", "XXXXXX", "xxxxx", "XXAXX", "OOOO", "Round lost", "OOOO?", "\0", "é" * 5]
)
@pytest.mark.parametrize("followed", [True, False])
def test_marks_of_no_use_are_told_and_the_next_guesses_are_words(words22, grown, seat, said, marks, followed):
    player = seat(tree=grown(words22) if followed else None)
    target = "mango"
    guesses = [player.choose()]
    assert not player.learn(feedback(guesses[0], target))
    guesses.append(player.choose())
    assert not player.learn(marks)
    assert len(said) == 1 and "going on without these marks" in said[0] and "\n" not in said[0]
    guesses.append(player.choose())
    fitting = [word for word in words22.words if feedback(guesses[0], word) == feedback(guesses[0], target)]
    assert set(guesses) <= set(words22.words) and len(set(guesses)) == 3
    assert guesses[2] in fitting or set(fitting) <= set(guesses)

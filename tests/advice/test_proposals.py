"""The guesses of a conversation: by the kept tree, a strategy, a search, else any word that fits."""

import pytest
from sampled import quick

from gpulingo.games import marks
from gpulingo.strategies.build import simulate
from gpulingo.trees.checkpoint import write_checkpoint
from gpulingo.words.listing import parse

WORDS = ["dents", "dozes", "reads", "zones", "dunes", "tunes", "tones", "bones", "cones", "lones", "roses"]


def said(talk, *lines):
    """The answer to the last of some lines, as one text."""
    answers = [talk.take(line) for line in lines]
    return "\n".join(answers[-1])


@pytest.mark.slow
def test_the_kept_tree_is_followed_without_the_engine_while_the_history_follows_it(talk, folder, scripted):
    words = parse("\n".join(WORDS)).of_length(5)
    tree = simulate(words, "parts").tree
    write_checkpoint(tree, folder / f"lingo5-5-{words.fingerprint[:12]}.npz")
    engine = scripted()
    one = talk(engine=engine)
    assert one.proposal.guess == words[tree.guess[0]]
    row = marks.feedback(one.proposal.guess, "tones")
    if row != "OOOOO":
        said(one, row)
        assert one.proposal.guess == words[tree.guess[tree.child(0, marks.pattern(row))]]
    assert engine.asked == 0 and "by the best stored tree" in one.proposal.how
    one = talk(engine=engine)
    said(one, "zzzzz XXXXX")
    assert engine.asked == 1


@pytest.mark.parametrize("proposal", ["fail", "nails", "bones"])
def test_where_the_engine_fails_any_word_that_fits_is_guessed(talk, scripted, proposal):
    one = talk(engine=scripted(proposal))
    text = said(one, "bones XOOOO")
    assert one.proposal.guess == "zones"
    assert "guessing any word that fits" in text or proposal != "bones"


def test_a_strategy_that_is_named_is_asked_first(talk):
    class Searcher:
        def guess(self, history):
            return "roses" if not history else "nails"

    one = talk(strategy=lambda words: Searcher())
    assert one.proposal.guess == "roses" and said(one, "why").endswith(
        "Found by the strategy that was named."
    )
    text = said(one, marks.feedback("roses", "tones"))
    assert "the strategy failed (it proposes 'nails'); continuing without it" in text


def test_a_strategy_is_left_out_where_no_answer_fits(talk, folder):
    class Searcher:
        def guess(self, history):
            return "dealt"

    (folder / "wordlist.txt").unlink()
    one = talk("wordle", strategy=lambda words: Searcher())
    text = said(one, "slate ?XX??", "ester X??O?")
    assert "no answer fits; of all 11,506 words of the embedded list 6 do" in text
    assert one.proposal.guess == "roset" and "failed" not in text
    said(one, "undo", "undo", "slate ?XX??")
    assert one.proposal.guess == "dealt"


@pytest.mark.parametrize("rule", quick(["hard", "consistent"], ["consistent"]))
def test_hard_mode_searches_after_a_guess_outside_the_list_too(talk, rule):
    from gpulingo.positions import outlooks

    one = talk(game="wordle", rule=rule, engine=outlooks)
    text = said(one, "zzzes XXXOO")
    guess = one.proposal.guess
    assert not marks.missing_hint(guess, "zzzes", "XXXOO") and "search" in one.proposal.how
    assert "guessing any word" not in text and one.proposal.outlook.exact

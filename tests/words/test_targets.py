"""Words that are drawn, of all lengths: none is unfit; other lists of targets are rows of calls.tsv."""

import pytest

from gpulingo.words.levels import answers, unfit_words
from gpulingo.words.listing import embedded
from gpulingo.words.targets import drawn


@pytest.mark.parametrize("name", [None, "all"])
def test_no_unfit_word_is_drawn_and_none_that_is_no_answer_where_none_are_named(name):
    for length in range(2, 17):
        words = drawn(embedded(), length, name, "answers").targets
        assert unfit_words(length).isdisjoint(words)
        assert name or words == answers(length)

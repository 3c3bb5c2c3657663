"""A host who keeps the largest class: the tensors' rule in text, and what may not be guessed."""

import random

import pytest
import torch

from gpulingo.games.catalogue import HOSTED, feedback_of
from gpulingo.games.marks import feedback
from gpulingo.hosts.host import Host, classes_of, largest
from gpulingo.solvers.lines import line_search
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import parse

ABSURDLE = HOSTED["absurdle"]()


def listed(words):
    return parse("\n".join(words)).of_length(len(words[0]))


@pytest.mark.parametrize("seed", range(6))
def test_text_and_tensors_keep_the_same_class(seed):
    draw = random.Random(seed)
    length = draw.choice([1, 3, 5, 12])
    words = sorted({"".join(draw.choices("abcde", k=length)) for _ in range(50)})
    table = encode(words)
    search = line_search(table, 1 << 20)
    for number, guess in enumerate(words):
        members = torch.tensor(sorted(draw.sample(range(len(words)), len(words) // 2)), dtype=torch.int32)
        classes = classes_of(feedback_of(ABSURDLE), guess, [words[place] for place in members])
        kept = classes[largest(feedback_of(ABSURDLE), classes)]
        assert kept == [words[place] for place in search.after(members, number)]


def test_a_round_ends_only_where_the_word_is_the_last_one_left():
    host = Host(listed(["abx", "abc", "xyz"]), ABSURDLE)
    assert [(host.answer("abc"), host.left, host.found)] == [("XXX", ["xyz"], False)]
    assert (host.answer("abx"), host.left, host.found) == ("XX?", ["xyz"], False)
    assert (host.answer("xyz"), host.left, host.found) == ("OOO", ["xyz"], True)


def test_marks_never_contradict_those_before_them(words22):
    draw = random.Random(1)
    for _ in range(20):
        host = Host(words22, ABSURDLE)
        while not host.found:
            host.answer(draw.choice(host.left))
        (word,) = host.left
        assert all(feedback(guess, word) == marks for guess, marks in host.history)


def test_words_that_are_no_targets_are_guessed_and_never_kept():
    host = Host(listed(["abx", "abc", "xyz"]).with_targets(["abc", "xyz"]), ABSURDLE)
    assert (host.fault("abx"), host.answer("abx"), host.left) == ("", "XX?", ["xyz"])


@pytest.mark.parametrize(
    ("game", "guess", "fault"),
    [
        (ABSURDLE, "ab", "'ab' has 2 letters, expected 3"),
        (ABSURDLE, "x" * 99, f"{'x' * 40!r} has 99 letters, expected 3"),
        (ABSURDLE, "zzz", "'zzz' is not among the 6 words that may be guessed"),
        (ABSURDLE, "a\nb", "'a\\nb' is not among the 6 words that may be guessed"),
        (ABSURDLE, "xyz", ""),
        (ABSURDLE.under("hard"), "xyz", "'xyz' does not use every hint so far: abc showed ?XX"),
        (ABSURDLE.under("hard"), "abc", ""),
        (ABSURDLE.under("consistent"), "abc", "'abc' does not fit all marks so far: abc showed ?XX"),
        (ABSURDLE.under("consistent"), "wax", ""),
        (ABSURDLE.under("from3-hard"), "xyz", ""),
    ],
)
def test_what_may_not_be_guessed_is_told(game, guess, fault):
    host = Host(listed(["abc", "xyz", "wax", "yay", "fag", "jay"]), game)
    host.answer("abc")
    host.history = [("abc", "?XX")]
    assert host.fault(guess) == fault

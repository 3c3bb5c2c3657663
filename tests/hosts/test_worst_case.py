"""The class that takes most guesses, compared with plain recursion for few words."""

import random
from collections import Counter
from itertools import count

import pytest
from recurrence import Recurrence

from gpulingo.games.catalogue import HOSTED, feedback_of
from gpulingo.hosts import host as hosts
from gpulingo.hosts.host import Host, WorstCase, classes_of
from gpulingo.words.listing import parse

EVIL = HOSTED["evil-wordle"]()
GAMES = pytest.mark.parametrize("game", [EVIL, EVIL.under("hard"), EVIL.under("consistent")])


def drawn(seed, size=16, letters="abcdef"):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices(letters, k=4)) for _ in range(size)})
    pool = parse("\n".join(words)).of_length(4)
    return pool.with_targets(draw.sample(words, 2 * len(words) // 3))


def fewest(search, candidates, history):
    """The fewest guesses that suffice, whatever is kept."""
    search._work = 10**9
    return next(guesses for guesses in count(1) if search._enough(candidates, history, guesses))


@GAMES
@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_guesses_that_are_enough_are_those_of_plain_recursion(game, seed):
    words = drawn(seed, 9 if game.legal != "any" else 14, "abcd")
    search = WorstCase(words, game)
    law = Recurrence(words, game)
    for size in range(1, words.target_count + 1):
        candidates = random.Random(size).sample(words.targets, size)
        assert fewest(search, candidates, []) == law.least(law.bits(candidates))


@GAMES
def test_the_class_that_is_kept_takes_most_guesses(game):
    words = drawn(7, 10)
    law = Recurrence(words, game)
    for number, guess in enumerate(words.words):
        host = Host(words, game, WorstCase(words, game).hardest)
        classes = classes_of(host.rule, guess, words.targets)
        kept = host.answer(guess)
        left = {}
        for marks, part in classes.items():
            legal = law.still_legal(number, marks, law.every_guess)
            left[marks] = 0 if part == [guess] else law.least(law.bits(part), legal)
        assert left[kept] == max(left.values())


@pytest.mark.parametrize(("rule", "guesses"), [("hard", 6), ("from3-hard", 5), ("from4-hard", 4)])
def test_hints_are_asked_for_from_the_turn_of_the_rule_on(rule, guesses):
    words = parse("\n".join("xa xb xc xd xe xf xg bc de fg".split())).of_length(2)
    search = WorstCase(words, EVIL.under(rule))
    assert fewest(search, words.words[1:7], [("xa", "OX")]) == guesses


def test_where_many_words_are_left_the_hardest_by_estimate_is_kept(monkeypatch):
    monkeypatch.setattr(hosts, "EXACT", 0)
    words = parse("\n".join(["zz", "bc", "de", "fg", *(f"a{last}" for last in "bcdef")])).of_length(2)
    host = Host(words, EVIL, WorstCase(words, EVIL).hardest)
    assert (host.answer("zz"), len(host.left)) == ("XX", 8)
    assert (host.answer("ag"), host.left) == ("OX", ["ab", "ac", "ad", "ae", "af"])  # 5 similar, not 2 others


def test_a_search_that_takes_too_long_leaves_the_estimate(monkeypatch):
    words = drawn(3, 40)
    monkeypatch.setattr(hosts, "WORK", 10)
    host = Host(words, EVIL, WorstCase(words, EVIL).hardest)
    while not host.found:
        host.answer(host.left[0])
    assert len(host.history) > 2


def test_the_seed_draws_one_of_equally_hard_classes():
    words = parse("ab\nba\nac\nca\nxx\nyb\nby").of_length(2)
    kept = {Host(words, EVIL, WorstCase(words, EVIL, seed).hardest).answer("xx") for seed in range(3)}
    shown = {Host(words, EVIL, WorstCase(words, EVIL, seed).hardest).answer("ab") for seed in range(30)}
    assert kept == {"XX"} and len(shown) > 1


def test_an_estimate_tries_at_most_so_many_guesses_of_each_class(monkeypatch):
    monkeypatch.setattr(hosts, "EXACT", 0)
    words = drawn(5, 60, "abc")
    classes = classes_of(feedback_of(EVIL), words[0], words.targets)
    for tried in (1, 3):
        counts = Counter()

        def counted(rule, guess, own, counts=counts):
            counts[tuple(own)] += 1
            return classes_of(rule, guess, own)

        monkeypatch.setattr(hosts, "classes_of", counted)
        WorstCase(words, EVIL, tried=tried).hardest(classes, [(words[0], "")])
        assert max(map(len, counts)) > 3
        assert all(times == min(tried, len(own)) for own, times in counts.items())

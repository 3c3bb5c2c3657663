"""Laws that every game keeps: rule and tensors agree, a value is what is replayed, the search is exact."""

import random
from dataclasses import replace

import exhaustive
import numpy as np
import pytest
import torch
from sampled import quick

from gpulingo import solve
from gpulingo.bounds.certificate import CertificateError, certificate_arrays, parsed_certificate
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import (
    BY_NAME,
    FAMILIES,
    LETTERS,
    RULED,
    feedback_of,
    find_game,
    forbidding,
)
from gpulingo.strategies.build import position_after, simulate
from gpulingo.tensors.patterns import patterns
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.trees.checkpoint import parsed_tree, tree_bytes
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList

LATER = ["wordle-from3-hard", "lingo-from4-hard-lost"]  # hard mode from a later turn on
# Of letters the laws are in test_letter_laws.
WORDED = [*LATER, *(name for name in BY_NAME if name not in LETTERS)]
searched = pytest.mark.parametrize("name", [name for name in WORDED if not find_game(name).given])
every = pytest.mark.parametrize("name", WORDED)
ruled = pytest.mark.parametrize(
    "name", [*RULED, *LATER[:1]]
)  # what is played for changes nothing of these laws
seeded = pytest.mark.parametrize("seed", quick([18, 28], [18]))  # of small lists, with 3 to 5 turns


@pytest.fixture(params=[3, 5])
def game(name, request):
    return find_game(name, request.param)


@ruled
@pytest.mark.parametrize("length", [1, 2, 5, 9, 20])
def test_the_rule_and_the_tensors_say_the_same(game, length):
    draw, rule = random.Random(length), feedback_of(game)
    words = list({"".join(draw.choices("abcde"[:length], k=length)) for _ in range(40)})
    codes = patterns(encode(words).letters, encode(words).letters).tolist()
    for guess, row in zip(words, codes, strict=True):
        for target, code in zip(words, row, strict=True):
            text = rule.feedback(guess, target)
            assert (rule.pattern(text), rule.marks(code, length)) == (code, text)
            assert (code == rule.solved(length)) == (guess == target)
            assert rule.fault(text, length) == ""


@every
@seeded
def test_a_value_is_its_replay_and_the_sum_over_its_turns(game, seed):
    words = exhaustive.random_list(seed)[0]
    tree = simulate(words, "parts", game).tree
    played = verify(tree, words)
    assert played == list(tree.found_turns())
    assert tree.value == sum(game.credits(turn) for turn in played)
    assert tree.mean_points == pytest.approx(game.points_of(tree.value, len(words)), abs=1e-9)


@ruled
@seeded
@pytest.mark.parametrize("strategy", ["parts", "largest_class", "edc65", "letters"])
def test_every_guess_of_a_tree_is_one_that_those_before_it_allow(game, seed, strategy):
    words = exhaustive.random_list(seed)[0]
    tree = simulate(words, strategy, game).tree
    rule, ways = feedback_of(game), [(0, [])]
    while ways:
        node, history = ways.pop()
        guess = words[tree.guess[node]]
        assert not forbidding(game, history, guess)
        for child in range(tree.first[node], tree.first[node + 1]):
            ways.append((child, [*history, (guess, rule.marks(tree.pattern[child], words.length))]))


@ruled
@seeded
def test_the_legal_guesses_after_a_history_are_those_of_the_plain_rule(game, seed):
    words, draw = exhaustive.random_list(seed)[0], random.Random(seed)
    target, legal, history = draw.choice(words.words), words.words, []
    for _ in range(3):
        guess = draw.choice(legal)
        marks = feedback_of(game).feedback(guess, target)
        history.append((guess, marks))
        legal = [word for word in words.words if not forbidding(game, history, word)]
        position = position_after(history, words, game)
        members = position.pool if isinstance(position.pool, torch.Tensor) else position.pool.candidates(0)
        assert [words[word] for word in members.tolist()] == legal
        if position.allowed is not None:  # by what a search goes on, whatever turn it is
            allowed = [word for word in words.words if not forbidding(game, history, word, turn=game.since)]
            assert [words[word] for word in position.allowed_of(0).tolist()] == allowed


@searched
@pytest.mark.parametrize(
    ("seed", "most", "turns"),
    [
        (18, 9, 3),
        pytest.param(28, 1, 3, marks=pytest.mark.slow),
        pytest.param(28, 9, 4, marks=pytest.mark.slow),
    ],
)
def test_the_search_finds_and_proves_what_recursion_over_every_legal_guess_has(name, seed, turns, most):
    some, draw = exhaustive.random_list(seed)[0].words[:16], random.Random(seed)
    weights = {word: draw.randint(most > 1, most) or 1 for word in some[:13]}
    words, game = WordList("some words", some).with_targets(some[:13]), find_game(name, turns)
    words = words.with_weights(weights)
    found = solve(words, game)
    best = exhaustive.best_of(some, game, range(13), [weights.get(word, 0) for word in some])
    assert found.reached and found.tree.value == best
    assert found.bound == game.points_of(best, words.total_weight)
    verify(found.tree, words)
    assert found.certificate.bound == best
    assert parsed_certificate(certificate_arrays(found.certificate)).game == game
    assert list(prove(table_of(words, game), found.certificate))[-1] == len(words)
    lower = replace(found.certificate.evidence, bounds=found.certificate.bounds - 1)
    with pytest.raises(CertificateError, match="is said to have at most"):
        list(prove(table_of(words, game), replace(found.certificate, evidence=lower)))


@ruled
@seeded
def test_words_that_are_no_targets_are_guessed_but_never_found(game, seed):
    words = exhaustive.random_list(seed)[0]
    places = [place for place in range(len(words)) if place % 3]
    some = words.with_targets(words[place] for place in places)
    played = simulate(some, "entropy", game)
    assert [word for word, _ in played.found_turns()] == some.targets
    assert verify(played.tree, some) == [turn for _, turn in played.found_turns()]
    assert parsed_tree(tree_bytes(played.tree)) == played.tree
    if game.name in FAMILIES:
        best = exhaustive.best_value(words.words, game.turns, targets=places)
        assert played.tree.value <= best == solve(some, game).tree.value


@ruled
@seeded
@pytest.mark.parametrize("strategy", ["parts", "entropy", "edc65", "letters"])
def test_a_target_of_weight_three_counts_as_three_of_them(game, seed, strategy):
    words = heavy(seed)
    played = simulate(words, strategy, game)
    turns = verify(played.tree, words)
    assert [turn for _, turn in played.found_turns()] == turns
    copies = [turn for turn, index in zip(turns, words.target_ids, strict=True)
              for _ in range(words.weights[index])]  # fmt: skip
    tree, guesses = played.tree, [turn or game.turns + 1 for turn in copies]
    assert tree.turn_counts() == [copies.count(turn) for turn in range(1, game.turns + 1)]
    assert (tree.lost, tree.total_weight) == (copies.count(0), len(copies))
    assert tree.value == sum(game.credits(turn) for turn in copies)
    assert tree.mean_points == sum(game.points(turn) for turn in copies) / len(copies)
    assert tree.total_guesses == sum(guesses) and tree.mean_guesses == pytest.approx(np.mean(guesses))
    assert parsed_tree(tree_bytes(tree)) == tree


@ruled
@seeded
def test_with_two_turns_left_a_guess_is_worth_the_heaviest_word_of_each_class(name, seed):
    game, words = find_game(name, 2), heavy(seed)
    weights, values = dict(zip(words.words, words.weights, strict=True)), []
    for guess in words.words:
        classes = {}
        for target in words.targets:
            classes.setdefault(feedback_of(game).feedback(guess, target), []).append(weights[target])
        found = {marks: max(own) for marks, own in classes.items()}
        lost = words.total_weight - sum(found.values())
        first = weights[guess] if guess in words.targets else 0
        later = sum(found.values()) - first
        values.append(lost * game.credits(0) + later * game.credits(2) + first * game.credits(1))
    assert simulate(words, "largest_class", game).tree.value == max(values)


@every
@pytest.mark.parametrize("seed", [18])
@pytest.mark.parametrize(
    "strategy", quick(["parts", "largest_class", "edc65", "letters"], ["parts", "edc65"])
)
def test_all_weights_the_same_make_the_same_guesses_as_none(game, seed, strategy):
    words = exhaustive.random_list(seed)[0]
    same = words.with_weights(dict.fromkeys(words.words, 7))
    plain, weighed = (simulate(each, strategy, game).tree for each in (words, same))
    assert [list(plain.guess), list(plain.pattern)] == [list(weighed.guess), list(weighed.pattern)]
    assert (weighed.value, weighed.mean_points) == (7 * plain.value, plain.mean_points)


def heavy(seed):
    """A random list, two of three words of which are targets, with weights of 0 to 9."""
    words, draw = exhaustive.random_list(seed)[0], random.Random(seed)
    some = words.with_targets(word for place, word in enumerate(words.words) if place % 3)
    return some.with_weights({word: draw.choice([0, 1, 1, 3, 9]) for word in some.targets})

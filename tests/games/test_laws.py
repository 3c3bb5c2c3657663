"""Laws of every game: rule and tensors agree, a replay gives the tree's value, the search is exact."""

import random
from dataclasses import replace

import exhaustive
import numpy as np
import pytest

from gpulingo import solve
from gpulingo.bounds.certificate import CertificateError, certificate_arrays, parsed_certificate
from gpulingo.bounds.checker import prove
from gpulingo.games.catalogue import FAMILIES, feedback_of, find_game, forbidding
from gpulingo.strategies.build import position_after, simulate
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.checkpoint import parsed_tree, tree_bytes
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList

LATER = ["wordle-from3-hard", "lingo-from4-hard-lost"]  # hard mode from a later turn on
# For games of letters see test_letter_laws. Each rule, objective and feedback occurs here at least once.
SAMPLED = [*LATER, "lingo", "wordle-hard-found", "wordle-consistent-lost", "wordle-letter",
           "mastermind-lost", "bulls-and-cows-consistent", "black-pegs",
           "jotto-consistent-found"]  # fmt: skip
searched = pytest.mark.parametrize("name", [name for name in SAMPLED if not find_game(name).given])
every = pytest.mark.parametrize("name", SAMPLED)
# The objective does not matter for these laws.
ruled = pytest.mark.parametrize("name", ["wordle", "lingo-hard", "wordle-consistent", LATER[0]])
TREES = ["parts", "largest_class", "distinct", "letters"]


@pytest.fixture
def game(name):
    return find_game(name, 3 if "hard" in name else 5)


@every
def test_a_value_is_its_replay_and_the_sum_over_its_turns(game):
    words = exhaustive.random_list(18)[0]
    tree = simulate(words, "parts", game).tree
    played = verify(tree, words)
    assert played == tree.found_turns()
    assert tree.value == sum(game.credits(turn) for turn in played)
    assert tree.mean_points == pytest.approx(game.points_of(tree.value, len(words)), abs=1e-9)


@ruled
def test_every_guess_of_a_tree_is_one_that_those_before_it_allow(game):
    words, rule = exhaustive.random_list(28)[0], feedback_of(game)
    for strategy in TREES:
        tree, ways = simulate(words, strategy, game).tree, [(0, [])]
        while ways:
            node, history = ways.pop()
            guess = words[tree.guess[node]]
            assert not forbidding(game, history, guess)
            for child in range(tree.first[node], tree.first[node + 1]):
                ways.append((child, [*history, (guess, rule.marks(tree.pattern[child], words.length))]))


@ruled
def test_the_legal_guesses_after_a_history_are_those_of_the_plain_rule(game):
    words, draw = exhaustive.random_list(18)[0], random.Random(18)
    target, legal, history = draw.choice(words.words), words.words, []
    for _ in range(3):
        guess = draw.choice(legal)
        marks = feedback_of(game).feedback(guess, target)
        history.append((guess, marks))
        legal = [word for word in words.words if not forbidding(game, history, word)]
        position = position_after(history, words, game)
        members = position.pool.candidates(0) if isinstance(position.pool, Frontier) else position.pool
        assert [words[word] for word in members.tolist()] == legal
        if position.allowed is not None:  # the state of a search, on any turn
            allowed = [word for word in words.words if not forbidding(game, history, word, turn=game.since)]
            assert [words[word] for word in position.allowed_of(0).tolist()] == allowed


@searched
def test_the_search_finds_and_proves_what_recursion_over_every_legal_guess_has(name):
    turns = 4 if "from4" in name else 3
    some, draw = exhaustive.random_list(18)[0].words[:16], random.Random(18)
    weights = {word: draw.randint(1, 9) for word in some[:13]}
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
def test_words_that_are_no_targets_are_guessed_but_never_found(game):
    words = exhaustive.random_list(28)[0]
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
@pytest.mark.parametrize("strategy", ["parts", "letters"])
def test_a_target_of_weight_three_counts_as_three_of_them(game, strategy):
    words = heavy(18)
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
def test_with_two_turns_left_a_guess_is_worth_the_heaviest_word_of_each_class(name):
    game, words = find_game(name, 2), heavy(28)
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
def test_all_weights_the_same_make_the_same_guesses_as_none(game):
    words = exhaustive.random_list(18)[0]
    same = words.with_weights(dict.fromkeys(words.words, 7))
    for strategy in TREES:
        plain, weighed = (simulate(each, strategy, game).tree for each in (words, same))
        assert [list(plain.guess), list(plain.pattern)] == [list(weighed.guess), list(weighed.pattern)]
        assert (weighed.value, weighed.mean_points) == (7 * plain.value, plain.mean_points)


def heavy(seed):
    """A random list in which two of three words are targets, with weights of 0 to 9."""
    words, draw = exhaustive.random_list(seed)[0], random.Random(seed)
    some = words.with_targets(word for place, word in enumerate(words.words) if place % 3)
    return some.with_weights({word: draw.choice([0, 1, 1, 3, 9]) for word in some.targets})

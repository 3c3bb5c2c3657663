"""The guess of greatest rank against the plain rule: of all words, of a pool, with an opening."""

import random
from dataclasses import replace

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.games.marks import feedback
from gpulingo.strategies.objectives import points
from gpulingo.strategies.ranking import RULES, Pool, Ranking
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode


def made(seed):
    """Words of four letters a to d, and sets of them."""
    generator = random.Random(seed)
    words = sorted({"".join(generator.choices("abcd", k=4)) for _ in range(70)})
    generator.shuffle(words)
    sets = [sorted(generator.sample(range(len(words)), size)) for size in (2, 5, 17, 30)]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def ranked(words, guess, members, objective):
    """Rank of a guess by the plain rule; candidates first of equal ones, then list order."""
    sizes = {}
    for member in members:
        marks = feedback(words[guess], words[member])
        sizes[marks] = sizes.get(marks, 0) + 1
    total = sum(int(objective.table[size]) for size in sizes.values())
    return total + objective.bonus * (guess in members), guess in members, -guess


@pytest.mark.parametrize("rule", list(RULES))
@pytest.mark.parametrize("left", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_the_pool_and_the_candidates_is_guessed(rule, left, seed, position):
    words, sets, front = made(seed)
    table, nine = encode(words), Pool(rule, 9, seed)
    pool = nine.members(table).tolist()
    assert len(set(pool)) == 9 and pool == sorted(pool)
    guesses = Ranking("x", points, pool=nine).choose(position(table, front, left)).guesses.tolist()
    objective = points(30, left)
    for members, guess in zip(sets, guesses, strict=True):
        best = max({*pool, *members}, key=lambda word: ranked(words, word, members, objective))
        if left > 2:
            assert guess == best
        else:  # then by number of classes, one more for a candidate
            assert guess in {*pool, *members}


@pytest.mark.parametrize("words", [None, 10**6])
def test_a_pool_of_all_words_is_the_whole_search(words, position):
    listed, _, front = made(1)
    for left in (1, 2, 3, 5):
        asked = position(listed, front, left)
        whole = Ranking("x", points).choose(asked).guesses
        assert torch.equal(Ranking("x", points, pool=Pool("random", words)).choose(asked).guesses, whole)


def test_an_opening_is_guessed_on_the_first_turn_and_only_then(position):
    words, _, front = made(4)
    table = encode(words)
    strategy = Ranking("x", points, opening=13)
    assert strategy.choose(first_position(table, lingo())).guesses.tolist() == [13]
    later = position(table, front, 4)
    assert torch.equal(strategy.choose(later).guesses, Ranking("x", points).choose(later).guesses)
    # All words are left after a wasted guess too, or where the guesses are no targets.
    again = position(table, frontier([torch.arange(len(words), dtype=torch.int32)]), 4)
    assert strategy.choose(again).guesses.tolist() == Ranking("x", points).choose(again).guesses.tolist()


def test_an_opening_that_is_no_target_is_played_on_the_first_turn(position):
    words, _, _ = made(4)
    targets = torch.arange(20, dtype=torch.int32)
    table = encode(words).with_sets(targets)
    strategy = Ranking("x", points, opening=25)
    assert strategy.choose(first_position(table, lingo())).guesses.tolist() == [25]


@pytest.mark.parametrize("payoff", [(0, 1, 2, 3), (0, 1, 1, 1), (0, 2, 7, 9), (1, 2, 9, 9)])
def test_with_two_turns_left_it_is_exact_for_any_payoff_and_targets_apart(payoff, position):
    words, _, _ = made(7)
    game, targets = Game("steep", 3, payoff), torch.arange(0, len(words), 3, dtype=torch.int32)
    pool = torch.arange(0, len(words), dtype=torch.int32)[: len(words) - 9]
    table = encode(words).with_sets(targets[targets < len(words) - 9], pool)
    members = table.targets[::2]
    guess = int(Ranking("x", points).choose(position(table, frontier([members]), 2, game)).guesses[0])

    def value(guess):  # in credits: each class gives the one word that is guessed last, the others are lost
        classes = {feedback(words[guess], words[member]) for member in members.tolist() if member != guess}
        hit = guess in members.tolist()
        return payoff[2] * hit + payoff[1] * len(classes) + payoff[0] * (len(members) - hit - len(classes))

    assert value(guess) == max(map(value, pool.tolist())) and guess in pool.tolist()


def test_only_legal_guesses_are_searched(position):
    words, _, _ = made(9)
    legal = torch.arange(31, dtype=torch.int32)
    few = frontier([torch.arange(3, 30, 2, dtype=torch.int32)])
    table = encode(words).with_sets(legal[:30], legal)
    assert int(Ranking("x", points).choose(position(table, few, 4)).guesses[0]) < 31
    alone = Ranking("x", points).choose(replace(position(table, few, 4), pool=None)).guesses
    assert int(alone[0]) in few.members.tolist()


def test_the_rule_of_classes_puts_the_most_classes_first():
    words, _, _ = made(2)
    order = RULES["classes"](encode(words), 9, 0).tolist()
    classes = [len({feedback(words[guess], target) for target in words}) for guess in order]
    assert classes == sorted(classes, reverse=True) and sorted(order) == list(range(len(words)))


def test_the_rule_of_letters_counts_the_words_that_hold_each_letter():
    words = ["aabc", "abdd", "cccc", "abcd"]  # a 3, b 3, c 3, d 2
    assert RULES["letters"](encode(words), 9, 0).tolist() == [3, 0, 1, 2]


def test_the_balanced_rule_takes_words_with_other_letters_than_those_taken():
    # Words that hold a: 3, b: 3, c: 1, d: 2, e: 1. After abbb the letters a and b are worth half as much.
    words = ["abbb", "aabb", "bbba", "addc", "ddee"]
    assert RULES["balanced"](encode(words), 3, 0).tolist() == [3, 0, 4]
    assert sorted(RULES["balanced"](encode(words), 99, 0).tolist()) == [0, 1, 2, 3, 4]


def test_random_words_are_drawn_by_seed():
    table = encode(made(3)[0])
    first, again, other = (RULES["random"](table, 9, seed).tolist() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("rule", list(RULES))
def test_a_pool_holds_legal_guesses_only(rule):
    words, _, _ = made(5)
    legal = torch.arange(0, len(words), 2, dtype=torch.int32)
    table = encode(words).with_sets(legal[:9], legal)
    members = Pool(rule, 7, 1).members(table)
    assert set(members.tolist()) <= set(legal.tolist()) and members.dtype == torch.int32
    assert Pool(rule, len(legal)).members(table) is table.pool

"""Objectives by hand, the value table's laws, and the guess of highest rank against the plain rule."""

import math
import random
from fractions import Fraction

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.games.marks import feedback
from gpulingo.strategies.objectives import (
    BY_NAME,
    ENTROPY_SCALE,
    RULES,
    SCALE,
    Pool,
    Ranking,
    points,
    value_table,
)
from gpulingo.strategies.registry import loaded, sized_objective
from gpulingo.strategies.strategy import first_position
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode


def test_entropy_is_rounded_to_the_nearest_unit():
    table = BY_NAME["entropy"](3000, 3).table.tolist()
    for n in range(1, 3001):
        assert abs(-table[n] - n * math.log2(n) * ENTROPY_SCALE) <= 1


@pytest.mark.parametrize("name", BY_NAME)
def test_the_largest_size_changes_no_smaller_one(name):
    # Otherwise the guess for a set would depend on the other sets that are ranked.
    for left in (2, 3, 5):
        table = BY_NAME[name](5000, left).table
        for largest in (1, 2, 3, 9, 1000, 4999):
            assert (BY_NAME[name](largest, left).table == table[: largest + 1]).all()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, whose modules can be loaded."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_what_a_users_objective_prints_does_not_go_to_the_results(here, capsys):
    (here / "loud.py").write_text("print('here')\ndef f(sizes):\n    print('called')\n    return sizes\n")
    sized_objective(loaded("loud:f"), "loud:f")(3, 4)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "here\ncalled\ncalled\n")


def worked_out(turns, most, classes=150):
    """V[turns][0..most] in turns, by the docstring's formula."""
    row = [Fraction(0)] + [Fraction(1)] * most
    for left in range(2, turns + 1):
        below, row = row, [Fraction(0), Fraction(left), Fraction(2 * left - 1)]
        for n in range(3, most + 1):
            others = Fraction((n - 1) * classes, n - 1 + classes)
            size = (n - 1) / others
            low = int(size)
            row.append(left + others * (below[low] + (size - low) * (below[low + 1] - below[low])))
    return row[: most + 1]


@pytest.mark.parametrize("turns", [1, 3, 6])
def test_values_are_those_of_the_formula(turns):
    values = value_table(300, turns)[turns].tolist()
    assert max(
        abs(value - SCALE * exact)
        for value, exact in zip(values, worked_out(turns, 300), strict=True)
    ) < 1  # fmt: skip


def made(seed):
    """Words of four letters a to d, and sets of them."""
    generator = random.Random(seed)
    words = sorted({"".join(generator.choices("abcd", k=4)) for _ in range(70)})
    generator.shuffle(words)
    sets = [sorted(generator.sample(range(len(words)), size)) for size in (2, 5, 17, 30)]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def ranked(words, guess, members, objective):
    """Rank of a guess by the plain rule; on ties candidates first, then list order."""
    sizes = {}
    for member in members:
        marks = feedback(words[guess], words[member])
        sizes[marks] = sizes.get(marks, 0) + 1
    total = sum(int(objective.table[size]) for size in sizes.values())
    return total + objective.bonus * (guess in members), guess in members, -guess


@pytest.mark.parametrize(
    ("rule", "seed", "left"), [(rule, place, 2 + place % 3) for place, rule in enumerate(RULES, 1)]
)
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


def test_an_opening_is_guessed_on_the_first_turn_and_only_then(position):
    words, _, front = made(4)
    table = encode(words)
    strategy = Ranking("x", points, opening=13)
    assert strategy.choose(first_position(table, lingo())).guesses.tolist() == [13]
    later = position(table, front, 4)
    assert torch.equal(strategy.choose(later).guesses, Ranking("x", points).choose(later).guesses)
    # All words are also left after a guess without effect, or if the guesses are not targets.
    again = position(table, frontier([torch.arange(len(words), dtype=torch.int32)]), 4)
    assert strategy.choose(again).guesses.tolist() == Ranking("x", points).choose(again).guesses.tolist()


@pytest.mark.parametrize("payoff", [(0, 1, 1, 1), (1, 2, 9, 9)])
def test_with_two_turns_left_it_is_exact_for_any_payoff_and_targets_apart(payoff, position):
    words, _, _ = made(7)
    game, targets = Game("steep", 3, payoff), torch.arange(0, len(words), 3, dtype=torch.int32)
    pool = torch.arange(0, len(words), dtype=torch.int32)[: len(words) - 9]
    table = encode(words).with_sets(targets[targets < len(words) - 9], pool)
    members = table.targets[::2]
    guess = int(Ranking("x", points).choose(position(table, frontier([members]), 2, game)).guesses[0])

    def value(guess):  # in credits: each class gives the one word guessed last, the others are lost
        classes = {feedback(words[guess], words[member]) for member in members.tolist() if member != guess}
        hit = guess in members.tolist()
        return payoff[2] * hit + payoff[1] * len(classes) + payoff[0] * (len(members) - hit - len(classes))

    assert value(guess) == max(map(value, pool.tolist())) and guess in pool.tolist()


def test_the_rule_of_classes_puts_the_most_classes_first():
    words, _, _ = made(2)
    order = RULES["classes"](encode(words), Pool("classes", 9)).tolist()
    classes = [len({feedback(words[guess], target) for target in words}) for guess in order]
    assert classes == sorted(classes, reverse=True) and sorted(order) == list(range(len(words)))


@pytest.mark.parametrize("rule", list(RULES))
def test_a_pool_holds_legal_guesses_only(rule):
    words, _, _ = made(5)
    legal = torch.arange(0, len(words), 2, dtype=torch.int32)
    table = encode(words).with_sets(legal[:9], legal)
    members = Pool(rule, 7, 1).members(table)
    assert set(members.tolist()) <= set(legal.tolist()) and members.dtype == torch.int32
    assert Pool(rule, len(legal)).members(table) is table.pool

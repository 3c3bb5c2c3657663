"""The rivals' rules on short lists by brute force, their openings, edc65's means over the pit's list."""

import random
from collections import Counter
from dataclasses import replace

import pytest
import torch

from gpulingo.games.marks import feedback
from gpulingo.report.comparison import EDC65_EXACT
from gpulingo.strategies.build import simulate
from gpulingo.strategies.objectives import parts
from gpulingo.strategies.registry import named
from gpulingo.strategies.rivals import CONFUSION_OPENINGS, EDC65_OPENINGS, Shortlists, best_listed
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode


def drawn(seed, letters="abcde", sizes=(1, 2, 3, 6, 9, 10, 11, 30, 60)):
    """Words of few letters, and candidate sets of them, but not the whole list."""
    generator = random.Random(seed)
    words = list(dict.fromkeys("".join(generator.choices(letters, k=5)) for _ in range(120)))
    sets = [sorted(generator.sample(range(len(words)), size)) for size in sizes]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def class_sizes(words, guess, members):
    return Counter(feedback(words[guess], words[member]) for member in members).values()


def least(ranks, members):
    """The guess of lowest rank: on ties a candidate, then the first."""
    return min(ranks, key=lambda guess: (ranks[guess], guess not in members, guess))


@pytest.mark.parametrize(("seed", "letters"), [(0, "abcde"), (1, "aab"), (2, "abcde")])
def test_edc65_leaves_the_candidates_for_a_largest_class_below_three_quarters_cut_to_a_whole(
    seed, letters, position
):
    words, sets, front = drawn(seed, letters, sizes=(1, 2, 3, 6, 9, 12))
    guesses = named("edc65").choose(position(words, front, 4)).guesses.tolist()
    for members, guess in zip(sets, guesses, strict=True):
        sizes = {word: max(class_sizes(words, word, members)) for word in range(len(words))}
        mine = min(members, key=lambda member: sizes[member])
        best = least(sizes, members)
        assert guess == (best if sizes[best] < int(0.75 * sizes[mine]) else mine)


@pytest.mark.parametrize(("seed", "name"), list(enumerate(["confusion", "confusion_full"])))
def test_confusion_takes_the_least_sum_of_squares_of_all_words_for_ten_candidates_or_fewer(
    name, seed, position
):
    words, sets, front = drawn(seed)
    guesses = named(name).choose(position(words, front, 4)).guesses.tolist()
    for members, guess in zip(sets, guesses, strict=True):
        sums = {
            word: sum(n * (n - 1) ** 2 for n in class_sizes(words, word, members))
            for word in range(len(words))
        }
        if name == "confusion_full" or len(members) <= 10:
            assert guess == least(sums, members)


@pytest.mark.parametrize(("name", "openings"), [("edc65", EDC65_OPENINGS), ("confusion", CONFUSION_OPENINGS)])
def test_a_rival_opens_with_its_word_where_the_list_has_it(name, openings, words22, position):
    for opening in openings.split():
        other = opening[::-1]
        words = [other, opening]
        front = frontier([torch.tensor([0, 1], dtype=torch.int32)])
        lefts = (5, 4, 1)  # of five turns: the opening applies only to the first
        assert [int(named(name).choose(position(words, front, left)).guesses) for left in lefts] == [1, 0, 0]
        without = position(encode(words).with_sets(*2 * [torch.zeros(1, dtype=torch.int32)]), front, 5)
        assert named(name).choose(without).guesses.tolist() == [0]  # the opening is not legal
    assert [len(opening) for opening in openings.split()] == list(range(4, 14))
    without = simulate(words22, name)  # the list lacks the openings, so the rule chooses one
    assert without.opening not in openings.split()
    assert sum(without.turns) == 22


def test_plain_parts_has_no_bonus_with_two_turns_left_either(position):
    words = ["bats", "cats", "rats", "brag"]
    front = frontier([torch.tensor([0, 1, 2], dtype=torch.int32)])
    guesses = [
        int(named(name).choose(position(words, front, 2)).guesses[0]) for name in ("parts", "plain_parts")
    ]
    assert [words[guess] for guess in guesses] == ["bats", "brag"]  # 2 classes and a candidate; 3 classes


@pytest.mark.slow
@pytest.mark.parametrize("length", [4, 13])
def test_edc65_has_the_means_of_its_program_over_the_pits_list(length, pit_words):
    assert simulate(pit_words(length), "edc65").mean_points == pytest.approx(EDC65_EXACT[length], abs=1)


def test_confusion_plays_the_pits_words_with_its_openings(pit_words):
    done = simulate(pit_words(13), "confusion")
    assert done.opening == "persecutional"
    assert done.mean_points == pytest.approx(357.06, abs=0.2)


@pytest.mark.parametrize(("seed", "bonus"), [(0, 0), (1, 2)])
def test_the_best_of_a_list_is_the_best_of_a_pool_of_its_words(seed, bonus):
    words, _, front = drawn(seed, "aabbcdefg", (1, 2, 9, 26, 40))
    table, way = encode(words), Objective(parts(40, 4).table, bonus)
    listed = torch.randint(len(words), (front.sets, 7), generator=torch.Generator().manual_seed(seed)).int()
    found = best_listed(table, front, listed, way)
    for place in range(front.sets):
        alone = front.take(torch.tensor([place]))
        assert found.guesses[place] == rank(table, alone, listed[place].unique(), way).guesses[0, 0]
    assert (found.guesses.dtype, found.pairs) == (torch.int32, 7 * front.members.shape[0])


@pytest.mark.parametrize("seed", range(2))
def test_the_richest_words_come_from_what_is_legal(seed, position, monkeypatch):
    words, sets, front = drawn(seed, "aabbcdefg", (1, 2, 9, 26, 40))
    asked = position(words, front, 4)
    monkeypatch.setattr("gpulingo.strategies.rivals.BLOCK", 1000)
    for alone in (False, True):
        lists = Shortlists(torch.Generator(), width=6)
        richest = lists._richest(replace(asked, pool=front) if alone else asked)
        for members, listed in zip(sets, richest.tolist(), strict=True):
            copies = Counter("".join(words[member] for member in members))
            worth = {place: sum(copies[letter] for letter in set(word)) for place, word in enumerate(words)}
            pool = members if alone else worth
            best = sorted(pool, key=lambda place: (-worth[place], place))[:6]
            assert listed == best + [members[0]] * (6 - len(best))

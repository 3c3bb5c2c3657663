"""examples/rivals.py: its rules on short lists by brute force, openings, means over the pit's list."""

import random
import runpy
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from gpulingo.games.marks import feedback
from gpulingo.report.results import EDC65_EXACT
from gpulingo.strategies.build import simulate
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode

RIVALS = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "rivals.py"))


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
    guesses = RIVALS["edc65"]().choose(position(words, front, 4)).guesses.tolist()
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
    guesses = RIVALS[name]().choose(position(words, front, 4)).guesses.tolist()
    for members, guess in zip(sets, guesses, strict=True):
        sums = {
            word: sum(n * (n - 1) ** 2 for n in class_sizes(words, word, members))
            for word in range(len(words))
        }
        if name == "confusion_full" or len(members) <= 10:
            assert guess == least(sums, members)


@pytest.mark.parametrize("name", ["edc65", "confusion"])
def test_a_rival_opens_with_its_word_where_the_list_has_it(name, words22, position):
    rival, openings = RIVALS[name](), RIVALS[name].openings.split()
    for opening in openings:
        other = opening[::-1]
        words = [other, opening]
        front = frontier([torch.tensor([0, 1], dtype=torch.int32)])
        lefts = (5, 4, 1)  # of five turns: the opening applies only to the first
        assert [int(rival.choose(position(words, front, left)).guesses) for left in lefts] == [1, 0, 0]
        without = position(encode(words).with_sets(*2 * [torch.zeros(1, dtype=torch.int32)]), front, 5)
        assert rival.choose(without).guesses.tolist() == [0]  # the opening is not legal
    assert [len(opening) for opening in openings] == list(range(4, 14))
    without = simulate(words22, rival)  # the list lacks the openings, so the rule chooses one
    assert without.opening not in openings
    assert sum(without.turns) == 22


@pytest.mark.slow
@pytest.mark.parametrize("length", [4, 13])
def test_edc65_has_the_means_of_its_program_over_the_pits_list(length, pit_words):
    done = simulate(pit_words(length), RIVALS["edc65"]())
    assert done.mean_points == pytest.approx(EDC65_EXACT[length], abs=1)


def test_confusion_plays_the_pits_words_with_its_openings(pit_words):
    done = simulate(pit_words(13), RIVALS["confusion"]())
    assert done.opening == "persecutional"
    assert done.mean_points == pytest.approx(357.06, abs=0.2)


def test_the_words_of_each_row_are_a_set():
    sets = RIVALS["as_sets"](torch.tensor([[5, 2, 5, 3], [7, 7, 7, 7]], dtype=torch.int32))
    assert (sets.members.tolist(), sets.offsets.tolist()) == ([2, 3, 5, 7], [0, 3, 4])


@pytest.mark.parametrize("seed", range(2))
def test_the_richest_words_come_from_what_is_legal(seed, position, monkeypatch):
    words, sets, front = drawn(seed, "aabbcdefg", (1, 2, 9, 26, 40))
    asked = position(words, front, 4)
    monkeypatch.setitem(RIVALS["richest"].__globals__, "BLOCK", 1000)
    for alone in (False, True):
        richest = RIVALS["richest"](replace(asked, pool=front) if alone else asked, 6)
        for members, listed in zip(sets, richest.tolist(), strict=True):
            copies = Counter("".join(words[member] for member in members))
            worth = {place: sum(copies[letter] for letter in set(word)) for place, word in enumerate(words)}
            pool = members if alone else worth
            best = sorted(pool, key=lambda place: (-worth[place], place))[:6]
            assert listed == best + [members[0]] * (6 - len(best))

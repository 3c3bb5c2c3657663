"""Strategies that rank letters, on lists with many repeated letters, in plain Python; and random ones."""

import random
from collections import Counter, defaultdict

import pytest
import torch

from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.positions import feedback
from gpulingo.strategies.build import build, simulate
from gpulingo.strategies.letters import LetterRollout, Random
from gpulingo.strategies.registry import named
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.frontier import frontier
from gpulingo.trees.verify import verify
from gpulingo.words.wordlist import WordList


def drawn(seed, sizes=(1, 2, 3, 10, 80, 5)):
    """Words of few letters, and candidate sets of them."""
    generator = random.Random(seed)
    words = list(dict.fromkeys("".join(generator.choices("aaabbcdefg", k=5)) for _ in range(200)))
    sets = [sorted(generator.sample(range(len(words)), size)) for size in sizes]
    return words, sets, frontier([torch.tensor(one, dtype=torch.int32) for one in sets])


def worths(name, words):
    """The value of each candidate by the rule of that name."""
    holders = Counter(letter for word in words for letter in set(word))
    copies = Counter("".join(words))
    summed = [sum(copies[letter] for letter in set(word)) for word in words]
    return {
        "letters": [sum(holders[letter] for letter in set(word)) for word in words],
        "histogram": summed,
        "distinct": [len(set(word)) for word in words],
        "statistician": [len(set(word)) * worth for word, worth in zip(words, summed, strict=True)],
    }[name]


@pytest.mark.parametrize(("seed", "name"), list(enumerate(["letters", "distinct", "statistician"])))
def test_the_first_of_the_candidates_worth_most_is_guessed(name, seed, position):
    words, sets, front = drawn(seed)
    choice = named(name).choose(position(words, front, 4))
    for members, guess in zip(sets, choice.guesses.tolist(), strict=True):
        worth = worths(name, [words[member] for member in members])
        assert guess == members[worth.index(max(worth))]
    assert (choice.guesses.dtype, choice.pairs) == (torch.int32, 0)


def test_histogram_draws_ties_by_its_seed_each_as_likely(position):
    words, tied = ["abcd", "aaab", "bcda", "abca", "dcba", "cabd"], [0, 2, 4, 5]
    front = frontier([torch.tensor(tied, dtype=torch.int32)] * 2000)
    asked = position(words, front, 4)
    guesses = [named("histogram", seed=seed).choose(asked).guesses.tolist() for seed in (3, 3, 4)]
    assert guesses[0] == guesses[1] != guesses[2]
    counts = Counter(guesses[0])
    assert sorted(counts) == tied
    assert all(400 < count < 600 for count in counts.values())  # 500 each; 100 are five standard deviations


def test_each_random_candidate_is_as_likely(position):
    words, sets, front = drawn(0, sizes=(1, 4) * 2000)
    strategy = Random(Draw(3))
    guesses = strategy.choose(position(words, front, 4)).guesses.tolist()
    assert all(guess in members for members, guess in zip(sets, guesses, strict=True))
    places = Counter(
        members.index(guess) for members, guess in zip(sets, guesses, strict=True) if len(members) == 4
    )
    assert sorted(places) == [0, 1, 2, 3]
    assert all(400 < count < 600 for count in places.values())  # 500 each; 100 are five standard deviations


def test_random_is_the_same_again_by_its_seed_and_goes_on(position):
    words, _, front = drawn(1, sizes=(50,) * 20)
    asked = position(words, front, 4)

    def guesses(seed, times=1):
        strategy = Random(Draw(seed))
        return [strategy.choose(asked).guesses.tolist() for _ in range(times)]

    assert guesses(5, 3) == guesses(5, 3)
    assert guesses(5) != guesses(6)
    first, second = guesses(5, 2)
    assert first != second


def test_every_bit_of_a_seed_counts():
    seeds = (5, 2**32 - 1, 2**32, 2**32 + 5, 2**63 - 1, -1, -5)
    assert len({tuple(Draw(seed).order(20)) for seed in seeds}) == len(seeds)


def drawn_words(seed, words=40, length=5, letters="abcdef"):
    draw = random.Random(seed)
    return sorted({"".join(draw.choices(letters, k=length)) for _ in range(words)})


def misses(words, lives, key):
    """Word -> its misses if the letter of highest key(letter, candidates) is guessed; if lost: lives."""
    result = {}

    def play(candidates, guessed, missed):
        if len(candidates) == 1 or missed == lives:
            result.update(dict.fromkeys(candidates, missed))
            return
        letters = sorted(set("".join(words)) - guessed)
        letter = max(letters, key=lambda x: key(x, candidates))
        classes = defaultdict(list)
        for word in candidates:
            classes[feedback(letter, word)].append(word)
        for shown, rest in classes.items():
            play(rest, guessed | {letter}, missed + ("O" not in shown))

    play(words, set(), 0)
    return result


@pytest.mark.parametrize(("seed", "lives"), [(0, 1), (1, 2), (2, 6)])
def test_the_quiz_and_the_most_frequent_letter_are_guessed_by_their_rule(seed, lives):
    words = drawn_words(seed)

    def by_quiz(letter, candidates):
        counts = [sum(word.count(letter) ** 2 for word in of) for of in (candidates, words)]
        return (*counts, -ord(letter))

    def by_frequency(letter, candidates):
        return sum(letter in word for word in candidates), -ord(letter)

    for name, key in (("quiz", by_quiz), ("frequency", by_frequency)):
        expected = misses(words, lives, key)
        played = simulate(words, named(name, game=hangman(lives)), hangman(lives))
        turns = dict(played.found_turns())
        assert {word: turn - 1 if turn else lives for word, turn in turns.items()} == expected
        verify(played.tree, WordList("a list", words))


class Chosen:
    """A strategy that is called turn by turn."""

    def __init__(self, inner):
        self.name, self.choose = inner.name, inner.choose


@pytest.mark.parametrize("weights", [None, range(5)])
@pytest.mark.parametrize("name", ["quiz", "frequency"])
def test_the_tree_that_is_made_at_once_is_that_of_the_choices(name, weights):
    words, strategy = WordList("a list", drawn_words(7, 80)), named(name, game="hangman")
    if weights:
        words = words.weighed([draw % 5 for draw in range(len(words))], "some")
    whole, chosen = (build(words, each, hangman(3)).tree for each in (strategy, Chosen(strategy)))
    assert whole == chosen
    verify(whole, words)


@pytest.mark.parametrize(("seed", "name"), list(enumerate(["hangman2", "hangman-misses3"])))
def test_it_is_no_worse_than_what_it_plays_out_with(seed, name):
    words, game = WordList("a list", drawn_words(seed, 70, 4, "abcdefghij")), find_game(name)
    plain = build(words, named("frequency", game=game), game).tree
    values = [plain.value]
    for levels, width in ((1, 3), (2, 4), (9, 10)):
        tree = build(words, LetterRollout(levels, width), game).tree
        verify(tree, words)
        values.append(tree.value)
    assert values[0] <= min(values[1:]) and values[-1] == max(values)

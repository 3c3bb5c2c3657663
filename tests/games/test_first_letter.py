"""Games that give the first letter: a round of each letter equals a round of its words alone."""

import random

import exhaustive
import pytest

from gpulingo.games.catalogue import FAMILIES, find_game, legal_after
from gpulingo.games.marks import feedback
from gpulingo.strategies.build import build, position_after, simulate
from gpulingo.strategies.simulation import TreeReplay
from gpulingo.tensors.frontier import Frontier
from gpulingo.trees.checkpoint import CheckpointError, read_checkpoint, write_checkpoint
from gpulingo.trees.tree import LETTERS
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList

NAMES = [f"{family}-letter" for family in FAMILIES]
giving = pytest.mark.parametrize("name", NAMES)


def some_words(seed):
    """A small list in which two of three words are targets."""
    words = exhaustive.random_list(seed)[0]
    return words.with_targets([word for number, word in enumerate(words.words) if number % 3])


@giving
@pytest.mark.parametrize(("strategy", "turns"), [("parts", 5), ("letters", 2), ("points", 3)])
def test_the_value_is_the_sum_over_the_letters_of_that_of_their_words_alone(name, strategy, turns):
    words, game = some_words(18), find_game(name, turns)
    plain, value = find_game(name.partition("-")[0], turns), 0
    letters = sorted({word[0] for word in words.targets})
    assert len(letters) > 1
    for letter in letters:
        pool = [word for word in words.words if game.legal == "any" or word[0] == letter]
        alone = WordList("one letter", pool).with_targets([w for w in words.targets if w[0] == letter])
        value += simulate(alone, strategy, plain).tree.value
    tree = simulate(words, strategy, game).tree
    assert (tree.value, [tree.letter(root) for root in range(tree.roots)]) == (value, letters)
    turns_of = dict(zip(words.words, tree.found_turns(), strict=True))
    assert verify(tree, words) == [turns_of[target] for target in words.targets]


@giving
def test_the_position_after_a_history_is_that_of_the_letter_and_the_plain_rule(name):
    words, game, draw = some_words(28), find_game(name), random.Random(28)
    target = draw.choice(words.targets)
    allowed = [word for word in words.words if legal_after(game, target[0], "", word)]
    fitting, history = [word for word in words.targets if word[0] == target[0]], []
    for _ in range(3):
        position = position_after(history, words, game, letter=target[0])
        pool = position.pool.candidates(0) if isinstance(position.pool, Frontier) else position.pool
        assert [words[word] for word in pool.tolist()] == allowed
        assert [words[word] for word in position.frontier.members.tolist()] == fitting
        guess = draw.choice(allowed)
        marks = feedback(guess, target)
        history.append((guess, marks))
        fitting = [word for word in fitting if feedback(guess, word) == marks]


@giving
def test_a_tree_comes_back_from_its_file_and_is_followed(name, words22, tmp_path):
    game = find_game(name)
    tree = simulate(words22, "parts", game).tree
    write_checkpoint(tree, tmp_path / "a.npz")
    read = read_checkpoint(tmp_path / "a.npz")
    assert read == tree and read.roots > 1
    again = build(words22, TreeReplay(read, tree.strategy), game).tree
    assert again == tree


@giving
def test_trees_whose_roots_are_not_those_of_their_letters_are_refused(name, words22):
    tree = simulate(words22, "parts", find_game(name)).tree
    patterns, guesses = list(tree.pattern), list(tree.guess)
    patterns[:2], guesses[:2] = patterns[1::-1], guesses[1::-1]
    for change, said in (
        ({"pattern": patterns}, "this tree has children of one node out of order"),
        ({"pattern": patterns, "guess": guesses}, "this tree has children of one node out of order"),
        ({"guess": guesses}, "no guess follows|is not allowed in"),
        ({"pattern": [ord("A") - LETTERS, *tree.pattern[1:]]}, "no first guess where|where A is given"),
        ({"pattern": [0, *tree.pattern[1:]]}, "this tree has patterns that 5 letters do not have"),
    ):
        with pytest.raises(CheckpointError, match=said):
            verify(tree.replaced(**change, mean_points=None), words22)
    for first in (0, -1, len(tree) + 1):
        with pytest.raises(ValueError, match=f"has {first} first guesses in"):
            tree.replaced(first=[first, *tree.first[1:]], mean_points=None)
